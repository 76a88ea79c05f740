/** The puzzles that this browser has tried: which, when, and whether the first try was right. */
import type { PuzzleBrief } from "../messages";
import { save } from "../storage";

export type PuzzleKind = PuzzleBrief["kind"];
export type PuzzleTheme = PuzzleBrief["themes"][number];

export const PUZZLE_KINDS: readonly PuzzleKind[] = ["tiling", "win", "keep"];

/** What the log keeps of one puzzle. */
export interface PuzzleTry {
  readonly id: string;
  readonly kind: PuzzleKind;
  /** The day of the first try, or of the solution once it was found. */
  readonly day: string;
  /** Whether the very first try was right, without help. */
  readonly first: boolean;
  readonly solved: boolean;
}

export interface PuzzleLog {
  /** In the order of the first tries. */
  readonly tries: readonly PuzzleTry[];
  /** The days whose puzzle was solved on the day, in order. */
  readonly days: readonly string[];
  /** How hard puzzles are to be, for each kind that was tried. */
  readonly ratings: Readonly<Partial<Record<PuzzleKind, number>>>;
}

/** Figures of a solver's tries. */
export interface PuzzleCounts {
  tried: number;
  solved: number;
  /** Right at the first try. */
  first: number;
  /** Days in a row up to today (or yesterday: today's puzzle can still be solved), and the most ever. */
  days: number;
  mostDays: number;
  /** Right at the first try in a row, now and at best. */
  run: number;
  mostRun: number;
}

export interface PuzzleResult {
  readonly id: string;
  readonly kind: PuzzleKind;
  readonly day: string;
  readonly isRight: boolean;
  /** Whether a hint was asked for: then it is not the solver's own first try. */
  readonly isHelped: boolean;
  /** Whether it is the puzzle of that day. */
  readonly isDaily: boolean;
}

const KEY = "sintra.puzzles";
const MAX_KEPT = 2000;
const DAY = /^\d{4}-\d\d-\d\d$/;
export const NONE: PuzzleLog = { tries: [], days: [], ratings: {} };

/** A day of the reader's own calendar. */
export function localDay(at = new Date()): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  return `${at.getFullYear()}-${two(at.getMonth() + 1)}-${two(at.getDate())}`;
}

function dayBefore(day: string): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() - 1);
  return at.toISOString().slice(0, 10);
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
}

function isTried(value: unknown): value is PuzzleTry {
  if (typeof value !== "object" || value === null) return false;
  const { id, kind, day, first, solved } = value as Record<string, unknown>;
  const isKnown = typeof id === "string" && PUZZLE_KINDS.includes(kind as PuzzleKind) && isDay(day);
  return isKnown && typeof first === "boolean" && typeof solved === "boolean" && (solved || !first);
}

/** What was kept, as far as it can be read: damaged entries are left out. */
export function readLog(text: string | null): PuzzleLog {
  let found: unknown;
  try {
    found = JSON.parse(text ?? "{}");
  } catch {
    return NONE;
  }
  if (typeof found !== "object" || found === null) return NONE;
  const { tries, days, ratings } = found as Record<string, unknown>;
  const read: PuzzleTry[] = [];
  for (const one of Array.isArray(tries) ? (tries as unknown[]) : [])
    if (isTried(one) && !read.some((other) => other.id === one.id)) read.push(one);
  const own = (typeof ratings === "object" && ratings !== null ? ratings : {}) as Record<string, unknown>;
  const sound = PUZZLE_KINDS.flatMap((kind) =>
    Number.isFinite(own[kind]) ? [[kind, own[kind] as number] as const] : [],
  );
  return {
    tries: read.slice(-MAX_KEPT),
    days: [...new Set(Array.isArray(days) ? days.filter(isDay) : [])].sort().slice(-MAX_KEPT),
    ratings: Object.fromEntries(sound),
  };
}

export function loadLog(): PuzzleLog {
  try {
    return readLog(localStorage.getItem(KEY));
  } catch {
    return NONE;
  }
}

export function keepLog(log: PuzzleLog): void {
  save(KEY, log);
}

/** The log with a result. Only the first try of a puzzle says how good it was; later ones can still solve it. */
export function noted(log: PuzzleLog, result: PuzzleResult): PuzzleLog {
  const { id, kind, day, isRight, isHelped, isDaily } = result;
  const known = log.tries.find((one) => one.id === id);
  let tries = log.tries;
  if (!known) tries = [...tries, { id, kind, day, first: isRight && !isHelped, solved: isRight }];
  else if (isRight && !known.solved)
    tries = tries.map((one) => (one === known ? { ...one, day, first: false, solved: true } : one));
  const isNewDay = isRight && isDaily && !log.days.includes(day);
  return { ...log, tries, days: isNewDay ? [...log.days, day].sort() : log.days };
}

function longest(flags: readonly boolean[]): number {
  let most = 0;
  let run = 0;
  for (const flag of flags) most = Math.max(most, (run = flag ? run + 1 : 0));
  return most;
}

/** How many days in a row end with a day. */
function rowTo(days: ReadonlySet<string>, last: string): number {
  let count = 0;
  for (let day = last; days.has(day); day = dayBefore(day)) count++;
  return count;
}

/** The figures of the tries in this browser. */
export function puzzleCounts(log: PuzzleLog = loadLog(), today = localDay()): PuzzleCounts {
  const days = new Set(log.days);
  const firsts = log.tries.map((one) => one.first);
  return {
    tried: log.tries.length,
    solved: log.tries.filter((one) => one.solved).length,
    first: firsts.filter(Boolean).length,
    days: rowTo(days, days.has(today) ? today : dayBefore(today)),
    mostDays: Math.max(0, ...log.days.map((day) => rowTo(days, day))),
    run: firsts.length - 1 - firsts.lastIndexOf(false),
    mostRun: longest(firsts),
  };
}
