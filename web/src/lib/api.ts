/** The HTTP API, as functions. Errors are thrown as `Refusal`, with a code that the texts explain. */
import type * as messages from "./messages";
import { watchSlowRequest } from "./preparing.svelte";
import { transport } from "./transport";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly seq?: number | null,
    /** What is wrong with a text that was given. */
    readonly why: readonly messages.Telling[] = [],
  ) {
    super(message);
  }
}

async function call<T>(method: "GET" | "POST", path: string, body?: unknown): Promise<T> {
  return (await (await ask(method, path, body)).json()) as T;
}

async function text(path: string): Promise<string> {
  return (await ask("GET", path)).text();
}

async function ask(method: "GET" | "POST", path: string, body?: unknown): Promise<Response> {
  let answer: Response;
  try {
    answer = await watchSlowRequest(
      transport.fetch(`/api${path}`, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  } catch {
    throw new Refusal("unreachable", "the table cannot be reached", 0);
  }
  if (answer.ok) return answer;
  let problem: messages.Problem = { code: "failed", message: answer.statusText };
  try {
    problem = (await answer.json()) as messages.Problem;
  } catch {
    // the answer was not ours: its status has to do
  }
  throw new Refusal(problem.code, problem.message, answer.status, problem.seq, problem.why);
}

export function postId(): string {
  const bytes = crypto.getRandomValues(new Uint8Array(12));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}

/** Posts again with the same id while the table cannot be reached: a repeated post is harmless. */
async function postUntilAnswered<T>(path: string, body: Record<string, unknown>): Promise<T> {
  const whole = { ...body, id: postId() };
  for (let attempt = 0; ; attempt++) {
    try {
      return await call<T>("POST", path, whole);
    } catch (refusal) {
      const isPassing = refusal instanceof Refusal && (refusal.status === 0 || refusal.status === 503);
      if (!isPassing || attempt >= 5) throw refusal;
      await new Promise((resolve) => setTimeout(resolve, 300 * 2 ** attempt));
    }
  }
}

export const api = {
  about: () => call<messages.About>("GET", "/about"),
  create: (game: messages.NewGame) => call<messages.GameMade>("POST", "/games", game),
  enter: (game: string, secret: string, name?: string) =>
    call<messages.Entered>("POST", `/games/${game}/enter`, name ? { secret, name } : { secret }),
  game: (game: string, seat?: number) =>
    call<messages.GameShown>("GET", `/games/${game}${seat === undefined ? "" : `?seat=${seat}`}`),
  brief: (game: string) => call<messages.GameBrief>("GET", `/games/${game}/brief`),
  replay: (game: string, ply: number) => call<messages.GameShown>("GET", `/games/${game}/replay/${ply}`),
  act: (game: string, seq: number, act: messages.ChosenAct) =>
    postUntilAnswered<messages.Accepted>(`/games/${game}/acts`, { ...act, seq }),
  links: (game: string) => call<messages.Links>("POST", `/games/${game}/links`, {}),
  leave: (game: string) => call<messages.Left>("POST", `/games/${game}/leave`, {}),
  rematch: (game: string, seq: number, opponent?: string) =>
    postUntilAnswered<messages.GameMade>(`/games/${game}/rematch`, opponent ? { seq, opponent } : { seq }),
  hint: (game: string, seq: number) => call<messages.Hint>("POST", `/games/${game}/hint`, { seq }),
  tutor: (game: string, seq: number, token: string) =>
    call<messages.TutorShown>("POST", `/games/${game}/tutor`, { seq, token }),
  reviewGame: (game: string) => call<messages.ReviewAsked>("POST", `/games/${game}/review`, {}),
  reviewRecord: (record: string) => call<messages.ReviewAsked>("POST", "/reviews", { record }),
  review: (review: string) => call<messages.ReviewShown>("GET", `/reviews/${review}`),
  reviewedRecord: (review: string) => text(`/reviews/${review}/record`),
  tryReviewed: (review: string, asked: messages.AskReviewTry) =>
    call<messages.ReviewTry>("POST", `/reviews/${review}/tries`, asked),
  reviewedPosition: (review: string, ply: number) =>
    call<messages.GameShown>("GET", `/reviews/${review}/positions/${ply}`),
  record: (game: string) => text(`/games/${game}/record`),
  study: (asked: messages.AskStudy) => call<messages.StudyShown>("POST", "/study", asked),
  checkTable: (table: messages.TableDraft) => call<messages.DraftShown>("POST", "/study/table", table),
  count: (asked: messages.AskStudy) => call<messages.RoundCount>("POST", "/study/count", asked),
  playOn: (asked: messages.PlayOn) => call<messages.GameMade>("POST", "/study/play", asked),
  advice: (asked: messages.AskAdvice) => call<messages.StudyAdvice>("POST", "/study/advice", asked),
  puzzles: (day: string) => call<messages.PuzzleList>("GET", `/puzzles?day=${day}`),
  puzzle: (puzzle: string) => call<messages.PuzzleShown>("GET", `/puzzles/${puzzle}`),
  tryPuzzle: (puzzle: string, asked: messages.AskTry) =>
    call<messages.TryShown>("POST", `/puzzles/${puzzle}/try`, asked),
  network: (open: boolean) => call<messages.NetworkShown>("POST", "/network", { open }),
  picture: (text: string) => call<messages.Picture>("POST", "/qr", { text }),
};
