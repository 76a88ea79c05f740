/** Texts in the reader's language, with `{places}` that are filled in. */
import { LARGE, SPECIAL, START_PENALTY, WILD } from "./components";
import { FALLBACK, languageOf, loadLaterTexts, loadTabTexts, loadTexts, type Texts } from "./languages";
import { settings } from "./settings.svelte";

export type Args = Record<string, string | number>;

let texts = $state.raw<Texts>({});
/** What only some screens need, once one of them was opened. */
let laterTexts = $state.raw<Texts>({});
let needsLater = false;
let spoken = $state(FALLBACK);
let plurals = new Intl.PluralRules(FALLBACK);

/** Loads a language's texts and speaks it from now on. */
export async function speak(tag: string): Promise<void> {
  if (needsLater) laterTexts = await loadLaterTexts(tag);
  texts = __IN_TAB__ ? { ...(await loadTexts(tag)), ...(await loadTabTexts(tag)) } : await loadTexts(tag);
  spoken = tag;
  plurals = new Intl.PluralRules(tag);
  document.documentElement.lang = tag;
  document.documentElement.dir = languageOf(tag)?.direction ?? "ltr";
}

/** A screen that needs more texts than others, when they are there. */
export async function withTexts<Screen>(screen: Promise<Screen>): Promise<Screen> {
  needsLater = true;
  laterTexts = await loadLaterTexts(settings.language);
  return screen;
}

/** Whose dates, numbers and lists are spoken. */
function locale(): string {
  return languageOf(spoken)?.locale ?? spoken;
}

/** The tag of the language that is spoken. */
export function language(): string {
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
  const text = texts[key] ?? laterTexts[key];
  if (text === undefined) return key;
  const form = typeof text === "string" ? text : (text[plurals.select(Number(args.count ?? 0))] ?? text.other ?? key);
  const asides = key.startsWith("log.")
    ? ASIDES.filter((one) => args[one]).map((one) => ` ${template(`aside.${one}`)}`)
    : [];
  return form + asides.join("");
}

export function has(key: string): boolean {
  return key in texts || key in laterTexts;
}

/** A text of the catalogue in plain words; the key itself where there is none. */
export function t(key: string, args: Args = {}): string {
  return template(key, args).replace(/\{(\w+)\}/g, (_, name: string) => argumentWords(name, args));
}

/** How the arguments of these names read in plain words; others are written as they are. */
const ARGUMENTS: Record<string, (value: string) => string> = {
  color: (value) => template(`color.${value}`),
  slot: (value) => template(`slot.${value}`),
  kind: kindWords,
  chip: chipWords,
  chips: chipListWords,
  turned: chipListWords,
  cost: (value) => signed(-Number(value)),
  points: (value) => signed(Number(value)),
  special_points: (value) => signed(Number(value)),
};

/** How an argument reads in plain words. */
export function argumentWords(name: string, args: Args): string {
  if (name === "tiles") return `${args.count} × ${template(`color.${args.color}`)}`;
  if (name === "from") return args.factory === LARGE ? template("from.large") : t("from.factory", args);
  const value = args[name];
  return value === undefined ? "" : (ARGUMENTS[name]?.(String(value)) ?? String(value));
}

/** What the back of a plate shows. */
export function kindWords(kind: string): string {
  return template({ [SPECIAL]: "kind.special", [WILD]: "kind.wild" }[kind] ?? "kind.unknown");
}

/** Spaces or tiles, one after another. */
export function listWords(family: "color" | "space", letters: string): string {
  return [...letters].map((letter) => template(`${family}.${letter}`)).join(", ");
}

export function startTileWords(): string {
  return t("piece.start", { points: START_PENALTY });
}

export function chipWords(face: string): string {
  return [...face]
    .filter((half) => half !== "-")
    .map((half) => template(`color.${half}`))
    .join("/");
}

function chipListWords(faces: string): string {
  return faces.split(",").map(chipWords).join(", ");
}

/** A number of points with its sign. */
export function signed(points: number): string {
  return points > 0 ? `+${points}` : points < 0 ? `−${-points}` : "0";
}

/** Several numbers as one would say them: “2, 3 and 5”. */
export function listed(numbers: readonly number[]): string {
  return new Intl.ListFormat(locale(), { type: "conjunction" }).format(numbers.map(String));
}

/** Several things of which one is to be chosen: “tiles, a plate or a bonus chip”. */
export function oneOf(words: readonly string[]): string {
  return new Intl.ListFormat(locale(), { type: "disjunction" }).format(words);
}

export function when(iso: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeStyle: "short" }).format(Date.parse(iso));
}

/** A day of the calendar (`YYYY-MM-DD`). */
export function dayWords(day: string): string {
  return new Intl.DateTimeFormat(locale(), { dateStyle: "medium", timeZone: "UTC" }).format(
    Date.parse(`${day}T00:00:00Z`),
  );
}

/** A number as the language writes it, with the real minus. */
function formatted(value: number, options: Intl.NumberFormatOptions = {}): string {
  return new Intl.NumberFormat(locale(), options).format(value).replace("-", "−");
}

/** A mean, with one place after the point; with its sign where it is a gain or a loss. */
export function mean(value: number, isSigned = false): string {
  const digits = { minimumFractionDigits: 1, maximumFractionDigits: 1 };
  return formatted(value, { ...digits, signDisplay: isSigned ? "exceptZero" : "auto" });
}

export function percent(share: number): string {
  return formatted(share, { style: "percent", maximumFractionDigits: 0 });
}

/** A small share, with one place after the point. */
export function smallPercent(share: number): string {
  return formatted(share, { style: "percent", maximumFractionDigits: 1 });
}

/** A difference of chances with its sign. */
export function percentChange(share: number): string {
  return formatted(share, { style: "percent", maximumFractionDigits: 1, signDisplay: "exceptZero" });
}

/** How large a number is, to a tenth. */
export function size(value: number): string {
  return formatted(value, { maximumFractionDigits: 1, signDisplay: "never" });
}

/** A number with its sign. */
export function decimal(value: number): string {
  return formatted(value, { maximumFractionDigits: 1, signDisplay: "exceptZero" });
}

/** How many there are, where there may be many. */
export function whole(value: number): string {
  return formatted(value);
}
