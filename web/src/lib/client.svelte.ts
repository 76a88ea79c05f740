/** One game as this browser sees it: listens, shows events one after another, posts acts. */
import { tick } from "svelte";
import { api, Refusal } from "./api";
import { present } from "./flights";
import { t } from "./i18n.svelte";
import { lastTurn, marksOf } from "./marks";
import type { Created, Event, GameShown, Hint, Presence, RoundSummary } from "./messages";
import { refusalWords } from "./refusals";
import { settings } from "./settings.svelte";
import { play } from "./sound";
import { nameOf } from "./table";

export class TableClient {
  shown = $state.raw<GameShown | null>(null);
  log = $state.raw<Event[]>([]);
  /** Where the latest turn happened. */
  readonly marks = $derived(marksOf(lastTurn(this.log, this.shown?.ply ?? 0)));
  spectators = $state(0);
  /** Seats that have been away for long: the other may claim the game. */
  gone = $state.raw<number[]>([]);
  connected = $state(true);
  posting = $state(false);
  showing = $state(false);
  problem = $state("");
  news = $state("");
  summary = $state.raw<RoundSummary | null>(null);
  hint = $state.raw<Hint | null>(null);
  hinting = $state(false);
  private present = $state.raw<boolean[] | null>(null);
  /** The newest news, which may still wait to be shown. */
  private newest = $state.raw<GameShown | null>(null);
  private queue: GameShown[] = [];
  private source: EventSource | null = null;
  private skip = new AbortController();
  /** Whether the player knows that the decision is theirs, as of which event. */
  private called = { seq: -1, mine: false };
  private closed = false;
  private continueRound: (() => void) | null = null;
  /** The seat that the shared screen was handed to, while it is that seat's turn. */
  private lifted: number | null = null;
  private awaited: { seq: number; resolve: () => void } | null = null;

  constructor(readonly game: string) {}

  /** Loads the game and listens from there on. */
  async open(): Promise<void> {
    const now = await api.game(this.game);
    this.take(now);
    this.called = { seq: now.seq, mine: isMine(now) };
    this.listen();
  }

  close(): void {
    this.closed = true;
    this.source?.close();
  }

  /** Whether the decision is this browser's. */
  get isMine(): boolean {
    return isMine(this.shown);
  }

  /** Whether the decision is this browser's as soon as all news is shown. */
  get isAwaited(): boolean {
    return isMine(this.newest);
  }

  /** The seat at the bottom of the page. */
  get near(): number {
    const shown = this.shown;
    if (!shown) return 0;
    if (shown.you.length === 1) return shown.you[0] ?? 0;
    return shown.mode === "screen" && shown.status === "playing" ? shown.position.seat : 0;
  }

  isPresent(seat: number): boolean {
    return this.present?.[seat] ?? this.shown?.players[seat]?.present ?? false;
  }

  private listen(): void {
    if (this.closed) return;
    this.source?.close();
    const after = this.shown?.seq ?? 0;
    const source = new EventSource(`/api/games/${this.game}/events?after=${after}`);
    this.source = source;
    source.addEventListener("open", () => (this.connected = true));
    source.addEventListener("game", (message) => {
      this.connected = true;
      const next = JSON.parse((message as MessageEvent<string>).data) as GameShown;
      this.newest = next;
      this.queue.push(next);
      if (this.summary) this.call(next);
      void this.pump();
    });
    source.addEventListener("presence", (message) => {
      const presence = JSON.parse((message as MessageEvent<string>).data) as Presence;
      this.present = presence.present;
      this.spectators = presence.spectators;
      this.gone = presence.gone ?? [];
    });
    source.addEventListener("error", () => {
      if (this.closed) return;
      this.connected = false;
      if (source.readyState === EventSource.CLOSED) setTimeout(() => this.listen(), 1500);
    });
  }

  /** Shows what has arrived, one event after another. */
  private async pump(): Promise<void> {
    if (this.showing) return;
    this.showing = true;
    this.skip = new AbortController();
    try {
      for (let next = this.queue.shift(); next; next = this.queue.shift()) await this.follow(next);
    } finally {
      this.showing = false;
    }
  }

  private async follow(next: GameShown): Promise<void> {
    const now = this.shown;
    if (now && next.seq < now.seq) return;
    if (now && next.seq === now.seq) {
      if (next.log) this.take(next);
      return;
    }
    if (!next.log && now && next.seq > now.seq + 1) {
      await this.refresh();
      return;
    }
    const seen = await this.asLifted(next).catch(() => next);
    await present(next.event, () => this.take(seen), this.skip.signal);
    if (next.event) this.news = this.say(next.event);
    this.call(next);
    if (next.status === "over" && now?.status !== "over") play("end");
    if (next.event?.summary) await this.tellRound(next.event.summary);
  }

  private say(event: Event): string {
    const who = event.seat == null || !this.shown ? "" : `${nameOf(this.shown, event.seat)}: `;
    return who + t(event.telling.key, event.telling.args ?? {});
  }

