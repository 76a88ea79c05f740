import { describe, expect, it } from "vitest";
import type { GameShown, PositionShown } from "../src/lib/messages";
import { isPlacing, takesPlates } from "../src/lib/table";

function shownAt(stage: PositionShown["stage"], round: number): GameShown {
  return { status: "playing", position: { stage, round } } as GameShown;
}

describe("what may still be taken", () => {
  it("is not told while tiles are placed", () => {
    for (const stage of ["tiling", "paying"] as const) {
      expect(isPlacing(shownAt(stage, 2))).toBe(true);
      expect(takesPlates(shownAt(stage, 2))).toBe(false);
    }
  });

  it("is plates in all rounds but the last", () => {
    expect(takesPlates(shownAt("turn", 4))).toBe(true);
    expect(takesPlates(shownAt("turn", 5))).toBe(false);
  });
});
