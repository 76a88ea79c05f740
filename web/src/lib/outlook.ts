/** From a line to its row of the dome: where its tile can go, or why it cannot, as the service says. */
import { t } from "./i18n.svelte";
import type { Outlook } from "./messages";
import type { TableContext } from "./table";

/** Why a line's tile has no place: a plate may still bring one, or its tiles will break. */
export type Trouble = "yet" | "never";

export function troubleOf(outlook: Outlook | undefined): Trouble | "" {
  if (!outlook || outlook.columns?.length) return "";
  return outlook.plate_by ? "yet" : "never";
}

/** What is said of a line that has no place for its tile. */
export function troubleWords(outlook: Outlook, line: number, color: string, isShort = false): string {
  const args = { line, color, round: outlook.plate_by ?? 0, cost: outlook.cost ?? 0 };
  return t(`outlook.${troubleOf(outlook)}${isShort ? ".short" : ""}`, args);
}

/** What is said of the row of a line to those who cannot see it. */
export function outlookWords(outlook: Outlook, line: number, color: string): string {
  const count = outlook.columns?.length ?? 0;
  return count ? t("outlook.open", { count, line }) : troubleWords(outlook, line, color);
}

/** The outlook of a line: with the picked tiles, where they can go there, or as it is. */
export function outlookAt(table: TableContext, seat: number, decides: boolean, line: number): Outlook | undefined {
  const to = decides ? table.decision.destinationAt(line) : undefined;
  return to ? to.outlook : table.shown.position.boards[seat]?.lines[line - 1]?.outlook;
}

/** The line of a board that is pointed at, or that the picked tiles are to go to. */
export function lineInView(table: TableContext, seat: number, decides: boolean): number | null {
  const { take, hoverLine, line, pointedLine } = table.decision;
  if (decides && take) return hoverLine ?? line;
  return pointedLine?.seat === seat ? pointedLine.line : null;
}

/** The class of a space that could take the tile of its line: of the one in view, or of any that the picked tiles
 * can go to. */
export function reachAt(table: TableContext, seat: number, decides: boolean, row: number, column: number): string {
  const line = lineInView(table, seat, decides);
  const isMeant = line === null ? decides && !!table.decision.destinationAt(row) : line === row;
  if (!isMeant || !outlookAt(table, seat, decides, row)?.columns?.includes(column)) return "";
  return line === null ? "could" : "takes";
}
