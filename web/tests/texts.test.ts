import { beforeAll, describe, expect, it } from "vitest";
import { has, kindWords, language, listed, oneOf, signed, size, speak, t } from "../src/lib/i18n.svelte";
import { bestLanguage, FALLBACK, LANGUAGES, loadRules, loadTexts } from "../src/lib/languages";

describe("the language for a reader", () => {
  const tags = ["en", "de", "pt-BR"];
  it.each([
    [["de-AT", "en"], "de"],
    [["DE"], "de"],
    [["fr-FR", "de"], "de"],
    [["pt"], "pt-BR"],
    [["pt-PT"], "pt-BR"],
    [["den"], FALLBACK],
    [["xx", "yy-ZZ"], FALLBACK],
    [[], FALLBACK],
  ])("who would like %j is %s", (wanted, found) => {
    expect(bestLanguage(wanted, tags)).toBe(found);
  });
});

it("finds every catalogue by itself, English first", () => {
  const files = Object.keys(import.meta.glob("../src/texts/*.json"));
  expect(LANGUAGES.map((one) => `../src/texts/${one.tag}.json`).sort()).toEqual(files.sort());
  expect(LANGUAGES[0]?.tag).toBe(FALLBACK);
});

describe.each(LANGUAGES)("$name", ({ tag, name, direction }) => {
  it("says its name and its direction", () => {
    expect(name).not.toBe("");
    expect(["ltr", "rtl"]).toContain(direction);
  });

  it("has every plural form that the language knows, and no other", async () => {
    const forms = [...new Intl.PluralRules(tag).resolvedOptions().pluralCategories].sort();
    for (const [key, text] of Object.entries(await loadTexts(tag)))
      if (typeof text !== "string") expect([key, Object.keys(text).sort()]).toEqual([key, forms]);
  });

  it("sets the page's language and direction", async () => {
    await speak(tag);
    expect(language()).toBe(tag);
    expect([document.documentElement.lang, document.documentElement.dir]).toEqual([tag, direction]);
  });

  it("keeps the rules apart", async () => {
    const rules = await loadRules(tag);
    expect(rules["aim.1"]).toBeTypeOf("string");
    expect(await loadTexts(tag)).not.toHaveProperty("aim.1");
  });
});

describe("in English", () => {
  beforeAll(() => speak("en"));

  it("chooses the plural form by the count", () => {
    expect(t("bar.spectators", { count: 1 })).toBe("1 spectator");
    expect(t("bar.spectators", { count: 2 })).toBe("2 spectators");
    expect(t("bar.spectators", { count: 0 })).toBe("0 spectators");
  });

  it("shows the key of a text that is missing", () => {
    expect(t("nothing.here", { count: 1 })).toBe("nothing.here");
    expect(has("nothing.here")).toBe(false);
    expect(has("act.confirm")).toBe(true);
  });

  it("leaves out an argument that is missing", () => {
    expect(t("ask.wait")).toBe("Waiting for .");
  });

  it("names colours, slots, kinds, chips and factories", () => {
    expect(t("line.holds", { line: 3, count: 2, color: "K" })).toBe("Line 3: 2 black");
    expect(t("slot.empty", { slot: "23" })).toBe("Empty slot, middle right");
    expect(t("log.return", { kind: "*" })).toBe("returns a special plate.");
    expect(t("log.return", { kind: "W" })).toBe("returns a wild plate.");
    expect(kindWords("")).toBe("unknown kind");
    expect(t("take.chip", { chip: "B-", factory: "2" })).toBe("Take bonus chip blue from factory 2");
    expect(t("log.pay", { chips: "B-,BR", line: 5 })).toBe("spends blue, blue/red on line 5.");
    expect(t("staged.sun", { count: 2, color: "T", factory: "L" })).toBe("2 × turquoise from the large factory");
    expect(t("staged.sun", { count: 1, color: "T", factory: "4" })).toBe("1 × turquoise from factory 4");
  });

  it("tells points with their sign, and a cost as what it takes", () => {
    expect([signed(3), signed(0), signed(-3)]).toEqual(["+3", "0", "−3"]);
    expect([size(1.25), size(0), size(-2.5)]).toEqual(["1.3", "0", "2.5"]);
    expect(t("log.end", { points: -4 })).toBe("ends the tiling: −4.");
    expect(t("log.draw", { cost: 1 })).toBe("draws a plate (−1).");
  });

  it("adds to the log what comes with a move", () => {
    expect(t("log.moon", { count: 1, color: "B", line: 2, start: 1 })).toBe(
      "takes 1 × blue from the moon sides to line 2. Takes the start tile.",
    );
    expect(t("log.moon", { count: 1, color: "B", line: 2, turned: "TY" })).toMatch(/Revealed: turquoise\/yellow$/);
    expect(t("ask.wait", { name: "Ann", start: 1 })).toBe("Waiting for Ann.");
  });

  it("lists numbers as one says them", () => {
    expect(listed([2])).toBe("2");
    expect(listed([2, 3, 5])).toBe("2, 3 and 5");
    expect(oneOf(["tiles", "a plate", "a chip"])).toBe("tiles, a plate or a chip");
  });
});

it("chooses among the four plural forms of Polish", async () => {
  await speak("pl");
  const forms = [1, 2, 5, 22].map((count) => t("staged.draw", { count }));
  expect(forms).toEqual([
    "Dobierz kafelek za 1 punkt",
    "Dobierz kafelek za 2 punkty",
    "Dobierz kafelek za 5 punktów",
    "Dobierz kafelek za 22 punkty",
  ]);
});
