/** What the parts of the table share. */
import { getContext, setContext } from "svelte";
import { GRID, PLATE_ROUNDS } from "./components";
import type { Decision } from "./decision.svelte";
import type { Marks } from "./marks";
import type { GameShown, Options } from "./messages";
import type { TableActs, TableFeed } from "./source";

export interface TableContext {
  readonly feed: TableFeed;
  readonly acts: TableActs;
  readonly decision: Decision;
  /** The position that is looked at: the newest, or one of the replay. */
  readonly shown: GameShown;
  /** What may be decided now; nothing while a move is under way or an old position is looked at. */
  readonly options: Options | null;
  readonly marks: Marks;
  /** Which of the goals is pointed at. */
  readonly litGoal: number | null;
  /** A choice was made that may complete a move: it is posted, unless it is to be confirmed. */
  postIfComplete(): void;
  /** Posts the move that is staged. */
  confirm(): void;
  /** Marks other places than those of the latest turn, as long as something is pointed at. */
  mark(marks: Marks | null): void;
  /** Lights the spaces that count for a goal. */
  light(goal: number | null): void;
}

const KEY = Symbol("table");

export function setTable(table: TableContext): void {
  setContext(KEY, table);
}

export function getTable(): TableContext {
  return getContext<TableContext>(KEY);
}

/** The class of a place that pieces went to, or came from, in what is marked. */
export function markOf(marks: Marks, place: string): string {
  return marks.to.includes(place) ? "marked" : marks.from.includes(place) ? "source" : "";
}

/** The class of a space that the goal pointed at is about: it counts, or it lacks a tile. */
export function litAt(table: TableContext, seat: number, row: number, column: number): string {
  const { litGoal, shown } = table;
  if (litGoal === null) return "";
  const cell = shown.position.boards[seat]?.progress[litGoal]?.cells[(row - 1) * GRID + column - 1];
  return { x: "counts", o: "lacks" }[cell ?? ""] ?? "";
}

/** Whether a friend has left the game that goes on. */
export function isAway(table: TableContext, seat: number): boolean {
  const { mode, status, players } = table.shown;
  const player = players[seat];
  const plays = mode === "friend" && status === "playing" && player?.kind === "human" && player.joined;
  return plays && !table.feed.isPresent(seat);
}

/** R4: whether the round has come to the tiling. */
export function isPlacing({ position }: GameShown): boolean {
  return position.stage === "tiling" || position.stage === "paying";
}

/** R3.1: whether plates can be taken in the part of the round that is shown. */
export function takesPlates(shown: GameShown): boolean {
  return shown.position.round <= PLATE_ROUNDS && shown.status !== "over" && !isPlacing(shown);
}
