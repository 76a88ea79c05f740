/** Pieces that travel, turn over, drop and pop up. */
import { mount, unmount } from "svelte";
import Piece from "../../art/Piece.svelte";
import PlateFace from "../../art/PlateFace.svelte";
import type { Step } from "../messages";
import { STACK, START } from "../places";
import { findPieces } from "./find";
import type { Scene } from "./scene";

export interface Flight {
  from: DOMRect;
  likeness: HTMLElement;
  forget: () => void;
  step: Step;
  index: number;
}

/** What will fly, measured before the table changes. */
export function prepareFlights(steps: Step[]): Flight[] {
  const flights: Flight[] = [];
  for (const step of steps) {
    if (!["travel", "setup", "turn"].includes(step.kind)) continue;
    const count = step.count ?? 1;
    const from = findPieces(step.start ?? "", step.kind === "turn" ? "down" : (step.piece ?? ""), count);
    for (let index = 0; index < count; index++) {
      const source = from[Math.min(index, from.length - 1)];
      if (source) flights.push({ from: source.getBoundingClientRect(), ...likenessOf(step, source), step, index });
    }
  }
  return flights;
}

/** A likeness of a piece that will be on its way. */
function likenessOf(step: Step, source: Element): Pick<Flight, "likeness" | "forget"> {
  const likeness = document.createElement("div");
  likeness.className = "flight";
  likeness.setAttribute("aria-hidden", "true");
  const picture = step.face
    ? mount(PlateFace, { target: likeness, props: { face: step.face } })
    : mount(Piece, { target: likeness, props: { symbol: symbolOf(step, source) } });
  return { likeness, forget: () => void unmount(picture) };
}

function symbolOf(step: Step, source: Element): string {
  const piece = step.piece ?? "";
  if (step.kind === "turn") return "coin";
  if (piece === START) return START;
  if (piece === "plate") return /#sintra-(back-.)/.exec(source.innerHTML)?.[1] ?? "back-?";
  return piece.length === 2 ? `chip-${piece}` : `tile-${piece}`;
}

function centeredAt(box: DOMRect, size: number): string {
  return `translate(${box.x + box.width / 2 - size / 2}px, ${box.y + box.height / 2 - size / 2}px)`;
}

/** Lets a piece fly to where it lies from then on; a chip turns over on the way. */
export async function launch(scene: Scene, flight: Flight, duration: number, delay: number): Promise<void> {
  const { from, likeness, step } = flight;
  const turns = step.kind === "turn";
  const targets = findPieces((turns ? step.start : step.end) ?? "", step.piece ?? "", step.count ?? 1);
  const target = targets[Math.min(flight.index, targets.length - 1)];
  if (!target) return flight.forget();
  const to = target.getBoundingClientRect();
  const size = Math.min(from.width, from.height) || 30;
  const scale = (Math.min(to.width, to.height, 2.2 * size) || size) / size;
  likeness.style.width = likeness.style.height = `${size}px`;
  const easing = "cubic-bezier(.3,.1,.2,1)";
  const frames = [
    { transform: centeredAt(from, size) },
    { transform: `${centeredAt(to, size)} scale(${turns ? 0 : scale}, ${scale})` },
  ];
  const hidden = [{ opacity: 0 }, { opacity: 0 }];
  const landed = scene.fly(likeness, frames, { duration, delay, easing });
  if (turns) {
    const widens = [{ transform: "scaleX(0)" }, { transform: "none" }];
    await Promise.all([landed, scene.run(target, widens, { duration: 0.6 * duration, delay: delay + duration })]);
  } else
    await Promise.all([
      landed,
      ...landing(step, target).map((one) => scene.run(one, hidden, { duration: duration + delay })),
    ]);
  flight.forget();
}

/** What a piece will be once it has landed, and is not seen before. */
function landing(step: Step, target: Element): Element[] {
  if (step.end === STACK) return [];
  if (target.matches("[data-piece]")) return [target];
  return step.piece === "plate" ? [...target.children] : [];
}

/** R4.5: a special tile comes from no place of the table. */
export function popUp(scene: Scene, step: Step, duration: number, delay: number): Promise<void>[] {
  const grows = [{ transform: "scale(0)" }, { transform: "scale(1.25)", offset: 0.6 }, { transform: "none" }];
  return findPieces(step.end ?? "", step.piece ?? "", 1).map((one) => scene.run(one, grows, { duration, delay }));
}

/** R7.3: the tiles and chips of a new round drop on the factories. */
export function deal(scene: Scene, duration: number, delay: number): Promise<void>[] {
  const dealt = document.querySelectorAll('[data-place^="sun-"] [data-piece], [data-place^="chip-"] svg');
  const drops = [
    { opacity: 0, transform: "translateY(-70%) scale(1.15)" },
    { opacity: 1, transform: "none" },
  ];
  return [...dealt].map((one, k) =>
    scene.run(one, drops, { duration, delay: delay + k * 0.04 * duration, easing: "ease-in" }),
  );
}
