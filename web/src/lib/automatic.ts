/** Moves that the page makes by itself, because there is nothing to choose. */
import type { Event, Options } from "./messages";
import { pace, settings } from "./settings.svelte";

/** A move that is made by itself, and how many milliseconds a player has to go back before it is. */
export interface Automatic {
  token: string;
  after: number;
}

/** The only move of a player who tiles, if the settings have it made by itself. After a move was taken back, the
 * player decides. */
export function automatic(options: Options, latest: Event | undefined): Automatic | null {
  const { placements = [], payments = [], end } = options;
  if (payments.length || (latest && latest.kind !== "move" && latest.kind !== "created")) return null;
  const [only, another] = placements;
  if (only && !another && !end) return settings.autoPlace ? { token: only.token, after: pace() / 2 } : null;
  if (!only && end) return settings.autoEnd ? { token: end.token, after: Math.max(900, 3 * pace()) } : null;
  return null;
}
