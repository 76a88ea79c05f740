/** Chooses the next puzzle: one of the solver's own strength that was not tried yet. */
import type { PuzzleBrief } from "../messages";
import { PUZZLE_KINDS, type PuzzleKind, type PuzzleLog, type PuzzleTheme } from "./log";

export const PUZZLE_THEMES: readonly PuzzleTheme[] = [
  "column",
  "special",
  "break",
  "stack",
  "chips",
  "line",
  "needs",
  "last",
];
/** The most points that a try moves the rating (the K of Elo). */
const STEP = 120;
/** The next puzzle is drawn from this many whose ratings are nearest. */
const NEAREST = 4;

/** The solver's rating for a kind of puzzles; before the first try, the median of those puzzles. */
export function solverRating(log: PuzzleLog, kind: PuzzleKind, puzzles: readonly PuzzleBrief[]): number {
  const own = log.ratings[kind];
  if (own !== undefined) return own;
  const all = puzzles.flatMap((one) => (one.kind === kind ? one.rating : [])).sort((a, b) => a - b);
  return all[Math.floor(all.length / 2)] ?? 0;
}

/** The rating after a first try: up if it was right, down if not, the more the less that was to be expected. */
export function ratingAfter(own: number, puzzle: number, isRight: boolean): number {
  const expected = 1 / (1 + 10 ** ((puzzle - own) / 400));
  return Math.round(own + STEP * ((isRight ? 1 : 0) - expected));
}

/** The log with the rating that a first try leaves. */
export function rated(
  log: PuzzleLog,
  puzzle: PuzzleBrief,
  puzzles: readonly PuzzleBrief[],
  isRight: boolean,
): PuzzleLog {
  const rating = ratingAfter(solverRating(log, puzzle.kind, puzzles), puzzle.rating, isRight);
  return { ...log, ratings: { ...log.ratings, [puzzle.kind]: rating } };
}

/** The puzzles to choose from: the untried ones; if there is none, the unsolved ones; else all others. */
function left(puzzles: readonly PuzzleBrief[], log: PuzzleLog, now: string): readonly PuzzleBrief[] {
  const others = puzzles.filter((one) => one.id !== now);
  const tried = new Map(log.tries.map((one) => [one.id, one.solved]));
  const untried = others.filter((one) => !tried.has(one.id));
  if (untried.length) return untried;
  const unsolved = others.filter((one) => !tried.get(one.id));
  return unsolved.length ? unsolved : others;
}

/** What the next puzzle is to be: of a kind, and about something; null stands for any. */
export interface PuzzleWish {
  readonly kind: PuzzleKind | null;
  readonly theme?: PuzzleTheme | null;
}

export function fitsWish({ kind, theme = null }: PuzzleWish, puzzle: PuzzleBrief): boolean {
  return (!kind || puzzle.kind === kind) && (!theme || puzzle.themes.includes(theme));
}

/** The address of a puzzle, and of the wish for those that follow it. */
export function puzzlePath(id: string, { kind, theme }: PuzzleWish): string {
  const query = new URLSearchParams({ ...(kind && { kind }), ...(theme && { theme }) }).toString();
  return `/puzzles/${id}${query && `?${query}`}`;
}

/** The next puzzle that fits a wish, near the solver's strength; undefined if there is no other. */
export function nextPuzzle(
  puzzles: readonly PuzzleBrief[],
  log: PuzzleLog,
  wish: PuzzleWish,
  now = "",
  random: () => number = Math.random,
): PuzzleBrief | undefined {
  const fitting = left(
    puzzles.filter((one) => fitsWish(wish, one)),
    log,
    now,
  );
  const kinds = PUZZLE_KINDS.filter((one) => fitting.some((puzzle) => puzzle.kind === one));
  const chosen = kinds[Math.floor(random() * kinds.length)];
  if (!chosen) return undefined;
  const own = solverRating(log, chosen, puzzles);
  const near = fitting
    .filter((one) => one.kind === chosen)
    .sort((a, b) => Math.abs(a.rating - own) - Math.abs(b.rating - own))
    .slice(0, NEAREST);
  return near[Math.floor(random() * near.length)];
}
