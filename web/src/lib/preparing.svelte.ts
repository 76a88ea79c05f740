/** Progress of the first start, while the table compiles its code. */
import type { Health } from "./messages";

/** After so long an answer is late, and the table is asked why. */
const SLOW_AFTER_MS = 1000;
const POLL_MS = 400;

/** How much of the preparation is done, while somebody waits for it; null otherwise. */
class Preparation {
  done = $state<number | null>(null);
  private isAsking = false;

  /** If this is late, the table is asked whether it prepares itself, as long as somebody waits. */
  follow(isAwaited: (health: Health) => boolean): () => void {
    const timer = setTimeout(() => void this.ask(isAwaited), SLOW_AFTER_MS);
    return () => clearTimeout(timer);
  }

  private async ask(isAwaited: (health: Health) => boolean): Promise<void> {
    if (this.isAsking) return;
    this.isAsking = true;
    try {
      while ((this.done = await howFar(isAwaited)) !== null)
        await new Promise((resolve) => setTimeout(resolve, POLL_MS));
    } catch {
      this.done = null; // then it is not that
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

/** Gives the answer; when it is late, the table is asked whether it prepares itself, for the page to say so. */
export async function noticePreparing(answer: Promise<Response>): Promise<Response> {
  let isAwaited = true;
  const stop = table.follow(() => isAwaited);
  try {
    return await answer;
  } finally {
    isAwaited = false;
    stop();
  }
}

/** Shows that the table is being prepared, if it is, before anybody has to wait for it. */
export function noticeFirstStart(): void {
  table.follow((health) => health.status === "preparing");
}

/** Says so if a computer that is to move waits for the preparation; call the returned function when it has moved. */
export function noticeThinking(): () => void {
  let isThinking = true;
  const stop = computer.follow(() => isThinking);
  return () => {
    isThinking = false;
    computer.done = null;
    stop();
  };
}

async function howFar(isAwaited: (health: Health) => boolean): Promise<number | null> {
  const health = (await (await fetch("/api/health")).json()) as Health;
  return health.progress < 1 && isAwaited(health) ? health.progress : null;
}
