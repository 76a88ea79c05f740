import { describe, expect, it } from "vitest";
import type { GameShown } from "../src/lib/messages";
import { initialsOf, needSigns } from "../src/lib/names";

function initials(...names: string[]): string[] {
  const players = names.map((name) => ({ kind: "human", name, opponent: "" }));
  return initialsOf({ players } as unknown as GameShown);
}

describe("initials", () => {
  it("are first letters, and numbers where only these tell the players apart", () => {
    expect(initials("Ann", "Ben")).toEqual(["A", "B"]);
    expect(initials("Ann", "Anton")).toEqual(["A", "A"]);
    expect(initials("Player 1", "Player 2")).toEqual(["1", "2"]);
    expect(initials("Ann", "")).toEqual(["A", ""]);
  });
  it("need a sign where they are the same", () => {
    const players = ["Ann", "anton"].map((name) => ({ kind: "human", name, opponent: "" }));
    expect(needSigns({ players } as unknown as GameShown)).toBe(true);
    players[1]!.name = "Ben";
    expect(needSigns({ players } as unknown as GameShown)).toBe(false);
  });
});
