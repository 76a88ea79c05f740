import { beforeEach, describe, expect, it, vi } from "vitest";
import { Acts } from "../src/lib/acts.svelte";
import { api } from "../src/lib/api";
import type { GameFeed } from "../src/lib/feed.svelte";
import type { Mode, TutorShown } from "../src/lib/messages";
import { settings } from "../src/lib/settings.svelte";

const posted: string[] = [];

function actsAt(mode: Mode = "computer"): { acts: Acts; feed: { seq: number } } {
  const feed = { game: "some-game", seq: 7, shown: { mode, you: [0] }, untilShown: () => Promise.resolve() };
  return { acts: new Acts(feed as unknown as GameFeed), feed };
}
function says(warns: boolean): void {
  vi.spyOn(api, "tutor").mockImplementation((_, seq, token) =>
    Promise.resolve({ seq, token, warns, share: 0.3 } as TutorShown),
  );
}

beforeEach(() => {
  localStorage.clear();
  posted.length = 0;
  settings.tutor = true;
  says(true);
  vi.spyOn(api, "act").mockImplementation((_, seq, act) => {
    posted.push("token" in act ? act.token : act.kind);
    return Promise.resolve({ seq });
  });
});

describe("the tutor", () => {
  it("asks once in a position, and then the move is made", async () => {
    const { acts } = actsAt();
    expect(await acts.move("S1B2")).toBe(false);
    expect([acts.warning?.token, posted]).toEqual(["S1B2", []]);
    expect(await acts.answerTutor(false)).toBe(false);
    expect([acts.warning, posted]).toEqual([null, []]);
    expect(await acts.move("S1B3")).toBe(true);
    expect(posted).toEqual(["S1B3"]);
  });

  it("lets the move be made all the same", async () => {
    const { acts, feed } = actsAt();
    await acts.move("S1B2");
    expect(await acts.answerTutor(true)).toBe(true);
    expect(posted).toEqual(["S1B2"]);
    feed.seq = 9;
    await acts.move("S1K1");
    expect(acts.warning?.token).toBe("S1K1");
  });

  it("says nothing of a move that costs little, or when it has no time", async () => {
    says(false);
    const { acts } = actsAt();
    expect(await acts.move("S1B2")).toBe(true);
    vi.spyOn(api, "tutor").mockRejectedValue(new Error("busy"));
    expect(await acts.move("S1B3")).toBe(true);
    expect([acts.warning, posted]).toEqual([null, ["S1B2", "S1B3"]]);
  });

  it("is off unless it is wanted, never asks against people, nor of moves that the page makes", async () => {
    await actsAt("friend").acts.move("S1B1");
    await actsAt("screen").acts.move("S1B2");
    await actsAt().acts.move("S1B3", false);
    settings.tutor = false;
    await actsAt().acts.move("S1B4");
    expect(posted).toEqual(["S1B1", "S1B2", "S1B3", "S1B4"]);
    expect(api.tutor).not.toHaveBeenCalled();
  });
});
