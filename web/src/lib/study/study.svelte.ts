/** A study as a table shows it: positions of a tree of variations, with moves for both sides. */
import { tick } from "svelte";
import { api } from "../api";
import { FORECAST_POLL_MS, lacksForecasts } from "../forecast";
import { t } from "../i18n.svelte";
import { lastTurn, marksOf } from "../marks";
import type { AskStudy, Event, GameShown, Hint, StudyShown } from "../messages";
import { showEvent } from "../motion/show";
import { eventWords } from "../names";
import { refusalWords } from "../refusals";
import { Showing } from "../showing.svelte";
import type { TableActs, TableFeed } from "../source";
import { isMine } from "../turns";
import { movesOf, type StudyLink, type StudyStart } from "./link";
import { StudyTree, type StudyNode } from "./tree";

/** Ends of side lines whose moves are put into words when a link is opened. */
const MAX_TOLD = 20;

const doNothing = (): Promise<boolean> => Promise.resolve(false);

export class Study extends Showing implements TableFeed, TableActs {
  shown = $state.raw<GameShown | null>(null);
  /** The position as text. */
  text = $state("");
  /** The node that is shown. */
  node: StudyNode;
  isPosting = $state(false);
  problem = $state("");
  news = $state("");
  hasJustEnded = false;
  start: StudyStart = { position: "" };
  /** Asked before a move that was chosen is made: false keeps it from being made, and says why itself. */
  intercept: ((token: string) => boolean | Promise<boolean>) | null = null;
  /** Whether nothing is forecast: a puzzle would be given away. */
  plain = false;
  /** What those are called who have no name. */
  nameOfSeat: (seat: number) => string = (seat) => t("study.player", { number: seat + 1 });
  readonly isConnected = true;
  readonly isHinting = false;
  readonly mayHint = false;
  /** Whether a round that ends with a move is told before the next one begins. */
  tellsRounds = false;
  readonly hint: Hint | null = null;
  readonly gone: readonly number[] = [];
  readonly clock = null;
  private tree = new StudyTree();
  /** Counts the changes of the tree, which is no state itself. */
  private version = $state(0);
  private wanted: StudyNode;
  private forecastTimer = 0;

  constructor() {
    super();
    this.node = this.wanted = this.tree.root;
  }

  // --- what the table shows -------------------------------------------------------------------------

  get log(): Event[] {
    void this.version;
    return this.eventsTo(this.node);
  }

  private eventsTo(node: StudyNode | null): Event[] {
    return node ? this.tree.path(node).flatMap((one) => one.event ?? []) : [];
  }

  readonly marks = $derived.by(() => marksOf(lastTurn(this.log, this.shown?.ply ?? 0)));

  /** The seat to move. */
  get near(): number {
    return this.shown?.status === "playing" ? this.shown.position.seat : 0;
  }

  get isMine(): boolean {
    return isMine(this.shown);
  }

  isPresent(): boolean {
    return true;
  }

  closeHint(): void {}

  // --- the tree ---------------------------------------------------------------------------------------

  /** The list of moves. */
  readonly rows = $derived.by(() => {
    void this.version;
    return this.tree.rows;
  });

  /** The node that is shown, for those who have to know of every change. */
  get here(): StudyNode {
    void this.version;
    return this.node;
  }

  get canGoBack(): boolean {
    return this.here.parent !== null;
  }

  get canGoOn(): boolean {
    return this.here.children.length > 0;
  }

  /** Whether the line that is shown stands beside another that goes before it. */
  get canPromote(): boolean {
    return this.tree.branch(this.here) !== null;
  }

  /** What a link to this study has to tell. */
  get link(): StudyLink {
    void this.version;
    return { start: this.start, moves: this.tree.text, at: this.tree.placeOf(this.node) };
  }

  /** How the position is asked for. */
  get asked(): AskStudy {
    return this.askedAt(this.node);
  }

  private askedAt(node: StudyNode): AskStudy {
    const { ply, moves } = this.tree.address(node);
    const asked: AskStudy = "record" in this.start ? { ...this.start, ply, moves } : { ...this.start, moves };
    return this.plain ? { ...asked, plain: true } : asked;
  }

  // --- going about ------------------------------------------------------------------------------------

  /** Begins with a position, a record or a new deal; what cannot be used leaves everything as it was. */
  async begin({ start, moves, at }: StudyLink): Promise<boolean> {
    const before = { start: this.start, tree: this.tree, node: this.node };
    const recorded = movesOf(start);
    this.start = start;
    this.tree = moves === undefined ? StudyTree.ofRecord(recorded) : StudyTree.read(moves, recorded);
    this.node = this.tree.root;
    const first = this.tree.nodeAt(typeof at === "number" ? Array<number>(at).fill(0) : at);
    this.version++;
    if (await this.go(first)) {
      void this.tellLines();
      return true;
    }
    Object.assign(this, before);
    this.version++;
    return false;
  }

