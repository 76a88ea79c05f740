/** What the player has picked so far and what is staged, before anything is posted. */
import type {
  ChipTake,
  Destination,
  DrawOption,
  EndingShown,
  Laying,
  LookOption,
  Options,
  Order,
  Payment,
  Placement,
  ReturnOption,
  Take,
  Turning,
} from "./messages";

/** A move that is made by picking one thing. */
export type SinglePick =
  | { kind: "chip"; option: ChipTake }
  | { kind: "draw"; option: DrawOption }
  | { kind: "look"; option: LookOption }
  | { kind: "return"; option: ReturnOption }
  | { kind: "place"; option: Placement }
  | { kind: "pay"; option: Payment }
  | { kind: "end"; option: EndingShown };

export class Decision {
  take = $state.raw<Take | null>(null);
  line = $state<number | null>(null);
  order = $state("");
  laying = $state.raw<Laying | null>(null);
  slot = $state<string | null>(null);
  turns = $state(0);
  single = $state.raw<SinglePick | null>(null);
  /** The line that is to be completed with chips, and the chips of the store chosen so far (by their place in it). */
  payLine = $state<number | null>(null);
  payChips = $state.raw<readonly number[]>([]);
  hoverTake = $state.raw<Take | null>(null);
  hoverLine = $state<number | null>(null);
  /** The line that was chosen for the picked tiles but cannot take them. */
  refusedLine = $state<number | null>(null);
  /** The line of a board that is pointed at, while no tiles can go there. */
  pointedLine = $state.raw<{ seat: number; line: number } | null>(null);
  hoverSlot = $state<string | null>(null);
  /** The token of the placement that is pointed at. */
  hoverPlacement = $state<string | null>(null);

  clear(): void {
    this.take = this.hoverTake = this.laying = this.single = null;
    this.line = this.hoverLine = this.payLine = this.refusedLine = null;
    this.payChips = [];
    this.slot = this.hoverSlot = this.hoverPlacement = null;
    this.order = "";
    this.turns = 0;
  }

  /** Keeps what was picked when the options of the same position come again with forecasts. */
  renew(options: Options): void {
    const { takes = [], layings = [] } = options;
    const same = (old: Take) => takes.find((one) => one.source === old.source && one.color === old.color) ?? null;
    if (this.take) this.take = same(this.take);
    if (this.hoverTake) this.hoverTake = same(this.hoverTake);
    if (this.laying) this.laying = layings.find((one) => one.place === this.laying?.place) ?? null;
    if (this.single) this.single = singlePick(this.single.option.token, options);
  }

  get isEmpty(): boolean {
    return !this.take && !this.laying && !this.single && this.payLine === null && !this.payChips.length;
  }

  pickTake(take: Take): void {
    const again = this.take === take;
    this.clear();
    if (again) return;
    this.take = take;
    this.order = take.orders?.[0]?.order ?? "";
  }

  pickLine(line: number): void {
    this.line = line;
    this.hoverLine = this.refusedLine = null;
  }

  /** A line was chosen that cannot take the picked tiles: what was staged is put back. */
  refuseLine(line: number): void {
    this.line = this.hoverLine = null;
    this.refusedLine = line;
  }

  pickLaying(laying: Laying): void {
    const again = this.laying === laying;
    const slot = this.slot;
    this.clear();
    if (again) return;
    this.laying = laying;
    this.slot = slot && slot in laying.slots ? slot : null;
  }

  /** Puts the plate on a slot; on the same slot again, it is turned. */
  pickSlot(slot: string): void {
    if (this.slot === slot) this.turn(1);
    this.slot = slot;
    this.hoverSlot = null;
  }

  /** Turns the plate by quarters. */
  turn(by: number): void {
    const ways = this.laying?.faces.length ?? 1;
    this.turns = (this.turns + by + ways) % ways;
  }

  /** Stages a move of one pick, or takes it back. */
  stage(pick: SinglePick): void {
    const again = this.single?.option.token === pick.option.token;
    this.clear();
    if (!again) this.single = pick;
  }

  /** Opens a line to be completed with chips, or closes it. */
  openPaying(line: number): void {
    const again = this.payLine === line;
    this.clear();
    if (!again) this.payLine = line;
  }

  /** Adds a chip of the store to the payment, or takes it back; a whole payment is staged. */
  pickChip(place: number, store: readonly string[], payments: readonly Payment[]): void {
    const now = this.payChips;
    this.payChips = now.includes(place) ? now.filter((one) => one !== place) : [...now, place];
    const chosen = this.payChips.map((one) => store[one]!);
    const whole = payments.find((one) => one.chips.length === chosen.length && holds(one.chips, chosen));
    this.single = whole ? { kind: "pay", option: whole } : null;
  }

