/** A review as this browser looks at it: asks until it is there, and shows one turn after another. */
import { api } from "./api";
import type { GameShown, ReviewedTurn, ReviewShown } from "./messages";
import { refusalWords } from "./refusals";
import { markedFrom, markedTurns } from "./reviewed";

/** How often the progress of a review is polled. */
const POLL_MS = 700;

export class ReviewFeed {
  shown = $state.raw<ReviewShown | null>(null);
  problem = $state("");
  from = $state<number | null>(null);
  ply = $state(0);
  /** The table at the ply, or the one before until it has come. */
  table = $state.raw<GameShown | null>(null);
  private readonly tables: (Promise<GameShown> | undefined)[] = [];
  private timer = 0;
  private isClosed = false;

  constructor(
    readonly review: string,
    /** From which seat it is looked at; null if nobody has chosen one. */
    from: number | null = null,
  ) {
    this.from = from;
  }

  readonly found = $derived(this.shown?.found);
  readonly last = $derived(this.shown?.plies ?? 0);
  readonly turn: ReviewedTurn | undefined = $derived(this.found?.turns[this.ply]);

  async load(): Promise<void> {
    this.problem = "";
    try {
      this.shown = await api.review(this.review);
    } catch (refusal) {
      this.problem = refusalWords(refusal);
      return;
    }
    if (this.isClosed) return;
    if (this.found) void this.go(markedTurns(this.found, this.from ?? undefined)[0]?.ply ?? 0);
    else this.timer = window.setTimeout(() => void this.load(), POLL_MS);
  }

  close(): void {
    this.isClosed = true;
    clearTimeout(this.timer);
  }

  async go(ply: number): Promise<void> {
    const wanted = Math.max(0, Math.min(ply, this.last));
    this.ply = wanted;
    try {
      const found = await this.tableAt(wanted);
      if (this.ply === wanted) this.table = found;
    } catch (refusal) {
      this.tables[wanted] = undefined;
      this.problem = refusalWords(refusal);
    }
  }

  /** To the next mistake of whom it is looked at from, or of both; or to the one before. */
  jump(step: 1 | -1): void {
    const turn = this.found && markedFrom(this.found, this.ply, step, this.from ?? undefined);
    if (turn) void this.go(turn.ply);
  }

  private tableAt(ply: number): Promise<GameShown> {
    return (this.tables[ply] ??= api.reviewedPosition(this.review, ply));
  }
}
