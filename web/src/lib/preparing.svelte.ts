/** Whether an answer is late because the table is compiled for the first time on its machine. */
import type { Health } from "./messages";

const LATE = 1000;
let waiting = $state(0);

export function isPreparing(): boolean {
  return waiting > 0;
}

/** Gives the answer; when it is late, the table is asked whether it prepares itself, for the page to say so. */
export async function noticePreparing(answer: Promise<Response>): Promise<Response> {
  let isAnswered = false;
  let counted = 0;
  const timer = setTimeout(async () => {
    try {
      const health = (await (await fetch("/api/health")).json()) as Health;
      if (health.status === "preparing" && !isAnswered) waiting += counted = 1;
    } catch {
      // then it is not that
    }
  }, LATE);
  try {
    return await answer;
  } finally {
    isAnswered = true;
    clearTimeout(timer);
    waiting -= counted;
  }
}
