/** The progress in this browser: read anew for every change, since another tab may have changed it. */
import { merged, NOTHING, recovered, progressText, type PlayedGame, type Progress, type Recovered } from "./entries";

export const KEY = "sintra.progress";

export function keptProgress(): Recovered {
  try {
    return recovered(localStorage.getItem(KEY));
  } catch {
    return recovered(null);
  }
}

/** Changes what is kept; false if this browser does not keep it. */
function change(how: (progress: Progress) => Progress): boolean {
  const { progress, isNewer } = keptProgress();
  if (isNewer) return false;
  const next = how(progress);
  if (next === progress) return true;
  try {
    localStorage.setItem(KEY, progressText(next));
    return true;
  } catch {
    return false;
  }
}

/** Adds what a file has; false if there is no room for it. */
export function addProgress(added: Progress): boolean {
  return change((progress) => merged(progress, added));
}

/** Forgets all of it; the games that it came from do not come back, unless from a file. */
export function forgetProgress(): void {
  change(({ games, forgotten }) => {
    const latest = games.reduce((time, one) => Math.max(time, Date.parse(one.at)), Date.parse(forgotten) || 0);
    return { ...NOTHING, forgotten: new Date(Math.min(latest, Date.now())).toISOString() };
  });
}

/** Keeps the result of a game, once; what was forgotten stays so. The service knows best how a game has ended. */
export function keepResult(entry: PlayedGame): void {
  change((progress) => {
    if (Date.parse(entry.at) <= Date.parse(progress.forgotten)) return progress;
    const known = progress.games.find((one) => one.game === entry.game);
    if (known && Object.entries(entry).every(([field, value]) => isSame(known[field as keyof PlayedGame], value)))
      return progress;
    return merged({ ...NOTHING, games: [entry], forgotten: progress.forgotten }, progress);
  });
}

function isSame(a: unknown, b: unknown): boolean {
  return JSON.stringify(a) === JSON.stringify(b);
}

/** Stores the error rate that a review has found for the player's decisions in a game. */
export function noteErrorRate(game: string, rate: number): void {
  change((progress) => {
    const known = progress.games.find((one) => one.game === game);
    if (!known || known.error_rate === rate) return progress;
    return merged({ ...NOTHING, games: [{ ...known, error_rate: rate }], forgotten: progress.forgotten }, progress);
  });
}

/** Keeps that a puzzle was tried, and whether it was solved. */
export function notePuzzle(puzzle: string, solved: boolean): void {
  const at = new Date().toISOString();
  change((progress) => merged(progress, { ...NOTHING, puzzles: [{ puzzle, at, solved }] }));
}
