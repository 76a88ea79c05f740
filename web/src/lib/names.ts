/** The names of players. */
import { has, t } from "./i18n.svelte";
import type { Event, GameBrief, GameShown, OpponentShown, PlayerShown } from "./messages";

/** A computer's name in the reader's language, or the service's name for it. */
export function opponentName({ player, name }: Pick<OpponentShown, "player" | "name">): string {
  const key = `opponent.${player}`;
  return has(key) ? t(key) : name;
}

/** How a computer plays. */
export function whatToExpect({ player, about }: OpponentShown): string {
  const key = `opponent.${player}.expect`;
  return has(key) ? t(key) : about;
}

export function playerName(player: PlayerShown | undefined): string {
  if (player?.kind === "computer") return opponentName({ player: player.opponent, name: player.name });
  return player?.name ?? "";
}

export function nameOf(shown: GameShown, seat: number): string {
  return playerName(shown.players[seat]);
}

/** What happened, in words, with the name of whoever did it. */
export function eventWords(shown: GameShown, { seat, telling }: Event): string {
  return (seat == null ? "" : `${nameOf(shown, seat)}: `) + t(telling.key, telling.args ?? {});
}

/** The first letters of the players' names, or the numbers in which these differ. */
export function initialsOf(shown: GameShown): string[] {
  const names = shown.players.map((player) => [...playerName(player)]);
  const [one = [], other = []] = names;
  const k = one.findIndex((letter, at) => letter.toLowerCase() !== other[at]?.toLowerCase());
  const isNumber = [one, other].every((name) => /\d/.test(name[k] ?? ""));
  return names.map((name) => (isNumber ? name[k] : name[0]?.toUpperCase()) ?? "");
}

/** Whether nothing but a sign tells the players' figures apart. */
export function needSigns(shown: GameShown): boolean {
  const [one, other] = initialsOf(shown);
  return one === other;
}

/** Who plays, in a list of games. */
export function namesAt(game: GameBrief): string {
  return game.players.map((player) => playerName(player) || t("start.friend")).join(" – ");
}
