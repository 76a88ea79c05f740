/** The progress of the first start, during which the server compiles its code. */
import type { Health } from "./messages";
import { transport } from "./transport";

/** A request that takes longer makes the page ask the server for its progress. */
const SLOW_AFTER_MS = 1000;
const POLL_MS = 400;

type IsAwaited = (health: Health) => boolean;

/** Polls the progress of the server while somebody waits for it. */
class Preparation {
  /** From 0 to 1; null while nobody waits. */
  done = $state<number | null>(null);
  private readonly waiting = new Set<IsAwaited>();
  private isAsking = false;

  /** Polls, after a delay, as long as `isAwaited` says so; returns a function that gives up before that. */
  follow(isAwaited: IsAwaited): () => void {
    const timer = setTimeout(() => {
      this.waiting.add(isAwaited);
      void this.ask();
    }, SLOW_AFTER_MS);
    return () => {
      clearTimeout(timer);
      this.waiting.delete(isAwaited);
    };
  }

  private async ask(): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while (this.waiting.size) {
        const health = (await (await transport.fetch("/api/health")).json()) as Health;
        for (const isAwaited of this.waiting) if (!isAwaited(health)) this.waiting.delete(isAwaited);
        if (health.progress >= 1 || health.status === "failed") this.waiting.clear();
        this.done = this.waiting.size ? health.progress : null;
        if (this.waiting.size) await new Promise((resolve) => setTimeout(resolve, POLL_MS));
      }
    } catch {
      this.waiting.clear(); // the server cannot be reached, which is another matter
    } finally {
      this.done = null;
      this.isAsking = false;
    }
  }
}

const table = new Preparation();
const computer = new Preparation();

/** How much is done, from 0 to 1, while the table is waited for. */
export function preparation(): number | null {
  return table.done;
}

/** How much is done, from 0 to 1, while the computer is waited for. */
export function computerPreparation(): number | null {
  return computer.done;
}

/** Passes the response on; while it is late, the page shows the progress of the server. */
export async function watchSlowRequest(answer: Promise<Response>): Promise<Response> {
  const stop = table.follow(() => true);
  try {
    return await answer;
  } finally {
    stop();
  }
}

/** Shows the progress of a first start, if there is one, before anybody has to wait for it. */
export function watchFirstStart(): void {
  table.follow((health) => health.status === "preparing");
}

/** Shows the progress while a computer that is to move waits for it; call the returned function when it has moved. */
export function watchComputer(): () => void {
  const stop = computer.follow(() => true);
  return () => {
    stop();
    computer.done = null;
  };
}
