/** How far somebody has come in the lesson, kept in this browser. */
import { keep } from "./settings.svelte";

export interface KeptLesson {
  /** The name of the step that was shown last. */
  at: string;
  /** Whether the end was reached. */
  isOver: boolean;
}

const KEY = "sintra.lesson";

/** None if the lesson was never begun. */
export function keptLesson(): KeptLesson | null {
  try {
    const kept = JSON.parse(localStorage.getItem(KEY) ?? "null") as Partial<KeptLesson> | null;
    return kept && typeof kept.at === "string" ? { at: kept.at, isOver: kept.isOver === true } : null;
  } catch {
    return null;
  }
}

export function keepLesson(kept: KeptLesson): void {
  keep(KEY, kept);
}
