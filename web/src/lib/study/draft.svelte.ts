/** A table that is built by hand: what lies where, which place is chosen, and what the service says to it. */
import { api } from "../api";
import {
  BROKEN_PENALTIES,
  COLORS,
  DISPLAY,
  FACTORIES,
  FIRST_GAME,
  GRID,
  LARGE,
  PLATES,
  SLOTS,
  SPECIAL,
  START_SCORE,
  WILD,
} from "../components";
import type {
  DraftBoard,
  DraftFault,
  DraftShown,
  GameShown,
  GoalName,
  PlateShown,
  PositionShown,
  TableDraft,
} from "../messages";
import { refusalWords } from "../refusals";

type Chip = NonNullable<DraftBoard["chips"]>[number];
type Seat = 0 | 1;
export type Board = Required<DraftBoard>;
export interface Factory {
  sun: string;
  moon: string;
  chip: string;
}
export interface Table {
  round: number;
  turn: Seat;
  first: Seat;
  start_tile: Seat | null;
  goals: GoalName[];
  rule_options: NonNullable<TableDraft["rule_options"]>;
  factories: Factory[];
  display: (string | null)[];
  top: NonNullable<TableDraft["top"]>;
  tower: string;
  boards: Board[];
}
/** What can be put on a place. */
export type Kind = "tiles" | "space" | "plate" | "chip" | "chips";

const DOWN = "down";

/** A quarter turn clockwise of a plate's face `TL TR BL BR`. */
function turned(face: string): string {
  const [topLeft, topRight, bottomLeft, bottomRight] = face;
  return `${bottomLeft}${topLeft}${bottomRight}${topRight}`;
}
export function faceOf(plate: string, turns: number): string {
  let face = PLATES[plate] ?? "";
  for (let k = 0; k < turns; k++) face = turned(face);
  return face;
}
function turnsOf({ plate, face }: PlateShown): number {
  return [0, 1, 2, 3].find((turns) => faceOf(plate, turns) === face) ?? 0;
}

/** Puts a tile on a space of a dome, or takes it away with ".". */
function setSpace(board: Board, row: number, column: number, tile: string): void {
  const letters = [...board.tiles[row - 1]!];
  letters[column - 1] = tile;
  board.tiles[row - 1] = letters.join("");
}

export function emptyTable(): Table {
  const board = (): Board => ({
    score: START_SCORE,
    lines: Array<string>(GRID).fill(""),
    plates: SLOTS.map(() => null),
    tiles: Array<string>(GRID).fill(".".repeat(GRID)),
    broken: "",
    chips: [],
    spent: [],
  });
  return {
    round: 1,
    turn: 0,
    first: 0,
    start_tile: null,
    goals: [...FIRST_GAME],
    rule_options: {},
    factories: FACTORIES.map(({ name }) => ({ sun: "", moon: "", chip: name === LARGE ? "" : DOWN })),
    display: Array<null>(DISPLAY).fill(null),
    top: "",
    tower: "",
    boards: [board(), board()],
  };
}

/** The table of a position that is shown; what only its seat to move knows is left out. */
export function tableOf({ position, rules }: GameShown): Table {
  return {
    round: position.round,
    turn: position.seat === 1 ? 1 : 0,
    first: position.first === 1 ? 1 : 0,
    start_tile: position.start_tile === null ? null : position.start_tile === 1 ? 1 : 0,
    goals: [...rules.goals] as GoalName[],
    rule_options: { ...rules.rule_options },
    factories: position.factories.map(({ sun, moon, chip }) => ({ sun, moon, chip })),
    display: position.display.map((one) => one?.plate ?? null),
    top: topOf(position),
    tower: Object.entries(position.tower)
      .map(([color, count]) => color.repeat(count))
      .join(""),
    boards: position.boards.map((one) => ({
      score: one.score,
      lines: one.lines.map(({ color, tiles }) => color.repeat(tiles)),
      plates: one.plates.map((plate) => (plate ? { plate: plate.plate, turns: turnsOf(plate) } : null)),
      tiles: [...one.tiles],
      broken: one.broken,
      chips: [...one.chips] as Chip[],
      spent: [...one.spent] as Chip[],
    })),
  };
}
function topOf({ stack }: PositionShown): Table["top"] {
  const face = stack[0]?.plate?.face ?? stack[0]?.kind ?? "";
  return face.includes(SPECIAL) ? SPECIAL : face.includes(WILD) ? WILD : "";
}
/** Whether a position can be edited: no player is in the middle of a move or a tiling. */
export function canBuild({ position, status }: GameShown): boolean {
  const isBetween = ["opening", "turn", "tiling"].includes(position.stage);
  return status === "playing" && isBetween && !position.boards.some(({ lines }) => lines.some(({ placed }) => placed));
}

