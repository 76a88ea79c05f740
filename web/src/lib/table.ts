/** What the parts of the table share. */
import { getContext, setContext } from "svelte";
import type { TableClient } from "./client.svelte";
import { t } from "./i18n.svelte";
import type { Decision } from "./decision.svelte";
import type { GameShown, Options } from "./messages";

export interface TableContext {
  readonly client: TableClient;
  readonly decision: Decision;
  /** The position that is looked at: the newest, or one of the replay. */
  readonly shown: GameShown;
  /** What may be decided now; nothing while a move is under way or an old position is looked at. */
  readonly options: Options | null;
  readonly marks: readonly string[];
  /** A choice was made that may complete a move: post it, unless it is to be confirmed. */
  settle(): void;
  confirm(): void;
  mark(places: readonly string[]): void;
}

const KEY = Symbol("table");

export function setTable(table: TableContext): void {
  setContext(KEY, table);
}

export function getTable(): TableContext {
  return getContext<TableContext>(KEY);
}

export function nameOf(shown: GameShown, seat: number): string {
  const player = shown.players[seat];
  return player?.kind === "computer" ? t(`level.${player.level}`) : (player?.name ?? "");
}
