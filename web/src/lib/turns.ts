/** Whose turn it is, and the notification of the player whose turn it has become. */
import { t } from "./i18n.svelte";
import type { GameShown } from "./messages";
import { nameOf } from "./names";
import { notify } from "./notifications";
import { play } from "./sound";

/** Whether the decision is this browser's. */
export function isMine(shown: GameShown | null): boolean {
  return !!shown && shown.status === "playing" && shown.you.includes(shown.position.seat);
}

/** Whether a player at this browser has won; where two share it, one of them always has. */
export function hasWon(shown: GameShown): boolean {
  return shown.result != null && shown.you.includes(shown.result.winner);
}

/** Notifies the player, once, when it has become their turn. */
export class TurnNotifier {
  private seen = { seq: -1, isMine: false };

  /** Notes whose turn it is without a notification: the player sees it. */
  markSeen(shown: GameShown): void {
    this.seen = { seq: shown.seq, isMine: isMine(shown) };
  }

  notify(news: GameShown): void {
    if (news.seq <= this.seen.seq) return;
    const wasMine = this.seen.isMine;
    this.markSeen(news);
    if (wasMine || !this.seen.isMine) return;
    play("turn");
    const names = [0, 1].map((seat) => nameOf(news, seat)).join(" – ");
    if (document.hidden) void notify(news.game, t("turn.yours"), names);
  }
}
