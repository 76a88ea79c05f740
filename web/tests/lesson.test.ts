import { beforeEach, describe, expect, it, vi } from "vitest";
import { answerTo, fits, Lesson, piecesOf, STEPS, type LessonStep } from "../src/lesson/lesson.svelte";
import { api } from "../src/lib/api";
import { keptLesson } from "../src/lib/lesson";
import type { AskStudy, StudyShown } from "../src/lib/messages";
import { TILING, TURN } from "./options";

const step: LessonStep = {
  name: "some",
  position: [],
  moves: ["S1B2(:.*)?"],
  wrong: [
    { move: "S1B1(:.*)?", answer: "short" },
    { move: "S1B.(:.*)?", answer: "other" },
  ],
};

describe("a pattern of tokens", () => {
  it("means whole tokens", () => {
    expect(fits("S1B2(:.*)?", "S1B2:YY")).toBe(true);
    expect(fits("T2", "T22")).toBe(false);
    expect(fits("E|T22", "T221")).toBe(false);
  });

  it("is answered by the first that fits, else in general", () => {
    expect(answerTo(step, "S1B1:YY")).toBe("short");
    expect(answerTo(step, "S1B3:YY")).toBe("other");
    expect(answerTo(step, "S2R1")).toBe("no");
  });
});

describe("the pieces that are asked for", () => {
  it("are those that right moves begin with", () => {
    expect(piecesOf("S1B2(:.*)?", TURN, 0)).toEqual(['[data-place="sun-1"] button[data-piece="B"]']);
    expect(piecesOf("S9B2", TURN, 0)).toEqual([]);
    const { line, token } = TILING.placements![0]!;
    expect(piecesOf(token, TILING, 1)).toEqual([`[data-place="line-1-${line}"] [data-piece]`]);
    const spent = piecesOf(TILING.payments![0]!.token, TILING, 0);
    expect(spent).toEqual(["B-", "BR"].map((chip) => `[data-place="store-0"] [data-piece="${chip}"]`));
  });
});

describe("the lesson", () => {
  beforeEach(() => {
    localStorage.clear();
    vi.spyOn(api, "study").mockImplementation(({ moves }: AskStudy) => {
      const game = {
        players: [],
        status: "playing",
        you: [0, 1],
        position: { seat: (moves ?? []).length % 2, boards: [] },
      };
      return Promise.resolve({ game, text: "" } as unknown as StudyShown);
    });
  });

  it("makes right moves only, answers the others, and remembers where one is", async () => {
    const lesson = new Lesson();
    await lesson.open(0);
    expect(await lesson.move("S1B1:YY")).toBe(false);
    expect([lesson.reply, lesson.wrongs, lesson.isDone, lesson.isMine]).toEqual(["short", 1, false, true]);
    expect(await lesson.move("S1B2:YY")).toBe(true);
    expect([lesson.reply, lesson.isDone, lesson.isMine, lesson.near]).toEqual(["", true, true, 0]);
    expect(await lesson.move("S2R1:KK")).toBe(false);
    await lesson.undo();
    expect(lesson.isDone).toBe(false);
    await lesson.next();
    expect(keptLesson()).toEqual({ at: STEPS[1]!.name, isOver: false });
    await lesson.previous();
    expect(lesson.at).toBe(0);
  });

  it("wants all moves of a step, one after the other", async () => {
    const at = STEPS.findIndex((one) => one.moves.length > 1);
    const lesson = new Lesson();
    await lesson.open(at);
    expect(await lesson.move("T51")).toBe(false);
    expect(await lesson.move("U5:R-,BR")).toBe(true);
    expect(lesson.isDone).toBe(false);
    expect(await lesson.move("T51")).toBe(true);
    expect(lesson.isDone).toBe(true);
  });

  it("is over after its last step", async () => {
    const lesson = new Lesson();
    await lesson.open(STEPS.length - 1);
    await lesson.next();
    expect(lesson.isOver).toBe(true);
    expect(keptLesson()?.isOver).toBe(true);
  });
});
