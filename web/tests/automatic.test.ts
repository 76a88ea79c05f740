import { beforeEach, expect, it } from "vitest";
import { automatic } from "../src/lib/automatic";
import type { EndingShown, Event, Options, Payment, Placement } from "../src/lib/messages";
import { settings } from "../src/lib/settings.svelte";

const at = (token: string): Placement => ({ token }) as Placement;
const end = { token: "E" } as EndingShown;
const after = (kind: string): Event => ({ kind }) as Event;
const tokenOf = (options: Options, kind = "move"): string | undefined => automatic(options, after(kind))?.token;

beforeEach(() => {
  settings.autoPlace = settings.autoEnd = true;
});

it("places a tile that has one open space, and ends what has no choice", () => {
  expect(tokenOf({ placements: [at("T13")] })).toBe("T13");
  expect(tokenOf({ end })).toBe("E");
});

it("decides nothing where there is a choice", () => {
  expect(tokenOf({ placements: [at("T13"), at("T14")] })).toBeUndefined();
  expect(tokenOf({ end, payments: [{} as Payment] })).toBeUndefined();
  expect(tokenOf({ placements: [at("T13")], payments: [{} as Payment] })).toBeUndefined();
  expect(tokenOf({ chips: [], takes: [] })).toBeUndefined();
});

it("leaves alone what was just taken back", () => {
  for (const kind of ["undo", "take_back", "take_back_accepted"]) expect(tokenOf({ end }, kind)).toBeUndefined();
});

it("does only what the player wants", () => {
  settings.autoPlace = false;
  expect(tokenOf({ placements: [at("T13")] })).toBeUndefined();
  expect(tokenOf({ end })).toBe("E");
  settings.autoEnd = false;
  expect(tokenOf({ end })).toBeUndefined();
});

it("leaves a moment to go back before a tiling ends", () => {
  expect(automatic({ end }, after("move"))?.after).toBeGreaterThanOrEqual(900);
});
