/** Texts in the reader's language. A text is a string with `{places}`, or one string for each
 * plural form of the argument `count`. */
import { settings, type Language } from "./settings.svelte";

export type Args = Record<string, string | number>;
type Text = string | Partial<Record<Intl.LDMLPluralRule, string>>;
type Catalogue = Record<string, Text>;

const loaders: Record<Language, () => Promise<{ default: Catalogue }>> = {
  en: () => import("../texts/en.json") as Promise<{ default: Catalogue }>,
  de: () => import("../texts/de.json") as Promise<{ default: Catalogue }>,
  nl: () => import("../texts/nl.json") as Promise<{ default: Catalogue }>,
  pl: () => import("../texts/pl.json") as Promise<{ default: Catalogue }>,
};

let catalogue = $state.raw<Catalogue>({});
let spoken = $state<Language>("en");
let plurals = new Intl.PluralRules("en");

/** Loads the language's texts and speaks it from now on. */
export async function speak(language: Language): Promise<void> {
  const texts = (await loaders[language]()).default;
  catalogue = texts;
  spoken = language;
  plurals = new Intl.PluralRules(language);
  document.documentElement.lang = language;
}

export function language(): Language {
  return spoken;
}

export function followLanguage(): void {
  $effect.root(() => {
    $effect(() => {
      void speak(settings.language);
    });
  });
}

/** What may come with a thing that is told: the start tile, a chip turned up. */
const ASIDES = ["start", "turned"];

/** The text with its places still in it. */
export function template(key: string, args: Args = {}): string {
  const text = catalogue[key];
  if (text === undefined) return key;
  const form = typeof text === "string" ? text : (text[plurals.select(Number(args.count ?? 0))] ?? text.other ?? key);
  const asides = key.startsWith("log.") ? ASIDES.filter((one) => args[one]).map((one) => ` ${template(`aside.${one}`)}`) : [];
  return form + asides.join("");
}

export function has(key: string): boolean {
  return key in catalogue;
}

export function t(key: string, args: Args = {}): string {
  return template(key, args).replace(/\{(\w+)\}/g, (_, name: string) => plain(name, args));
}

/** How an argument reads in plain text. */
export function plain(name: string, args: Args): string {
  if (name === "tiles") return `${args.count} × ${template(`color.${args.color}`)}`;
  if (name === "from") return args.factory === "L" ? template("from.large") : t("from.factory", args);
  const value = args[name];
  if (value === undefined) return "";
  switch (name) {
    case "color":
      return template(`color.${value}`);
    case "slot":
      return template(`slot.${value}`);
    case "kind":
      return { "*": template("kind.special"), W: template("kind.wild"), "": template("kind.unknown") }[value] ?? String(value);
    case "chip":
      return chipWords(String(value));
    case "chips":
    case "turned":
      return String(value).split(",").map(chipWords).join(", ");
    case "cost":
      return signed(-Number(value));
    case "points":
    case "special_points":
      return signed(Number(value));
    default:
      return String(value);
  }
}

export function chipWords(face: string): string {
  return [...face].filter((half) => half !== "-").map((half) => template(`color.${half}`)).join("/");
}

/** A number of points with its sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** Several numbers as one would say them: “2, 3 and 5”. */
export function listed(numbers: readonly number[]): string {
  return new Intl.ListFormat(spoken, { type: "conjunction" }).format(numbers.map(String));
}

export function when(iso: string): string {
  return new Intl.DateTimeFormat(spoken, { dateStyle: "medium", timeStyle: "short" }).format(new Date(iso));
}

export function percent(share: number): string {
  return new Intl.NumberFormat(spoken, { style: "percent", maximumFractionDigits: 0 }).format(share);
}

export function decimal(value: number): string {
  return new Intl.NumberFormat(spoken, { maximumFractionDigits: 1, signDisplay: "exceptZero" }).format(value);
}
