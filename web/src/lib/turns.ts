/** Whose decision it is, and calling the player whose it has become. */
import { t } from "./i18n.svelte";
import type { GameShown } from "./messages";
import { nameOf } from "./names";
import { notify } from "./notifications";
import { play } from "./sound";

/** Whether the decision is this browser's. */
export function isMine(shown: GameShown | null): boolean {
  return !!shown && shown.status === "playing" && shown.you.includes(shown.position.seat);
}

/** Whether somebody at this browser has won. Two who share it have, whoever it was. */
export function hasWon(shown: GameShown): boolean {
  return shown.result != null && shown.you.includes(shown.result.winner);
}

/** Calls the player, once, when a decision has become theirs. */
export class TurnCall {
  private known = { seq: -1, isMine: false };

  /** The player sees for themselves whose decision it is. */
  know(shown: GameShown): void {
    this.known = { seq: shown.seq, isMine: isMine(shown) };
  }

  notify(news: GameShown): void {
    if (news.seq <= this.known.seq) return;
    const knew = this.known.isMine;
    this.know(news);
    if (knew || !this.known.isMine) return;
    play("turn");
    const names = [0, 1].map((seat) => nameOf(news, seat)).join(" – ");
    if (document.hidden) void notify(news.game, t("turn.yours"), names);
  }
}
