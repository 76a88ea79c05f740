/** Looking back at a game: the position after one of its moves. */
import { api } from "./api";
import type { GameShown } from "./messages";

export class Replay {
  /** The position that is looked at; none while the newest is. */
  shown = $state.raw<GameShown | null>(null);
  ply = $state(0);

  /** `last` says how many moves there are, `complain` what is done with a refusal. */
  constructor(
    private readonly game: string,
    private readonly last: () => number,
    private readonly complain: (refusal: unknown) => void,
  ) {}

  async go(ply: number): Promise<void> {
    const wanted = Math.max(0, Math.min(ply, this.last()));
    this.ply = wanted;
    try {
      const found = await api.replay(this.game, wanted);
      if (this.ply === wanted) this.shown = found;
    } catch (refusal) {
      this.complain(refusal);
    }
  }

  close(): void {
    this.shown = null;
    this.ply = -1;
  }
}
