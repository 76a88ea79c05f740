/** Why something was refused, in the reader's language. */
import { Refusal } from "./api";
import { has, t } from "./i18n.svelte";
import type { Telling } from "./messages";

export function refusalWords(refusal: unknown): string {
  if (!(refusal instanceof Refusal)) throw refusal;
  if (__IN_TAB__ && refusal.status === 0) return t("tab.unreachable");
  const key = `problem.${refusal.code}`;
  return has(key) ? t(key, { why: wrongWords(refusal.why) }) : refusal.message;
}

/** Does something that may be refused; returns why it was, in words, and "" if it was not. */
export async function refusalOf(act: () => Promise<unknown>): Promise<string> {
  try {
    await act();
    return "";
  } catch (refusal) {
    return refusalWords(refusal);
  }
}

/** What is wrong with a text: where, and then the reason. */
export function wrongWords(why: readonly Telling[]): string {
  const told = why.filter((one) => has(one.key));
  const isPlace = (one: Telling): boolean => one.key.startsWith("wrong.at_");
  const words = (one: Telling): string => t(one.key, one.args ?? {});
  const where = told.filter(isPlace).map(words).join(", ");
  const reason =
    told
      .filter((one) => !isPlace(one))
      .map(words)
      .join(" ") || t("wrong.other");
  const said = where ? `${where}: ${reason}` : reason;
  return said.charAt(0).toLocaleUpperCase() + said.slice(1);
}
