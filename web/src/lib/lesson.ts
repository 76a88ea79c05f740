/** The progress in the lesson, stored in this browser. */
import { load, save } from "./storage";

export interface KeptLesson {
  /** The name of the step that was shown last. */
  at: string;
  /** Whether the end was reached. */
  isOver: boolean;
}

const KEY = "sintra.lesson";

/** The stored progress; null if the lesson was never begun. */
export function keptLesson(): KeptLesson | null {
  const kept = load(KEY) as Partial<KeptLesson> | null;
  return kept && typeof kept.at === "string" ? { at: kept.at, isOver: kept.isOver === true } : null;
}

export function keepLesson(kept: KeptLesson): void {
  save(KEY, kept);
}
