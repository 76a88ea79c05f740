import { beforeEach, describe, expect, it } from "vitest";
import { Decision, placementShown, takeAt } from "../src/lib/decision.svelte";
import type { Options } from "../src/lib/messages";
import { BLUE, DRAWING, OTHER_PLATE, PLATE, RED, RETURNING, STORE, TILING, TURN } from "./options";

let decision: Decision;
beforeEach(() => {
  decision = new Decision();
});

/** Every token that options hold. */
function tokensOf(options: Options): string[] {
  const singles = [options.draw, options.look, options.end].flatMap((one) => (one ? [one.token] : []));
  return [
    ...(options.takes ?? []).flatMap((take) => take.to.flatMap((to) => to.tokens)),
    ...(options.layings ?? []).flatMap((one) =>
      Object.values(one.slots).flatMap((turnings) => turnings.map((turning) => turning.token)),
    ),
    ...[options.chips, options.returns, options.placements, options.payments].flatMap((list) =>
      (list ?? []).map((one) => one.token),
    ),
    ...singles,
  ];
}

describe("a take", () => {
  it("is whole with a line, and then names the first order", () => {
    decision.pickTake(BLUE);
    expect(decision.token).toBe("");
    decision.pickLine(2);
    expect(decision.token).toBe("S1B2:YR");
    expect(decision.isOpen).toBe(true);
  });

  it("is put back by a line that cannot take it, until another is picked", () => {
    decision.pickTake(BLUE);
    decision.pickLine(2);
    decision.refuseLine(5);
    expect([decision.token, decision.take, decision.refusedLine]).toEqual(["", BLUE, 5]);
    decision.pickLine(2);
    expect([decision.token, decision.refusedLine]).toEqual(["S1B2:YR", null]);
    decision.refuseLine(5);
    decision.clear();
    expect(decision.refusedLine).toBeNull();
  });

  it("has the token of the order that is chosen, and shows what it leaves on the moon", () => {
    decision.pickTake(BLUE);
    decision.pickLine(0);
    expect(decision.moonAfter).toEqual({ R: 1 });
    decision.order = "RY";
    expect(decision.token).toBe("S1Bx:RY");
    expect(decision.moonAfter).toEqual({ Y: 2 });
  });

  it("without a stack has one token, and nothing is open", () => {
    decision.pickTake(RED);
    decision.pickLine(4);
    expect(decision.token).toBe("MR4");
    expect(decision.isOpen).toBe(false);
    expect(decision.moonAfter).toEqual({ K: 1 });
  });

  it("has no token for a line that it cannot go to", () => {
    decision.pickTake(RED);
    decision.pickLine(1);
    expect(decision.token).toBe("");
    expect(decision.destinationAt(1)).toBeUndefined();
  });

  it("is put down when it is picked again", () => {
    decision.pickTake(BLUE);
    decision.pickLine(2);
    decision.pickTake(BLUE);
    expect(decision.isEmpty).toBe(true);
    expect(decision.token).toBe("");
  });

  it("shows where the pointer is before what is staged", () => {
    decision.pickTake(BLUE);
    decision.pickLine(2);
    expect(decision.forecast).toBe(3);
    decision.hoverLine = 0;
    expect(decision.destination?.line).toBe(0);
    expect(decision.forecast).toBe(-4);
    expect(decision.token).toBe("S1B2:YR");
  });

  it("is found at the places of its tiles only", () => {
    expect(takeAt(TURN, "moon-L", "R")).toBe(RED);
    expect(takeAt(TURN, "moon-1", "R")).toBeUndefined();
    expect(takeAt(TURN, "sun-1", "R")).toBeUndefined();
    expect(takeAt(null, "sun-1", "B")).toBeUndefined();
  });
});

describe("what is picked", () => {
  it("stays picked when more is told of the options", () => {
    decision.pickTake(BLUE);
    decision.pickLine(2);
    const again = structuredClone(TURN);
    again.takes![0]!.to[1]!.forecast = 9;
    decision.renew(again);
    expect([decision.token, decision.forecast]).toEqual(["S1B2:YR", 9]);
    decision.pickLaying(again.layings![1]!);
    decision.pickSlot("23");
    decision.renew(TURN);
    expect(decision.laying).toBe(OTHER_PLATE);
    expect(decision.token).toBe("P07@23r0");
    decision.stage({ kind: "chip", option: TURN.chips![0]! });
    again.chips![0]!.forecast = 8;
    decision.renew(again);
    expect([decision.token, decision.forecast]).toEqual(["C3", 8]);
  });
});

