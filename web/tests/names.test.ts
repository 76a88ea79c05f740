import { describe, expect, it } from "vitest";
import type { GameShown } from "../src/lib/messages";
import { initialsOf } from "../src/lib/names";

function initials(...names: string[]): string[] {
  const players = names.map((name) => ({ kind: "human", name, opponent: "" }));
  return initialsOf({ players } as unknown as GameShown);
}

describe("initials", () => {
  it("are first letters, and what else tells the players apart where these are the same", () => {
    expect(initials("Ann", "Ben")).toEqual(["A", "B"]);
    expect(initials("Ann", "Anton")).toEqual(["An", "At"]);
    expect(initials("Ann", "Ann")).toEqual(["A", "A"]);
    expect(initials("Player 1", "Player 2")).toEqual(["1", "2"]);
    expect(initials("Ann", "")).toEqual(["A", ""]);
  });
});
