import { describe, expect, it } from "vitest";
import type { ReviewedTurn, ReviewFound, ReviewShown } from "../src/lib/messages";
import { speak } from "../src/lib/i18n.svelte";
import {
  account,
  costliest,
  costOf,
  curve,
  lostBySource,
  markedTurns,
  markedFrom,
  namesOf,
  roundStarts,
} from "../src/lib/reviewed";

function turn(ply: number, seat: number, cost: number, round = 1): ReviewedTurn {
  const move = { token: "E", telling: { key: "log.end" }, places: [], chance: 0.5 };
  const skill = seat === 0 ? -cost : cost;
  const mark = cost >= 0.15 ? "blunder" : cost >= 0.05 ? "inaccuracy" : "";
  const rest = { kind: "tiles" as const, played: move, best: [move], chance: 0.6, lead: 4, luck: {}, noise: 0 };
  return { ply, seat, round, cost, skill, mark, ...rest };
}

const turns = [turn(0, 0, 0.06), turn(1, 1, 0.2), turn(2, 0, 0.16, 2), turn(3, 0, 0.01, 2)];
const found: ReviewFound = {
  start: 0.5,
  skill: [-0.23, 0.2],
  luck: { tiles: 0.1, chips: -0.02, plates: 0 },
  noise: 0.05,
  ending: 0.4,
  result: 1,
  error_rate: [0.08, 0.2],
  strength: [
    { elo: 1300, low: 900, high: 1700 },
    { elo: 900, low: 500, high: 1300 },
  ],
  turns,
};
const shown: ReviewShown = {
  review: "",
  state: "done",
  players: ["Ann", "Ben"],
  scores: [30, 20],
  winner: 0,
  reason: "resigned",
  plies: 4,
  found,
};

describe("a review as a player reads it", () => {
  it("adds up to the result for either seat", () => {
    for (const seat of [0, 1]) {
      const parts = account(found, seat);
      const sum = parts.slice(0, -1).reduce((total, part) => total + part.value, 0);
      expect(sum).toBeCloseTo(parts.at(-1)!.value);
      expect(parts.at(-1)!.value).toBe(seat === 0 ? 1 : 0);
      expect(parts.map((part) => part.key).slice(0, 2)).toEqual(["start", "decisions"]);
    }
  });
  it("leaves out an ending that is none", () => {
    expect(account({ ...found, ending: 0 }, 0).some((part) => part.key === "ending")).toBe(false);
  });
  it("finds the costly turns", () => {
    expect(markedTurns(found).map((one) => one.ply)).toEqual([0, 1, 2]);
    expect(costliest(found, 0, 5).map((one) => one.ply)).toEqual([2, 0]);
    expect(costliest(found, 0, 1).map((one) => one.ply)).toEqual([2]);
    expect(markedFrom(found, 0, 1)?.ply).toBe(1);
    expect(markedFrom(found, 2, 1)).toBeUndefined();
    expect(markedFrom(found, 3, -1)?.ply).toBe(2);
    expect(markedFrom(found, 0, -1)).toBeUndefined();
    expect(markedFrom(found, 0, 1, 0)?.ply).toBe(2);
    expect(markedFrom(found, 1, -1, 1)).toBeUndefined();
  });
  it("sums up what was given away", () => {
    expect(costOf(found, 0)).toBeCloseTo(0.23);
    expect(costOf(found, 0, (one) => one.round === 2)).toBeCloseTo(0.17);
    expect(roundStarts(found).map((one) => one.ply)).toEqual([0, 2]);
  });
  it("draws a curve to the end of the game", () => {
    expect(curve(shown, "chance", 0)).toEqual([0.6, 0.6, 0.6, 0.6, 1]);
    expect(curve(shown, "chance", 1).at(-1)).toBe(0);
    expect(curve(shown, "lead", 1)).toEqual([-4, -4, -4, -4, -10]);
    const nothing = { ...shown, plies: 0, found: { ...found, turns: [] } };
    expect(curve(nothing, "chance", 0)).toEqual([1]);
  });
  it("tells points lost by source, what the other would not have gained as one", () => {
    expect(lostBySource(found)).toEqual([]);
    const lost: Record<string, number>[] = [
      { goals: 2, their_points: 1, their_later: 2.5, chips: 0.4 },
      { goals: -1, draws: 5 },
    ];
    expect(lostBySource({ ...found, lost })).toEqual([
      { source: "draws", points: [0, 5] },
      { source: "theirs", points: [3.5, 0] },
      { source: "goals", points: [2, -1] },
    ]);
  });
  it("tells players of one name apart", () => {
    expect(namesOf(shown)).toEqual(["Ann", "Ben"]);
    expect(namesOf({ ...shown, players: ["Ann", "Ann"] })).toEqual(["Ann (1)", "Ann (2)"]);
  });
  it("names computers in the reader's language", async () => {
    await speak("de");
    expect(namesOf({ ...shown, players: ["Ann", "Novice"], opponents: ["", "level:n=1"] })).toEqual(["Ann", "Neuling"]);
    await speak("en");
  });
});
