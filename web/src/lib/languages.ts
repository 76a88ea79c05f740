/** The languages of the page. Each is one file of `texts`, named after its tag; nothing else knows of it. */

/** A text, or one for each plural form of the argument `count`. */
export type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
export type Texts = Readonly<Record<string, Text>>;

export interface Language {
  readonly tag: string;
  /** What its speakers call it. */
  readonly name: string;
  readonly direction: "ltr" | "rtl";
  /** Whose dates and lists it has, where its tag does not say enough. */
  readonly locale?: string;
}

/** Spoken to those whose language is not there. */
export const FALLBACK = "en";

const heads = import.meta.glob<Omit<Language, "tag">>("../texts/*.json", {
  query: "?part=head",
  import: "default",
  eager: true,
});
const pages = import.meta.glob<Texts>("../texts/*.json", { query: "?part=page", import: "default" });
const laters = import.meta.glob<Texts>("../texts/*.json", { query: "?part=later", import: "default" });
const rules = import.meta.glob<Record<string, string>>("../texts/*.json", { query: "?part=rules", import: "default" });
const lessons = import.meta.glob<Record<string, string>>("../texts/*.json", {
  query: "?part=lesson",
  import: "default",
});

export const LANGUAGES: readonly Language[] = Object.entries(heads)
  .map(([file, head]) => ({ ...head, tag: /([\w-]+)\.json$/.exec(file)![1]! }))
  .sort((a, b) => Number(b.tag === FALLBACK) - Number(a.tag === FALLBACK) || a.name.localeCompare(b.name));

function path(tag: string): string {
  return `../texts/${tag}.json`;
}

export function languageOf(tag: string): Language | undefined {
  return LANGUAGES.find((one) => one.tag === tag);
}

/** The texts of the page, without the rules. */
export function loadTexts(tag: string): Promise<Texts> {
  return pages[path(tag)]!();
}

/** The texts of the page that only some of its screens need. */
export function loadLaterTexts(tag: string): Promise<Texts> {
  return laters[path(tag)]!();
}

/** The texts of the rules, which only those load who read them. */
export function loadRules(tag: string): Promise<Record<string, string>> {
  return rules[path(tag)]!();
}

/** The texts of the lesson, which only those load who take it. */
export function loadLesson(tag: string): Promise<Record<string, string>> {
  return lessons[path(tag)]!();
}

/** The language for a reader who would like these, best first: `de` will do for `de-AT`, and `pt-BR` for `pt`. */
export function bestLanguage(wanted: readonly string[], tags = LANGUAGES.map((one) => one.tag)): string {
  for (const one of wanted) {
    for (let tag = one.toLowerCase(); tag; tag = tag.slice(0, Math.max(0, tag.lastIndexOf("-")))) {
      const found =
        tags.find((other) => other.toLowerCase() === tag) ??
        tags.find((other) => other.toLowerCase().startsWith(`${tag}-`));
      if (found) return found;
    }
  }
  return FALLBACK;
}
