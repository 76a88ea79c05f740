import { afterEach, beforeEach, describe, expect, it, vi } from "vitest";
import type { Event, Step } from "../src/lib/messages";
import { showEvent } from "../src/lib/motion/show";
import { settings } from "../src/lib/settings.svelte";

/** An animation that ends when the test lets it. */
interface Ran {
  what: Element;
  frames: Keyframe[];
  options: KeyframeAnimationOptions;
  finish: () => void;
}
let ran: Ran[];
const skip = (): AbortSignal => new AbortController().signal;

beforeEach(() => {
  ran = [];
  vi.spyOn(Element.prototype, "getClientRects").mockImplementation(() => [new DOMRect(0, 0, 1, 1)] as never);
  vi.spyOn(Element.prototype, "getBoundingClientRect").mockImplementation(function (this: Element) {
    const [x, y] = (this.getAttribute("data-at") ?? "0,0").split(",").map(Number);
    return new DOMRect(x, y, 20, 20);
  });
  Element.prototype.animate = function (frames, options) {
    let finish = (): void => undefined;
    const finished = new Promise<void>((resolve) => (finish = resolve));
    ran.push({ what: this, frames: frames as Keyframe[], options: options as KeyframeAnimationOptions, finish });
    return { finished, finish } as unknown as Animation;
  };
  settings.speed = "normal";
  settings.reducedMotion = "off";
});
afterEach(() => {
  vi.restoreAllMocks();
  document.body.replaceChildren();
});

function lay(html: string): void {
  document.body.innerHTML = html;
}
function event(...steps: Step[]): Event {
  return { seq: 1, kind: "move", telling: { key: "" }, at: "", steps };
}
/** Lets what waits for a moment happen. */
async function settle(): Promise<void> {
  for (let k = 0; k < 20; k++) await Promise.resolve();
}
function flying(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>(".flight")];
}

const TABLE = `
  <div data-place="sun-1" data-at="100,0"><i data-piece="B" data-at="110,0"></i><i data-piece="B" data-at="130,0"></i></div>
  <div data-place="line-0-2" data-at="300,200"></div>
  <div data-place="score-0" data-at="500,10"></div>`;
const TAKE: Step = { kind: "travel", start: "sun-1", end: "line-0-2", piece: "B", count: 2 };
function taken(): void {
  lay(`
    <div data-place="sun-1" data-at="100,0"></div>
    <div data-place="line-0-2" data-at="300,200"><i data-piece="B" data-at="310,200"></i><i data-piece="B" data-at="330,200"></i></div>
    <div data-place="score-0" data-at="500,10"></div>`);
}

describe("tiles that travel", () => {
  it("fly from where they lay to where they lie, and are not seen there before", async () => {
    lay(TABLE);
    const shown = showEvent(event(TAKE), taken, skip());
    await settle();
    expect(flying()).toHaveLength(2);
    expect(document.body.innerHTML).toContain("#sintra-tile-B");
    const flights = ran.filter(({ what }) => what.classList.contains("flight"));
    expect(flights.map(({ frames }) => frames.map((frame) => frame.transform))).toEqual([
      ["translate(110px, 0px)", "translate(310px, 200px) scale(1, 1)"],
      ["translate(130px, 0px)", "translate(330px, 200px) scale(1, 1)"],
    ]);
    const hidden = ran.filter(({ what }) => what.matches("[data-piece]"));
    expect(hidden.map(({ frames }) => frames.map((frame) => frame.opacity))).toEqual([
      [0, 0],
      [0, 0],
    ]);
    ran.forEach(({ finish }) => finish());
    await settle();
    expect(flying()).toHaveLength(0);
    ran.at(-1)!.finish();
    await shown;
  });

  it("fly one after the other", async () => {
    lay(TABLE);
    void showEvent(event(TAKE), taken, skip());
    await settle();
    const delays = ran.filter(({ what }) => what.classList.contains("flight")).map(({ options }) => options.delay);
    expect(delays).toEqual([0, 40]);
  });

  it("do not fly to a place that is not seen", async () => {
    lay(TABLE);
    void showEvent(event({ ...TAKE, end: "line-1-2" }), () => undefined, skip());
    await settle();
    expect(flying()).toHaveLength(0);
  });

  it("land on the board that is seen", async () => {
    lay(`${TABLE}<div data-place="line-1-2" data-at="7,7"></div>`);
    void showEvent(event({ ...TAKE, end: "line-1-2", count: 1 }), () => undefined, skip());
    await settle();
    expect(ran[0]!.frames[1]!.transform).toContain("translate(7px, 7px)");
  });
});

