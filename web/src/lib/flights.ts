/** What is seen to happen: pieces travel, turn over, drop and pop up, points float. All of it can be cut short. */
import { mount, tick, unmount } from "svelte";
import Piece from "../art/Piece.svelte";
import PlateFace from "../art/PlateFace.svelte";
import { signed } from "./i18n.svelte";
import type { Event, Step } from "./messages";
import { motionIsReduced, pace } from "./settings.svelte";
import { play } from "./sound";

/** Where a place is seen: at the table, or in the small picture of a board that is put away. */
function at(place: string): Element | null {
  const found = document.querySelectorAll(`[data-place~="${place}"], [data-small~="${place}"]`);
  return [...found].find((one) => one.getClientRects().length > 0) ?? null;
}

/** The pieces of one look at a place, newest last; the place itself if it shows none. */
function pieces(place: string, piece: string, count: number): Element[] {
  const home = at(place);
  if (!home) return [];
  const found = [...home.querySelectorAll(`[data-piece="${piece}"]`)].slice(-count);
  return found.length ? found : [home];
}

/** The animations of one event: they end by themselves, or all at once. */
class Scene {
  private running = new Set<Animation>();
  private ended = false;

  /** Resolves when the animation is over. */
  async run(one: Element, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    const animation = one.animate(frames, { fill: "backwards", ...options });
    this.running.add(animation);
    if (this.ended) animation.finish();
    await animation.finished.catch(() => undefined);
    this.running.delete(animation);
  }

  /** Something that is on the page for as long as it moves. */
  async fly(clone: HTMLElement, frames: Keyframe[], options: KeyframeAnimationOptions): Promise<void> {
    document.body.append(clone);
    await this.run(clone, frames, { fill: "both", ...options });
    clone.remove();
  }

  /** Nothing moves for a while. */
  rest(duration: number): Promise<void> {
    return this.run(document.body, [], { duration });
  }

  end(): void {
    this.ended = true;
    for (const animation of this.running) animation.finish();
  }
}

interface Flight {
  from: DOMRect;
  clone: HTMLElement;
  forget: () => void;
  step: Step;
  index: number;
}

/** What will fly, measured before the table changes. */
function prepare(steps: Step[]): Flight[] {
  const flights: Flight[] = [];
  for (const step of steps) {
    if (!["travel", "setup", "turn"].includes(step.kind)) continue;
    const count = step.count ?? 1;
    const from = pieces(step.start ?? "", step.kind === "turn" ? "down" : (step.piece ?? ""), count);
    for (let index = 0; index < count; index++) {
      const source = from[Math.min(index, from.length - 1)];
      if (source) flights.push({ from: source.getBoundingClientRect(), ...portrait(step, source), step, index });
    }
  }
  return flights;
}

/** A likeness of a piece that will be on its way. */
function portrait(step: Step, source: Element): Pick<Flight, "clone" | "forget"> {
  const clone = document.createElement("div");
  clone.className = "flight";
  clone.setAttribute("aria-hidden", "true");
  const picture = step.face
    ? mount(PlateFace, { target: clone, props: { face: step.face } })
    : mount(Piece, { target: clone, props: { symbol: symbolOf(step, source) } });
  return { clone, forget: () => void unmount(picture) };
}

function symbolOf(step: Step, source: Element): string {
  const piece = step.piece ?? "";
  if (step.kind === "turn") return "coin";
  if (piece === "start") return "start";
  if (piece === "plate") return /#sintra-(back-.)/.exec(source.innerHTML)?.[1] ?? "back-?";
  return piece.length === 2 ? `chip-${piece}` : `tile-${piece}`;
}

function moved(box: DOMRect, size: number): string {
  return `translate(${box.x + box.width / 2 - size / 2}px, ${box.y + box.height / 2 - size / 2}px)`;
}

/** Lets a piece fly to where it lies from then on; a chip turns over on the way. */
async function launch(scene: Scene, flight: Flight, duration: number, delay: number): Promise<void> {
  const { from, clone, step } = flight;
  const turns = step.kind === "turn";
  const targets = pieces((turns ? step.start : step.end) ?? "", step.piece ?? "", step.count ?? 1);
  const target = targets[Math.min(flight.index, targets.length - 1)];
  if (!target) return flight.forget();
  const to = target.getBoundingClientRect();
  const size = Math.min(from.width, from.height) || 30;
  const scale = (Math.min(to.width, to.height, 2.2 * size) || size) / size;
  clone.style.width = clone.style.height = `${size}px`;
  const easing = "cubic-bezier(.3,.1,.2,1)";
  const frames = [{ transform: moved(from, size) }, { transform: `${moved(to, size)} scale(${turns ? 0 : scale}, ${scale})` }];
  const hidden = [{ opacity: 0 }, { opacity: 0 }];
  const shown = step.end === "stack" ? [] : target.matches("[data-piece]") ? [target] : step.piece === "plate" ? [...target.children] : [];
  const landed = scene.fly(clone, frames, { duration, delay, easing });
  if (turns) {
    const widens = [{ transform: "scaleX(0)" }, { transform: "none" }];
    await Promise.all([landed, scene.run(target, widens, { duration: 0.6 * duration, delay: delay + duration })]);
  } else await Promise.all([landed, ...shown.map((one) => scene.run(one, hidden, { duration: duration + delay }))]);
  flight.forget();
}

