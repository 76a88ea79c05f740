/** Points that float up where they are booked. */
import { signed } from "../i18n.svelte";
import type { Step } from "../messages";
import { scorePlace } from "../places";
import { motionIsReduced } from "../settings.svelte";
import { findPlace } from "./find";
import type { Scene } from "./scene";

/** Points at the place where they are booked; at the score, if that place is out of sight. */
export class PointBadges {
  private homes: Element[] = [];

  float(scene: Scene, step: Step, duration: number, delay: number): Promise<void> {
    const home = [step.end, step.start, scorePlace(step.seat ?? 0)]
      .map((place) => (place ? findPlace(place) : null))
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
