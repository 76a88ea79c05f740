/** One game as this browser sees it: loads it, listens, and shows one event after another. */
import { tick } from "svelte";
import { api } from "./api";
import { TableClock, type Warning } from "./clock.svelte";
import { FORECAST_POLL_MS, lacksForecasts } from "./forecast";
import { t } from "./i18n.svelte";
import { lastTurn, marksOf } from "./marks";
import type { Event, GameShown, Presence } from "./messages";
import { showEvent } from "./motion/show";
import { eventWords, nameOf } from "./names";
import { Showing } from "./showing.svelte";
import { play } from "./sound";
import type { TableFeed } from "./source";
import { GameStream } from "./stream";
import { hasWon, isMine, TurnNotifier } from "./turns";

export class GameFeed extends Showing implements TableFeed {
  shown = $state.raw<GameShown | null>(null);
  log = $state.raw<Event[]>([]);
  /** Where the latest turn happened. */
  readonly marks = $derived(marksOf(lastTurn(this.log, this.shown?.ply ?? 0)));
  spectators = $state(0);
  /** Seats that have been away for long: the other may claim the game. */
  gone = $state.raw<number[]>([]);
  isConnected = $state(true);
  /** What happened last, in words. */
  news = $state("");
  /** Whether the game has ended before the reader's eyes, and its end has not been told yet. */
  hasJustEnded = $state(false);
  private present = $state.raw<boolean[] | null>(null);
  /** The newest news, which may still wait to be shown. */
  private newest = $state.raw<GameShown | null>(null);
  private queue: GameShown[] = [];
  /** The seat that the shared screen was handed to, while it is that seat's turn. */
  private handedTo: number | null = null;
  private awaited: { seq: number; resolve: () => void } | null = null;
  private forecastTimer = 0;
  readonly clock = new TableClock((seat, seconds) => this.warn(seat, seconds));
  private readonly stream: GameStream;
  private readonly turnNotifier = new TurnNotifier();

  constructor(readonly game: string) {
    super();
    this.stream = new GameStream(game, {
      lastSeq: () => this.seq,
      connected: () => (this.isConnected = true),
      lost: () => (this.isConnected = false),
      game: (next) => this.onGame(next),
      presence: (now) => this.onPresence(now),
    });
  }

  /** Loads the game and listens from there on. */
  async open(): Promise<void> {
    const now = await api.game(this.game);
    this.clock.update(now.clock);
    this.show(now);
    this.turnNotifier.markSeen(now);
    this.stream.start();
  }

  close(): void {
    clearTimeout(this.forecastTimer);
    this.clock.close();
    this.stream.close();
  }

  get seq(): number {
    return this.shown?.seq ?? 0;
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

  private onPresence(now: Presence): void {
    this.present = now.present;
    this.spectators = now.spectators;
    this.gone = now.gone ?? [];
    this.clock.update(now.clock);
  }

  /** Little time is left: everybody can hear of it in words, and whose time it is by a sound. */
  private warn(seat: number, seconds: Warning): void {
    if (!this.shown) return;
    if (this.shown.you.includes(seat)) play("hurry");
    this.news = t(`clock.soon.${seconds}`, { name: nameOf(this.shown, seat) });
  }

  private onGame(next: GameShown): void {
    this.newest = next;
    this.clock.update(next.clock);
    this.queue.push(next);
    if (this.story) this.turnNotifier.notify(next);
    void this.showQueue();
  }

  /** Shows what has arrived, one event after another. */
  private async showQueue(): Promise<void> {
    if (this.isShowing) return;
    this.isShowing = true;
    this.skip = new AbortController();
    try {
      for (let next = this.queue.shift(); next; next = this.queue.shift()) await this.showNext(next);
    } finally {
      this.isShowing = false;
    }
  }

  private async showNext(next: GameShown): Promise<void> {
    const now = this.shown;
    if (now && next.seq < now.seq) return;
    if (now && next.seq === now.seq) {
      if (next.log) this.show(next);
      return;
    }
    if (!next.log && now && next.seq > now.seq + 1) {
      await this.refresh();
      return;
    }
    if (next.event?.summary) {
      this.turnNotifier.notify(next);
      await this.tellRound(next.log ?? [...this.log, next.event], next.event.summary);
    }
    if (this.seq >= next.seq) return;
    const seen = await this.withPrivatePlates(next).catch(() => next);
    await showEvent(next.event, () => this.show(seen), this.skip.signal);
    if (next.event) this.news = eventWords(seen, next.event);
    this.turnNotifier.notify(next);
    if (next.status !== "over" || now?.status === "over") return;
    this.hasJustEnded = true;
    play(hasWon(next) ? "win" : "end");
  }

  private show(next: GameShown): void {
    this.shown = next;
    if (next.seq >= (this.newest?.seq ?? 0)) this.newest = next;
    if (next.position.seat !== this.handedTo) this.handedTo = null;
    if (next.log) this.log = next.log;
    else if (next.event) this.log = [...this.log, next.event];
    if (this.awaited && next.seq >= this.awaited.seq) {
      this.awaited.resolve();
      this.awaited = null;
    }
    if (lacksForecasts(next)) this.askForForecasts();
  }

  /** Forecasts that are still to come are asked for until they are there. */
  private askForForecasts(): void {
    clearTimeout(this.forecastTimer);
    this.forecastTimer = window.setTimeout(async () => {
      const now = await api.game(this.game).catch(() => null);
      if (now?.seq === this.seq && !lacksForecasts(now)) this.show(await this.withPrivatePlates(now));
      else if (this.shown && lacksForecasts(this.shown)) this.askForForecasts();
    }, FORECAST_POLL_MS);
  }

  /** Resolves when the page shows an event: what was possible before it must not be offered again. */
  untilShown(seq: number): Promise<void> {
    if (this.seq >= seq) return Promise.resolve();
    return new Promise((resolve) => (this.awaited = { seq, resolve }));
  }

  /** Loads the whole game again; an answer that is older than what is shown is dropped, and after an error the stream
   * reconnects. */
  async refresh(): Promise<void> {
    this.queue = [];
    try {
      const now = await api.game(this.game);
      this.clock.update(now.clock);
      if (now.seq >= this.seq) this.show(await this.withPrivatePlates(now));
      this.turnNotifier.notify(now);
    } catch {
      this.stream.restart();
    }
    await tick();
  }

  /** Shows the private plates of the player who has been handed the screen, until the other is to move. */
  async liftCurtain(): Promise<void> {
    if (!this.shown) return;
    this.handedTo = this.shown.position.seat;
    const own = await this.withPrivatePlates(this.shown);
    if (own.seq === this.seq) this.show({ ...own, log: this.log });
  }

  /** The game as the player sees it who has been handed the screen. What is told stays as both may read it. */
  private async withPrivatePlates(next: GameShown): Promise<GameShown> {
    if (!next.curtain || next.position.seat !== this.handedTo) return next;
    const { event, log, ...own } = await api.game(this.game, this.handedTo);
    return own.seq === next.seq ? { ...next, ...own, curtain: false } : next;
  }
}
