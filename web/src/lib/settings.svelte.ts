/** The settings, kept in this browser. */
import { bestLanguage, languageOf } from "./languages";
import { load, save } from "./storage";

export type Theme = "auto" | "light" | "dark";
export type Speed = "slow" | "normal" | "fast" | "off";
export type Choice = "auto" | "on" | "off";

const KEY = "sintra.settings";

const defaults = {
  /** The tag of a language that is there. */
  language: bestLanguage(navigator.languages),
  theme: "auto" as Theme,
  speed: "normal" as Speed,
  reducedMotion: "auto" as Choice,
  sound: true,
  volume: 0.5,
  confirm: "auto" as Choice,
  /** Whether a tile with one open space is placed by itself, and a tiling without a choice ended. */
  autoPlace: true,
  autoEnd: true,
  /** Whether what is pointed at is explained. */
  tooltips: true,
  /** Whether, against the computer, moves that would cost a lot are asked about first. */
  tutor: false,
  notify: false,
  tour: true,
  name: "",
  /** The clock of new games: "none", the name of a preset, or "own" with the minutes and seconds that follow. */
  clock: "none",
  clockMinutes: 10 as number | null,
  clockSeconds: 10 as number | null,
};
type Settings = typeof defaults;

function keptSettings(): Settings {
  const merged = { ...defaults, ...(load(KEY) as Partial<Settings> | null) };
  if (!languageOf(merged.language)) merged.language = defaults.language;
  return merged;
}

export const settings = $state<Settings>(keptSettings());

const narrow = window.matchMedia("(max-width: 700px), (pointer: coarse)");
const still = window.matchMedia("(prefers-reduced-motion: reduce)");
const light = window.matchMedia("(prefers-color-scheme: light)");
const media = $state({ narrow: narrow.matches, still: still.matches, light: light.matches });
narrow.addEventListener("change", () => (media.narrow = narrow.matches));
still.addEventListener("change", () => (media.still = still.matches));
light.addEventListener("change", () => (media.light = light.matches));

/** Whether a move waits for a confirmation: on phones unless set otherwise. */
export function confirms(): boolean {
  return settings.confirm === "auto" ? media.narrow : settings.confirm === "on";
}

export function motionIsReduced(): boolean {
  return settings.reducedMotion === "auto" ? media.still : settings.reducedMotion === "on";
}

/** How long one step of a move is shown, in milliseconds; 0 for not at all. */
export function pace(): number {
  return { slow: 900, normal: 480, fast: 220, off: 0 }[settings.speed];
}

export function keepSettings(): void {
  $effect.root(() => {
    $effect(() => {
      save(KEY, settings);
    });
    $effect(() => {
      const theme = settings.theme === "auto" ? (media.light ? "light" : "dark") : settings.theme;
      document.documentElement.dataset.theme = theme;
      const bar = getComputedStyle(document.documentElement).getPropertyValue("--browser-bar").trim();
      document.querySelector('meta[name="theme-color"]')?.setAttribute("content", bar);
    });
    $effect(() => {
      document.documentElement.classList.toggle("still", motionIsReduced());
    });
  });
}
