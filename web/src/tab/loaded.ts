/** How much of the table is loaded. */
import type { TableState } from "./table.svelte";

/** The parts of loading in their order, each with its share of the time of a first visit. */
const SHARES: readonly (readonly [part: string, share: number])[] = [
  ["files", 0.3],
  ["python", 0.3],
  ["packages", 0.15],
  ["engine", 0.05],
  ["table", 0.2],
];

/** From 0 to 1; nothing that goes back while one part follows another. */
export function loaded(state: TableState): number {
  if (state.kind !== "loading") return Number(state.kind === "ready");
  const now = SHARES.findIndex(([part]) => part === state.part);
  const before = SHARES.slice(0, Math.max(0, now)).reduce((sum, [, share]) => sum + share, 0);
  const share = SHARES[now]?.[1] ?? 0;
  return before + share * (state.total ? Math.min(1, state.done / state.total) : 0);
}
