/** A puzzle that is being solved: the study that it is solved on, what became of tries, and help. */
import { api } from "../api";
import { t } from "../i18n.svelte";
import type { AskTry, Explained, PuzzleHint, PuzzleList, PuzzleShown, TryShown } from "../messages";
import { notePuzzle } from "../progress/store";
import { refusalOf } from "../refusals";
import { Study } from "../study/study.svelte";
import { rated } from "./choosing";
import { afterTry, keepCards, loadCards } from "./repetition";
import { keepLog, loadLog, localDay, noted, type PuzzleLog } from "./log";

/** Something that is said of a line of moves, as long as that is the line on the table. */
interface Said<What> {
  readonly at: string;
  readonly what: What;
}

export class Quiz {
  readonly study = new Study();
  puzzle = $state.raw<PuzzleShown | null>(null);
  list = $state.raw<PuzzleList | null>(null);
  log = $state.raw<PuzzleLog>(loadLog());
  explained = $state.raw<Explained | null>(null);
  /** Whether it was solved, or its solution shown: then the table is only looked at. */
  end = $state<"" | "solved" | "shown">("");
  problem = $state("");
  isAsking = $state(false);
  isHintOpen = $state(false);
  /** Whether the latest verdict is on the very first try, which decides how the puzzle is kept. */
  isFirstTry = $state(false);
  private said = $state.raw<Said<TryShown> | null>(null);
  private hinted = $state.raw<Said<PuzzleHint> | null>(null);
  /** The line that was said to fall short: what follows it is not worth another word. */
  private shortAt = "";
  private isHelped = false;
  /** Whether the first try has said when the puzzle returns. */
  private isNoted = false;
  private isShowing = false;

  constructor(private readonly id: string) {
    this.study.intercept = (token) => this.attempt(token);
    this.study.nameOfSeat = (seat) => t(seat === this.puzzle?.seat ? "puzzle.you" : "start.opponent");
  }

  async load(): Promise<void> {
    this.problem = await refusalOf(async () => {
      [this.list, this.puzzle] = await Promise.all([api.puzzles(localDay()), api.puzzle(this.id)]);
    });
    if (this.problem || !this.puzzle) return;
    this.study.plain = this.isTiling;
    if (!(await this.study.begin({ start: { position: this.puzzle.position }, at: 0 })))
      this.problem = this.study.problem;
  }

  get isTiling(): boolean {
    return this.puzzle?.kind === "tiling";
  }

  get isDaily(): boolean {
    return this.list?.of_the_day === this.id;
  }

  /** The moves on the table. */
  private get line(): string[] {
    void this.study.here;
    return this.study.asked.moves ?? [];
  }

  private now<What>(said: Said<What> | null): What | null {
    return said?.at === this.line.join(" ") ? said.what : null;
  }

  /** What is to be said of the latest try. */
  get verdict(): TryShown | null {
    return this.now(this.said);
  }

  get hint(): PuzzleHint | null {
    return this.now(this.hinted);
  }

  /** A move was chosen. One of a tiling is made unless it ends it; elsewhere the one move is the answer. */
  private async attempt(token: string): Promise<boolean> {
    if (this.isShowing) return true;
    if (this.end) return false;
    const before = this.line;
    const found = await this.ask({ moves: [...before, token] });
    if (!found) return false;
    this.hinted = null;
    const wasShort = this.shortAt !== "" && `${before.join(" ")} `.startsWith(`${this.shortAt} `);
    const isEnd = token === this.study.shown?.options?.end?.token;
    if (found.outcome === "unfinished" || (wasShort && !isEnd)) return true;
    const isMade = this.isTiling && !isEnd;
    const at = (isMade ? [...before, token] : before).join(" ");
    if (isMade) this.shortAt = at;
    this.isFirstTry = this.note(found.outcome === "right");
    this.said = { at, what: found };
    if (found.outcome === "right") this.finish("solved", found.explained ?? null);
    return isMade;
  }

  /** Puts a verdict away, to try again from here. */
  again(): void {
    this.said = null;
  }

  /** Puts a hint away; the next one says more all the same. */
  closeHint(): void {
    this.isHintOpen = false;
  }

  /** Takes the latest move of a tiling back, or all of them. */
  async back(isWhole = false): Promise<void> {
    this.said = null;
    await (isWhole ? this.study.toStart() : this.study.back());
  }

  /** First what the next move is about, then the move. */
  async askHint(): Promise<void> {
    const wanted = this.hint ? "move" : "piece";
    const moves = this.line;
    const found = await this.ask({ moves, help: wanted });
    if (!found) return;
    this.isHelped = true;
    this.isFirstTry = false;
    const at = moves.join(" ");
    this.isHintOpen = true;
    if (found.hint) this.hinted = { at, what: found.hint };
    else this.said = { at, what: found };
  }

  /** Shows the solution: a tiling is played on the table. */
  async show(): Promise<void> {
    const found = await this.ask({ help: "solution" });
    const move = found && !this.isTiling ? await this.ask({ help: "move" }) : null;
    if (!found?.explained) return;
    if (!this.end) this.note(false);
    this.said = null;
    this.finish("shown", found.explained);
    if (!this.isTiling) {
      await this.study.toStart();
      this.isHintOpen = true;
      if (move?.hint) this.hinted = { at: "", what: move.hint };
      return;
    }
    this.isShowing = true;
    await this.study.toStart();
    for (const { token } of found.explained.answer) if (!(await this.study.move(token))) break;
    this.isShowing = false;
  }

  private finish(end: "solved" | "shown", explained: Explained | null): void {
    this.end = end;
    this.explained = explained;
  }

  private async ask(asked: AskTry): Promise<TryShown | null> {
    this.isAsking = true;
    let answer: TryShown | null = null;
    try {
      this.study.problem = await refusalOf(async () => (answer = await api.tryPuzzle(this.id, asked)));
    } finally {
      this.isAsking = false;
    }
    return answer;
  }

  /** Keeps a result; the first try of a puzzle also says how hard the next one is to be. Returns whether it was one of
   * the solver's own. */
  private note(isRight: boolean): boolean {
    const { puzzle, list } = this;
    if (!puzzle || !list) return false;
    const { id, kind, rating } = puzzle;
    const themes = list.puzzles.find((one) => one.id === id)?.themes ?? [];
    let log = loadLog();
    const isFirst = !log.tries.some((one) => one.id === id);
    const isOwn = isRight && !this.isHelped;
    if (!this.isNoted) keepCards(afterTry(loadCards(), { id, kind: "puzzle" }, isOwn));
    this.isNoted = true;
    if (isFirst) log = rated(log, { id, kind, rating, themes }, list.puzzles, isOwn);
    const { isHelped } = this;
    const day = localDay();
    this.log = noted(log, { id, kind, day, isRight, isHelped, isDaily: this.isDaily && list.day === day });
    keepLog(this.log);
    notePuzzle(id, isRight);
    return isFirst && !isHelped;
  }
}
