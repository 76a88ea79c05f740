import { expect, test } from "vitest";
import { freeSpot } from "../src/lib/spots";

const ROOM = { width: 800, height: 600 };
const WORDS = { width: 200, height: 60 };

function box(left: number, top: number, width: number, height: number) {
  return { left, top, right: left + width, bottom: top + height };
}

test("words stand above a thing", () => {
  expect(freeSpot(box(300, 300, 40, 40), WORDS, [], ROOM)).toEqual({ left: 220, top: 232 });
});

test("words stand below what is at the top of the window", () => {
  expect(freeSpot(box(300, 20, 40, 40), WORDS, [], ROOM)).toEqual({ left: 220, top: 68 });
});

test("words stay inside the window at its sides", () => {
  expect(freeSpot(box(780, 300, 20, 20), WORDS, [], ROOM)).toEqual({ left: 592, top: 232 });
});

test("words give way to what was just played, to each side in turn", () => {
  const above = box(300, 250, 40, 40);
  const below = box(300, 350, 40, 40);
  const right = box(360, 300, 40, 40);
  const thing = box(300, 300, 40, 40);
  expect(freeSpot(thing, WORDS, [above], ROOM)).toEqual({ left: 220, top: 348 });
  expect(freeSpot(thing, WORDS, [above, below], ROOM)).toEqual({ left: 348, top: 290 });
  expect(freeSpot(thing, WORDS, [above, below, right], ROOM)).toEqual({ left: 92, top: 290 });
});

test("where everything around was just played, nothing is said", () => {
  const thing = box(300, 300, 40, 40);
  expect(freeSpot(thing, WORDS, [box(0, 0, 800, 600)], ROOM)).toBeNull();
});

test("a thing that fills the window leaves no room", () => {
  expect(freeSpot(box(0, 0, 800, 600), WORDS, [], ROOM)).toBeNull();
});
