/** Posts what the players of this browser do, one act at a time. */
import { api, Refusal } from "./api";
import type { GameFeed } from "./feed.svelte";
import type { ChosenAct, GameMade, Hint, Seat, TutorShown } from "./messages";
import { isStillRated, noteHint } from "./progress/results";
import { refusalWords } from "./refusals";
import { settings } from "./settings.svelte";
import type { TableActs } from "./source";

export class Acts implements TableActs {
  isPosting = $state(false);
  isHinting = $state(false);
  /** Whether the tutor looks at the move. */
  isJudging = $state(false);
  /** Help that the player is asked about first, because it would make the game unrated. */
  wantedHelp = $state<"hint" | "take_back" | null>(null);
  /** Why the latest act was refused, in words. */
  problem = $state("");
  private latestHint = $state.raw<Hint | null>(null);
  private isWarning = $state(false);
  private latestWarning = $state.raw<TutorShown | null>(null);

  constructor(private readonly feed: GameFeed) {}

  /** The computer's advice for the position that is shown. */
  get hint(): Hint | null {
    return this.latestHint?.seq === this.feed.seq ? this.latestHint : null;
  }

  /** Games between friends have no hints. */
  get mayHint(): boolean {
    const shown = this.feed.shown;
    return !!shown?.you.length && shown.mode !== "friend";
  }

  closeHint(): void {
    this.latestHint = null;
  }

  reportError(refusal: unknown): void {
    this.problem = refusalWords(refusal);
  }

  private async run(act: () => Promise<void>): Promise<boolean> {
    if (this.isPosting) return false;
    this.isPosting = true;
    this.problem = "";
    try {
      await act();
      return true;
    } catch (refusal) {
      if (refusal instanceof Refusal && refusal.status === 409) await this.feed.refresh();
      this.reportError(refusal);
      return false;
    } finally {
      this.isPosting = false;
    }
  }

  /** Posts an act, and resolves when the page shows it. */
  act(act: ChosenAct): Promise<boolean> {
    return this.run(async () => {
      const { seq } = await api.act(this.feed.game, this.feed.seq, act);
      await this.feed.untilShown(seq);
    });
  }

  /** The tutor's question about the move that is staged, until it is answered. */
  get warning(): TutorShown | null {
    return this.latestWarning?.seq === this.feed.seq && this.isWarning ? this.latestWarning : null;
  }

  /** Makes a move; one that the tutor warns of only after its question. */
  async move(token: string, isChosen = true): Promise<boolean> {
    return !(isChosen && (await this.isWarnedOf(token))) && this.act({ kind: "move", token });
  }

  /** Answers the tutor: the move is made all the same, or it is looked at again. */
  answerTutor(plays: boolean): Promise<boolean> {
    const token = this.warning?.token;
    this.isWarning = false;
    return token && plays ? this.act({ kind: "move", token }) : Promise.resolve(false);
  }

  /** Whether the tutor is on and asks about a move. It asks once in a position, and not at all when it has no time. */
  private async isWarnedOf(token: string): Promise<boolean> {
    const { shown, seq, game } = this.feed;
    if (!settings.tutor || shown?.mode !== "computer" || this.latestWarning?.seq === seq || this.isPosting)
      return false;
    this.isPosting = this.isJudging = true;
    try {
      const said = await api.tutor(game, seq, token);
      noteHint(game);
      if (said.warns) this.latestWarning = said;
      return (this.isWarning = said.warns);
    } catch {
      return false;
    } finally {
      this.isPosting = this.isJudging = false;
    }
  }
  undo(): Promise<boolean> {
    return this.act({ kind: "undo" });
  }
  async takeBack(isAgreed = false): Promise<boolean> {
    return (isAgreed || !this.warns("take_back")) && this.act({ kind: "take_back" });
  }
  redo(): Promise<boolean> {
    return this.act({ kind: "redo" });
  }
  answer(agree: boolean): Promise<boolean> {
    return this.act({ kind: "answer", agree });
  }
  /** Resigns; where one screen has both seats, for the one to move. */
  resign(): Promise<boolean> {
    const shown = this.feed.shown;
    return this.act({ kind: "resign", ...(shown?.mode === "screen" && { seat: shown.position.seat as Seat }) });
  }
  claim(): Promise<boolean> {
    return this.act({ kind: "claim" });
  }
  cancel(): Promise<boolean> {
    return this.act({ kind: "cancel" });
  }
  /** Starts the next game, against the computer perhaps with another opponent. */
  rematch(then: (made: GameMade) => void, opponent?: string): Promise<boolean> {
    return this.run(async () => then(await api.rematch(this.feed.game, this.feed.seq, opponent)));
  }
  liftCurtain(): Promise<boolean> {
    return this.run(() => this.feed.liftCurtain());
  }

  /** Whether the player has to agree first, because help would make the game unrated; if so, asks for it. */
  private warns(help: "hint" | "take_back"): boolean {
    const isRated = !!this.feed.shown && isStillRated(this.feed.shown);
    if (isRated) this.wantedHelp = help;
    return isRated;
  }

  /** Gives the help that was asked about. */
  async agree(): Promise<void> {
    const help = this.wantedHelp;
    this.wantedHelp = null;
    await (help === "hint" ? this.askHint(true) : this.takeBack(true));
  }

  async askHint(isAgreed = false): Promise<void> {
    if (this.isHinting || (!isAgreed && this.warns("hint"))) return;
    this.isHinting = true;
    try {
      this.latestHint = await api.hint(this.feed.game, this.feed.seq);
      noteHint(this.feed.game);
    } catch (refusal) {
      this.reportError(refusal);
    } finally {
      this.isHinting = false;
    }
  }
}
