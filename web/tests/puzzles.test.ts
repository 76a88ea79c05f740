import { describe, expect, it } from "vitest";
import type { PuzzleBrief } from "../src/lib/messages";
import { nextPuzzle, puzzlePath, rated, ratingAfter, solverRating } from "../src/lib/puzzles/choosing";
import {
  PUZZLE_KINDS,
  localDay,
  NONE,
  noted,
  puzzleCounts,
  readLog,
  type PuzzleLog,
  type PuzzleResult,
  type PuzzleTheme,
} from "../src/lib/puzzles/log";

function result(id: string, isRight: boolean, more: Partial<PuzzleResult> = {}): PuzzleResult {
  return { id, kind: "win", day: "2026-11-16", isRight, isHelped: false, isDaily: false, ...more };
}
function after(...results: PuzzleResult[]): PuzzleLog {
  return results.reduce(noted, NONE);
}

describe("what was kept", () => {
  it("is read again as it was written", () => {
    const log = rated(after(result("a", true), result("b", false)), brief("c", "win", 900), [], true);
    expect(readLog(JSON.stringify(log))).toEqual(log);
  });

  it.each(["", "{", "null", "7", '"x"', "[]", '{"tries":7,"days":{},"ratings":[]}'])("may be damaged: %s", (text) => {
    expect(readLog(text)).toEqual(NONE);
  });

  it("leaves out what is damaged, and what stands there twice", () => {
    const good = { id: "a", kind: "win", day: "2026-11-16", first: true, solved: true };
    const bad = [null, 7, {}, { ...good, id: 7 }, { ...good, kind: "x" }, { ...good, day: "2026-13-40" }];
    const odd = [...bad, { ...good, solved: false }, { ...good, first: "yes" }];
    const text = JSON.stringify({
      tries: [...odd, good, good],
      days: ["2026-11-16", "x", 7, "2026-11-15", "2026-11-16"],
      ratings: { win: 900, keep: "x", tiling: null, other: 3 },
    });
    expect(readLog(text)).toEqual({ tries: [good], days: ["2026-11-15", "2026-11-16"], ratings: { win: 900 } });
    expect(readLog(null)).toEqual(NONE);
  });
});

describe("a result", () => {
  it("says by its first try how good it was", () => {
    const log = after(result("a", true), result("b", false), result("b", true), result("c", true, { isHelped: true }));
    expect(log.tries.map(({ id, first, solved }) => [id, first, solved])).toEqual([
      ["a", true, true],
      ["b", false, true],
      ["c", false, true],
    ]);
    expect(noted(log, result("a", false))).toEqual(log);
  });

  it("solves a day's puzzle only on the day, and once", () => {
    const day = { isDaily: true };
    expect(after(result("a", false, day)).days).toEqual([]);
    expect(after(result("a", true)).days).toEqual([]);
    expect(after(result("a", true, day), result("a", true, day)).days).toEqual(["2026-11-16"]);
    const again = after(result("a", true, { day: "2026-11-01" }), result("a", true, day));
    expect(again.days).toEqual(["2026-11-16"]);
  });
});

describe("streaks", () => {
  const log = { ...NONE, days: ["2026-02-27", "2026-02-28", "2026-03-01", "2026-11-14", "2026-11-15"] };
  it("count days in a row, over the ends of months, until a day is left out", () => {
    expect(puzzleCounts(log, "2026-11-15")).toMatchObject({ days: 2, mostDays: 3 });
    expect(puzzleCounts(log, "2026-11-16").days).toBe(2);
    expect(puzzleCounts(log, "2026-11-17").days).toBe(0);
    expect(puzzleCounts(log, "2026-03-01").days).toBe(3);
    expect(puzzleCounts(NONE, "2026-03-01")).toMatchObject({ days: 0, mostDays: 0, run: 0, mostRun: 0 });
  });

  it("count what was right at the first try, until one was not", () => {
    const tries = ["a", "b", "c"].map((id) => result(id, true));
    expect(puzzleCounts(after(...tries), "2026-11-16")).toMatchObject({ tried: 3, solved: 3, first: 3, run: 3 });
    const broken = after(...tries, result("d", false), result("d", true), result("e", true));
    expect(puzzleCounts(broken, "2026-11-16")).toMatchObject({ tried: 5, solved: 5, first: 4, run: 1, mostRun: 3 });
  });

  it("follow the reader's own calendar", () => {
    expect(localDay(new Date(2026, 0, 5, 23, 59))).toBe("2026-01-05");
    expect(localDay(new Date(2026, 0, 6, 0, 1))).toBe("2026-01-06");
  });
});

