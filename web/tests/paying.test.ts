import { describe, expect, it } from "vitest";
import type { Payment } from "../src/lib/messages";
import { payableLines } from "../src/lib/paying";

const PAYMENTS = [
  { line: 4, missing: 0, forecast: 1 },
  { line: 4, missing: 0, forecast: 3 },
  { line: 5, missing: 1, forecast: -1 },
] as unknown as Payment[];

describe("lines that chips can complete", () => {
  it("are worth what their best payment brings more than the end of the tiling", () => {
    expect(payableLines(PAYMENTS, -2)).toEqual([
      { line: 4, missing: 1, worth: 5 },
      { line: 5, missing: 2, worth: 1 },
    ]);
  });
  it("have no worth where the tiling cannot be ended, or without forecasts", () => {
    expect(payableLines(PAYMENTS).map((one) => one.worth)).toEqual([null, null]);
    expect(payableLines([{ line: 4, missing: 0 } as unknown as Payment], 0)[0]!.worth).toBeNull();
  });
});
