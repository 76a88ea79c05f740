/** Where a table gets what it shows, and what is done there: a game that is played, or a study. */
import type { TableClock } from "./clock.svelte";
import type { Event, GameShown, Hint, TutorShown } from "./messages";
import type { RoundStory } from "./story";

/** What has happened and what is shown. */
export interface TableFeed {
  /** The newest position; every other one has another `seq`. */
  readonly shown: GameShown | null;
  readonly log: Event[];
  /** The seat at the bottom of the page. */
  readonly near: number;
  /** Whether the decision is this browser's. */
  readonly isMine: boolean;
  readonly isConnected: boolean;
  /** Whether pieces are on their way. */
  readonly isShowing: boolean;
  /** What happened last, in words. */
  readonly news: string;
  /** A round that is over, told before the next one is dealt. */
  readonly story: RoundStory | null;
  /** Seats that have been away for long. */
  readonly gone: readonly number[];
  /** The players' times, where there are any to be kept. */
  readonly clock: TableClock | null;
  hasJustEnded: boolean;
  isPresent(seat: number): boolean;
  closeStory(): void;
  /** Shows at once what is being shown. */
  hurry(): void;
}

/** What a player does; each resolves when the page shows it, or is refused. */
export interface TableActs {
  readonly isPosting: boolean;
  readonly isHinting: boolean;
  /** Whether the tutor looks at the move. */
  readonly isJudging?: boolean;
  /** Whether the computer gives advice here. */
  readonly mayHint: boolean;
  readonly hint: Hint | null;
  /** Why the latest act was refused, in words. */
  problem: string;
  /** What the tutor asks about the move that was to be made. */
  readonly warning?: TutorShown | null;
  answerTutor?(plays: boolean): Promise<boolean>;
  /** Makes a move; one that the page makes by itself is not asked about. */
  move(token: string, isChosen?: boolean): Promise<boolean>;
  undo(): Promise<boolean>;
  takeBack(): Promise<boolean>;
  redo(): Promise<boolean>;
  answer(agree: boolean): Promise<boolean>;
  claim(): Promise<boolean>;
  liftCurtain(): Promise<boolean>;
  askHint(): Promise<void>;
  closeHint(): void;
}
