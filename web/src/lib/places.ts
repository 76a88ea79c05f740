/** The names of places on the table, as the service names them in steps and options. A page finds the pieces by them. */

export const STACK = "stack";
export const HAND = "hand";
export const START = "start";

export function sunPlace(factory: string): string {
  return `sun-${factory}`;
}
export function moonPlace(factory: string): string {
  return `moon-${factory}`;
}
export function chipPlace(factory: string): string {
  return `chip-${factory}`;
}
export function displayPlace(index: number): string {
  return `display-${index}`;
}
export function handPlace(index: number): string {
  return `${HAND}-${index}`;
}
export function linePlace(seat: number, line: number): string {
  return `line-${seat}-${line}`;
}
export function slotPlace(seat: number, slot: string): string {
  return `slot-${seat}-${slot}`;
}
export function spacePlace(seat: number, row: number, column: number): string {
  return `space-${seat}-${row}-${column}`;
}
export function brokenPlace(seat: number): string {
  return `broken-${seat}`;
}
export function storePlace(seat: number): string {
  return `store-${seat}`;
}
export function scorePlace(seat: number): string {
  return `score-${seat}`;
}
export function goalPlace(seat: number, index: number): string {
  return `goal-${seat}-${index}`;
}

/** The factory whose sun side a take is from; null if the take is from the moon sides. */
export function sunFactory(source: string): string | undefined {
  return source.startsWith(sunPlace("")) ? source.slice(sunPlace("").length) : undefined;
}
