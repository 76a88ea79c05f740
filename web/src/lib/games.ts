/** The games that were opened in this browser, with their links. */
import { api, Refusal } from "./api";
import type { GameBrief, GameMade } from "./messages";
import { refusalOf } from "./refusals";
import { go } from "./router.svelte";
import { load, save } from "./storage";

export interface KeptGame {
  game: string;
  at: number;
  own?: string;
  friend?: string;
  watch?: string;
  /** The secret of the link that was opened last: opened again, it needs no exchange. */
  via?: string;
  /** Whether hints were asked for. */
  hinted?: boolean;
}

const KEY = "sintra.games";
const MAX_GAMES = 40;

export function keptGames(): KeptGame[] {
  const kept = load(KEY);
  return Array.isArray(kept) ? (kept as KeptGame[]).filter((one) => typeof one.game === "string") : [];
}

export function keptGame(game: string): KeptGame | undefined {
  return keptGames().find((one) => one.game === game);
}

export function keepGame(kept: KeptGame): void {
  const before = keptGame(kept.game);
  const others = keptGames().filter((one) => one.game !== kept.game);
  save(KEY, [{ ...before, ...kept }, ...others].slice(0, MAX_GAMES));
}

export function forgetGame(game: string): void {
  const others = keptGames().filter((one) => one.game !== game);
  save(KEY, others);
}

/** Forgets a game and every secret of it, also the one that scripts cannot read. */
export async function leaveGame(game: string): Promise<void> {
  await api.leave(game);
  forgetGame(game);
}

/** Keeps a game that was just made, with all its links, and goes there. */
export function goToNewGame({ game, links }: GameMade): void {
  keepGame({ game, at: Date.now(), ...links });
  go(`/game/${game}`);
}

/** Asks for a new game and goes there; returns why it was refused, in words. */
export function startGame(ask: () => Promise<GameMade>): Promise<string> {
  return refusalOf(async () => goToNewGame(await ask()));
}

/** Requests the review of a game that is over and opens it, from the view of the seat that this browser has played. */
export async function goToReview(game: string, you: readonly number[]): Promise<void> {
  const { review } = await api.reviewGame(game);
  go(`/review/${review}${you.length === 1 ? `?seat=${you[0]}&game=${game}` : ""}`);
}

/** How the kept games stand. Games that were cancelled or no longer exist are forgotten. */
export async function loadKeptGames(): Promise<GameBrief[]> {
  const found = await Promise.all(keptGames().map(({ game }) => loadKeptGame(game)));
  return found.filter((one) => one !== null);
}

async function loadKeptGame(game: string): Promise<GameBrief | null> {
  try {
    const brief = await api.brief(game);
    if (brief.status !== "cancelled") return brief;
    forgetGame(game);
  } catch (refusal) {
    if (refusal instanceof Refusal && [404, 410].includes(refusal.status)) forgetGame(game);
  }
  return null;
}
