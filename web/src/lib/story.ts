/** How a round's points came about: what was counted, one thing after the other, and the boards meanwhile. */
import { BROKEN_PENALTIES, GRID, START_PENALTY } from "./components";
import { undoneIn } from "./marks";
import type { Breakdown, Event, LineShown, RoundSummary, Step } from "./messages";

export type Reason = "draws" | "placement" | "specials" | "broken" | "start_tile" | "break";

/** One thing that is counted, or a line that breaks before its tiles are. */
export interface Counted {
  seat: number;
  reason: Reason;
  points: number;
  /** The line that a tile comes from, or that breaks. */
  line: number;
  /** Where the tile lies then. */
  space: string;
  piece: string;
  /** The spaces that count. */
  cells: readonly string[];
  across: number;
  down: number;
  /** How many tiles of a line that breaks lie among the broken ones then. */
  broken: number;
}

/** How the points of a round came about. */
export interface RoundStory {
  summary: RoundSummary;
  counted: Counted[];
}

/** A board while its round is told. `points` were booked on spaces, `sums` from each source. */
export interface BoardTold {
  lines: LineShown[];
  shows: readonly string[];
  tiles: string[];
  broken: string;
  startTile: boolean;
  score: number;
  points: Record<string, number>;
  sums: Partial<Record<Reason, number>>;
}

/** The name of a space on its own board: “3-5” of “space-0-3-5”. */
export function spaceOf(place: string): string {
  return place.split("-").slice(2).join("-");
}

function lineOf(place: string): number {
  return Number(place.split("-")[2]);
}

const NOTHING: Omit<Counted, "seat" | "reason"> = {
  points: 0,
  line: 0,
  space: "",
  piece: "",
  cells: [],
  across: 0,
  down: 0,
  broken: 0,
};

/** What was counted in a round: the plates drawn, and then what the steps of its tiling tell. */
export function countedIn(log: readonly Event[], summary: RoundSummary): Counted[] {
  const undone = undoneIn(log);
  const moves = log.filter(({ kind, round, seq }) => kind === "move" && round === summary.round && !undone.has(seq));
  const drawn = summary.gains.flatMap(({ draws }, seat): Counted[] =>
    draws ? [{ ...NOTHING, seat, reason: "draws", points: draws }] : [],
  );
  return [...drawn, ...moves.flatMap((move) => countedBy(move.steps ?? []))];
}

function countedBy(steps: readonly Step[]): Counted[] {
  const found: Counted[] = [];
  let tile: Pick<Counted, "line" | "space" | "piece"> = NOTHING;
  for (const { kind, start = "", end = "", piece = "", count = 1, seat = 0, ...step } of steps) {
    if (kind === "break") found.push({ ...NOTHING, seat, reason: "break", line: lineOf(start) });
    else if (kind === "travel" && end.startsWith("space-"))
      tile = { line: start.startsWith("line-") ? lineOf(start) : 0, space: spaceOf(end), piece };
    else if (kind === "travel" && start.startsWith("line-") && end.startsWith("broken-")) {
      const line = found.at(-1);
      if (line?.reason === "break") Object.assign(line, { piece, broken: count });
    } else if (kind === "points" && (step.reason === "placement" || step.reason === "specials")) {
      const { points = 0, across = 0, down = 0 } = step;
      const cells = step.cells?.map(spaceOf) ?? [tile.space];
      found.push({ ...NOTHING, ...tile, seat, reason: step.reason, points, across, down, cells });
    } else if (kind === "points" && (step.reason === "broken" || step.reason === "start_tile"))
      found.push({ ...NOTHING, seat, reason: step.reason, points: step.points ?? 0 });
  }
  return found;
}

/** R4.3: the lines that were complete and stay, because their rows have no space for them yet. */
export function linesThatWait({ lines }: BoardTold): number[] {
  return lines.flatMap(({ tiles, placed }, k) => (tiles === k + 1 && !placed ? k + 1 : []));
}

/** The boards after the first `many` things were counted. */
export function boardsAfter(summary: RoundSummary, counted: readonly Counted[], many: number): BoardTold[] {
  const boards = summary.boards.map(({ lines, shows, tiles, broken, start_tile }, seat): BoardTold => ({
    lines: lines.map((line) => ({ ...line })),
    shows,
    tiles: [...tiles],
    broken,
    startTile: start_tile,
    score: summary.gains[seat]!.before,
    points: {},
    sums: {},
  }));
  for (const one of counted.slice(0, many)) count(boards[one.seat]!, one);
  return boards;
}

/** Books one thing that is counted on its board. */
function count(board: BoardTold, one: Counted): void {
  const line = board.lines[one.line - 1];
  if (one.reason === "break" && line) {
    line.tiles = 0;
    board.broken += one.piece.repeat(one.broken);
  }
  if (one.space) {
    const [row = 0, column = 0] = one.space.split("-").map(Number);
    const letters = board.tiles[row - 1]!;
    board.tiles[row - 1] = letters.slice(0, column - 1) + one.piece + letters.slice(column);
    board.points[one.space] = one.points;
    if (line) line.placed = true;
  }
  board.score += one.points;
  board.sums[one.reason] = (board.sums[one.reason] ?? 0) + one.points;
}

export type Source = Exclude<Reason, "break"> | "spared";

/** What a board's points came from: penalties as they lie there, once they are counted, and what of them was not booked
 * because a score never falls below 0 (R1.8). */
export function sumsOf({ sums, broken, startTile }: BoardTold, isDone: boolean): [Source, number][] {
  const penalties = BROKEN_PENALTIES.slice(0, broken.length).reduce((sum, one) => sum + one, 0);
  const lying = { broken: penalties, start_tile: startTile ? START_PENALTY : 0 };
  const due = (one: "broken" | "start_tile"): number => (isDone || sums[one] ? lying[one] : 0);
  const booked = (sums.broken ?? 0) + (sums.start_tile ?? 0);
  const found: [Source, number][] = [
    ["placement", sums.placement ?? 0],
    ["specials", sums.specials ?? 0],
    ["broken", due("broken")],
    ["start_tile", due("start_tile")],
    ["draws", sums.draws ?? 0],
    ["spared", booked - due("broken") - due("start_tile")],
  ];
  return found.filter(([, points]) => points);
}

/** The spaces that have a certain mark among those of a goal's progress. */
export function spacesMarked(cells: string, mark: string): string[] {
  const found: string[] = [];
  [...cells].forEach((one, k) => {
    if (one === mark) found.push(`${Math.floor(k / GRID) + 1}-${(k % GRID) + 1}`);
  });
  return found;
}

/** A score after the first `many` goals: the steps say what each of them really brought (R6.2). */
export function scoreWithGoals(
  end: Breakdown,
  steps: readonly Step[],
  placeOf: (goal: number) => string,
  many: number,
): number {
  const counted = Array.from({ length: many }, (_, k) => placeOf(k));
  return steps
    .filter(({ reason, end: place }) => reason === "goals" && counted.includes(place ?? ""))
    .reduce((sum, { points }) => sum + (points ?? 0), end.total - end.goals_booked);
}
