/** Goes through steps one after another, at the reader's pace; the rest can be skipped. */
import { motionIsReduced, pace } from "../settings.svelte";
import { Scene } from "./scene";

/** How long a step takes, in steps of a move. */
const LENGTH = 1.7;

export class Stepper {
  /** The current step: −1 before the first, `count` after the last. */
  now = $state(-1);
  readonly scene = new Scene();
  /** Whether the steps are shown one by one: where that is wanted, and somebody looks. */
  readonly isAnimated: boolean;
  private readonly length = pace();

  constructor(
    readonly count: number,
    isWanted = true,
  ) {
    this.isAnimated = isWanted && this.length > 0 && !motionIsReduced() && !document.hidden;
    if (this.isAnimated) void this.run();
    else this.now = count;
  }

  get isDone(): boolean {
    return this.now >= this.count;
  }

  /** How long a piece is on its way. */
  get flight(): number {
    return 0.8 * this.length;
  }

  private async run(): Promise<void> {
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

  /** A press anywhere skips the rest. */
  readonly onclick = (): void => {
    if (!this.isDone) this.skip();
  };

  /** So do Enter and the space bar, which then do nothing else. */
  readonly onkeydown = (event: KeyboardEvent): void => {
    if (this.isDone || event.repeat || !["Enter", " "].includes(event.key)) return;
    event.preventDefault();
    this.skip();
  };
}
