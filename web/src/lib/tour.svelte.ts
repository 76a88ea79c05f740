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

export function seeCard(name: string): void {
  seen = [...seen, name];
  keep(KEY, seen);
}

export function startTourAnew(): void {
  seen = [];
  keep(KEY, seen);
}
