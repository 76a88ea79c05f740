/** What the parts of the table share. */
import { getContext, setContext } from "svelte";
import type { TableClient } from "./client.svelte";
import { t } from "./i18n.svelte";
import type { Decision } from "./decision.svelte";
import type { Marks } from "./marks";
import type { GameShown, Options } from "./messages";

export interface TableContext {
  readonly client: TableClient;
  readonly decision: Decision;
  /** The position that is looked at: the newest, or one of the replay. */
  readonly shown: GameShown;
  /** What may be decided now; nothing while a move is under way or an old position is looked at. */
  readonly options: Options | null;
  readonly marks: Marks;
  /** A choice was made that may complete a move: post it, unless it is to be confirmed. */
  settle(): void;
  confirm(): void;
  /** Marks other places than those of the latest turn, as long as something is pointed at. */
  mark(marks: Marks | null): void;
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

/** Whether a friend has left the game that goes on. */
export function isAway(table: TableContext, seat: number): boolean {
  const { mode, status, players } = table.shown;
  const player = players[seat];
  const plays = mode === "friend" && status === "playing" && player?.kind === "human" && player.joined;
  return plays && !table.client.isPresent(seat);
}

export function nameOf(shown: GameShown, seat: number): string {
  const player = shown.players[seat];
  return player?.kind === "computer" ? t(`level.${player.level}`) : (player?.name ?? "");
}
