/** Looking back at a game: the position after one of its moves. */
import { api } from "./api";
import { settings } from "./settings.svelte";
import type { GameShown } from "./messages";

/** Milliseconds from move to move while the game plays itself. */
const PACE = { slow: 2400, normal: 1500, fast: 700, off: 1500 };

export class Replay {
  /** The position of the replay; null while the newest position is shown. */
  shown = $state.raw<GameShown | null>(null);
  ply = $state(0);
  /** Whether one move follows the other by itself. */
  isPlaying = $state(false);
  private timer = 0;

  /** `last` says how many moves there are, `reportError` what is done with a refusal. */
  constructor(
    private readonly game: string,
    private readonly last: () => number,
    private readonly reportError: (refusal: unknown) => void,
  ) {}

  /** Where a viewer begins: at the beginning of a game that is over, at the newest move of one that goes on. */
  begin(isOver: boolean): void {
    void this.go(isOver ? 0 : this.last());
  }

  /** Goes to a move, which ends the playing. */
  async go(ply: number): Promise<void> {
    this.pause();
    await this.show(ply);
  }

  /** Plays on from here, from the beginning if this is the end; or pauses. */
  toggle(): void {
    if (this.isPlaying) {
      this.pause();
      return;
    }
    this.isPlaying = true;
    void this.playOn(this.ply >= this.last() ? 0 : this.ply + 1);
  }

  private async playOn(ply: number): Promise<void> {
    await this.show(ply);
    if (!this.isPlaying || this.ply !== ply) return;
    if (this.ply >= this.last()) this.pause();
    else this.timer = window.setTimeout(() => void this.playOn(this.ply + 1), PACE[settings.speed]);
  }

  private pause(): void {
    this.isPlaying = false;
    clearTimeout(this.timer);
  }

  private async show(ply: number): Promise<void> {
    const wanted = Math.max(0, Math.min(ply, this.last()));
    this.ply = wanted;
    try {
      const found = await api.replay(this.game, wanted);
      if (this.ply === wanted) this.shown = found;
    } catch (refusal) {
      this.pause();
      this.reportError(refusal);
    }
  }

  close(): void {
    this.pause();
    this.shown = null;
    this.ply = -1;
  }
}