  /** Whether a chip is chosen, or may still be for one of the payments. */
  mayPayWith(place: number, store: readonly string[], payments: readonly Payment[]): boolean {
    if (this.payChips.includes(place)) return true;
    const chosen = [...this.payChips, place].map((one) => store[one]!);
    return payments.some((one) => holds(one.chips, chosen));
  }

  /** Stages the move of a token as if it had been picked piece by piece. */
  choose(token: string, options: Options, store: readonly string[]): void {
    const again = this.token === token;
    this.clear();
    if (again) return;
    for (const take of options.takes ?? []) {
      const to = take.to.find((one) => one.tokens.includes(token));
      if (!to) continue;
      [this.take, this.line] = [take, to.line];
      this.order = take.orders?.[to.tokens.indexOf(token)]?.order ?? "";
    }
    for (const laying of options.layings ?? []) {
      for (const [slot, turnings] of Object.entries(laying.slots)) {
        const turns = turnings.findIndex((one) => one.token === token);
        if (turns >= 0) [this.laying, this.slot, this.turns] = [laying, slot, turns];
      }
    }
    this.single = singlePick(token, options);
    if (this.single?.kind === "pay") {
      const { line, chips } = this.single.option;
      this.payLine = line;
      this.payChips = chips.reduce<number[]>((found, chip) => {
        return [...found, store.findIndex((one, k) => one === chip && !found.includes(k))];
      }, []);
    }
  }

  /** What a line would do with the picked tiles; line 0 breaks them. */
  destinationAt(line: number | null): Destination | undefined {
    return line === null ? undefined : this.take?.to.find((one) => one.line === line);
  }

  /** Where the picked tiles would go: where the pointer is, or what is staged. */
  get destination(): Destination | undefined {
    return this.destinationAt(this.hoverLine ?? this.line);
  }

  private get chosenOrder(): Order | undefined {
    return this.take?.orders?.find((one) => one.order === this.order);
  }

  /** What the other player could take from the moon sides afterwards. */
  get moonAfter(): Record<string, number> {
    return this.chosenOrder?.moon ?? this.take?.moon ?? {};
  }

  /** The take whose way is shown: the picked one, or the one under the pointer. */
  get shownTake(): Take | null {
    return this.take ?? this.hoverTake;
  }

  /** The face of the picked plate as it is turned. */
  get face(): string {
    return this.laying?.faces[this.turns] ?? "";
  }

  /** The picked plate on a slot, as it is turned. */
  turningAt(slot: string | null): Turning | undefined {
    return slot === null ? undefined : this.laying?.slots[slot]?.[this.turns];
  }

  /** The move that is staged, if it is whole. */
  get token(): string {
    if (this.single) return this.single.option.token;
    if (this.laying) return this.turningAt(this.slot)?.token ?? "";
    const order = this.take?.orders?.findIndex((one) => one.order === this.order) ?? 0;
    return this.destinationAt(this.line)?.tokens[order] ?? "";
  }

  /** Whether the staged move has a part that the player may still want to change. */
  get isOpen(): boolean {
    return !!this.laying || (this.take?.orders?.length ?? 0) > 1;
  }

  /** The forecast of the own board after what is picked or pointed at. */
  get forecast(): number | null {
    const after = this.destination ?? this.turningAt(this.hoverSlot ?? this.slot);
    if (after) return after.forecast;
    return this.single?.kind === "chip" || this.single?.kind === "pay" ? this.single.option.forecast : null;
  }
}

/** The move of a token, if it is made by one pick. */
function singlePick(token: string, options: Options): SinglePick | null {
  const { chips = [], returns = [], placements = [], payments = [], draw, look, end } = options;
  const picks: SinglePick[] = [
    ...chips.map((option) => ({ kind: "chip" as const, option })),
    ...returns.map((option) => ({ kind: "return" as const, option })),
    ...placements.map((option) => ({ kind: "place" as const, option })),
    ...payments.map((option) => ({ kind: "pay" as const, option })),
  ];
  if (draw) picks.push({ kind: "draw", option: draw });
  if (look) picks.push({ kind: "look", option: look });
  if (end) picks.push({ kind: "end", option: end });
  return picks.find((pick) => pick.option.token === token) ?? null;
}

/** Whether all these chips are among others, each as often. */
function holds(chips: readonly string[], some: readonly string[]): boolean {
  const count = (all: readonly string[], face: string): number => all.filter((one) => one === face).length;
  return some.every((face) => count(some, face) <= count(chips, face));
}

/** The placement that is pointed at or staged. */
export function placementShown(decision: Decision, options: Options | null): Placement | undefined {
  const at = decision.hoverPlacement;
  if (at) return options?.placements?.find((one) => one.token === at);
  return decision.single?.kind === "place" ? decision.single.option : undefined;
}

/** The take whose tiles lie at a place and have a colour. */
export function takeAt(options: Options | null | undefined, place: string, color: string): Take | undefined {
  return options?.takes?.find((take) => take.color === color && take.places.includes(place));
}
