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

export function rule(key: string): string {
  return texts[key] ?? "";
}
