/** Whose decision it is, and calling the player whose it has become. */
import { t } from "./i18n.svelte";
import type { GameShown } from "./messages";
import { settings } from "./settings.svelte";
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

  tell(news: GameShown): void {
    if (news.seq <= this.known.seq) return;
    const knew = this.known.isMine;
    this.know(news);
    if (knew || !this.known.isMine) return;
    play("turn");
    if (document.hidden) notify();
  }
}

function notify(): void {
  if (!settings.notify || !("Notification" in window) || Notification.permission !== "granted") return;
  try {
    new Notification("Sintra", { body: t("turn.yours") });
  } catch {
    // phones allow it to service workers only
  }
}