  private take(next: GameShown): void {
    this.shown = next;
    if (next.seq >= (this.newest?.seq ?? 0)) this.newest = next;
    this.hint = null;
    if (next.position.seat !== this.lifted) this.lifted = null;
    if (next.log) this.log = next.log;
    else if (next.event) this.log = [...this.log, next.event];
    if (this.awaited && next.seq >= this.awaited.seq) {
      this.awaited.resolve();
      this.awaited = null;
    }
  }

  /** The summary stays until it is read; nothing else is shown before, and what follows is not skipped. */
  private async tellRound(summary: RoundSummary): Promise<void> {
    if (this.shown?.status === "over") return;
    this.summary = summary;
    await new Promise<void>((resolve) => (this.continueRound = resolve));
    this.skip = new AbortController();
  }

  closeSummary(): void {
    this.summary = null;
    this.continueRound?.();
    this.continueRound = null;
  }

  /** Shows at once what is being shown and all that waits to be shown. */
  hurry(): void {
    this.skip.abort();
  }

  /** Calls the player, once, when a decision has become theirs. */
  private call(news: GameShown): void {
    if (news.seq <= this.called.seq) return;
    const knew = this.called.mine;
    this.called = { seq: news.seq, mine: isMine(news) };
    if (knew || !this.called.mine) return;
    play("turn");
    if (document.hidden && settings.notify && "Notification" in window && Notification.permission === "granted") {
      try {
        new Notification("Sintra", { body: t("turn.yours") });
      } catch {
        // phones allow it to service workers only
      }
    }
  }

  /** Resolves when the page shows an event: what was possible before it must not be offered again. */
  private seen(seq: number | undefined): Promise<void> {
    if (seq === undefined || this.seq >= seq) return Promise.resolve();
    return new Promise((resolve) => (this.awaited = { seq, resolve }));
  }

  private async post(act: () => Promise<{ seq?: number }>): Promise<boolean> {
    if (this.posting) return false;
    this.posting = true;
    this.problem = "";
    try {
      await this.seen((await act()).seq);
      return true;
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.status === 409) await this.refresh();
      this.complain(refusal);
      return false;
    } finally {
      this.posting = false;
    }
  }

  complain(refusal: unknown): void {
    this.problem = refusalWords(refusal);
  }

  /** Takes the whole game as it is now, unless more has been shown meanwhile; without an answer, listens anew. */
  private async refresh(): Promise<void> {
    this.queue = [];
    try {
      const now = await api.game(this.game);
      if (now.seq >= this.seq) this.take(await this.asLifted(now));
      this.call(now);
    } catch {
      this.source?.close();
      this.connected = false;
      setTimeout(() => this.listen(), 1500);
    }
    await tick();
  }

  private get seq(): number {
    return this.shown?.seq ?? 0;
  }

  /** Who acts, where one screen has both seats. */
  private get actor(): number | undefined {
    return this.shown?.mode === "screen" ? this.shown.position.seat : undefined;
  }

  move(token: string): Promise<boolean> {
    return this.post(() => api.move(this.game, this.seq, token));
  }
  undo(): Promise<boolean> {
    return this.post(() => api.undo(this.game, this.seq));
  }
  takeBack(): Promise<boolean> {
    return this.post(() => api.takeBack(this.game, this.seq));
  }
  answer(agree: boolean): Promise<boolean> {
    return this.post(() => api.answer(this.game, this.seq, agree));
  }
  resign(): Promise<boolean> {
    return this.post(() => api.resign(this.game, this.seq, this.actor));
  }
  claim(): Promise<boolean> {
    return this.post(() => api.claim(this.game, this.seq));
  }
  cancel(): Promise<boolean> {
    return this.post(() => api.cancel(this.game, this.seq));
  }
  rematch(then: (made: Created) => void): Promise<boolean> {
    return this.post(async () => {
      then(await api.rematch(this.game, this.seq));
      return {};
    });
  }

  /** Shows the private plates of the player who has been handed the screen, until the other is to move. */
  lift(): Promise<boolean> {
    return this.post(async () => {
      if (!this.shown) return {};
      this.lifted = this.shown.position.seat;
      const own = await this.asLifted(this.shown);
      if (own.seq === this.seq) this.take({ ...own, log: this.log });
      return {};
    });
  }

  /** The game as the player sees it who has been handed the screen. What is told stays as both may read it. */
  private async asLifted(next: GameShown): Promise<GameShown> {
    if (!next.curtain || next.position.seat !== this.lifted) return next;
    const { event, log, ...own } = await api.game(this.game, this.lifted);
    return own.seq === next.seq ? { ...next, ...own, curtain: false } : next;
  }

  async askHint(): Promise<void> {
    if (this.hinting) return;
    this.hinting = true;
    const seq = this.seq;
    try {
      const hint = await api.hint(this.game, seq);
      if (this.seq === seq) this.hint = hint;
    } catch (refusal) {
      this.complain(refusal);
    } finally {
      this.hinting = false;
    }
  }
}

function isMine(shown: GameShown | null): boolean {
  return !!shown && shown.status === "playing" && shown.you.includes(shown.position.seat);
}
