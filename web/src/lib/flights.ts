/** Pieces are seen to travel: clones fly from where the pieces lay to where they lie now. */
import { tick } from "svelte";
import type { Event, Step } from "./messages";
import { motionIsReduced, pace } from "./settings.svelte";
import { play } from "./sound";
import { signed } from "./i18n.svelte";

function at(place: string): HTMLElement | null {
  for (const found of document.querySelectorAll<HTMLElement>(`[data-place~="${place}"]`)) {
    if (found.offsetParent !== null) return found;
  }
  return null;
}

/** The pieces of one look at a place, newest last; the place itself if it shows none. */
function pieces(place: string, piece: string, count: number): Element[] {
  const home = at(place);
  if (!home) return [];
  const found = [...home.querySelectorAll(`[data-piece="${piece}"]`)].slice(-count);
  return found.length ? found : [home];
}

interface Flight {
  from: DOMRect;
  clone: HTMLElement;
  step: Step;
  index: number;
}

/** What will fly, measured before the table changes. */
function prepare(steps: Step[]): Flight[] {
  const flights: Flight[] = [];
  for (const step of steps) {
    if (step.kind !== "travel" || !step.start) continue;
    const from = pieces(step.start, step.piece ?? "", step.count ?? 1);
    for (let index = 0; index < (step.count ?? 1); index++) {
      const source = from[Math.min(index, from.length - 1)];
      if (!source) continue;
      flights.push({ from: source.getBoundingClientRect(), clone: portrait(step, source), step, index });
    }
  }
  return flights;
}

const SVG = "http://www.w3.org/2000/svg";

function portrait(step: Step, source: Element): HTMLElement {
  const clone = document.createElement("div");
  clone.className = "flight";
  clone.setAttribute("aria-hidden", "true");
  const piece = step.piece ?? "";
  const symbol =
    piece === "start" ? "start" : piece === "plate" ? "back-?" : piece.length === 2 ? `chip-${piece}` : `tile-${piece}`;
  if (piece === "plate" && source.querySelector("svg")) {
    clone.append(...[...source.childNodes].map((node) => node.cloneNode(true)));
    clone.classList.add(...source.classList);
  } else {
    const svg = document.createElementNS(SVG, "svg");
    const use = document.createElementNS(SVG, "use");
    use.setAttribute("href", `#sintra-${symbol}`);
    svg.append(use);
    clone.append(svg);
  }
  return clone;
}

function launch(flight: Flight, length: number, delay: number): Promise<void> {
  const targets = pieces(flight.step.end ?? "", flight.step.piece ?? "", flight.step.count ?? 1);
  const target = targets[Math.min(flight.index, targets.length - 1)];
  if (!target) return Promise.resolve();
  const to = target.getBoundingClientRect();
  const { from, clone } = flight;
  const size = Math.min(from.width, from.height) || 30;
  const arrived = Math.min(to.width, to.height, 2.2 * size) || size;
  clone.style.width = clone.style.height = `${size}px`;
  document.body.append(clone);
  const begin = `translate(${from.x + from.width / 2 - size / 2}px, ${from.y + from.height / 2 - size / 2}px)`;
  const end = `translate(${to.x + to.width / 2 - size / 2}px, ${to.y + to.height / 2 - size / 2}px) scale(${arrived / size})`;
  const isPiece = target.matches("[data-piece]");
  if (isPiece) target.animate([{ opacity: 0 }, { opacity: 0 }], { duration: length + delay });
  const motion = clone.animate([{ transform: begin }, { transform: end }], {
    duration: length,
    delay,
    easing: "cubic-bezier(.3,.1,.2,1)",
    fill: "both",
  });
  return motion.finished.then(
    () => clone.remove(),
    () => clone.remove(),
  );
}

function floatPoints(step: Step, length: number, delay: number): void {
  const home = at(step.end || step.start || `score-${step.seat ?? 0}`);
  if (!home || !step.points) return;
  const box = home.getBoundingClientRect();
  const badge = document.createElement("div");
  badge.className = `float ${step.points < 0 ? "minus" : "plus"}`;
  badge.textContent = signed(step.points);
  badge.setAttribute("aria-hidden", "true");
  badge.style.left = `${box.x + box.width / 2}px`;
  badge.style.top = `${box.y + box.height / 2}px`;
  document.body.append(badge);
  void badge
    .animate(
      [
        { opacity: 0, transform: "translate(-50%,-20%) scale(.6)" },
        { opacity: 1, transform: "translate(-50%,-70%) scale(1.1)", offset: 0.25 },
        { opacity: 1, transform: "translate(-50%,-90%) scale(1)", offset: 0.75 },
        { opacity: 0, transform: "translate(-50%,-150%) scale(1)" },
      ],
      { duration: Math.max(900, 2.2 * length), delay, fill: "both" },
    )
    .finished.finally(() => badge.remove());
}

function wait(length: number): Promise<void> {
  return new Promise((resolve) => setTimeout(resolve, length));
}

/** Shows an event: the pieces fly while `change` puts the table as it is afterwards. */
export async function present(event: Event | undefined | null, change: () => void, hurried: boolean): Promise<void> {
  const steps = event?.steps ?? [];
  const length = hurried ? 0 : pace();
  if (!length || document.hidden || !steps.length) {
    change();
    await tick();
    return;
  }
  const moves = motionIsReduced() ? [] : prepare(steps);
  change();
  await tick();
  sounds(steps);
  const landings = moves.map((flight, k) => launch(flight, length, Math.min(k * 40, 400)));
  const booked = steps.filter((step) => step.kind === "points" && step.points);
  booked.forEach((step, k) => floatPoints(step, length, (motionIsReduced() ? 0 : 0.6 * length) + k * 0.5 * length));
  await Promise.race([Promise.all(landings), wait(length + 600)]);
  const lasting = booked.length ? (0.8 + 0.5 * booked.length) * length : 0.35 * length;
  await wait(Math.min(lasting, 3 * length));
}

function sounds(steps: Step[]): void {
  if (steps.some((step) => step.kind === "break" || (step.kind === "travel" && step.end?.startsWith("broken")))) play("broken");
  else if (steps.some((step) => step.kind === "points" && (step.points ?? 0) > 0)) play("points");
  else if (steps.some((step) => step.piece === "plate")) play("plate");
  else if (steps.length) play("tile");
}
