/** Options as the service sends them, small enough to read. */
import type { Laying, Options, Payment, Placement, Take } from "../src/lib/messages";

/** Two blue tiles from factory 1, which leave a red and a yellow one to be stacked. */
export const BLUE: Take = {
  source: "sun-1",
  color: "B",
  count: 2,
  places: ["sun-1"],
  to: [
    { line: 0, tokens: ["S1Bx:YR", "S1Bx:RY"], fills: 0, broken: 2, forecast: -4 },
    { line: 2, tokens: ["S1B2:YR", "S1B2:RY"], fills: 2, broken: 0, forecast: 3, completes: true },
  ],
  orders: [
    { order: "YR", moon: { R: 1 } },
    { order: "RY", moon: { Y: 2 } },
  ],
};

/** Red tiles from the moon sides: there is nothing to order. */
export const RED: Take = {
  source: "moon",
  color: "R",
  count: 2,
  places: ["moon-2", "moon-L"],
  to: [{ line: 4, tokens: ["MR4"], fills: 2, broken: 0, forecast: 1 }],
  moon: { K: 1 },
};

function laying(place: string, plate: string, slots: string[]): Laying {
  return {
    place,
    plate,
    faces: ["YKT*", "TY*K", "*TKY", "K*YT"],
    slots: Object.fromEntries(
      slots.map((slot) => [
        slot,
        [0, 1, 2, 3].map((turns) => ({ token: `P${plate}@${slot}r${turns}`, forecast: 10 + turns })),
      ]),
    ),
  };
}
export const PLATE = laying("display-0", "01", ["22", "23"]);
export const OTHER_PLATE = laying("display-1", "07", ["23"]);

export const TURN: Options = {
  takes: [BLUE, RED],
  chips: [{ token: "C3", place: "chip-3", forecast: 5 }],
  layings: [PLATE, OTHER_PLATE],
  draw: { token: "D", cost: 1 },
};

function placement(column: number): Placement {
  return { token: `T3${column}`, line: 3, column, points: column, across: 1, down: column };
}
function payment(token: string, chips: string[], forecast: number): Payment {
  return { token, line: 5, chips, missing: 0, forecast };
}
/** Two chips of the line's colour, or any three. */
export const STORE = ["B-", "BR", "BR", "TY"];
export const TILING: Options = {
  placements: [placement(1), placement(4)],
  payments: [
    payment("U5:B-,BR", ["B-", "BR"], 6),
    payment("U5:BR,BR", ["BR", "BR"], 7),
    payment("U5:B-,TY,BR", ["B-", "TY", "BR"], 2),
  ],
  end: { token: "E", points: -3, breaks: [2] },
};
export const DRAWING: Options = { draw: { token: "D", cost: 1 }, look: { token: "H" } };
export const RETURNING: Options = { returns: [{ token: "<12", plate: "12", face: "TKRW" }] };
