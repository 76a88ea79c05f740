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
export const LANGUAGES: readonly Language[] = Object.entries(heads)
  .map(([file, head]) => ({ ...head, tag: /([\w-]+)\.json$/.exec(file)![1]! }))
  .sort((a, b) => Number(b.tag === FALLBACK) - Number(a.tag === FALLBACK) || a.name.localeCompare(b.name));

export function languageOf(tag: string): Language | undefined {
  return LANGUAGES.find((one) => one.tag === tag);
}

type PlainTexts = Record<string, string>;

/** What loads one part of a language's file. */
function loader<Part>(files: Record<string, () => Promise<Part>>): (tag: string) => Promise<Part> {
  return (tag) => files[`../texts/${tag}.json`]!();
}

/** The texts of the page, without the rules. */
export const loadTexts = loader(import.meta.glob<Texts>("../texts/*.json", { query: "?part=page", import: "default" }));

/** The texts of the page that only some of its screens need. */
export const loadLaterTexts = loader(
  import.meta.glob<Texts>("../texts/*.json", { query: "?part=later", import: "default" }),
);

/** The texts that only a page needs whose table is in the browser. */
export const loadTabTexts = /* @__PURE__ */ loader(
  import.meta.glob<Texts>("../texts/*.json", { query: "?part=tab", import: "default" }),
);

/** The texts of the rules, which only those load who read them. */
export const loadRules = loader(
  import.meta.glob<PlainTexts>("../texts/*.json", { query: "?part=rules", import: "default" }),
);

/** The texts of the lesson, which only those load who take it. */
export const loadLesson = loader(
  import.meta.glob<PlainTexts>("../texts/*.json", { query: "?part=lesson", import: "default" }),
);

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