  /** Loads the words of moves that were not shown yet. */
  protected async tellLines(): Promise<void> {
    const tree = this.tree;
    for (const end of tree.ends.slice(0, MAX_TOLD)) {
      if (tree.path(end).every((one) => one.event)) continue;
      const told = await api.study({ ...this.askedAt(end), log: true }).catch(() => null);
      if (this.tree !== tree) return;
      for (const [k, event] of (told?.game.log ?? []).entries()) {
        const node = tree.path(end)[k];
        if (node) node.event ??= event;
      }
      this.version++;
    }
  }

  /** Goes to a node and shows what is there; a move made just now is seen to happen. */
  async go(node: StudyNode, isNew = false): Promise<boolean> {
    this.wanted = node;
    this.problem = "";
    let answer: StudyShown;
    try {
      answer = node.answer ??= await api.study(this.askedAt(node));
    } catch (refusal) {
      this.problem = refusalWords(refusal);
      return false;
    }
    if (this.wanted !== node) return true;
    const { event } = answer.game;
    node.event = event ?? null;
    const change = (): void => {
      this.node = node;
      this.shown = this.withNames(answer.game, node);
      this.text = answer.text;
      this.version++;
      if (!this.plain && lacksForecasts(answer.game)) this.askForForecasts(node);
    };
    this.hurry();
    if (!isNew || !event) {
      change();
      await tick();
      return true;
    }
    this.skip = new AbortController();
    this.isShowing = true;
    try {
      if (this.tellsRounds && event.summary) {
        await this.tellRound([...this.eventsTo(node.parent), event], event.summary);
        if (this.wanted !== node) return true;
      }
      await showEvent(event, change, this.skip.signal);
    } finally {
      this.isShowing = false;
    }
    if (this.shown && event.seat != null) this.news = eventWords(this.shown, event);
    return true;
  }

  /** Forecasts that are still to come are asked for until they are there. */
  private askForForecasts(node: StudyNode): void {
    clearTimeout(this.forecastTimer);
    this.forecastTimer = window.setTimeout(async () => {
      const answer = await api.study(this.askedAt(node)).catch(() => null);
      if (this.node !== node) return;
      if (!answer || lacksForecasts(answer.game)) return this.askForForecasts(node);
      node.answer = answer;
      this.shown = this.withNames(answer.game, node);
    }, FORECAST_POLL_MS);
  }

  /** Asks for nothing more. */
  close(): void {
    clearTimeout(this.forecastTimer);
  }

  /** The position with a number of its own, and names for those who have none. */
  protected withNames(game: GameShown, node: StudyNode): GameShown {
    const players = game.players.map((player, seat) => ({
      ...player,
      name: player.name || this.nameOfSeat(seat),
    }));
    return { ...game, players, seq: node.id, may_undo: node.parent !== null };
  }

  back(): Promise<boolean> {
    return this.go(this.node.parent ?? this.node);
  }

  on(): Promise<boolean> {
    return this.go(this.node.children[0] ?? this.node);
  }

  toStart(): Promise<boolean> {
    return this.go(this.tree.root);
  }

  toEnd(): Promise<boolean> {
    return this.go(this.tree.end(this.node));
  }

  /** Deletes the move that is shown and all that follows it. */
  remove(): Promise<boolean> {
    return this.go(this.tree.remove(this.node));
  }

  promote(): void {
    this.tree.promote(this.node);
    this.version++;
  }

  // --- what a player does -----------------------------------------------------------------------------

  /** Makes a move from here: a line of its own, if another one was looked at before. */
  async move(token: string): Promise<boolean> {
    if (this.isPosting) return false;
    this.isPosting = true;
    try {
      if (this.intercept && !(await this.intercept(token))) return false;
      const from = this.node;
      const isKnown = from.children.some((one) => one.token === token);
      const node = this.tree.add(from, token);
      if (await this.go(node, true)) return true;
      if (!isKnown) this.tree.remove(node);
      return false;
    } finally {
      this.isPosting = false;
    }
  }

  undo(): Promise<boolean> {
    return this.back();
  }

  takeBack(): Promise<boolean> {
    return this.back();
  }

  // in a study nobody waits for another, and the list of moves leads on again
  readonly redo = doNothing;
  readonly answer = doNothing;
  readonly claim = doNothing;
  readonly liftCurtain = doNothing;
  async askHint(): Promise<void> {}
}
