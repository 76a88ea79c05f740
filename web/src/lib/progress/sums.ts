/** What the games so far add up to: by opponent, by source of points, and against friends. */
import type { OpponentShown } from "../messages";
import { SOURCES, type PlayedGame, type Sources } from "./entries";
import { isHelped } from "./rating";

/** What strong play brings by source: means of the champion against itself (docs/opponents.md). */
export const STRONG_PLAY: Sources & { total: number } = {
  placement: 64.0,
  specials: 4.5,
  broken: -10.7,
  start_tile: -5.0,
  draws: -2.6,
  goals: 8.1,
  total: 63.2,
};

/** Results against one opponent; mean scores are those of the games that were counted to the end. */
export interface LevelResults {
  readonly player: string;
  readonly won: number;
  readonly lost: number;
  readonly helped: number;
  readonly own: number | null;
  readonly other: number | null;
}

function mean(values: readonly number[]): number | null {
  return values.length ? values.reduce((sum, value) => sum + value, 0) / values.length : null;
}

/** Whether a game ended by points, and this browser had one of its seats. */
function isCounted(game: PlayedGame): game is PlayedGame & { seat: number } {
  return game.reason === "points" && game.seat !== null;
}

/** The results against each opponent who was played, from gentle to strong; those no longer offered come last. */
export function resultsByLevel(games: readonly PlayedGame[], opponents: readonly OpponentShown[]): LevelResults[] {
  const played = games.filter((one) => one.mode === "computer" && one.seat !== null);
  const order = new Set([...opponents.map((one) => one.player), ...played.map((one) => one.opponent)]);
  return [...order].flatMap((player) => {
    const against = played.filter((one) => one.opponent === player);
    if (!against.length) return [];
    const won = against.filter((one) => one.winner === one.seat).length;
    const counted = against.filter(isCounted);
    return {
      player,
      won,
      lost: against.length - won,
      helped: against.filter(isHelped).length,
      own: mean(counted.map((one) => one.scores[one.seat]!)),
      other: mean(counted.map((one) => one.scores[1 - one.seat]!)),
    };
  });
}

/** Where the player's points came from on average, in games that were counted to the end. */
export function meanSources(games: readonly PlayedGame[]): { count: number; sources: Sources; total: number } | null {
  const counted = games.filter(isCounted).filter((one) => one.sources);
  const total = mean(counted.map((one) => one.scores[one.seat]!));
  if (total === null) return null;
  const means = SOURCES.map((source) => [source, mean(counted.map((one) => one.sources![source]))!]);
  return { count: counted.length, sources: Object.fromEntries(means) as Sources, total };
}

/** By how much one was ahead at the end, game by game. */
export function leads(games: readonly PlayedGame[]): { lead: number; isHelped: boolean }[] {
  return games
    .filter(isCounted)
    .map((one) => ({ lead: one.scores[one.seat]! - one.scores[1 - one.seat]!, isHelped: isHelped(one) }));
}

/** What decisions cost, game by game, where a review has told it. */
export function errorRates(games: readonly PlayedGame[]): number[] {
  return games.flatMap((one) => one.error_rate ?? []);
}

/** The record between two people. */
export interface FriendRecord {
  readonly names: readonly [string, string];
  readonly won: readonly [number, number];
}

/** The records between two names, from games by link and on one screen; the latest pair comes first. */
export function friendRecords(games: readonly PlayedGame[]): FriendRecord[] {
  const records = new Map<string, FriendRecord>();
  for (const game of games) {
    if (game.mode === "computer") continue;
    // one's own name stands on the left, and where that says nothing, the one that was there first
    const first = game.seat ?? 0;
    const sides = [game.names[first]!, game.names[1 - first]!] as const;
    const keys = sides.map((name) => name.trim().toLowerCase());
    const key = JSON.stringify([...keys].sort());
    const known = records.get(key);
    const isTurned = known !== undefined && known.names[0].trim().toLowerCase() !== keys[0];
    const names = isTurned ? ([sides[1], sides[0]] as const) : sides;
    const winner = (game.winner === first) !== isTurned ? 0 : 1;
    const won = [...(known?.won ?? [0, 0])] as [number, number];
    won[winner] += 1;
    records.delete(key);
    records.set(key, { names, won });
  }
  return [...records.values()].reverse();
}
