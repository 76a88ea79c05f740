/** The texts of the rules, loaded with the page that shows them. */
import { language } from "../lib/i18n.svelte";
import type { Language } from "../lib/settings.svelte";

type Texts = Record<string, string>;

const loaders: Record<Language, () => Promise<{ default: Texts }>> = {
  en: () => import("../texts/rules/en.json"),
  de: () => import("../texts/rules/de.json"),
  nl: () => import("../texts/rules/nl.json"),
  pl: () => import("../texts/rules/pl.json"),
};

let texts = $state.raw<Texts>({});

/** Follows the language of the page; call it inside a component. */
export function followRules(): void {
  $effect(() => {
    let wanted = true;
    void loaders[language()]().then((loaded) => {
      if (wanted) texts = loaded.default;
    });
    return () => (wanted = false);
  });
}

export function rule(key: string): string {
  return texts[key] ?? "";
}
