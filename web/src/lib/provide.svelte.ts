/** The context that the parts of a table share, for a screen that shows a game or a study. */
import { untrack } from "svelte";
import { automatic } from "./automatic";
import { Decision } from "./decision.svelte";
import type { Marks } from "./marks";
import type { GameShown, Options } from "./messages";
import { confirms } from "./settings.svelte";
import type { TableActs, TableFeed } from "./source";
import { setTable, type TableContext } from "./table";

export interface TableSource {
  readonly feed: TableFeed;
  readonly acts: TableActs;
  /** The position that is looked at. */
  readonly shown: GameShown | null;
  readonly options: Options | null;
  /** What the latest turn marks. */
  readonly marks: Marks;
  /** Whether moves are made by themselves where there is nothing to choose. */
  readonly isAutomatic: boolean;
}

/** The table of the component that calls this while it is made, and of all its parts. */
export function provideTable(source: TableSource): TableContext {
  const { feed, acts } = source;
  const decision = new Decision();
  let litGoal = $state<number | null>(null);
  let pointedAt = $state.raw<Marks | null>(null);

  async function confirm(): Promise<void> {
    const token = decision.token;
    if (!token || acts.isPosting) return;
    if (await acts.move(token)) decision.clear();
  }
  const table: TableContext = {
    feed,
    acts,
    decision,
    get shown() {
      return source.shown!;
    },
    get options() {
      return source.options;
    },
    get marks() {
      return pointedAt ?? source.marks;
    },
    postIfComplete: () => {
      if (!confirms() && !decision.isOpen && decision.token) void confirm();
    },
    confirm: () => void confirm(),
    mark: (marks) => (pointedAt = marks),
    get litGoal() {
      return litGoal;
    },
    light: (goal) => (litGoal = goal),
  };
  setTable(table);

  /** Clears what was picked, and why it was refused, after every event. */
  let lastSeq = -1;
  $effect(() => {
    const live = feed.shown;
    if (!live) return;
    if (live.seq === lastSeq) {
      const { options } = live;
      if (options) untrack(() => decision.renew(options));
      return;
    }
    lastSeq = live.seq;
    decision.clear();
    acts.problem = "";
  });
  /** Makes moves that leave nothing to choose. */
  $effect(() => {
    const move = source.isAutomatic && source.options && automatic(source.options, feed.log.at(-1));
    if (!move) return;
    const timer = setTimeout(() => void acts.move(move.token, false), move.after);
    return () => clearTimeout(timer);
  });
  /** Clears a refusal as soon as something else is picked. */
  $effect(() => {
    if (!decision.isEmpty) acts.problem = "";
  });
  return table;
}

/** Moves the focus to the prompt when the element that had it is gone after a move. */
export function keepFocus(table: TableContext, root: () => HTMLElement | undefined): void {
  $effect(() => {
    void [table.options, table.feed.shown && table.shown, table.feed.story, table.acts.hint, table.decision.isEmpty];
    const isLost = document.activeElement === document.body && navigator.userActivation.hasBeenActive;
    if (isLost && !document.querySelector("dialog[open]"))
      root()?.querySelector<HTMLElement>(".ask > *")?.focus({ preventScroll: true });
  });
}
