/** What the keyboard does, each a text `keys.NAME` of the rules. */
export const KEYS = [
  "arrows",
  "enter",
  "digits",
  "turn",
  "confirm",
  "undo",
  "board",
  "replay",
  "mute",
  "help",
] as const;
