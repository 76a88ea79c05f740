/** Why tiles that are picked cannot go to a line, told by what lies there. */
import { t } from "./i18n.svelte";
import type { LineShown } from "./messages";

/** Why a line takes no tiles of a colour: it is full, or holds another one. */
export function whyRefused({ color, tiles }: LineShown, line: number): string {
  return tiles >= line ? t("line.refused.full", { line }) : t("line.refused.holds", { line, color });
}
