/** What was got wrong comes back: puzzles that were failed and the costly moves of reviewed games return after days, at
 * growing intervals, a handful a day. Kept in this browser alone. */
import { load, save } from "../storage";
import { localDay } from "./log";

/** Something that returns: a puzzle, or a turn of a reviewed game. */
export interface Card {
  /** A puzzle, or `REVIEW/SEAT/PLY`. */
  readonly id: string;
  readonly kind: "puzzle" | "mistake";
  /** How often in a row it was found since it was last missed. */
  readonly step: number;
  /** The day from which on it is asked again. */
  readonly due: string;
  /** The day on which it was last tried. */
  readonly seen: string;
}

/** Where a card leads to. */
export interface MistakeAt {
  readonly review: string;
  readonly seat: number;
  readonly ply: number;
}

/** In how many days it returns when it was missed, found once, twice, …; found after the last of them, it is known. */
export const INTERVALS: readonly number[] = [1, 3, 8, 21, 55];
/** How many are asked on a day. */
export const HANDFUL = 5;
const KEY = "sintra.repetition";
const MAX_KEPT = 500;
const DAY = /^\d{4}-\d\d-\d\d$/;
const IDS = { puzzle: /^[0-9a-f]{12}$/, mistake: /^[A-Za-z0-9_-]{24}\/[01]\/\d{1,4}$/ };

export function daysAfter(day: string, days: number): string {
  const at = new Date(`${day}T00:00:00Z`);
  at.setUTCDate(at.getUTCDate() + days);
  return at.toISOString().slice(0, 10);
}

function isDay(value: unknown): value is string {
  return typeof value === "string" && DAY.test(value) && !Number.isNaN(Date.parse(`${value}T00:00:00Z`));
}

function isCard(value: unknown): value is Card {
  if (typeof value !== "object" || value === null) return false;
  const { id, kind, step, due, seen } = value as Record<string, unknown>;
  if (kind !== "puzzle" && kind !== "mistake") return false;
  const isStep = Number.isInteger(step) && (step as number) >= 0 && (step as number) < INTERVALS.length;
  return typeof id === "string" && IDS[kind].test(id) && isStep && isDay(due) && isDay(seen);
}

/** The cards that can be read; damaged ones are left out. */
export function readCards(found: unknown): readonly Card[] {
  const read = new Map<string, Card>();
  for (const one of Array.isArray(found) ? (found as unknown[]) : []) if (isCard(one)) read.set(one.id, one);
  return [...read.values()].slice(-MAX_KEPT);
}

export function loadCards(): readonly Card[] {
  return readCards(load(KEY));
}

export function keepCards(cards: readonly Card[]): void {
  save(KEY, cards.slice(-MAX_KEPT));
}

/** The cards after the first try of a day: what is missed becomes a card that returns soon, what is found again returns
 * later, and in the end not at all. */
export function afterTry(
  cards: readonly Card[],
  { id, kind }: Pick<Card, "id" | "kind">,
  isFound: boolean,
  today = localDay(),
): readonly Card[] {
  const old = cards.find((one) => one.id === id);
  if (isFound && (!old || old.due > today)) return cards;
  const step = isFound ? old!.step + 1 : 0;
  const others = cards.filter((one) => one !== old);
  const days = INTERVALS[step];
  return days === undefined ? others : [...others, { id, kind, step, due: daysAfter(today, days), seen: today }];
}

/** The cards with the costly turns of a game that was reviewed for the first time here. */
export function withMistakes(
  cards: readonly Card[],
  { review, seat }: Pick<MistakeAt, "review" | "seat">,
  plies: readonly number[],
  today = localDay(),
): readonly Card[] {
  const isKnown = cards.some((one) => one.id.startsWith(`${review}/${seat}/`));
  if (isKnown) return cards;
  const due = daysAfter(today, INTERVALS[0]!);
  const added = plies.map((ply): Card => {
    return { id: mistakeId({ review, seat, ply }), kind: "mistake", step: 0, due, seen: today };
  });
  return [...cards, ...added];
}

/** What is asked on a day: what has been due for longest comes first, and no more than a handful with those that were
 * tried on the day. */
export function dueCards(cards: readonly Card[], today = localDay()): readonly Card[] {
  const tried = cards.filter((one) => one.seen === today && one.step > 0).length;
  const due = cards.filter((one) => one.due <= today);
  return [...due].sort((a, b) => (a.due < b.due ? -1 : a.due > b.due ? 1 : 0)).slice(0, Math.max(0, HANDFUL - tried));
}

export function mistakeId({ review, seat, ply }: MistakeAt): string {
  return `${review}/${seat}/${ply}`;
}

/** The page where a card is asked. */
export function pathOf({ id, kind }: Pick<Card, "id" | "kind">): string {
  if (kind === "puzzle") return `/puzzles/${id}?again`;
  const [review, seat, ply] = id.split("/");
  return `/review/${review}/learn?seat=${seat}&ply=${ply}`;
}
