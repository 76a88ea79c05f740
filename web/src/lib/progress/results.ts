/** Records results of games and the use of hints in the progress. */
import { api } from "../api";
import { keepGame, keptGame } from "../games";
import type { Event, GameBrief, GameShown, OpponentShown } from "../messages";
import type { PlayedGame } from "./entries";
import { keepResult, keptProgress } from "./store";

/** The entry for a game that is over; null for spectators, and for games that began in the middle. */
export function entryOf(shown: GameShown, log: readonly Event[]): PlayedGame | null {
  const { result, you, mode, players } = shown;
  if (shown.status !== "over" || !result || !you.length || shown.began) return null;
  const seat = you.length === 1 ? you[0]! : null;
  const breakdown = seat === null ? undefined : result.breakdown[seat];
  return {
    game: shown.game,
    at: log.filter((one) => one.kind !== "rematch").at(-1)?.at || new Date().toISOString(),
    mode,
    names: players.map((one) => one.name),
    seat,
    opponent: players.find((one) => one.kind === "computer")?.opponent ?? "",
    winner: result.winner,
    reason: result.reason,
    scores: result.scores,
    ...(breakdown && {
      sources: {
        placement: breakdown.placement,
        specials: breakdown.specials,
        broken: breakdown.broken,
        start_tile: breakdown.start_tile,
        draws: breakdown.draws,
        goals: breakdown.goals_booked,
      },
    }),
    ...(shown.taken_back && { taken_back: true }),
    ...(keptGame(shown.game)?.hinted && { hinted: true }),
  };
}

/** Keeps the result of a game that is over. */
export function noteGame(shown: GameShown, log: readonly Event[]): void {
  const entry = entryOf(shown, log);
  if (entry) keepResult(entry);
}

/** Whether a game that goes on will be rated, if it is played to its end without help. */
export function isStillRated({ game, mode, you, began, taken_back }: GameShown): boolean {
  return mode === "computer" && you.length === 1 && !began && !taken_back && !keptGame(game)?.hinted;
}

/** Remembers that hints were asked for in a game. */
export function noteHint(game: string): void {
  keepGame({ at: Date.now(), ...keptGame(game), game, hinted: true });
}

/** Stores the results of those games of this browser that ended while it was closed. */
export async function noteEndedGames(games: readonly GameBrief[]): Promise<void> {
  const { progress } = keptProgress();
  const known = new Set(progress.games.map((one) => one.game));
  for (const { game, status, you, at } of games) {
    if (status !== "over" || !you.length || known.has(game)) continue;
    if (Date.parse(at) <= Date.parse(progress.forgotten)) continue;
    const shown = await api.game(game).catch(() => null);
    if (shown) noteGame(shown, shown.log ?? []);
  }
}

let ladder: Promise<readonly OpponentShown[]> | null = null;

/** The opponents on offer, asked for once; an empty list while the table cannot be reached. */
export function opponentsOffered(): Promise<readonly OpponentShown[]> {
  ladder ??= api.about().then(
    (about) => about.opponents,
    () => {
      ladder = null;
      return [];
    },
  );
  return ladder;
}
