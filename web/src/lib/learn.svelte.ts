/** The costliest turns of a reviewed game as questions on the table: a move is tried, judged, and not made. */
import { api } from "./api";
import type { GameShown, ReviewedMove, ReviewedTurn, ReviewFound, ReviewShown } from "./messages";
import type { Args } from "./i18n.svelte";
import { HANDFUL, afterTry, keepCards, loadCards, mistakeId, withMistakes } from "./puzzles/repetition";
import { refusalOf } from "./refusals";
import { costliest } from "./reviewed";
import { Study } from "./study/study.svelte";
import type { StudyNode } from "./study/tree";

const MAX_QUESTIONS = 10;

/** The progress of a player with one question. */
export interface QuestionProgress {
  readonly tries: number;
  readonly hints: number;
  readonly end: "" | "found" | "shown";
}

/** What became of a try: the best move, one as good, the one that was played, or another that costs more or less. */
export interface TryVerdict {
  readonly key: "right" | "as_good" | "same" | "better" | "wrong";
  readonly cost: number;
  readonly places: readonly string[];
}

/** What a move is about, without the move. */
export interface MoveSubject {
  readonly key: string;
  readonly args: Args;
  readonly places: readonly string[];
}

const NEW: QuestionProgress = { tries: 0, hints: 0, end: "" };

export class Learning extends Study {
  review = $state.raw<ReviewShown | null>(null);
  turns = $state.raw<readonly ReviewedTurn[]>([]);
  /** Which question is asked. */
  at = $state(0);
  verdict = $state.raw<TryVerdict | null>(null);
  isHintOpen = $state(false);
  isJudging = $state(false);
  isOver = $state(false);
  private record = "";
  private done = $state.raw<readonly QuestionProgress[]>([]);

  constructor(
    private readonly name: string,
    private readonly seat: number | null,
    /** The one turn that is asked about. */
    private readonly ply: number | null = null,
  ) {
    super();
  }

  get turn(): ReviewedTurn {
    return this.turns[this.at]!;
  }

  /** The progress with this question, or with another. */
  progress(k = this.at): QuestionProgress {
    return this.done[k] ?? NEW;
  }

  get best(): ReviewedMove {
    return this.turn.best[0]!;
  }

  /** The seat whose turns are asked about: one's own, else the one that has some. */
  private seatOf(review: ReviewShown): number {
    const { found } = review;
    return this.seat ?? (found && !costliest(found, 0, 1).length ? 1 : 0);
  }

  async load(): Promise<void> {
    this.problem = await refusalOf(async () => {
      [this.review, this.record] = await Promise.all([api.review(this.name), api.reviewedRecord(this.name)]);
    });
    if (this.problem || !this.review) return;
    const { found } = this.review;
    if (this.ply !== null) this.ask(found?.turns.filter((turn) => turn.ply === this.ply) ?? []);
    else this.ask(found ? costliest(found, this.seatOf(this.review), MAX_QUESTIONS) : []);
    if (this.turns.length) await this.open(0);
  }

  private ask(turns: readonly ReviewedTurn[]): void {
    this.at = 0;
    this.verdict = null;
    this.turns = turns;
    this.done = turns.map(() => NEW);
  }

  /** Lays the table of a question. */
  async open(k: number): Promise<boolean> {
    if (!(await this.begin({ start: { record: this.record }, at: this.turns[k]!.ply }))) return false;
    this.at = k;
    this.verdict = null;
    this.isHintOpen = this.isOver = false;
    return true;
  }

  /** The next question that is open, or the end. */
  async next(): Promise<void> {
    const after = [...this.turns.keys()].map((k) => (this.at + 1 + k) % this.turns.length);
    const open = after.find((k) => !this.progress(k).end);
    if (open === undefined) this.isOver = true;
    else await this.open(open);
  }

  /** Those that were not found, once more. */
  async repeat(): Promise<void> {
    this.ask(this.turns.filter((_, k) => this.progress(k).end !== "found"));
    await this.open(0);
  }

