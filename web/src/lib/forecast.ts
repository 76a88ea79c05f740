/** Forecasts of boards. During the first start of a table there may be none yet. */
import { signed } from "./i18n.svelte";
import type { BoardShown, GameShown } from "./messages";

/** How often forecasts that are still to come are asked for. */
export const FORECAST_POLL_MS = 1500;

/** Whether the forecasts of a game are still to come. */
export function lacksForecasts(shown: GameShown): boolean {
  return shown.position.boards.some((board) => board.forecast === null);
}

/** What a decision changes in a forecast, where both are known. */
export function changeOf(after: number | null | undefined, before: number | null): number | null {
  return after == null || before === null ? null : after - before;
}

/** Whether a board comes down to 0 points by a forecast, below which no score falls (R1.8). */
export function endsAtZero(board: BoardShown, forecast: number | null): boolean {
  return forecast !== null && board.score + forecast <= 0;
}

/** A forecast as it is forecastWords. */
export function forecastWords(forecast: number | null): string {
  return forecast === null ? "…" : signed(forecast);
}
