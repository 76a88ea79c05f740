/** The texts of the lesson, loaded with it. */
import { loadLesson } from "../lib/languages";
import { PartTexts } from "../lib/part.svelte";

export const lessonTexts = new PartTexts(loadLesson);

export function say(key: string, args: Record<string, string> = {}): string {
  return lessonTexts.text(key, args);
}
