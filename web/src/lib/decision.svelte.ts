/** What the player has picked so far and what is staged, before anything is posted. */
import type { Destination, Laying, Options, Order, Payment, Placement, Take } from "./messages";

export type Simple =
  | { kind: "chip"; token: string; place: string }
  | { kind: "draw"; token: "D" }
  | { kind: "look"; token: "H" }
  | { kind: "return"; token: string; plate: string }
  | { kind: "place"; token: string; placement: Placement }
  | { kind: "pay"; token: string; payment: Payment }
  | { kind: "end"; token: string };

export class Decision {
  take = $state.raw<Take | null>(null);
  line = $state<number | null>(null);
  order = $state("");
  laying = $state.raw<Laying | null>(null);
  slot = $state<string | null>(null);
  turns = $state(0);
  simple = $state.raw<Simple | null>(null);
  hoverLine = $state<number | null>(null);
  hoverSlot = $state<string | null>(null);
  hoverSpace = $state<string | null>(null);

  clear(): void {
    this.take = this.laying = this.simple = null;
    this.line = this.hoverLine = null;
    this.slot = this.hoverSlot = this.hoverSpace = null;
    this.order = "";
    this.turns = 0;
  }

  get isEmpty(): boolean {
    return !this.take && !this.laying && !this.simple;
  }

  pickTake(take: Take): void {
    const again = this.take === take;
    this.clear();
    if (again) return;
    this.take = take;
    this.order = take.orders?.[0]?.order ?? "";
  }

  pickLaying(laying: Laying): void {
    const again = this.laying === laying;
    const slot = this.slot;
    this.clear();
    if (again) return;
    this.laying = laying;
    this.slot = slot && laying.slots.includes(slot) ? slot : null;
  }

  stage(simple: Simple): void {
    const again = this.simple?.token === simple.token;
    this.clear();
    if (!again) this.simple = simple;
  }

  turn(by: number): void {
    this.turns = (this.turns + by + 4) % 4;
  }

  /** Where the picked tiles would go: where the pointer is, or what is staged. */
  get destination(): Destination | null {
    const line = this.hoverLine ?? this.line;
    return line === null ? null : (this.take?.to.find((one) => one.line === line) ?? null);
  }

  get chosenOrder(): Order | null {
    return this.take?.orders?.find((one) => one.order === this.order) ?? null;
  }

  /** What the other player could take from the moon sides afterwards. */
  get moonAfter(): Record<string, number> {
    return this.chosenOrder?.moon ?? this.take?.moon ?? {};
  }

  /** The move that is staged, if it is whole. */
  get token(): string {
    if (this.simple) return this.simple.token;
    if (this.take && this.line !== null) {
      const to = this.take.to.find((one) => one.line === this.line);
      if (!to) return "";
      return (this.take.orders?.length ?? 0) > 0 ? `${to.token}:${this.order}` : to.token;
    }
    if (this.laying && this.slot) return `${this.laying.token}${this.slot}r${this.turns}`;
    return "";
  }

  /** Whether the staged move has a part that the player may still want to change. */
  get isOpen(): boolean {
    return !!this.laying || (this.take?.orders?.length ?? 0) > 1;
  }

  /** The forecast of the own board after what is picked or pointed at. */
  get forecast(): number | null {
    const to = this.destination;
    if (to) return to.forecast;
    const slot = this.hoverSlot ?? this.slot;
    if (this.laying && slot) return this.laying.forecasts[`${slot}r${this.turns}`] ?? null;
    return null;
  }
}

export function turned(face: string, turns: number): string {
  let now = face;
  for (let k = 0; k < turns; k++) now = `${now[2]}${now[0]}${now[3]}${now[1]}`;
  return now;
}

/** The take whose tiles lie at a place and have a colour. */
export function takeAt(options: Options | null | undefined, place: string, color: string): Take | undefined {
  return options?.takes?.find((take) => take.color === color && take.places.includes(place));
}
