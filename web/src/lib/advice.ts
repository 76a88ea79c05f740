/** Advice in words, and the details of a move that its words leave out. */
import { percent, size, t } from "./i18n.svelte";
import type { Options, Telling } from "./messages";

export interface AdviceDetail {
  /** By how many quarters, clockwise, a plate is turned before it is laid. */
  readonly turns?: number;
  /** The colours of the stack that is left behind, from the bottom. */
  readonly order?: string;
}

/** A move in the words of advice: "take 2 blue tiles" for what the log calls "took 2 blue tiles". */
export function asAdvice({ key, ...telling }: Telling): Telling {
  return { ...telling, key: key.replace("log.", "hint.do.") };
}

/** What a move leaves of the chance to win, and the lead at the end. */
export function oddsWords(win: number, lead: number): string {
  return t(lead < 0 ? "hint.odds.behind" : "hint.odds.ahead", { win: percent(win), lead: size(lead) });
}

/** How a plate is turned that a move lays: its notation says so. */
export function turnsOf(token: string): number | undefined {
  const found = /@\d\dr(\d)$/.exec(token);
  return found ? Number(found[1]) : undefined;
}

/** How the plate of a move is turned, or how the rest of a take is stacked where that can be chosen. */
export function detailOf(token: string, { takes = [] }: Options): AdviceDetail {
  for (const { orders = [], to } of takes) {
    const k = to.flatMap((one) => (one.tokens.includes(token) ? [one.tokens.indexOf(token)] : []))[0];
    if (k !== undefined && orders.length > 1) return { order: orders[k]!.order };
  }
  const turns = turnsOf(token);
  return turns === undefined ? {} : { turns };
}
