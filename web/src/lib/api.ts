/** The HTTP API, as functions. Errors are thrown as `Refusal`, with a code that the texts explain. */
import type {
  About,
  Accepted,
  AskAdvice,
  AskReviewTry,
  AskStudy,
  AskTry,
  ChosenAct,
  DraftShown,
  GameMade,
  Entered,
  GameBrief,
  GameShown,
  Hint,
  Left,
  Links,
  NetworkShown,
  NewGame,
  Picture,
  PlayOn,
  Problem,
  PuzzleList,
  PuzzleShown,
  ReviewAsked,
  ReviewShown,
  ReviewTry,
  RoundCount,
  StudyAdvice,
  StudyShown,
  TableDraft,
  Telling,
  TryShown,
} from "./messages";
import { noticePreparing } from "./preparing.svelte";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    message: string,
    readonly status: number,
    readonly seq?: number | null,
    /** What is wrong with a text that was given. */
    readonly why: readonly Telling[] = [],
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
    answer = await noticePreparing(
      fetch(`/api${path}`, {
        method,
        headers: body === undefined ? {} : { "content-type": "application/json" },
        body: body === undefined ? null : JSON.stringify(body),
      }),
    );
  } catch {
    throw new Refusal("unreachable", "the table cannot be reached", 0);
  }
  if (answer.ok) return answer;
  let problem: Problem = { code: "failed", message: answer.statusText };
  try {
    problem = (await answer.json()) as Problem;
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
  about: () => call<About>("GET", "/about"),
  create: (game: NewGame) => call<GameMade>("POST", "/games", game),
  enter: (game: string, secret: string, name?: string) =>
    call<Entered>("POST", `/games/${game}/enter`, name ? { secret, name } : { secret }),
  game: (game: string, seat?: number) =>
    call<GameShown>("GET", `/games/${game}${seat === undefined ? "" : `?seat=${seat}`}`),
  brief: (game: string) => call<GameBrief>("GET", `/games/${game}/brief`),
  replay: (game: string, ply: number) => call<GameShown>("GET", `/games/${game}/replay/${ply}`),
  act: (game: string, seq: number, act: ChosenAct) =>
    postUntilAnswered<Accepted>(`/games/${game}/acts`, { ...act, seq }),
  links: (game: string) => call<Links>("POST", `/games/${game}/links`, {}),
  leave: (game: string) => call<Left>("POST", `/games/${game}/leave`, {}),
  rematch: (game: string, seq: number, opponent?: string) =>
    postUntilAnswered<GameMade>(`/games/${game}/rematch`, opponent ? { seq, opponent } : { seq }),
  hint: (game: string, seq: number) => call<Hint>("POST", `/games/${game}/hint`, { seq }),
  reviewGame: (game: string) => call<ReviewAsked>("POST", `/games/${game}/review`, {}),
  reviewRecord: (record: string) => call<ReviewAsked>("POST", "/reviews", { record }),
  review: (review: string) => call<ReviewShown>("GET", `/reviews/${review}`),
  reviewedRecord: (review: string) => text(`/reviews/${review}/record`),
  tryReviewed: (review: string, asked: AskReviewTry) => call<ReviewTry>("POST", `/reviews/${review}/tries`, asked),
  reviewedPosition: (review: string, ply: number) => call<GameShown>("GET", `/reviews/${review}/positions/${ply}`),
  record: (game: string) => text(`/games/${game}/record`),
  study: (asked: AskStudy) => call<StudyShown>("POST", "/study", asked),
  checkTable: (table: TableDraft) => call<DraftShown>("POST", "/study/table", table),
  count: (asked: AskStudy) => call<RoundCount>("POST", "/study/count", asked),
  playOn: (asked: PlayOn) => call<GameMade>("POST", "/study/play", asked),
  advice: (asked: AskAdvice) => call<StudyAdvice>("POST", "/study/advice", asked),
  puzzles: (day: string) => call<PuzzleList>("GET", `/puzzles?day=${day}`),
  puzzle: (puzzle: string) => call<PuzzleShown>("GET", `/puzzles/${puzzle}`),
  tryPuzzle: (puzzle: string, asked: AskTry) => call<TryShown>("POST", `/puzzles/${puzzle}/try`, asked),
  network: (open: boolean) => call<NetworkShown>("POST", "/network", { open }),
  picture: (text: string) => call<Picture>("POST", "/qr", { text }),
};
