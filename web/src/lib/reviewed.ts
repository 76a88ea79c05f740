/** What a review says, as one of its players reads it. */
import { opponentName } from "./names";
import type { ReviewedTurn, ReviewFound, ReviewShown } from "./messages";

export const LUCK = ["tiles", "plates", "chips"] as const;
export const TURN_KINDS = ["tiles", "plates", "chips", "placing"] as const;
/** What costs less is not worth a word. */
export const MIN_COST = 0.005;

/** A part of the sum that leads from the chance at the start to the result. */
export interface Part {
  key: string;
  /** The chance itself, at the start and at the end; else what was added to it. */
  isWhole: boolean;
  value: number;
}

/** The players' names, told apart; `mine` for the reader, if it is theirs. */
export function namesOf({ players, opponents = [] }: ReviewShown, you: number | null = null, mine = ""): string[] {
  const [a = "", b = ""] = players.map((name, seat) => opponentName({ player: opponents[seat] ?? "", name }));
  const names = a === b ? [`${a} (1)`, `${b} (2)`] : [a, b];
  return names.map((name, seat) => (seat === you ? mine : name));
}

/** A chance of seat 0, for a seat. */
export function chanceFor(seat: number, chance: number): number {
  return seat === 0 ? chance : 1 - chance;
}

/** A difference that seat 0 gains, for a seat. */
export function gainFor(seat: number, gain: number): number {
  return seat === 0 ? gain : -gain;
}

/** The parts that add up to the result. What a closer look changed belongs to what both players' decisions came to: the
 * sums of one of them grow beyond a whole win where both give chances away and back. */
export function account(found: ReviewFound, seat: number): Part[] {
  const part = (key: string, gain: number): Part => ({ key, isWhole: false, value: gainFor(seat, gain) });
  const decisions = found.skill.reduce((sum, one) => sum + one, found.noise);
  return [
    { key: "start", isWhole: true, value: chanceFor(seat, found.start) },
    part("decisions", decisions),
    ...LUCK.map((kind) => part(`luck.${kind}`, found.luck[kind] ?? 0)),
    ...(found.ending ? [part("ending", found.ending)] : []),
    { key: "result", isWhole: true, value: chanceFor(seat, found.result) },
  ];
}

/** What a seat gave away in turns that fit. */
export function costOf(found: ReviewFound, seat: number, fits: (turn: ReviewedTurn) => boolean = () => true): number {
  return found.turns.reduce((sum, turn) => sum + (turn.seat === seat && fits(turn) ? turn.cost : 0), 0);
}

/** What weighs less over a whole game is left out. */
const LEAST_POINTS = 1;
const MAX_SOURCES = 7;

/** The points that better moves would have brought each seat, by source, the weightiest first. What the other would not
 * have gained is one source. */
export function lostBySource({ lost = [] }: ReviewFound): { source: string; points: number[] }[] {
  const sums = new Map<string, number[]>();
  for (const [seat, sources] of lost.entries())
    for (const [kind, points] of Object.entries(sources)) {
      const source = kind.startsWith("their_") ? "theirs" : kind;
      const row = sums.get(source) ?? lost.map(() => 0);
      row[seat]! += points;
      sums.set(source, row);
    }
  const most = ({ points }: { points: number[] }): number => Math.max(...points);
  return [...sums]
    .map(([source, points]) => ({ source, points }))
    .filter((row) => most(row) >= LEAST_POINTS)
    .sort((a, b) => most(b) - most(a))
    .slice(0, MAX_SOURCES);
}

/** The turns that have a mark, of one seat or of both. */
export function markedTurns(found: ReviewFound, seat?: number): ReviewedTurn[] {
  return found.turns.filter((turn) => turn.mark && (seat === undefined || turn.seat === seat));
}

/** A seat's costliest turns, the worst first. */
export function costliest(found: ReviewFound, seat: number, most: number): ReviewedTurn[] {
  return markedTurns(found, seat)
    .sort((a, b) => b.cost - a.cost)
    .slice(0, most);
}

/** The first ply of each round. */
export function roundStarts(found: ReviewFound): { ply: number; round: number }[] {
  return found.turns.filter((turn, k) => turn.round !== found.turns[k - 1]?.round);
}

/** The next marked turn of a seat, or of both, after a ply, or the one before it. */
export function markedFrom(found: ReviewFound, ply: number, step: 1 | -1, seat?: number): ReviewedTurn | undefined {
  const all = markedTurns(found, seat);
  return step > 0 ? all.find((turn) => turn.ply > ply) : all.filter((turn) => turn.ply < ply).at(-1);
}

/** A curve over the plies: the chance to win or the expected lead, as a seat sees it; before the review is made, what
 * a first quick look has seen. */
export function curve(shown: ReviewShown, what: "chance" | "lead", seat: number): number[] {
  const { found, scores, plies } = shown;
  if (!found) return what === "chance" ? (shown.course ?? []).map((chance) => chanceFor(seat, chance)) : [];
  const [a = 0, b = 0] = scores;
  const values = found.turns.map((turn) =>
    what === "chance" ? chanceFor(seat, turn.chance) : gainFor(seat, turn.lead),
  );
  values[plies] = what === "chance" ? chanceFor(seat, found.result) : gainFor(seat, a - b);
  return values;
}

export const SIGNS = { inaccuracy: "?!", mistake: "?", blunder: "??" } as const;

export function signOf(turn: ReviewedTurn): string {
  return turn.mark ? SIGNS[turn.mark] : "";
}
