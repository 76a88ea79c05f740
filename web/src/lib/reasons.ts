/** Why a move is better than another, in words. */
import { t, type Args } from "./i18n.svelte";
import type { ReasonShown, SentenceShown } from "./messages";

/** The text of a sentence and what fills it in: goals by their names in the reader's language. */
export function becauseOf({ form, args = {} }: SentenceShown): { key: string; args: Args } {
  const goal: Args = typeof args.goal === "string" ? { goal: t(`goal.${args.goal}`) } : {};
  return { key: `because.${form}`, args: { ...args, ...goal } };
}

/** Sentences of a review, in which the other move is the one that was played. */
export function ofReview(why: readonly SentenceShown[]): SentenceShown[] {
  return why.map((one) => ({ ...one, form: one.form.replace(/^other_(?=breaks|no_space)/, "played_") }));
}

/** All places that some sentences speak of. */
export function placesOf(why: readonly SentenceShown[] = []): string[] {
  return [...new Set(why.flatMap((one) => one.places ?? []))];
}

/** What a reason's points are for. */
export function reasonWords({ kind, points, goal, line, color }: ReasonShown): string {
  const isSigned = kind.startsWith("their_") || kind === "broken";
  const key =
    kind === "placement" && line ? "why.placement.line" : `why.${kind}${isSigned && points < 0 ? ".lost" : ""}`;
  const named = { line: line ?? 0, goal: goal ? t(`goal.${goal}`) : "", color: color ?? "" };
  return t(key, named);
}
