/** A player's strength on the ladder of the opponents, from games won and lost, and who would be the right one next. */
import type { OpponentShown } from "../messages";
import type { PlayedGame } from "./entries";

/** About where a player is, and where with 95 % probability. */
export interface Rating {
  readonly value: number;
  readonly low: number;
  readonly high: number;
}

/** What is thought of a player before the first game: anything from a first game to a master. */
export const PRIOR = { mean: 1200, spread: 400 } as const;
/** With each game, those before it count so much of what they counted: people learn. */
export const FADING = 0.98;
const STEP = 10;
const LADDER = Array.from({ length: 351 }, (_, k) => -200 + STEP * k);
const OUTSIDE = 0.025;

/** The chance to win against an opponent, from both ratings (Elo). */
export function expected(own: number, other: number): number {
  return 1 / (1 + 10 ** ((other - own) / 400));
}

/** The logarithms of the chances to win and to lose against an opponent, for every rating of the grid. */
const logs = new Map<number, { won: number[]; lost: number[] }>();

function logsAgainst(elo: number): { won: number[]; lost: number[] } {
  let found = logs.get(elo);
  if (!found) {
    const chances = LADDER.map((own) => expected(own, elo));
    found = { won: chances.map(Math.log), lost: chances.map((chance) => Math.log1p(-chance)) };
    logs.set(elo, found);
  }
  return found;
}

/** The ratings after these games, from one of them on: what is left of the prior when every strength is weighed by
 * the results. */
export function ratingsAfter(games: readonly { elo: number; won: boolean }[], from = 0): Rating[] {
  let seen = LADDER.map(() => 0);
  return games.flatMap(({ elo, won }, at) => {
    const against = logsAgainst(elo)[won ? "won" : "lost"];
    seen = seen.map((sum, k) => FADING * sum + against[k]!);
    return at < from ? [] : summed(seen);
  });
}

function summed(seen: readonly number[]): Rating {
  const sums = LADDER.map((own, k) => seen[k]! - ((own - PRIOR.mean) / PRIOR.spread) ** 2 / 2);
  const most = Math.max(...sums);
  const weights = sums.map((log) => Math.exp(log - most));
  const whole = weights.reduce((sum, weight) => sum + weight, 0);
  const value = LADDER.reduce((sum, own, k) => sum + own * weights[k]!, 0) / whole;
  const at = (share: number): number => {
    let below = 0;
    for (const [k, weight] of weights.entries()) {
      if (below + weight >= share * whole) return LADDER[k]! + STEP * ((share * whole - below) / weight - 0.5);
      below += weight;
    }
    return LADDER.at(-1)!;
  };
  return { value, low: at(OUTSIDE), high: at(1 - OUTSIDE) };
}

/** Whether a game was played with help: then it is a result, but no measure of strength. */
export function isHelped(game: PlayedGame): boolean {
  return Boolean(game.hinted || game.taken_back);
}

/** Whether a game has a result against a computer. */
function isAgainstComputer(game: PlayedGame): boolean {
  return game.mode === "computer" && game.seat !== null;
}

/** The games that a rating is made of: those without help, against a computer whose strength is known; one with help
 * may count all the same. */
export function ratedGames(
  games: readonly PlayedGame[],
  opponents: readonly OpponentShown[],
  also?: PlayedGame,
): { elo: number; won: boolean }[] {
  const elos = new Map(opponents.map((one) => [one.player, one.elo]));
  return games.flatMap((game) => {
    const elo = elos.get(game.opponent);
    const counts = isAgainstComputer(game) && (game === also || !isHelped(game)) && typeof elo === "number";
    return counts ? [{ elo, won: game.winner === game.seat }] : [];
  });
}

export function playerRating(games: readonly PlayedGame[], opponents: readonly OpponentShown[]): Rating | null {
  const rated = ratedGames(games, opponents);
  return ratingsAfter(rated, rated.length - 1)[0] ?? null;
}

/** The opponent whom one would beat about every other time; but after a game only the same one again, or the next one:
 * a stronger one for who has won, a gentler one for who has lost. The latest game counts for this with help, too. */
export function suggestion(
  games: readonly PlayedGame[],
  opponents: readonly OpponentShown[],
  result?: { opponent: string; won: boolean },
): OpponentShown | null {
  const latest = games.filter(isAgainstComputer).at(-1);
  const after = result ?? (latest && { opponent: latest.opponent, won: latest.winner === latest.seat });
  const rated = ratedGames(games, opponents, latest);
  const rating = ratingsAfter(rated, rated.length - 1)[0];
  const ladder = opponents.filter((one) => one.elo !== null);
  if (!rating || !ladder.length) return null;
  const far = ladder.map((one) => Math.abs(expected(rating.value, one.elo!) - 0.5));
  const best = far.indexOf(Math.min(...far));
  const from = ladder.findIndex((one) => one.player === after?.opponent);
  if (!after || from < 0) return ladder[best]!;
  const [least, most] = after.won ? [from, from + 1] : [from - 1, from];
  return ladder[Math.min(most, Math.max(least, best))]!;
}
