/** What the keys do at the table. */
import { moveFocus } from "./arrows";
import type { Replay } from "./replay.svelte";
import { toggleSound } from "./sound";
import type { TableContext } from "./table";

const REPLAY_STEPS: Record<string, number> = { ArrowLeft: -1, ArrowRight: 1 };

interface Keyboard {
  readonly table: TableContext;
  readonly replay?: Replay;
  readonly root: HTMLElement;
  openHelp(): void;
}

/** Does what a key asks for, unless it belongs to a window or to a field. */
export function pressKey(event: KeyboardEvent, keyboard: Keyboard): void {
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
  const target = event.target as HTMLElement;
  if (target.matches("input:not([type=radio]), select, textarea")) return;
  const { replay } = keyboard;
  const isDone = replay?.shown ? replayKey(event, target, replay) : tableKey(event, target, keyboard);
  if (!isDone && event.key === "m") toggleSound();
  if (isDone) event.preventDefault();
}

function replayKey({ key }: KeyboardEvent, target: HTMLElement, replay: Replay): boolean {
  const step = REPLAY_STEPS[key];
  if (step) void replay.go(replay.ply + step);
  else if (key === "Escape") replay.close();
  else if (key === " " && isFree(target)) replay.toggle();
  else return false;
  return true;
}

function tableKey(event: KeyboardEvent, target: HTMLElement, { table, root, openHelp }: Keyboard): boolean {
  const { acts, decision, feed, options } = table;
  const { key } = event;
  const confirms = key === "c" || (key === "Enter" && isFree(target));
  if (key === "Escape" && !decision.isEmpty) decision.clear();
  else if (key === "r" && decision.laying) decision.turn(1);
  else if (key === "R" && decision.laying) decision.turn(-1);
  else if (/^\d$/.test(key) && decision.destinationAt(Number(key))) {
    decision.pickLine(Number(key));
    table.postIfComplete();
  } else if (/^[1-6]$/.test(key) && decision.take) decision.refuseLine(Number(key));
  else if (decision.token && confirms) table.confirm();
  else if (key === "u" && feed.shown?.may_undo) void acts.undo();
  else if (key === "y" && feed.shown?.may_redo) void acts.redo();
  else if (key === "h" && options && acts.mayHint) void acts.askHint();
  else if (key === "?") openHelp();
  else return moveFocus(event, root);
  return true;
}

/** Whether Enter or the space bar has nothing else to do here: on what the staged move consists of, and on nothing in particular. */
function isFree(target: HTMLElement): boolean {
  const acts = target.closest("button, a, summary");
  return !acts || acts.matches('[aria-pressed="true"]');
}