const MAX_KEPT = 200;

export class Draft {
  table = $state<Table>(emptyTable());
  /** The place that pieces are put on. */
  place = $state("");
  checked = $state.raw<DraftShown | null>(null);
  isChecking = $state(false);
  problem = $state("");
  private asked = 0;
  /** The tables before each change, the latest last, and the one that was looked at last. */
  private past = $state.raw<readonly Table[]>([]);
  private latest: Table | null = null;

  readonly faults = $derived<DraftFault[]>(this.checked?.faults ?? []);

  async begin(table: Table): Promise<void> {
    this.table = table;
    this.place = "";
    await this.check();
  }

  get canUndo(): boolean {
    return this.past.length > 0;
  }

  /** Takes the latest change back, also that of the whole table. */
  async undo(): Promise<void> {
    const before = this.past.at(-1);
    if (!before) return;
    this.past = this.past.slice(0, -1);
    this.latest = before;
    this.table = structuredClone(before);
    if (this.slot && this.place.startsWith("space") && !this.plate) this.place = "";
    await this.check();
  }

  private note(): void {
    const now = $state.snapshot(this.table) as Table;
    if (this.latest && JSON.stringify(this.latest) !== JSON.stringify(now))
      this.past = [...this.past, this.latest].slice(-MAX_KEPT);
    this.latest = now;
  }

  /** Asks what the table is like now; only the latest answer counts. */
  async check(): Promise<void> {
    this.note();
    const number = ++this.asked;
    this.isChecking = true;
    try {
      const { start_tile, ...rest } = $state.snapshot(this.table);
      const found = await api.checkTable({ ...rest, ...(start_tile === null ? {} : { start_tile }) } as TableDraft);
      if (number === this.asked) this.checked = found;
      this.problem = "";
    } catch (refusal) {
      if (number === this.asked) this.problem = refusalWords(refusal);
    } finally {
      if (number === this.asked) this.isChecking = false;
    }
  }

  // --- places ------------------------------------------------------------------------------------------

  get kind(): Kind | null {
    const [what] = this.place.split("-");
    if (what === "slot" || what === "display") return "plate";
    if (what === "space") return "space";
    if (what === "chip") return "chip";
    if (what === "store" || what === "spent") return "chips";
    return what ? "tiles" : null;
  }

  /** The board and slot of the place, if there is a slot. */
  get slot(): { seat: number; slot: number } | null {
    const [what, seat, one, other] = this.place.split("-");
    if (what === "slot") return { seat: Number(seat), slot: SLOTS.findIndex(({ name }) => name === one) };
    if (what !== "space") return null;
    const [row, column] = [Number(one) - 1, Number(other) - 1];
    return { seat: Number(seat), slot: 3 * (row >> 1) + (column >> 1) };
  }

  /** What a space of a dome shows. */
  shows(seat: number, row: number, column: number): string {
    const plate = this.table.boards[seat]!.plates[3 * (row >> 1) + (column >> 1)];
    return plate ? faceOf(plate.plate, plate.turns ?? 0)[2 * (row % 2) + (column % 2)]! : "";
  }

  /** The object and the field that hold the tiles of the place; null for a space of a dome. */
  private get holder(): [object: object, field: string | number] | null {
    const [what = "", one = "", other] = this.place.split("-");
    if (what === "sun" || what === "moon") return [this.factory(one), what];
    if (what === "tower") return [this.table, what];
    if (what === "line") return [this.table.boards[Number(one)]!.lines, Number(other) - 1];
    return what === "broken" ? [this.table.boards[Number(one)]!, what] : null;
  }

  private factory(name: string): Factory {
    return this.table.factories[FACTORIES.findIndex((one) => one.name === name)]!;
  }

  /** The tiles at the place. */
  get tiles(): string {
    if (this.holder) return Reflect.get(...this.holder) as string;
    const [what, seat, row, column] = this.place.split("-");
    if (what !== "space") return "";
    return this.table.boards[Number(seat)]!.tiles[Number(row) - 1]![Number(column) - 1]!.replace(".", "");
  }

  private setTiles(tiles: string): void {
    const [, seat, row, column] = this.place.split("-").map(Number);
    if (this.holder) Reflect.set(...this.holder, tiles);
    else setSpace(this.table.boards[seat!]!, row!, column!, tiles || ".");
    void this.check();
  }