  /** The first try of a turn, and help before it, say when it returns. */
  private noteFirst(isFound: boolean): void {
    const { tries, hints, end } = this.progress();
    if (tries || hints || end) return;
    const id = mistakeId({ review: this.name, seat: this.turn.seat, ply: this.turn.ply });
    keepCards(afterTry(loadCards(), { id, kind: "mistake" }, isFound));
  }

  private note(change: Partial<QuestionProgress>): void {
    this.done = this.done.map((one, k) => (k === this.at ? { ...one, ...change } : one));
  }

  // --- what a learner does ----------------------------------------------------------------------------

  /** A move is tried: it is judged and stays where it was. */
  override async move(token: string): Promise<boolean> {
    if (this.isPosting || this.progress().end) return false;
    this.isPosting = this.isJudging = true;
    const { at } = this;
    try {
      this.problem = await refusalOf(async () => {
        const verdict = await this.judged(token);
        if (this.at !== at) return;
        this.isHintOpen = false;
        this.verdict = verdict;
        const isRight = verdict.key === "right" || verdict.key === "as_good";
        this.noteFirst(isRight);
        this.note({ tries: this.progress().tries + 1, end: isRight ? "found" : "" });
      });
    } finally {
      this.isPosting = this.isJudging = false;
    }
    return false;
  }

  /** What the review knows of a move, or what the service finds. */
  private async judged(token: string): Promise<TryVerdict> {
    const { turn, best } = this;
    if (token === best.token) return { key: "right", cost: 0, places: best.places };
    if (token === turn.played.token) return { key: "same", cost: turn.cost, places: turn.played.places };
    const { cost, right, places } = await api.tryReviewed(this.name, { ply: turn.ply, token });
    return { key: right ? "as_good" : cost < turn.cost ? "better" : "wrong", cost, places };
  }

  /** Puts what was said away, to try again. */
  again(): void {
    this.verdict = null;
    this.isHintOpen = false;
  }

  /** How many hints there are: the weightiest reason, if one is known, and what the move is about. */
  get hints(): number {
    return this.turn.reasons?.length ? 2 : 1;
  }

  hintMore(): void {
    this.verdict = null;
    this.isHintOpen = true;
    this.noteFirst(false);
    this.note({ hints: Math.min(this.hints, this.progress().hints + 1) });
  }

  show(): void {
    this.verdict = null;
    this.isHintOpen = false;
    this.noteFirst(false);
    this.note({ end: "shown" });
  }

  // --- one position, and nothing before or after it --------------------------------------------------

  override undo(): Promise<boolean> {
    return Promise.resolve(false);
  }

  protected override tellLines(): Promise<void> {
    return Promise.resolve();
  }

  protected override withNames(game: GameShown, node: StudyNode): GameShown {
    return { ...super.withNames(game, node), may_undo: false };
  }
}

/** Has the costliest turns of one's own reviewed game come back after days. */
export function noteMistakes(review: string, seat: number, found: ReviewFound): void {
  const plies = costliest(found, seat, HANDFUL).map((turn) => turn.ply);
  keepCards(withMistakes(loadCards(), { review, seat }, plies));
}

/** Which piece or line a move is about, and nothing of where it goes. */
export function subjectOf({ telling, places }: ReviewedMove, seat: number): MoveSubject {
  const { key, args = {} } = telling;
  const what = /^log\.(sun|moon|chip|pay|place|plate|keep|draw|end)/.exec(key)?.[1];
  if (!what) return { key: "review.kind.plates", args, places: [] };
  const line = [`line-${seat}-${args.line}`];
  const about: Record<string, readonly string[]> = {
    sun: [`sun-${args.factory}`],
    chip: places,
    pay: line,
    place: line,
  };
  const name = { place: "line", keep: "plate" }[what] ?? what;
  return { key: `puzzle.hint.${name}`, args, places: about[what] ?? [] };
}
