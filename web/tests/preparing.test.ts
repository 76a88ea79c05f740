import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Health } from "../src/lib/messages";
import { preparation, watchFirstStart, watchSlowRequest } from "../src/lib/preparing.svelte";
import { transport } from "../src/lib/transport";

let health: Pick<Health, "status" | "progress">;

beforeEach(() => {
  vi.useFakeTimers();
  vi.spyOn(transport, "fetch").mockImplementation(() => Promise.resolve(Response.json(health)));
});
afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe("the progress of a first start", () => {
  it("is shown as long as anything waits for it", async () => {
    health = { status: "preparing", progress: 0.2 };
    watchFirstStart();
    let answer = (_: Response): void => undefined;
    const asked = watchSlowRequest(new Promise((resolve) => (answer = resolve)));
    await vi.advanceTimersByTimeAsync(2000);
    expect(preparation()).toBe(0.2);
    health = { status: "ok", progress: 0.5 }; // games can be shown, but not what was asked for
    await vi.advanceTimersByTimeAsync(2000);
    expect(preparation()).toBe(0.5);
    answer(new Response());
    await asked;
    await vi.advanceTimersByTimeAsync(1000);
    expect(preparation()).toBeNull();
  });

  it("is not asked for when answers come soon", async () => {
    await watchSlowRequest(Promise.resolve(new Response()));
    await vi.advanceTimersByTimeAsync(5000);
    expect(transport.fetch).not.toHaveBeenCalled();
    expect(preparation()).toBeNull();
  });
});
