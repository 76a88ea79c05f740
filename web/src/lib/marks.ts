/** The moves of the latest turn, and the places that they mark on the table. */
import type { Event } from "./messages";

/** Places that pieces went to, and places that they came from. */
export interface Marks {
  readonly to: readonly string[];
  readonly from: readonly string[];
}

export const NO_MARKS: Marks = { to: [], from: [] };

/** The places that the steps of some moves mark. Pieces that the rules set up are not marked. */
export function marksOf(moves: readonly Event[]): Marks {
  const to = new Set<string>();
  const from = new Set<string>();
  for (const step of moves.flatMap((move) => move.steps ?? [])) {
    if (step.kind === "turn") to.add(step.start ?? "");
    if (step.kind !== "travel") continue;
    to.add(step.end ?? "");
    from.add(step.start ?? "");
  }
  to.delete("tower");
  return { to: [...to], from: [...from].filter((place) => !to.has(place)) };
}

/** The events whose moves were taken back, and not redone. */
export function undoneIn(log: readonly Event[]): Set<number> {
  const undone = new Set<number>();
  for (const { undoes = [], redoes = [] } of log) {
    for (const seq of undoes) undone.add(seq);
    for (const seq of redoes) undone.delete(seq);
  }
  return undone;
}

/** The moves of the latest turn, or tiling, up to a ply. A move that was taken back stands in the log before those
 * played instead. */
export function lastTurn(log: readonly Event[], ply: number): Event[] {
  const moves: Event[] = [];
  for (const event of log) if (event.kind === "move" && event.ply && event.ply <= ply) moves[event.ply - 1] = event;
  return moves.slice((moves.at(-1)?.turn ?? 1) - 1);
}