describe("a plate", () => {
  it("is turned by picking its slot again, all the way round", () => {
    decision.pickLaying(PLATE);
    const seen = [0, 1, 2, 3, 4].map(() => {
      decision.pickSlot("22");
      return [decision.token, decision.face, decision.forecast];
    });
    expect(seen).toEqual([
      ["P01@22r0", "YKT*", 10],
      ["P01@22r1", "TY*K", 11],
      ["P01@22r2", "*TKY", 12],
      ["P01@22r3", "K*YT", 13],
      ["P01@22r0", "YKT*", 10],
    ]);
  });

  it("can be turned to the left", () => {
    decision.pickLaying(PLATE);
    decision.pickSlot("23");
    decision.turn(-1);
    expect(decision.token).toBe("P01@23r3");
  });

  it("keeps its slot when another plate is picked that may lie there", () => {
    decision.pickLaying(PLATE);
    decision.pickSlot("23");
    decision.pickLaying(OTHER_PLATE);
    expect(decision.token).toBe("P07@23r0");
    decision.pickLaying(PLATE);
    decision.pickSlot("22");
    decision.pickLaying(OTHER_PLATE);
    expect(decision.slot).toBeNull();
  });

  it("always waits for a confirmation", () => {
    decision.pickLaying(PLATE);
    decision.pickSlot("22");
    expect(decision.isOpen).toBe(true);
  });
});

describe("a move of one pick", () => {
  it("is taken back when it is picked again", () => {
    const pick = { kind: "draw", option: TURN.draw! } as const;
    decision.stage(pick);
    expect(decision.token).toBe("D");
    decision.stage(pick);
    expect(decision.isEmpty).toBe(true);
  });

  it("takes the place of what was picked before", () => {
    decision.pickTake(BLUE);
    decision.stage({ kind: "chip", option: TURN.chips![0]! });
    expect(decision.take).toBeNull();
    expect([decision.token, decision.forecast]).toEqual(["C3", 5]);
  });
});

describe("a payment", () => {
  const payments = TILING.payments!;

  it("is staged when its chips are chosen, whatever their order", () => {
    decision.openPaying(5);
    decision.pickChip(2, STORE, payments);
    expect(decision.token).toBe("");
    decision.pickChip(0, STORE, payments);
    expect([decision.token, decision.forecast]).toEqual(["U5:B-,BR", 6]);
  });

  it("knows two chips with one face apart", () => {
    decision.openPaying(5);
    decision.pickChip(1, STORE, payments);
    decision.pickChip(2, STORE, payments);
    expect(decision.token).toBe("U5:BR,BR");
    decision.pickChip(1, STORE, payments);
    expect([decision.token, decision.payChips]).toEqual(["", [2]]);
  });

  it("offers only chips that lead to a payment", () => {
    decision.openPaying(5);
    const offered = (): number[] => [0, 1, 2, 3].filter((place) => decision.mayPayWith(place, STORE, payments));
    expect(offered()).toEqual([0, 1, 2, 3]);
    decision.pickChip(3, STORE, payments);
    expect(offered()).toEqual([0, 1, 2, 3]);
    decision.pickChip(1, STORE, payments);
    expect(offered()).toEqual([0, 1, 3]);
  });
});

describe("a token from a hint", () => {
  it.each([
    ["a turn", TURN],
    ["drawing", DRAWING],
    ["returning", RETURNING],
    ["tiling", TILING],
  ])("is staged as if it were picked: every one of %s", (_, options) => {
    const tokens = tokensOf(options);
    expect(tokens.length).toBeGreaterThan(0);
    for (const token of tokens) {
      decision.choose(token, options, STORE);
      expect(decision.token).toBe(token);
      expect(decision.isEmpty).toBe(false);
      decision.choose(token, options, STORE);
      expect(decision.isEmpty).toBe(true);
    }
  });

  it("shows the chips that it spends, each once", () => {
    decision.choose("U5:BR,BR", TILING, STORE);
    expect([decision.payLine, decision.payChips]).toEqual([5, [1, 2]]);
  });

  it("that is not among the options stages nothing", () => {
    decision.choose("MB3", TURN, STORE);
    expect(decision.isEmpty).toBe(true);
  });
});

it("shows the placement that is pointed at, then the one that is staged", () => {
  const [one, other] = TILING.placements!;
  expect(placementShown(decision, TILING)).toBeUndefined();
  decision.stage({ kind: "place", option: one! });
  expect(placementShown(decision, TILING)).toBe(one);
  decision.hoverPlacement = other!.token;
  expect(placementShown(decision, TILING)).toBe(other);
  expect(placementShown(decision, null)).toBeUndefined();
});
