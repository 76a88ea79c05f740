/** The progress of the first start, during which the server compiles its code. */
import type { Health } from "./messages";
import { transport } from "./transport";

/** A request that takes longer makes the page ask the server for its progress. */
const SLOW_AFTER_MS = 1000;
const POLL_MS = 400;

/** Polls the progress of the server while somebody waits for it. */
class Preparation {
  /** From 0 to 1; null while nobody waits. */
  done = $state<number | null>(null);
  private isAsking = false;

  /** Polls, after a delay, as long as `isAwaited` says so; returns a function that gives up before that. */
  follow(isAwaited: (health: Health) => boolean): () => void {
    const timer = setTimeout(() => void this.ask(isAwaited), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }

  private async ask(isAwaited: (health: Health) => boolean): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while ((this.done = await progressWhile(isAwaited)) !== null)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    } catch {
      this.done = null; // the server cannot be reached, which is another matter
    } finally {
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
  let isAwaited = true;
  const stop = table.follow(() => isAwaited);
  try {
    return await answer;
  } finally {
    isAwaited = false;
    stop();
  }
}

/** Shows the progress of a first start, if there is one, before anybody has to wait for it. */
export function watchFirstStart(): void {
  table.follow((health) => health.status === "preparing");
}

/** Shows the progress while a computer that is to move waits for it; call the returned function when it has moved. */
export function watchComputer(): () => void {
  let isThinking = true;
  const stop = computer.follow(() => isThinking);
  return () => {
    isThinking = false;
    computer.done = null;
    stop();
  };
}

async function progressWhile(isAwaited: (health: Health) => boolean): Promise<number | null> {
  const health = (await (await transport.fetch("/api/health")).json()) as Health;
  return health.progress < 1 && health.status !== "failed" && isAwaited(health) ? health.progress : null;
}
