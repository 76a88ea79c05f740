/** The sound of a move. */
import type { Step } from "../messages";
import type { Sound } from "../sound";

/** What can be heard, the most telling first: a move has one sound, whatever else happens with it. */
const TELLING: readonly [Sound, (step: Step) => boolean][] = [
  ["break", (step) => step.kind === "break" || (step.kind === "travel" && isAt(step.end, "broken"))],
  ["special", (step) => step.start === "supply"],
  ["place", (step) => step.kind === "travel" && isAt(step.end, "space")],
  ["take", (step) => step.kind === "travel" && (isAt(step.start, "sun") || isAt(step.start, "moon"))],
  ["round", (step) => step.kind === "deal"],
  ["plate", (step) => step.kind === "travel" && step.piece === "plate"],
  ["chip", (step) => step.kind === "turn" || isAt(step.end, "store") || isAt(step.start, "store")],
];

function isAt(place: string | undefined, kind: string): boolean {
  return place?.startsWith(`${kind}-`) ?? false;
}

export function soundOf(steps: readonly Step[]): Sound {
  return TELLING.find(([, isIt]) => steps.some(isIt))?.[0] ?? "take";
}