it("a chip is turned over where it lies", async () => {
  lay('<div data-place="chip-2"><i data-piece="down" data-at="5,5"></i></div>');
  const turned = (): void => lay('<div data-place="chip-2"><i data-piece="TY" data-at="5,5"></i></div>');
  void showEvent(event({ kind: "turn", start: "chip-2", piece: "TY" }), turned, skip());
  await settle();
  expect(document.querySelector(".flight")!.innerHTML).toContain("#sintra-coin");
  expect(ran.map(({ frames }) => frames.at(-1)!.transform)).toEqual(["translate(5px, 5px) scale(0, 1)", "none"]);
});

it("a plate flies with its face", async () => {
  lay('<div data-place="display-0"><i data-piece="plate"></i></div><div data-place="slot-0-22"></div>');
  const step: Step = { kind: "travel", start: "display-0", end: "slot-0-22", piece: "plate", face: "YKT*" };
  void showEvent(event(step), () => undefined, skip());
  await settle();
  const spaces = [...document.querySelectorAll(".flight use")].map((one) => one.getAttribute("href"));
  expect(spaces).toEqual(["#sintra-space-Y", "#sintra-space-K", "#sintra-space-T", "#sintra-space-*"]);
});

describe("points", () => {
  const points: Step = { kind: "points", seat: 0, end: "line-0-2", points: -3 };
  it("float up where they are booked, with their sign", async () => {
    lay(TABLE);
    void showEvent(event(points), () => undefined, skip());
    await settle();
    const badge = document.querySelector<HTMLElement>(".float")!;
    expect([badge.textContent, badge.className]).toEqual(["−3", "float minus"]);
    expect([badge.style.left, badge.style.top]).toEqual(["310px", "210px"]);
  });

  it("float at the score if the place is nowhere to be seen, and above each other", async () => {
    lay(TABLE);
    void showEvent(event({ ...points, end: "space-0-1-1" }, { ...points, end: "" }), () => undefined, skip());
    await settle();
    const badges = [...document.querySelectorAll<HTMLElement>(".float")];
    expect(badges.map((one) => one.style.left)).toEqual(["510px", "510px"]);
    expect(badges.map((one) => Number.parseFloat(one.style.marginTop))).toEqual([0, -2.2]);
  });

  it("that are none are not told", async () => {
    lay(TABLE);
    void showEvent(event({ ...points, points: 0 }), () => undefined, skip());
    await settle();
    expect(document.querySelector(".float")).toBeNull();
  });
});

describe("what is not seen", () => {
  it("changes the table all the same, at once, with the animation off", async () => {
    settings.speed = "off";
    lay(TABLE);
    const change = vi.fn();
    await showEvent(event(TAKE), change, skip());
    expect(change).toHaveBeenCalledOnce();
    expect(ran).toEqual([]);
  });

  it("does not fly where less movement is wanted, but points are told", async () => {
    settings.reducedMotion = "on";
    lay(TABLE);
    void showEvent(event(TAKE, { kind: "points", end: "line-0-2", points: 2 }), () => undefined, skip());
    await settle();
    expect(flying()).toHaveLength(0);
    expect(document.querySelector(".float")?.textContent).toBe("+2");
    expect(ran[0]!.frames[0]).toEqual(ran[0]!.frames[1]);
  });

  it("is over at once when it is skipped, in the middle too", async () => {
    lay(TABLE);
    const skipping = new AbortController();
    const shown = showEvent(event(TAKE), taken, skipping.signal);
    await settle();
    expect(flying()).toHaveLength(2);
    skipping.abort();
    await shown;
    expect(flying()).toHaveLength(0);
    ran = [];
    await showEvent(event(TAKE), taken, skipping.signal);
    expect(ran).toEqual([]);
  });
});
