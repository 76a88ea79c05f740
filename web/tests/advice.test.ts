import { describe, expect, it } from "vitest";
import { detailOf } from "../src/lib/advice";
import { BLUE, PLATE, RED, TURN } from "./options";

describe("two pieces of advice that read alike", () => {
  it("are told apart by how the plate is turned", () => {
    const tokens = PLATE.slots["22"]!.map((one) => one.token);
    expect(tokens.map((token) => detailOf(token, TURN).turns)).toEqual([0, 1, 2, 3]);
  });

  it("are told apart by the order of the stack, on every line", () => {
    for (const { tokens } of BLUE.to) expect(tokens.map((token) => detailOf(token, TURN).order)).toEqual(["YR", "RY"]);
  });

  it("have nothing to add where there is nothing to choose", () => {
    expect(detailOf(RED.to[0]!.tokens[0]!, TURN)).toEqual({});
    expect(detailOf("C3", TURN)).toEqual({});
    const single = { ...BLUE, orders: BLUE.orders!.slice(0, 1), to: [{ ...BLUE.to[0]!, tokens: ["S1Bx"] }] };
    expect(detailOf("S1Bx", { takes: [single] })).toEqual({});
  });
});
