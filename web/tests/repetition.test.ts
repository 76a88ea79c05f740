import { describe, expect, it } from "vitest";
import {
  HANDFUL,
  INTERVALS,
  afterTry,
  daysAfter,
  dueCards,
  pathOf,
  readCards,
  withMistakes,
  type Card,
} from "../src/lib/puzzles/repetition";

const TODAY = "2026-11-18";
const PUZZLE = { id: "7684e2d814a2", kind: "puzzle" } as const;
const REVIEW = "AbcdefghijklmnopqrstuvwX";

/** The cards after tries of a puzzle, each on the day on which it is due. */
function tried(...found: boolean[]): { cards: readonly Card[]; days: string[] } {
  let cards: readonly Card[] = [];
  let today = TODAY;
  const days: string[] = [];
  for (const one of found) {
    cards = afterTry(cards, PUZZLE, one, today);
    today = cards[0]?.due ?? "";
    days.push(today);
  }
  return { cards, days };
}

describe("what comes back", () => {
  it("is what was missed: what is found at once never comes", () => {
    expect(afterTry([], PUZZLE, true, TODAY)).toEqual([]);
    expect(tried(false).days).toEqual([daysAfter(TODAY, INTERVALS[0]!)]);
  });

  it("comes later each time it is found, and in the end not at all", () => {
    const { cards, days } = tried(false, ...INTERVALS.map(() => true));
    const gaps = INTERVALS.reduce<string[]>((sum, days) => [...sum, daysAfter(sum.at(-1) ?? TODAY, days)], []);
    expect(days).toEqual([...gaps, ""]);
    expect(cards).toEqual([]);
  });

  it("comes soon again when it is missed once more", () => {
    const { cards, days } = tried(false, true, true, false);
    expect(days.at(-1)).toBe(daysAfter(days.at(-2)!, INTERVALS[0]!));
    expect(cards).toHaveLength(1);
  });

  it("is not brought forward by being found before its day", () => {
    const { cards } = tried(false);
    expect(afterTry(cards, PUZZLE, true, TODAY)).toBe(cards);
  });
});

describe("a day", () => {
  const many = Array.from({ length: 9 }, (_, k): Card => {
    const due = daysAfter(TODAY, k - 7);
    return { id: `7684e2d814a${k}`, kind: "puzzle", step: 0, due, seen: daysAfter(due, -1) };
  });

  it("has a handful, those first that have been due for longest", () => {
    expect(dueCards([...many].reverse(), TODAY).map((one) => one.id)).toEqual(
      many.slice(0, HANDFUL).map((one) => one.id),
    );
  });

  it("has fewer left when some were found", () => {
    const cards = afterTry(many, many[0]!, true, TODAY);
    expect(dueCards(cards, TODAY).map((one) => one.id)).toEqual(many.slice(1, HANDFUL).map((one) => one.id));
  });

  it("does not ask what is not due", () => {
    expect(dueCards(many.slice(8), TODAY)).toEqual([]);
  });
});

describe("the mistakes of a game", () => {
  it("become cards once, however often its review is looked at", () => {
    const cards = withMistakes([], { review: REVIEW, seat: 1 }, [3, 40], TODAY);
    expect(cards.map(pathOf)).toEqual([3, 40].map((ply) => `/review/${REVIEW}/learn?seat=1&ply=${ply}`));
    expect(withMistakes(cards, { review: REVIEW, seat: 1 }, [3, 40], daysAfter(TODAY, 9))).toBe(cards);
    expect(dueCards(cards, TODAY)).toEqual([]);
    expect(dueCards(cards, daysAfter(TODAY, 1))).toHaveLength(2);
  });
});

describe("what was kept", () => {
  it("is read again as it was written", () => {
    const cards = withMistakes(tried(false).cards, { review: REVIEW, seat: 0 }, [7], TODAY);
    expect(readCards(JSON.parse(JSON.stringify(cards)))).toEqual(cards);
  });

  it.each([null, 7, "x", {}, [null], [7]])("may be damaged: %j", (found) => {
    expect(readCards(found)).toEqual([]);
  });

  it("leaves out what is damaged", () => {
    const [good] = tried(false).cards;
    const bad = [
      { ...good, id: "x" },
      { ...good, kind: "x" },
      { ...good, step: 9 },
      { ...good, due: "2026-13-40" },
    ];
    expect(readCards([...bad, good])).toEqual([good]);
  });
});
