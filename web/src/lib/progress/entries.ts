/** The stored progress: its entries, how they are validated, and how two collections are merged. */
import type { Mode } from "../messages";

export const FORMAT = "sintra-progress/1";
/** Only the latest entries are stored: a thousand games take about 300 kB. */
export const MAX_GAMES = 2000;
export const MAX_PUZZLES = 2000;
/** The longest file that is read. */
export const MAX_FILE_LETTERS = 4_000_000;

export const SOURCES = ["placement", "specials", "broken", "start_tile", "draws", "goals"] as const;
export type Source = (typeof SOURCES)[number];
export type Sources = Readonly<Record<Source, number>>;

/** A finished game. */
export interface PlayedGame {
  readonly game: string;
  /** When it ended. */
  readonly at: string;
  readonly mode: Mode;
  /** By seat. */
  readonly names: readonly string[];
  /** The seat of this browser; null where one screen has both. */
  readonly seat: number | null;
  /** The player of the computer, if there is one. */
  readonly opponent: string;
  readonly winner: number;
  /** How it ended: by points, or earlier. */
  readonly reason: string;
  readonly scores: readonly number[];
  /** Where the points of the player's own seat came from. */
  readonly sources?: Sources;
  /** Whether hints were asked for, and whether moves were taken back that had shown something. */
  readonly hinted?: boolean;
  readonly taken_back?: boolean;
  /** What a decision of the player's own seat cost on average, as a share of a win, by the review of the game. */
  readonly error_rate?: number;
}

/** The result of one puzzle, as the progress stores it; the log of puzzles (`puzzles/log.ts`) has the tries. */
export interface PuzzleEntry {
  readonly puzzle: string;
  readonly at: string;
  readonly solved: boolean;
}

/** All entries, the oldest first. Games that ended up to the time `forgotten` are not stored again. */
export interface Progress {
  readonly games: readonly PlayedGame[];
  readonly puzzles: readonly PuzzleEntry[];
  readonly forgotten: string;
}

export const NOTHING: Progress = { games: [], puzzles: [], forgotten: "" };

/** Why a file cannot be used: a key of the catalogue (`progress.problem.…`) and what fills it. */
export class FileProblem extends Error {
  constructor(
    readonly code: "not_json" | "other_file" | "newer" | "too_large" | "damaged",
    readonly args: Record<string, string | number> = {},
  ) {
    super(code);
  }
}

type Check = (value: unknown) => boolean;
type Checks = Readonly<Record<string, Check>>;

function isText(pattern: RegExp): Check {
  return (value) => typeof value === "string" && pattern.test(value);
}
function isOneOf(...allowed: unknown[]): Check {
  return (value) => allowed.includes(value);
}
const isPoints: Check = (value) => Number.isInteger(value) && Math.abs(value as number) < 10_000;
function isPair(check: Check): Check {
  return (value) => Array.isArray(value) && value.length === 2 && value.every(check);
}
function isMissingOr(check: Check): Check {
  return (value) => value === undefined || check(value);
}
const isTime: Check = (value) => typeof value === "string" && value.length <= 40 && !Number.isNaN(Date.parse(value));
const isFlag = isMissingOr(isOneOf(true, false));
const isId = isText(/^[\w-]{1,80}$/);
const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === "object" && value !== null && !Array.isArray(value);

const GAME: Checks & Record<keyof PlayedGame, Check> = {
  game: isId,
  at: isTime,
  mode: isOneOf("computer", "friend", "screen"),
  names: isPair(isText(/^[^]{0,80}$/)),
  seat: isOneOf(0, 1, null),
  opponent: isText(/^[^]{0,80}$/),
  winner: isOneOf(0, 1),
  reason: isText(/^\w{1,20}$/),
  scores: isPair(isPoints),
  sources: isMissingOr((value) => isRecord(value) && SOURCES.every((source) => isPoints(value[source]))),
  hinted: isFlag,
  taken_back: isFlag,
  error_rate: isMissingOr((value) => typeof value === "number" && value >= 0 && value <= 1),
};
const PUZZLE: Checks & Record<keyof PuzzleEntry, Check> = { puzzle: isId, at: isTime, solved: isOneOf(true, false) };

/** The first invalid field of an entry; undefined if all are valid. */
function faultOf(entry: unknown, checks: Checks): string | undefined {
  if (!isRecord(entry)) return "{}";
  return Object.keys(checks).find((field) => !checks[field]!(entry[field]));
}

/** The known fields of an entry; others are dropped. */
function knownFields<T>(entry: unknown, checks: Checks): T {
  const fields = Object.entries(entry as object).filter(([field]) => field in checks);
  return Object.fromEntries(fields) as T;
}

const listOf = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

