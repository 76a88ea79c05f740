/** The event stream of one game. It reconnects when the connection is lost. */
import type { GameShown, Presence } from "./messages";
import { transport, type EventStream } from "./transport";

export interface Listener {
  /** The number of the last event received. */
  lastSeq(): number;
  connected(): void;
  lost(): void;
  game(next: GameShown): void;
  presence(now: Presence): void;
}

const RECONNECT_MS = 1500;

export class GameStream {
  private source: EventStream | null = null;
  private isClosed = false;

  constructor(
    private readonly game: string,
    private readonly listener: Listener,
  ) {}

  start(): void {
    if (this.isClosed) return;
    this.source?.close();
    const source = transport.listen(`/api/games/${this.game}/events?after=${this.listener.lastSeq()}`);
    this.source = source;
    source.addEventListener("open", () => this.listener.connected());
    source.addEventListener("game", (message) => {
      this.listener.connected();
      this.listener.game(read<GameShown>(message));
    });
    source.addEventListener("presence", (message) => this.listener.presence(read<Presence>(message)));
    source.addEventListener("error", () => {
      if (this.isClosed) return;
      this.listener.lost();
      if (source.readyState === EventSource.CLOSED) this.startLater();
    });
  }

  /** Gives the connection up and makes a new one in a moment. */
  restart(): void {
    this.source?.close();
    this.listener.lost();
    this.startLater();
  }

  close(): void {
    this.isClosed = true;
    this.source?.close();
  }

  private startLater(): void {
    setTimeout(() => this.start(), RECONNECT_MS);
  }
}

function read<T>(message: MessageEvent<string>): T {
  return JSON.parse(message.data) as T;
}
