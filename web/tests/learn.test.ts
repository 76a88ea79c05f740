import { describe, expect, it } from "vitest";
import { subjectOf } from "../src/lib/learn.svelte";
import type { ReviewedMove } from "../src/lib/messages";

function move(key: string, args: Record<string, string | number>, places: string[] = []): ReviewedMove {
  return { token: "", telling: { key, args }, places, chance: 0.5 };
}

describe("what a hint says of the best move", () => {
  it("names the source of tiles, and not where they go", () => {
    const { key, places } = subjectOf(move("log.sun_some", { factory: "2", line: 4 }, ["sun-2", "line-1-4"]), 1);
    expect([key, places]).toEqual(["puzzle.hint.sun", ["sun-2"]]);
    expect(subjectOf(move("log.moon_break", { color: "B" }, ["moon-L", "broken-0"]), 0)).toMatchObject({
      key: "puzzle.hint.moon",
      places: [],
    });
  });
  it("names the line of a tile and of a payment", () => {
    for (const [told, key] of [
      ["log.place_special", "puzzle.hint.line"],
      ["log.pay", "puzzle.hint.pay"],
    ] as const)
      expect(subjectOf(move(told, { line: 3 }, ["space-1-3-2"]), 1)).toMatchObject({ key, places: ["line-1-3"] });
  });
  it("has words for every other kind of move", () => {
    const keys = ["plate", "keep", "chip", "draw", "end", "end_free", "look", "return_own"].map(
      (told) => subjectOf(move(`log.${told}`, {}), 0).key,
    );
    const hints = ["plate", "plate", "chip", "draw", "end", "end"].map((one) => `puzzle.hint.${one}`);
    expect(keys).toEqual([...hints, "review.kind.plates", "review.kind.plates"]);
  });
});
