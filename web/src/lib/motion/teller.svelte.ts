/** Tells one thing after the other, at the reader's pace; all that is left can be told at once. */
import { motionIsReduced, pace } from "../settings.svelte";
import { Scene } from "./scene";

/** How many steps of a move each thing takes. */
const LENGTH = 1.7;

export class Teller {
  /** Which thing is told now: −1 before the first, `count` when all are told. */
  now = $state(-1);
  readonly scene = new Scene();
  /** Whether it is, or was, told step by step: where that is wanted, and seen. */
  readonly isTold: boolean;
  private readonly length = pace();

  constructor(
    readonly count: number,
    isWanted = true,
  ) {
    this.isTold = isWanted && this.length > 0 && !motionIsReduced() && !document.hidden;
    if (this.isTold) void this.tell();
    else this.now = count;
  }

  get isDone(): boolean {
    return this.now >= this.count;
  }

  /** How long a piece is on its way. */
  get flight(): number {
    return 0.8 * this.length;
  }

  private async tell(): Promise<void> {
    await this.scene.rest(LENGTH * this.length);
    while (!this.isDone) {
      this.now++;
      await this.scene.rest(LENGTH * this.length);
    }
  }

  skip(): void {
    this.now = this.count;
    this.scene.end();
  }
}