  /** How many tiles fit on the place. */
  private get most(): number {
    const [what, one, other] = this.place.split("-");
    if (what === "line") return Number(other);
    const fill = FACTORIES.find(({ name }) => name === one)?.fill ?? 0;
    if (what === "sun") return fill;
    if (what === "moon") return fill - 1;
    if (what === "broken") return BROKEN_PENALTIES.length;
    return what === "tower" ? Infinity : 1;
  }

  /** The tiles that can be put on the place: such as are left, and as its space takes. */
  get offered(): string[] {
    if (this.kind === "space") {
      const [, seat, row, column] = this.place.split("-").map(Number);
      const shows = this.shows(seat!, row! - 1, column! - 1);
      return shows === WILD ? [...COLORS] : shows ? [shows] : [];
    }
    return this.kind === "tiles" ? [...COLORS] : [];
  }

  left(tile: string): number {
    return this.checked?.tiles[tile] ?? 0;
  }

  mayPut(tile: string): boolean {
    if (!this.offered.includes(tile) || (this.left(tile) < 1 && !this.tiles.includes(tile))) return false;
    if (this.kind === "space") return this.tiles !== tile;
    const isOther = this.place.startsWith("line") && this.tiles !== "" && this.tiles[0] !== tile;
    return this.left(tile) > 0 && (isOther || this.tiles.length < this.most);
  }

  /** Puts a tile on the place; a line takes the colour of the latest. */
  put(tile: string): void {
    if (!this.mayPut(tile)) return;
    const isOther = this.place.startsWith("line") && this.tiles[0] !== tile;
    this.setTiles(this.kind === "space" || isOther ? tile : this.tiles + tile);
  }

  get canTakeOff(): boolean {
    const [what, seat] = this.place.split("-");
    if (this.kind === "plate") return this.plate !== null;
    if (what === "store") return this.table.boards[Number(seat)]!.chips.length > 0;
    if (what === "spent") return this.table.boards[Number(seat)]!.spent.length > 0;
    return this.tiles !== "";
  }

  /** Takes the latest piece off the place. */
  takeOff(): void {
    const [what, one] = this.place.split("-");
    if (this.kind === "plate") this.putPlate(null);
    else if (what === "store" || what === "spent") {
      this.table.boards[Number(one)]![what === "store" ? "chips" : "spent"].pop();
      void this.check();
    } else if (this.tiles) this.setTiles(this.kind === "space" ? "" : this.tiles.slice(0, -1));
  }

  // --- plates and chips ----------------------------------------------------------------------------------

  /** The plate at the place. */
  get plate(): string | null {
    const { slot } = this;
    if (slot) return this.table.boards[slot.seat]!.plates[slot.slot]?.plate ?? null;
    const [what, k] = this.place.split("-");
    return what === "display" ? (this.table.display[Number(k)] ?? null) : null;
  }

  /** Lays a plate on the place, or takes it away with the tiles on it. */
  putPlate(plate: string | null): void {
    const { slot } = this;
    if (slot) {
      const board = this.table.boards[slot.seat]!;
      board.plates[slot.slot] = plate === null ? null : { plate, turns: 0 };
      for (const { row, column } of SLOTS[slot.slot]!.spaces) setSpace(board, row, column, ".");
      this.place = `slot-${slot.seat}-${SLOTS[slot.slot]!.name}`;
    } else this.table.display[Number(this.place.split("-")[1])] = plate;
    void this.check();
  }

  get canTurn(): boolean {
    return this.slot !== null && this.plate !== null;
  }

  /** Turns the plate at the place by a quarter, with the tiles on it. */
  turn(): void {
    const { slot } = this;
    const plate = slot && this.table.boards[slot.seat]!.plates[slot.slot];
    if (!slot || !plate) return;
    const board = this.table.boards[slot.seat]!;
    const { spaces } = SLOTS[slot.slot]!;
    const tiles = turned(spaces.map(({ row, column }) => board.tiles[row - 1]![column - 1]).join(""));
    plate.turns = ((plate.turns ?? 0) + 1) % 4;
    for (const [k, { row, column }] of spaces.entries()) setSpace(board, row, column, tiles[k]!);
    void this.check();
  }

  /** Puts a chip on the place: on a factory a face, `down`, or nothing. */
  putChip(chip: string): void {
    const [what, one] = this.place.split("-");
    if (what === "chip") this.factory(one!).chip = chip;
    else this.table.boards[Number(one)]![what === "store" ? "chips" : "spent"].push(chip as Chip);
    void this.check();
  }
}