function brief(id: string, kind: PuzzleBrief["kind"], rating: number, ...themes: PuzzleTheme[]): PuzzleBrief {
  return { id, kind, rating, themes };
}

describe("the next puzzle", () => {
  const all = PUZZLE_KINDS.flatMap((kind) =>
    Array.from({ length: 21 }, (_, k) => brief(`${kind}${k}`, kind, 500 + 50 * k)),
  );

  it("begins in the middle, goes up after a right try and down after a wrong one", () => {
    expect(solverRating(NONE, "win", all)).toBe(1000);
    const up = rated(NONE, brief("win10", "win", 1000), all, true);
    const down = rated(NONE, brief("win10", "win", 1000), all, false);
    expect(solverRating(up, "win", all)).toBe(1060);
    expect(solverRating(down, "win", all)).toBe(940);
    expect(solverRating(up, "keep", all)).toBe(1000);
    expect(ratingAfter(1000, 1800, true) - 1000).toBeGreaterThan(ratingAfter(1000, 1000, true) - 1000);
    expect(ratingAfter(1000, 400, true)).toBeGreaterThan(1000);
  });

  it("is of the kind that is asked for, near one's own strength, and new", () => {
    const log = { ...after(result("win10", true), result("win9", false)), ratings: { win: 1010 } };
    for (let k = 0; k < 10; k++) {
      const one = nextPuzzle(all, log, { kind: "win" }, "win11", () => k / 10);
      expect(one?.kind).toBe("win");
      expect(["win8", "win12", "win7", "win13"]).toContain(one?.id);
    }
  });

  it("is of every kind in turn where any will do", () => {
    const kinds = [0, 0.4, 0.9].map((dice) => nextPuzzle(all, NONE, { kind: null }, "", () => dice)?.kind);
    expect(kinds).toEqual([...PUZZLE_KINDS]);
  });

  it("is an unsolved one again once all were tried, and in the end any other", () => {
    const few = [brief("a", "win", 500), brief("b", "win", 900), brief("c", "win", 1300)];
    const log = after(result("a", true), result("b", false), result("c", true));
    expect(nextPuzzle(few, log, { kind: "win" })?.id).toBe("b");
    expect(nextPuzzle(few, noted(log, result("b", true)), { kind: "win" }, "a")?.id).not.toBe("a");
    expect(nextPuzzle([few[0]!], log, { kind: "win" }, "a")).toBeUndefined();
    expect(nextPuzzle(few, log, { kind: "keep" })).toBeUndefined();
  });

  it("is about what is wished for", () => {
    const themed = [brief("a", "win", 900, "chips"), brief("b", "keep", 900, "stack", "chips"), brief("c", "win", 900)];
    const ids = [0, 0.99].map((dice) => nextPuzzle(themed, NONE, { kind: null, theme: "chips" }, "", () => dice)?.id);
    expect(ids).toEqual(["a", "b"]);
    expect(nextPuzzle(themed, NONE, { kind: "win", theme: "stack" })).toBeUndefined();
    expect(puzzlePath("a", { kind: "win", theme: "stack" })).toBe("/puzzles/a?kind=win&theme=stack");
    expect(puzzlePath("a", { kind: null })).toBe("/puzzles/a");
  });
});
