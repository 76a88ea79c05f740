/** How far the table has come that is compiled for the first time on its machine. */
import type { Health } from "./messages";

const LATE = 1000;
const PAUSE = 400;
let done = $state<number | null>(null);
let isAsking = false;

/** How much is done, from 0 to 1; null when nothing is prepared, or nobody has had to wait for it. */
export function preparation(): number | null {
  return done;
}

/** Gives the answer; when it is late, the table is asked whether it prepares itself, for the page to say so. */
export async function noticePreparing(answer: Promise<Response>): Promise<Response> {
  let isAwaited = true;
  const timer = setTimeout(() => void followPreparation(() => isAwaited), LATE);
  try {
    return await answer;
  } finally {
    isAwaited = false;
    clearTimeout(timer);
  }
}

/** Tells of a preparation, if there is one, before anybody has to wait for it. */
export function noticeFirstStart(): void {
  setTimeout(() => void followPreparation((health) => health.status === "preparing"), LATE);
}

async function followPreparation(isTold: (health: Health) => boolean): Promise<void> {
  if (isAsking) return;
  isAsking = true;
  try {
    while ((done = await howFar(isTold)) !== null) await new Promise((resolve) => setTimeout(resolve, PAUSE));
  } catch {
    done = null; // then it is not that
  } finally {
    isAsking = false;
  }
}

async function howFar(isTold: (health: Health) => boolean): Promise<number | null> {
  const health = (await (await fetch("/api/health")).json()) as Health;
  return health.progress < 1 && isTold(health) ? health.progress : null;
}
