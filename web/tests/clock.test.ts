import { afterEach, beforeEach, expect, it, vi } from "vitest";
import { TableClock, timeWritten, type Warning } from "../src/lib/clock.svelte";
import type { ClockShown } from "../src/lib/messages";

let clock: TableClock;
let warnings: [number, Warning][];
const shown = (left: number[], running: number | null): ClockShown => ({ seconds: 300, increment: 5, left, running });

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal("window", globalThis);
  warnings = [];
  clock = new TableClock((seat, seconds) => warnings.push([seat, seconds]));
});
afterEach(() => {
  clock.close();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

it("ticks for the seat whose time runs, from the latest figures", () => {
  expect(clock.left(0)).toBeNull();
  clock.update(shown([90_000, 80_000], 1));
  vi.advanceTimersByTime(5000);
  expect([clock.left(0), clock.left(1)]).toEqual([90_000, 75_000]);
  clock.update(shown([90_000, 80_500], 0));
  vi.advanceTimersByTime(1000);
  expect([clock.left(0), clock.left(1)]).toEqual([89_000, 80_500]);
  clock.update(shown([70_000, 80_500], null));
  vi.advanceTimersByTime(60_000);
  expect([clock.left(0), clock.left(1)]).toEqual([70_000, 80_500]);
});

it("stops at nothing and waits for the service to say what that means", () => {
  clock.update(shown([1500, 80_000], 0));
  vi.advanceTimersByTime(60_000);
  expect(clock.left(0)).toBe(0);
  expect(clock.running).toBe(0);
});

it("warns at a minute once, at ten seconds always, and only of time that has run", () => {
  clock.update(shown([61_000, 59_000], 0));
  vi.advanceTimersByTime(2000);
  expect(warnings).toEqual([[0, 60]]);
  clock.update(shown([64_000, 59_000], 1));
  vi.advanceTimersByTime(2000);
  clock.update(shown([64_000, 57_000], 0));
  vi.advanceTimersByTime(53_000);
  expect(warnings).toEqual([[0, 60]]);
  vi.advanceTimersByTime(2000);
  clock.update(shown([14_000, 57_000], 0));
  vi.advanceTimersByTime(6000);
  expect(warnings).toEqual([
    [0, 60],
    [0, 10],
    [0, 10],
  ]);
});

it("is written as on a clock, and as over only when nothing is left", () => {
  expect([0, 1, 1000, 59_001, 600_000, 3_600_000, 3_725_000].map(timeWritten)).toEqual([
    "0:00",
    "0:01",
    "0:01",
    "1:00",
    "10:00",
    "60:00",
    "62:05",
  ]);
});
