/** What the player has picked so far and what is staged, before anything is posted. */
import type { Destination, Laying, Options, Order, Payment, Placement, Take } from "./messages";

export type Simple =
  | { kind: "chip"; token: string; place: string; forecast: number }
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
  /** The line that is to be completed with chips, and the chips of the store chosen so far (by their place in it). */
  payLine = $state<number | null>(null);
  payChips = $state.raw<readonly number[]>([]);
  hoverTake = $state.raw<Take | null>(null);
  hoverLine = $state<number | null>(null);
  hoverSlot = $state<string | null>(null);
  hoverSpace = $state<string | null>(null);

  clear(): void {
    this.take = this.hoverTake = this.laying = this.simple = null;
    this.line = this.hoverLine = this.payLine = null;
    this.payChips = [];
    this.slot = this.hoverSlot = this.hoverSpace = null;
    this.order = "";
    this.turns = 0;
  }

  get isEmpty(): boolean {
    return !this.take && !this.laying && !this.simple && this.payLine === null && !this.payChips.length;
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

  /** Opens a line to be completed with chips, or closes it. */
  openPaying(line: number): void {
    const again = this.payLine === line;
    this.clear();
    if (!again) this.payLine = line;
  }

  /** Adds a chip of the store to the payment, or takes it back; a whole payment is staged. */
  pickChip(place: number, store: readonly string[], ways: readonly Payment[]): void {
    const now = this.payChips;
    this.payChips = now.includes(place) ? now.filter((one) => one !== place) : [...now, place];
    const chosen = this.payChips.map((one) => store[one]!);
    const payment = ways.find((way) => way.chips.length === chosen.length && holds(way.chips, chosen));
    this.simple = payment ? { kind: "pay", token: payment.token, payment } : null;
  }

  /** Stages the move of a token as if it had been picked piece by piece. */
  choose(token: string, options: Options, store: readonly string[]): void {
    const again = this.token === token;
    this.clear();
    if (again) return;
    for (const take of options.takes ?? []) {
      const to = take.to.find((one) => token === one.token || token.startsWith(`${one.token}:`));
      if (to) [this.take, this.line, this.order] = [take, to.line, token.slice(to.token.length + 1)];
    }
    for (const laying of options.layings ?? []) {
      if (!token.startsWith(laying.token)) continue;
      const [slot, turns] = token.slice(laying.token.length).split("r");
      [this.laying, this.slot, this.turns] = [laying, slot ?? null, Number(turns)];
    }
    const payment = options.payments?.find((one) => one.token === token);
    if (payment) {
      this.payLine = payment.line;
      this.payChips = payment.chips.reduce<number[]>((found, chip) => [...found, store.findIndex((one, k) => one === chip && !found.includes(k))], []);
    }
    this.simple = this.take || this.laying ? null : simpleOf(token, options);
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

  /** The take whose way is shown: the picked one, or the one under the pointer. */
  get shownTake(): Take | null {
    return this.take ?? this.hoverTake;
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
    if (this.simple?.kind === "chip") return this.simple.forecast;
    if (this.simple?.kind === "pay") return this.simple.payment.forecast;
    return null;
  }
}

function simpleOf(token: string, options: Options): Simple | null {
  const placement = options.placements?.find((one) => one.token === token);
  if (placement) return { kind: "place", token, placement };
  const payment = options.payments?.find((one) => one.token === token);
  if (payment) return { kind: "pay", token, payment };
  const plate = options.returns?.find((one) => token === `<${one.plate}`)?.plate;
  if (plate) return { kind: "return", token, plate };
  const factory = Object.keys(options.chips ?? {}).find((one) => token === `C${one}`);
  if (factory) return { kind: "chip", token, place: `chip-${factory}`, forecast: options.chips![factory]! };
  if (token === "D") return { kind: "draw", token };
  if (token === "H") return { kind: "look", token };
  return options.end?.token === token ? { kind: "end", token } : null;
}

/** Whether all these chips are among others, each as often. */
export function holds(chips: readonly string[], some: readonly string[]): boolean {
  const count = (all: readonly string[], face: string): number => all.filter((one) => one === face).length;
  return some.every((face) => count(some, face) <= count(chips, face));
}

export function turned(face: string, turns: number): string {
  let now = face;
  for (let k = 0; k < turns; k++) now = `${now[2]}${now[0]}${now[3]}${now[1]}`;
  return now;
}

/** The placement that is pointed at or staged. */
export function placementShown(decision: Decision, options: Options | null): Placement | undefined {
  const at = decision.hoverSpace;
  if (at) return options?.placements?.find((one) => `${one.line}-${one.column}` === at);
  return decision.simple?.kind === "place" ? decision.simple.placement : undefined;
}

/** The take whose tiles lie at a place and have a colour. */
export function takeAt(options: Options | null | undefined, place: string, color: string): Take | undefined {
  return options?.takes?.find((take) => take.color === color && take.places.includes(place));
}
