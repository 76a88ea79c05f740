/** Which cards of the tour have been seen, kept in this browser. */
import { load, save } from "./storage";

const KEY = "sintra.tour";

let seen = $state.raw((load(KEY) as string[] | null) ?? []);

export function seenCards(): readonly string[] {
  return seen;
}

export function seeCards(names: readonly string[]): void {
  seen = [...seen, ...names.filter((one) => !seen.includes(one))];
  save(KEY, seen);
}

/** How often the tour was restarted. */
let beginnings = $state(0);

export function tourBeginnings(): number {
  return beginnings;
}

export function startTourAnew(): void {
  seen = [];
  beginnings += 1;
  save(KEY, seen);
}
