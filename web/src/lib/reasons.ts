/** Why a move is better than another, in words. */
import { t } from "./i18n.svelte";
import type { ReasonShown } from "./messages";

/** What a reason's points are for. */
export function reasonWords({ kind, points, goal, line, color }: ReasonShown): string {
  const theirs = kind.startsWith("their_");
  const key = kind === "placement" && line ? "why.placement.line" : `why.${kind}${theirs && points < 0 ? ".lost" : ""}`;
  const named = { line: line ?? 0, goal: goal ? t(`goal.${goal}`) : "", color: color ?? "" };
  return t(key, named);
}