/** R4.5: a special tile comes from no place of the table. */
function pop(scene: Scene, step: Step, duration: number, delay: number): Promise<void>[] {
  const grows = [
    { transform: "scale(0)" },
    { transform: "scale(1.25)", offset: 0.6 },
    { transform: "none" },
  ];
  return pieces(step.end ?? "", step.piece ?? "", 1).map((one) => scene.run(one, grows, { duration, delay }));
}

/** R7.3: the tiles and chips of a new round drop on the factories. */
function deal(scene: Scene, duration: number, delay: number): Promise<void>[] {
  const dealt = document.querySelectorAll('[data-place^="sun-"] [data-piece], [data-place^="chip-"] svg');
  const drops = [
    { opacity: 0, transform: "translateY(-70%) scale(1.15)" },
    { opacity: 1, transform: "none" },
  ];
  return [...dealt].map((one, k) => scene.run(one, drops, { duration, delay: delay + k * 0.04 * duration, easing: "ease-in" }));
}

/** Points at the place where they are booked; at the score, if that place is out of sight. */
class Badges {
  private homes: Element[] = [];

  float(scene: Scene, step: Step, duration: number, delay: number): Promise<void> {
    const home = [step.end, step.start, `score-${step.seat ?? 0}`]
      .map((place) => (place ? at(place) : null))
      .find((one, k) => one && (k === 2 || isInSight(one)));
    if (!home) return Promise.resolve();
    const box = home.getBoundingClientRect();
    const above = this.homes.filter((one) => one === home).length;
    this.homes.push(home);
    const badge = document.createElement("div");
    badge.className = `float ${(step.points ?? 0) < 0 ? "minus" : "plus"}`;
    badge.textContent = signed(step.points ?? 0);
    badge.setAttribute("aria-hidden", "true");
    badge.style.left = `${clamp(box.x + box.width / 2, 36, innerWidth - 36)}px`;
    badge.style.top = `${clamp(box.y + box.height / 2, 60, innerHeight - 30)}px`;
    badge.style.marginTop = `${-2.2 * above}rem`;
    return scene.fly(badge, motionIsReduced() ? STILL : RISING, { duration, delay });
  }
}

const STILL = [{ transform: "translate(-50%,-50%)" }, { transform: "translate(-50%,-50%)" }];
const RISING = [
  { opacity: 0, transform: "translate(-50%,-20%) scale(.6)" },
  { opacity: 1, transform: "translate(-50%,-70%) scale(1.1)", offset: 0.25 },
  { opacity: 1, transform: "translate(-50%,-90%) scale(1)", offset: 0.75 },
  { opacity: 0, transform: "translate(-50%,-150%) scale(1)" },
];

function clamp(value: number, least: number, most: number): number {
  return Math.max(least, Math.min(value, most));
}

function isInSight(one: Element): boolean {
  const box = one.getBoundingClientRect();
  return box.bottom > 0 && box.top < innerHeight;
}

/** Shows an event: the pieces move while `change` puts the table as it is afterwards. `skip` ends it at once. */
export async function present(event: Event | undefined | null, change: () => void, skip: AbortSignal): Promise<void> {
  const steps = event?.steps ?? [];
  const isSeen = steps.length > 0 && !document.hidden && !skip.aborted;
  if (isSeen) sounds(steps);
  if (!isSeen || !pace()) {
    change();
    await tick();
    return;
  }
  const scene = new Scene();
  const end = (): void => {
    if (skip.aborted || document.hidden) scene.end();
  };
  skip.addEventListener("abort", end);
  document.addEventListener("visibilitychange", end);
  try {
    await perform(scene, steps, change);
  } finally {
    skip.removeEventListener("abort", end);
    document.removeEventListener("visibilitychange", end);
  }
}

async function perform(scene: Scene, steps: Step[], change: () => void): Promise<void> {
  const length = pace();
  const still = motionIsReduced();
  const flights = still ? [] : prepare(steps);
  change();
  await tick();
  const acts = flights.map((flight, k) => launch(scene, flight, length, Math.min(k * 40, 400)));
  if (!still) {
    for (const step of steps) {
      if (step.start === "supply") acts.push(...pop(scene, step, 0.7 * length, 0.8 * length));
      if (step.kind === "deal") acts.push(...deal(scene, 0.8 * length, 0.6 * length));
    }
  }
  const badges = new Badges();
  const booked = steps.filter((step) => step.kind === "points" && step.points);
  booked.forEach((step, k) => {
    acts.push(badges.float(scene, step, Math.max(600, 1.8 * length), (still ? 0 : 0.6 * length) + k * 0.5 * length));
  });
  await Promise.all(acts);
  if (!booked.length) await scene.rest(0.35 * length);
}

function sounds(steps: Step[]): void {
  if (steps.some((step) => step.kind === "break" || (step.kind === "travel" && step.end?.startsWith("broken")))) play("broken");
  else if (steps.some((step) => step.kind === "points" && (step.points ?? 0) > 0)) play("points");
  else if (steps.some((step) => step.piece === "plate")) play("plate");
  else play("tile");
}