/** Reads a file. Throws a FileProblem if any part of it cannot be used. */
export function readFile(text: string): Progress {
  if (text.length > MAX_FILE_LETTERS) throw new FileProblem("too_large", { count: MAX_FILE_LETTERS / 1_000_000 });
  const whole = parseJson(text);
  if (whole === undefined) throw new FileProblem("not_json");
  const format = isRecord(whole) ? String(whole.format) : "";
  if (!isRecord(whole) || !/^sintra-progress\/\d+$/.test(format)) throw new FileProblem("other_file");
  if (format !== FORMAT) throw new FileProblem("newer", { format });
  for (const [list, checks] of [
    ["games", GAME],
    ["puzzles", PUZZLE],
  ] as const) {
    const entries = whole[list] ?? [];
    if (!Array.isArray(entries)) throw new FileProblem("damaged", { place: list });
    entries.forEach((entry, k) => {
      const fault = faultOf(entry, checks);
      if (fault !== undefined) throw new FileProblem("damaged", { place: `${list}[${k}].${fault}` });
    });
  }
  return merged(NOTHING, {
    games: listOf(whole.games).map((one) => knownFields<PlayedGame>(one, GAME)),
    puzzles: listOf(whole.puzzles).map((one) => knownFields<PuzzleEntry>(one, PUZZLE)),
    forgotten: "",
  });
}

export interface Recovered {
  progress: Progress;
  /** How many entries could not be read. */
  lost: number;
  /** Whether a newer version has kept it: then it is left alone. */
  isNewer: boolean;
}

/** Reads what this browser has stored; damaged entries are left out. */
export function recovered(text: string | null): Recovered {
  if (text === null) return { progress: NOTHING, lost: 0, isNewer: false };
  const whole = parseJson(text);
  const format = isRecord(whole) ? String(whole.format) : "";
  const isNewer = format !== FORMAT && /^sintra-progress\/\d+$/.test(format);
  if (!isRecord(whole) || format !== FORMAT) return { progress: NOTHING, lost: isNewer ? 0 : 1, isNewer };
  const [games, puzzles] = [listOf(whole.games), listOf(whole.puzzles)];
  const sound = games
    .filter((one) => faultOf(one, GAME) === undefined)
    .map((one) => knownFields<PlayedGame>(one, GAME));
  const tried = puzzles
    .filter((one) => faultOf(one, PUZZLE) === undefined)
    .map((one) => knownFields<PuzzleEntry>(one, PUZZLE));
  const forgotten = isTime(whole.forgotten) ? String(whole.forgotten) : "";
  const lost = games.length + puzzles.length - sound.length - tried.length;
  return { progress: merged({ ...NOTHING, forgotten }, { ...NOTHING, games: sound, puzzles: tried }), lost, isNewer };
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** The progress as text, for this browser or for a file, which leaves out what was forgotten here. */
export function progressText({ games, puzzles, forgotten }: Progress, isFile = false): string {
  const whole = { format: FORMAT, ...(isFile ? {} : { forgotten }), games, puzzles };
  return isFile ? `${JSON.stringify(whole, null, 1)}\n` : JSON.stringify(whole);
}

/** Merges two collections: each game and each puzzle once, with all that either knows of it; where they differ, ours is
 * right. */
export function merged(ours: Progress, theirs: Progress): Progress {
  const games = new Map(theirs.games.map((one) => [one.game, one]));
  for (const one of ours.games) games.set(one.game, combined(games.get(one.game), one));
  const puzzles = new Map<string, PuzzleEntry>();
  for (const one of [...theirs.puzzles, ...ours.puzzles])
    puzzles.set(one.puzzle, better(puzzles.get(one.puzzle) ?? one, one));
  return {
    games: sortedByTime([...games.values()], (one) => one.game).slice(-MAX_GAMES),
    puzzles: sortedByTime([...puzzles.values()], (one) => one.puzzle).slice(-MAX_PUZZLES),
    forgotten: ours.forgotten,
  };
}

/** Combines what two sides know of one game: help counts as help, whichever side has recorded it. */
function combined(theirs: PlayedGame | undefined, ours: PlayedGame): PlayedGame {
  const hinted = theirs?.hinted || ours.hinted;
  const takenBack = theirs?.taken_back || ours.taken_back;
  return { ...theirs, ...ours, ...(hinted && { hinted }), ...(takenBack && { taken_back: takenBack }) };
}

/** A puzzle is solved once and for all; of two tries with one outcome the first counts. */
function better(a: PuzzleEntry, b: PuzzleEntry): PuzzleEntry {
  if (a.solved !== b.solved) return a.solved ? a : b;
  return Date.parse(a.at) <= Date.parse(b.at) ? a : b;
}

function sortedByTime<T extends { at: string }>(entries: T[], idOf: (entry: T) => string): T[] {
  const keyed = entries.map((one) => [Date.parse(one.at), idOf(one), one] as const);
  keyed.sort(([a, x], [b, y]) => a - b || (x < y ? -1 : 1));
  return keyed.map(([, , one]) => one);
}
