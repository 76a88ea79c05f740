/** The texts of the rules, loaded with the page that shows them. */
import { language } from "../lib/i18n.svelte";
import { loadRules } from "../lib/languages";

let texts = $state.raw<Record<string, string>>({});

/** Follows the language of the page; call it inside a component. */
export function followRules(): void {
  $effect(() => {
    let isWanted = true;
    void loadRules(language()).then((loaded) => {
      if (isWanted) texts = loaded;
    });
    return () => (isWanted = false);
  });
}

export function rule(key: string, args: Record<string, string> = {}): string {
  return (texts[key] ?? "").replace(/\{(\w+)\}/g, (_, name: string) => args[name] ?? "");
}

/** A text that begins with a name: the name, and what is said of it. */
export function named(key: string, args: Record<string, string> = {}): { name: string; said: string } {
  const [name = "", ...said] = rule(key, args).split(": ");
  return { name, said: said.join(": ") };
}
