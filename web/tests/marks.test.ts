import { expect, it } from "vitest";
import { lastTurn, marksOf, undoneIn } from "../src/lib/marks";
import type { Event, Step } from "../src/lib/messages";

let seq = 0;
function move(ply: number, turn: number, seat: number, steps: Partial<Step>[] = []): Event {
  const whole = steps.map((step): Step => ({ kind: "travel", ...step }));
  return { seq: ++seq, kind: "move", telling: { key: "" }, at: "", ply, turn, seat, steps: whole };
}

it("marks where pieces went and where they came from", () => {
  const marks = marksOf([
    move(1, 1, 0, [
      { start: "sun-1", end: "line-0-2" },
      { start: "sun-1", end: "moon-1" },
    ]),
  ]);
  expect(marks).toEqual({ to: ["line-0-2", "moon-1"], from: ["sun-1"] });
});

it("marks a place that pieces came to and left as one they came to", () => {
  const steps = [
    { start: "sun-1", end: "moon-1" },
    { start: "moon-1", end: "line-0-1" },
  ];
  expect(marksOf([move(1, 1, 0, steps)])).toEqual({ to: ["moon-1", "line-0-1"], from: ["sun-1"] });
});

it("marks a chip that was turned up, but not the tower, nor what was set up by itself", () => {
  const steps: Partial<Step>[] = [
    { kind: "turn", start: "chip-2" },
    { start: "line-0-3", end: "tower" },
    { kind: "setup", start: "stack", end: "display-0" },
    { kind: "points", end: "score-0", points: 3 },
  ];
  expect(marksOf([move(1, 1, 0, steps)])).toEqual({ to: ["chip-2"], from: ["line-0-3"] });
});

it("takes all moves of a turn together", () => {
  const log = [move(1, 1, 0), move(2, 2, 1), move(3, 2, 1), move(4, 2, 1)];
  expect(lastTurn(log, 4).map((one) => one.ply)).toEqual([2, 3, 4]);
  expect(lastTurn(log, 3).map((one) => one.ply)).toEqual([2, 3]);
  expect(lastTurn(log, 1).map((one) => one.ply)).toEqual([1]);
  expect(lastTurn(log, 0)).toEqual([]);
});

it("forgets a move that was taken back when another was played instead", () => {
  const taken = move(2, 2, 1, [{ end: "line-1-1" }]);
  const instead = move(2, 2, 1, [{ end: "line-1-6" }]);
  const undo: Event = { seq: ++seq, kind: "undo", telling: { key: "" }, at: "", undoes: [taken.seq] };
  const log = [move(1, 1, 0), taken, undo, instead];
  expect(lastTurn(log, 2)).toEqual([instead]);
  expect(lastTurn([...log.slice(0, 3)], 1)).toEqual([log[0]]);
});

it("knows which moves were taken back and not redone", () => {
  const [first, second, third] = [move(1, 1, 0), move(2, 2, 1), move(3, 3, 0)];
  const event = (more: Partial<Event>): Event => ({ seq: ++seq, kind: "", telling: { key: "" }, at: "", ...more });
  const back = event({ undoes: [third.seq] });
  const further = event({ undoes: [first.seq, second.seq] });
  const again = event({ redoes: [first.seq, second.seq] });
  expect([...undoneIn([first, second, third, back, further])]).toEqual([third.seq, first.seq, second.seq]);
  expect([...undoneIn([first, second, third, back, further, again])]).toEqual([third.seq]);
});
