/** The lesson: prepared tables one after the other, on each of which the learner finds a move. Whether a move is
 * right is told by its token alone: the page knows no rules. */
import { t } from "../lib/i18n.svelte";
import { keepLesson } from "../lib/lesson";
import type { Options } from "../lib/messages";
import { linePlace, storePlace } from "../lib/places";
import { Study } from "../lib/study/study.svelte";
import steps from "./steps.json";

export interface LessonStep {
  readonly name: string;
  /** Lines of a position text. */
  readonly position: readonly string[];
  /** The moves that are right, one after the other, as patterns of tokens. */
  readonly moves: readonly string[];
  /** Wrong ones that have an answer of their own. */
  readonly wrong: readonly { readonly move: string; readonly answer: string }[];
  /** What is on show beside factories and board. */
  readonly shows?: readonly string[];
}

export const STEPS: readonly LessonStep[] = steps;

/** Whether a token is one of those that a pattern means. */
export function fits(pattern: string, token: string): boolean {
  return new RegExp(`^(?:${pattern})$`).test(token);
}

/** What a wrong move is answered with: the last part of a text's key. */
export function answerTo(step: LessonStep, token: string): string {
  return step.wrong.find((one) => fits(one.move, token))?.answer ?? "no";
}

/** Selectors of the pieces that moves of a pattern begin with: tiles, plates, the tile of a line, chips to spend. */
export function piecesOf(pattern: string, { takes, layings, placements, payments }: Options, seat: number): string[] {
  const isAsked = ({ token }: { token: string }): boolean => fits(pattern, token);
  const taken = (takes ?? []).filter(({ to }) => to.some(({ tokens }) => tokens.some((token) => fits(pattern, token))));
  const laid = (layings ?? []).filter(({ slots }) => Object.values(slots).some((turnings) => turnings.some(isAsked)));
  const spent = (payments ?? []).filter(isAsked).flatMap(({ chips }) => chips);
  const placed = (placements ?? []).filter(isAsked).map(({ line }) => line);
  return [
    ...taken.flatMap(({ places, color }) => places.map((at) => `[data-place="${at}"] button[data-piece="${color}"]`)),
    ...laid.map(({ place }) => `[data-place="${place}"]`),
    ...placed.map((line) => `[data-place="${linePlace(seat, line)}"] [data-piece]`),
    ...spent.map((chip) => `[data-place="${storePlace(seat)}"] [data-piece="${chip}"]`),
  ];
}

export class Lesson extends Study {
  override nameOfSeat = (seat: number): string => t(seat === 0 ? "puzzle.you" : "start.opponent");
  /** Which step is shown. */
  at = $state(0);
  /** The reply to the latest move, if that was wrong, and how many were. */
  reply = $state("");
  wrongs = $state(0);
  isOver = $state(false);
  /** How many moves of the step were found. */
  private found = $state(0);

  get step(): LessonStep {
    return STEPS[this.at]!;
  }

  get isFirst(): boolean {
    return this.at === 0;
  }

  /** The pieces that the next right move begins with, as selectors. */
  get askedPieces(): string[] {
    const right = this.step.moves[this.found];
    const options = this.shown?.options;
    return right === undefined || !options ? [] : piecesOf(right, options, this.near);
  }

  /** Whether all moves of the step were found, and seen. */
  get isDone(): boolean {
    return this.found >= this.step.moves.length && !this.isPosting;
  }

  /** The learner's board, whoever is to move. */
  override get near(): number {
    return 0;
  }

  /** The learner never waits for the other player. */
  override get isMine(): boolean {
    return super.isMine || this.found >= this.step.moves.length;
  }

  /** Lays the table of a step, as it is before anything was done there. */
  async open(at: number): Promise<boolean> {
    const position = STEPS[at]!.position.join("\n");
    if (!(await this.begin({ start: { position }, at: 0 }))) return false;
    this.at = at;
    this.found = 0;
    this.reply = "";
    this.isOver = false;
    keepLesson({ at: this.step.name, isOver: false });
    return true;
  }

  again(): Promise<boolean> {
    return this.open(this.at);
  }

  previous(): Promise<boolean> {
    return this.open(Math.max(0, this.at - 1));
  }

  /** The next step, or the end. */
  async next(): Promise<boolean> {
    if (this.at + 1 < STEPS.length) return this.open(this.at + 1);
    this.isOver = true;
    keepLesson({ at: STEPS[0]!.name, isOver: true });
    return true;
  }

  /** Makes a move that is right; a wrong one is answered. */
  override async move(token: string): Promise<boolean> {
    const right = this.step.moves[this.found];
    if (this.isPosting || right === undefined) return false;
    if (!fits(right, token)) {
      this.reply = answerTo(this.step, token);
      this.wrongs++;
      return false;
    }
    this.reply = "";
    this.found++;
    if (await super.move(token)) return true;
    this.found--;
    return false;
  }

  override undo(): Promise<boolean> {
    return this.again();
  }
}
