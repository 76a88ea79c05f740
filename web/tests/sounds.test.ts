import { expect, it } from "vitest";
import type { Step } from "../src/lib/messages";
import { soundOf } from "../src/lib/motion/sounds";
import type { Sound } from "../src/lib/sound";

const cases: [Sound, Step[]][] = [
  ["take", [{ kind: "travel", start: "sun-1", end: "line-0-2" }]],
  ["take", [{ kind: "travel", start: "moon-L", end: "line-1-5" }]],
  [
    "take",
    [
      { kind: "travel", start: "sun-1", end: "line-0-2" },
      { kind: "turn", start: "chip-1" },
    ],
  ],
  [
    "break",
    [
      { kind: "travel", start: "sun-1", end: "line-0-2" },
      { kind: "travel", start: "sun-1", end: "broken-0" },
    ],
  ],
  ["plate", [{ kind: "travel", start: "display-1", end: "slot-0-22", piece: "plate" }]],
  ["chip", [{ kind: "travel", start: "chip-2", end: "store-0" }]],
  ["chip", [{ kind: "travel", start: "store-0", end: "line-0-5" }]],
  [
    "place",
    [
      { kind: "travel", start: "line-0-2", end: "space-0-2-3" },
      { kind: "points", end: "space-0-2-3", points: 4 },
    ],
  ],
  [
    "special",
    [
      { kind: "travel", start: "line-0-2", end: "space-0-2-3" },
      { kind: "travel", start: "supply", end: "space-0-1-3" },
    ],
  ],
  [
    "break",
    [
      { kind: "break", start: "line-0-1" },
      { kind: "travel", start: "line-0-2", end: "space-0-2-3" },
    ],
  ],
  [
    "round",
    [
      { kind: "points", end: "broken-1", points: -3 },
      { kind: "setup", start: "stack", end: "display-0", piece: "plate" },
      { kind: "deal" },
    ],
  ],
];

it.each(cases)("hears %s", (sound, steps) => {
  expect(soundOf(steps)).toBe(sound);
});
