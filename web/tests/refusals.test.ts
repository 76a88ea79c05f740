import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { Refusal } from "../src/lib/api";
import { speak, withTexts } from "../src/lib/i18n.svelte";
import { refusalWords, wrongWords } from "../src/lib/refusals";
import { settings } from "../src/lib/settings.svelte";

const LINE = { key: "wrong.at_line_key", args: { line: 3, key: "round" } };
const NUMBER = { key: "wrong.number", args: { found: "nine", low: 1, high: 5 } };

/** Speaks a language, with the texts of all screens. */
async function speakAll(tag: string): Promise<void> {
  settings.language = tag;
  await withTexts(speak(tag));
}

describe.each([
  ["en", "This position cannot be set up. Line 3, “round”: “nine” must be a number from 1 to 5."],
  ["de", "Diese Stellung lässt sich nicht aufbauen. Zeile 3, „round“: „nine“ muss eine Zahl von 1 bis 5 sein."],
  ["nl", "Deze stelling kan niet worden opgezet. Regel 3, ‘round’: ‘nine’ moet een getal van 1 tot en met 5 zijn."],
  ["pl", "Tej pozycji nie da się ustawić. Wiersz 3, „round”: „nine” musi być liczbą od 1 do 5."],
])("a broken position in %s", (tag, words) => {
  beforeAll(() => speakAll(tag));

  it("is told with its place and its reason", () => {
    const message = "line 3, round: 'nine' must be a number from 1 to 5";
    expect(refusalWords(new Refusal("bad_position", message, 422, null, [LINE, NUMBER]))).toBe(words);
  });
});

describe("what is wrong", () => {
  beforeAll(() => speakAll("en"));
  afterAll(() => speakAll("en"));

  it("begins with a capital letter, wherever it is", () => {
    expect(wrongWords([{ key: "wrong.line_holds", args: { line: 3, color: "K" } }])).toBe(
      "Line 3 holds another colour: black.",
    );
    const ply = { key: "wrong.at_ply", args: { count: 1 } };
    const move = { key: "wrong.at_token", args: { move: "D" } };
    expect(wrongWords([ply, move, { key: "wrong.stack_empty" }])).toBe("After 1 move, “D”: the stack is empty.");
  });

  it("is not told in English where nobody has words for it", async () => {
    await speakAll("de");
    expect(wrongWords([])).toBe("Irgendetwas daran passt nicht.");
    expect(refusalWords(new Refusal("bad_position", "something else", 422))).toBe(
      "Diese Stellung lässt sich nicht aufbauen. Irgendetwas daran passt nicht.",
    );
    expect(wrongWords([LINE, { key: "wrong.of_a_newer_table" }])).toBe(
      "Zeile 3, „round“: Irgendetwas daran passt nicht.",
    );
  });
});
