/** The names of places on the table, as the service names them in steps and options. A page finds the pieces by them. */

export const STACK = "stack";
export const HAND = "hand";
export const START = "start";

export const sunPlace = (factory: string): string => `sun-${factory}`;
export const moonPlace = (factory: string): string => `moon-${factory}`;
export const chipPlace = (factory: string): string => `chip-${factory}`;
export const displayPlace = (index: number): string => `display-${index}`;
export const handPlace = (index: number): string => `${HAND}-${index}`;
export const linePlace = (seat: number, line: number): string => `line-${seat}-${line}`;
export const slotPlace = (seat: number, slot: string): string => `slot-${seat}-${slot}`;
export const spacePlace = (seat: number, row: number, column: number): string => `space-${seat}-${row}-${column}`;
export const brokenPlace = (seat: number): string => `broken-${seat}`;
export const storePlace = (seat: number): string => `store-${seat}`;
export const scorePlace = (seat: number): string => `score-${seat}`;
export const goalPlace = (seat: number, index: number): string => `goal-${seat}-${index}`;

/** The factory whose sun side a take is from; null if the take is from the moon sides. */
export function sunFactory(source: string): string | undefined {
  return source.startsWith(sunPlace("")) ? source.slice(sunPlace("").length) : undefined;
}
