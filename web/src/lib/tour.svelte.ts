/** Which cards of the tour have been seen, kept in this browser. */
import { keep } from "./settings.svelte";

const KEY = "sintra.tour";

function seenBefore(): string[] {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? "[]") as string[];
  } catch {
    return [];
  }
}

let seen = $state.raw<string[]>(seenBefore());

export function seenCards(): readonly string[] {
  return seen;
}

export function seeCards(names: readonly string[]): void {
  seen = [...seen, ...names.filter((one) => !seen.includes(one))];
  keep(KEY, seen);
}

/** How often the tour was begun anew. */
let beginnings = $state(0);

export function tourBeginnings(): number {
  return beginnings;
}

export function startTourAnew(): void {
  seen = [];
  beginnings += 1;
  keep(KEY, seen);
}
