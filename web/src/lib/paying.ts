/** R4.4: completing lines with chips. */
import type { Payment } from "./messages";
import type { TableContext } from "./table";

/** A line that chips can complete, with what it lacks and how much better that can be than to end the tiling. */
export interface PayableLine {
  readonly line: number;
  readonly missing: number;
  readonly worth: number | null;
}

export function payableLines(payments: readonly Payment[], end?: number | null): PayableLine[] {
  return [...new Set(payments.map((one) => one.line))].map((line) => {
    const its = payments.filter((one) => one.line === line);
    const forecasts = its.flatMap((one) => one.forecast ?? []);
    const worth = forecasts.length && end != null ? Math.max(...forecasts) - end : null;
    return { line, missing: (its[0]?.missing ?? 0) + 1, worth };
  });
}

/** The line that is paid for: the one that is half paid, or the one that the player has opened. */
export function lineToPay(table: TableContext): number | null {
  const { stage, paid_line } = table.shown.position;
  return stage === "paying" ? paid_line : table.decision.payLine;
}

/** The ways to pay for the next missing tile of that line. */
export function paymentsNow(table: TableContext): Payment[] {
  const line = lineToPay(table);
  return (table.options?.payments ?? []).filter((one) => one.line === line);
}
