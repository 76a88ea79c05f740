/** What is seen and heard of an event. All of it can be cut short. */
import { tick } from "svelte";
import type { Event, Step } from "../messages";
import { motionIsReduced, pace } from "../settings.svelte";
import { play } from "../sound";
import { deal, launch, popUp, prepareFlights } from "./flights";
import { soundOf } from "./sounds";
import { PointBadges } from "./points";
import { Scene } from "./scene";

/** Shows an event (the goals are counted elsewhere, when the game is over): the pieces move while `change` puts the table as it is afterwards. `skip` ends it at once. */
export async function showEvent(event: Event | undefined | null, change: () => void, skip: AbortSignal): Promise<void> {
  const steps = event?.steps ?? [];
  const isSeen = steps.length > 0 && !document.hidden && !skip.aborted;
  if (isSeen) play(soundOf(steps));
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
  const flights = still ? [] : prepareFlights(steps);
  change();
  await tick();
  const acts = flights.map((flight, k) => launch(scene, flight, length, Math.min(k * 40, 400)));
  if (!still) {
    for (const step of steps) {
      if (step.start === "supply") acts.push(...popUp(scene, step, 0.7 * length, 0.8 * length));
      if (step.kind === "deal") acts.push(...deal(scene, 0.8 * length, 0.6 * length));
    }
  }
  const badges = new PointBadges();
  const booked = steps.filter(({ kind, points, reason }) => kind === "points" && points && reason !== "goals");
  booked.forEach((step, k) => {
    acts.push(badges.float(scene, step, Math.max(600, 1.8 * length), (still ? 0 : 0.6 * length) + k * 0.5 * length));
  });
  await Promise.all(acts);
  if (!booked.length) await scene.rest(0.35 * length);
}
