/** How a rating is said. */
import { t } from "../lib/i18n.svelte";
import type { Rating } from "../lib/progress/rating";

/** No rating is known better than to some ten points. */
const EXACT = 10;
export const rounded = (rating: number): number => EXACT * Math.round(rating / EXACT);

/** “About 1200 (1050 to 1350)”. */
export function ratingWords({ value, low, high }: Rating): string {
  const said = t("progress.rating.about", { rating: rounded(value), low: rounded(low), high: rounded(high) });
  return said.replace(/\(.*\)/, (range) => range.replaceAll(" ", "\u00a0"));
}
