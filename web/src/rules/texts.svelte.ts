/** The texts of the rules, loaded with the page that shows them. */
import { loadRules } from "../lib/languages";
import { PartTexts } from "../lib/part.svelte";

const texts = new PartTexts(loadRules);

/** Follows the language of the page; call it inside a component. */
export function followRules(): void {
  texts.follow();
}

export function rule(key: string, args: Record<string, string> = {}): string {
  return texts.text(key, args);
}

/** A text that begins with a name: the name, and what is said of it. */
export function named(key: string, args: Record<string, string> = {}): { name: string; said: string } {
  const [name = "", ...said] = rule(key, args).split(": ");
  return { name, said: said.join(": ") };
}
