import { expect, it } from "vitest";
import type { Event, RoundSummary, Step, TiledBoard } from "../src/lib/messages";
import { boardsAfter, countedIn, linesThatWait, spacesMarked, scoreWithGoals, sumsOf } from "../src/lib/story";

const EMPTY = Array<string>(6).fill("......");
const board: TiledBoard = {
  lines: [1, 2, 3, 4, 5, 6].map((k) => ({
    color: k === 2 ? "B" : k === 3 ? "R" : "",
    tiles: k < 4 ? k : 0,
    placed: false,
  })),
  shows: EMPTY,
  tiles: [EMPTY[0]!, "..Y...", ...EMPTY.slice(2)],
  broken: "K",
  start_tile: true,
};
const gain = { placement: 3, specials: 0, broken: -6, start_tile: -2, draws: -1, score: 4, before: 10 };
const summary: RoundSummary = { round: 2, gains: [gain, { ...gain, draws: 0 }], boards: [board, board] };

let seq = 0;
function move(steps: Step[], more: Partial<Event> = {}): Event {
  return { seq: ++seq, kind: "move", telling: { key: "" }, at: "", round: 2, seat: 0, steps, ...more };
}
const placing = (column: number): Step[] => [
  { kind: "travel", start: "line-0-2", end: `space-0-2-${column}`, piece: "B" },
  {
    kind: "points",
    end: `space-0-2-${column}`,
    points: 2,
    reason: "placement",
    across: 2,
    down: 1,
    cells: ["space-0-2-2", "space-0-2-3"],
  },
];
const undone = move(placing(4));
const log: Event[] = [
  move([{ kind: "travel", start: "sun-1", end: "line-0-2", piece: "B" }]),
  move(placing(1), { round: 1 }),
  undone,
  move([], { kind: "undo", undoes: [undone.seq] }),
  move(placing(2)),
  move([
    { kind: "break", start: "line-0-3" },
    { kind: "travel", start: "line-0-3", end: "broken-0", piece: "R", count: 2 },
    { kind: "travel", start: "line-0-3", end: "tower", piece: "R" },
    { kind: "points", end: "broken-0", points: -6, reason: "broken" },
    { kind: "points", end: "broken-0", points: -2, reason: "start_tile" },
  ]),
];

it("tells what was counted in a round and was not taken back", () => {
  const counted = countedIn(log, summary);
  expect(counted.map(({ reason, points }) => [reason, points])).toEqual([
    ["draws", -1],
    ["placement", 2],
    ["break", 0],
    ["broken", -6],
    ["start_tile", -2],
  ]);
  expect(counted[1]).toMatchObject({ line: 2, space: "2-2", piece: "B", cells: ["2-2", "2-3"], across: 2, down: 1 });
  expect(counted[2]).toMatchObject({ line: 3, piece: "R", broken: 2 });
});

it("shows the boards as far as they are told", () => {
  const counted = countedIn(log, summary);
  const at = (many: number) => boardsAfter(summary, counted, many)[0]!;
  expect([0, 1, 2, 3, 4, 5].map((many) => at(many).score)).toEqual([10, 9, 11, 11, 5, 3]);
  expect(at(1).tiles[1]).toBe("..Y...");
  expect(at(2).tiles[1]).toBe(".BY...");
  expect(at(2).lines[1]).toMatchObject({ tiles: 2, placed: true });
  expect(at(2).points).toEqual({ "2-2": 2 });
  expect([at(2).broken, at(3).broken]).toEqual(["K", "KRR"]);
  expect(at(3).lines[2]!.tiles).toBe(0);
  expect(at(5).sums).toEqual({ draws: -1, placement: 2, break: 0, broken: -6, start_tile: -2 });
  expect(summary.boards[0]!.lines[1]!.placed).toBe(false);
});

it("knows which complete lines stay", () => {
  const counted = countedIn(log, summary);
  const waiting = [0, 2, 5].map((many) => linesThatWait(boardsAfter(summary, counted, many)[0]!));
  expect(waiting).toEqual([[1, 2, 3], [1, 3], [1]]);
});

it("adds the goals as they were booked", () => {
  const end = { start: 5, placement: 3, specials: 0, broken: 0, start_tile: 0, draws: 0, goals: [4, -20] };
  const steps: Step[] = [
    { kind: "points", end: "goal-0-0", points: 4, reason: "goals" },
    { kind: "points", end: "goal-0-1", points: -12, reason: "goals" },
    { kind: "points", end: "goal-1-0", points: 7, reason: "goals" },
  ];
  const scores = [0, 1, 2].map((many) =>
    scoreWithGoals({ ...end, goals_booked: -8, total: 0 }, steps, (k) => `goal-0-${k}`, many),
  );
  expect(scores).toEqual([8, 12, 0]);
});

it("finds the spaces that have a mark", () => {
  expect(spacesMarked("x.....o" + ".".repeat(29), "x")).toEqual(["1-1"]);
  expect(spacesMarked("x.....o" + ".".repeat(29), "o")).toEqual(["2-1"]);
});

it("tells what a score that never falls below 0 was spared", () => {
  const told = (booked: Record<string, number>, isDone: boolean) =>
    Object.fromEntries(
      sumsOf({ ...boardsAfter(summary, [], 0)[0]!, broken: "KKK", startTile: true, sums: booked }, isDone),
    );
  expect(told({ placement: 2 }, false)).toEqual({ placement: 2 });
  expect(told({ placement: 2, broken: -6, start_tile: -2 }, true)).toEqual({
    placement: 2,
    broken: -6,
    start_tile: -2,
  });
  expect(told({ placement: 2, broken: -2 }, false)).toEqual({ placement: 2, broken: -6, spared: 4 });
  expect(told({ placement: 2, broken: -2 }, true)).toEqual({ placement: 2, broken: -6, start_tile: -2, spared: 6 });
});
