/** What a table shows step by step: it can be hurried, and a round that is over is told before the next one. */
import type { Event, RoundSummary } from "./messages";
import { countedIn, type RoundStory } from "./story";

export class Showing {
  /** Whether pieces are on their way, or a round is told. */
  isShowing = $state(false);
  /** A round that is over, told before the next one is dealt. */
  story = $state.raw<RoundStory | null>(null);
  protected skip = new AbortController();
  private isRead: (() => void) | null = null;

  /** Shows at once what is being shown and all that waits to be shown. */
  hurry(): void {
    this.skip.abort();
  }

  /** Tells a round, and waits until that is read; what follows is not skipped. */
  protected async tellRound(log: readonly Event[], summary: RoundSummary): Promise<void> {
    this.story = { summary, counted: countedIn(log, summary) };
    await new Promise<void>((resolve) => (this.isRead = resolve));
    this.skip = new AbortController();
  }

  closeStory(): void {
    this.story = null;
    this.isRead?.();
    this.isRead = null;
  }
}
