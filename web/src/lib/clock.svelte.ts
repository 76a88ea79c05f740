/** The clock of a game: ticks from the service's figures. Only the service decides who runs out of time. */
import type { ClockAsked, ClockShown } from "./messages";
import { t } from "./i18n.svelte";

const TICK_MS = 200;
/** Seconds left at which a player is warned: the first whenever it comes to that, the second once in a game. */
export const WARNINGS = [10, 60] as const;
export type Warning = (typeof WARNINGS)[number];

export class TableClock {
  private told = $state.raw<ClockShown | null>(null);
  private now = $state(0);
  /** When the figures came. */
  private since = 0;
  private readonly timer: number;
  /** What each seat had left when it was looked at last, and whether it was warned of the minute. */
  private lastSeen = [0, 0];
  private isWarned = [false, false];

  /** `warn` is called when a player has little time left. */
  constructor(private readonly warn: (seat: number, seconds: Warning) => void) {
    this.timer = window.setInterval(() => this.tick(), TICK_MS);
  }

  /** Takes what the service says now. */
  update(clock: ClockShown | undefined): void {
    this.now = this.since = performance.now();
    this.told = clock ?? null;
    if (clock) this.lastSeen = [...clock.left];
  }

  close(): void {
    clearInterval(this.timer);
  }

  /** The seat whose time runs. */
  get running(): number | null {
    return this.told?.running ?? null;
  }

  /** The milliseconds that a seat has left, never less than none; null without a clock. */
  left(seat: number): number | null {
    const left = this.told?.left[seat];
    if (left === undefined) return null;
    return this.running === seat ? Math.max(0, left - (this.now - this.since)) : left;
  }

  private tick(): void {
    const seat = this.running;
    if (seat === null) return;
    this.now = performance.now();
    const [before, left] = [this.lastSeen[seat]!, this.left(seat)!];
    this.lastSeen[seat] = left;
    const crossed = WARNINGS.find((seconds) => left <= 1000 * seconds && 1000 * seconds < before);
    if (!crossed || (crossed === WARNINGS[1] && this.isWarned[seat])) return;
    this.isWarned[seat] = true;
    this.warn(seat, crossed);
  }
}

/** A time that is left, as on a clock: a second that has begun counts whole. */
export function timeWritten(milliseconds: number): string {
  const seconds = Math.ceil(milliseconds / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
}

/** How much time there is, in words. */
export function limitWritten({ seconds, increment = 0 }: ClockAsked): string {
  const minutes = Math.round(seconds / 6) / 10;
  return increment ? t("clock.preset", { minutes, seconds: increment }) : t("clock.plain", { minutes });
}
