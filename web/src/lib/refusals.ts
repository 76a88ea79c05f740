/** Why something was refused, in the reader's language. */
import { Refusal } from "./api";
import { has, t } from "./i18n.svelte";

export function refusalWords(refusal: unknown): string {
  if (!(refusal instanceof Refusal)) throw refusal;
  const key = `problem.${refusal.code}`;
  return has(key) ? t(key, { why: refusal.message }) : refusal.message;
}
