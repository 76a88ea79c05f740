/** A tree of variations: moves as tokens, each with those that can follow. */
import type { Event, StudyShown } from "../messages";

export interface StudyNode {
  /** Every node has another one. */
  readonly id: number;
  /** The move that leads here; the start has none. */
  readonly token: string;
  readonly parent: StudyNode | null;
  /** What was looked at from here; the first is the main line. */
  readonly children: StudyNode[];
  /** How many moves lead here. */
  readonly ply: number;
  /** Whether all moves that lead here are those of the record that the study began with. */
  readonly isRecorded: boolean;
  /** What the table shows here, and how the move is told, as far as it was asked for. */
  answer: StudyShown | null;
  event: Event | null;
}

/** An entry of the tree's list. `depth` says in how many side lines it stands. */
export interface StudyRow {
  readonly node: StudyNode;
  readonly depth: number;
}

export class StudyTree {
  readonly root: StudyNode;
  private count = 0;

  /** `recorded` are the moves of a record, which stand in the tree from the beginning unless it is read from a text. */
  constructor(private readonly recorded: readonly string[] = []) {
    this.root = this.node("", null, true);
  }

  /** A tree as `text` has written it; what cannot be read is left out. */
  static read(text: string, recorded: readonly string[] = []): StudyTree {
    const tree = new StudyTree(recorded);
    const open: StudyNode[] = [];
    let at = tree.root;
    for (const word of text.match(/[()]|[^\s()]+/g) ?? []) {
      if (word === "(") {
        open.push(at);
        at = at.parent ?? tree.root;
      } else if (word === ")") at = open.pop() ?? at;
      else at = tree.add(at, word);
    }
    return tree;
  }

  /** A tree with the moves of a record. */
  static ofRecord(recorded: readonly string[]): StudyTree {
    return StudyTree.read(recorded.join(" "), recorded);
  }

  private node(token: string, parent: StudyNode | null, isRecorded: boolean): StudyNode {
    const ply = parent ? parent.ply + 1 : 0;
    return { id: this.count++, token, parent, children: [], ply, isRecorded, answer: null, event: null };
  }

  /** The node that a move leads to; a new one if there is none yet. */
  add(parent: StudyNode, token: string): StudyNode {
    const known = parent.children.find((one) => one.token === token);
    if (known) return known;
    const made = this.node(token, parent, parent.isRecorded && this.recorded[parent.ply] === token);
    parent.children.push(made);
    return made;
  }

  /** Removes a node and all that follows it; returns its parent. */
  remove(node: StudyNode): StudyNode {
    const { parent } = node;
    if (!parent) return node;
    parent.children.splice(parent.children.indexOf(node), 1);
    return parent;
  }

  /** Where a node's line has branched off: there its move stands beside an earlier one. */
  branch(node: StudyNode): StudyNode | null {
    for (let at = node; at.parent; at = at.parent) if (at.parent.children[0] !== at) return at;
    return null;
  }

  /** Makes the line that leads to a node the first where it has branched off last. */
  promote(node: StudyNode): void {
    const at = this.branch(node);
    if (!at?.parent) return;
    const { children } = at.parent;
    children.splice(children.indexOf(at), 1);
    children.unshift(at);
  }

  /** The nodes from the start to a node, the start left out. */
  path(node: StudyNode): StudyNode[] {
    const found: StudyNode[] = [];
    for (let at = node; at.parent; at = at.parent) found.unshift(at);
    return found;
  }

  /** How a node is asked for: by the ply of the record that it has left, and the moves from there. */
  address(node: StudyNode): { ply: number; moves: string[] } {
    const path = this.path(node);
    const own = this.recorded.length ? path.filter((one) => !one.isRecorded) : path;
    return { ply: path.length - own.length, moves: own.map((one) => one.token) };
  }

  /** The last node of the first line after a node. */
  end(node: StudyNode): StudyNode {
    let at = node;
    while (at.children[0]) at = at.children[0];
    return at;
  }

  /** Every end of a line. */
  get ends(): StudyNode[] {
    const found: StudyNode[] = [];
    const ahead = [this.root];
    for (let at = ahead.pop(); at; at = ahead.pop()) {
      if (at.children.length) ahead.push(...at.children);
      else found.push(at);
    }
    return found;
  }

  /** All moves in the order of a list: a move, the side lines that stand beside it, then what follows it. */
  get rows(): StudyRow[] {
    const found: StudyRow[] = [];
    function list(first: StudyNode, depth: number): void {
      for (let at: StudyNode | undefined = first; at; at = at.children[0]) {
        found.push({ node: at, depth });
        if (at === at.parent?.children[0]) for (const other of at.parent.children.slice(1)) list(other, depth + 1);
      }
    }
    if (this.root.children[0]) list(this.root.children[0], 0);
    return found;
  }

  /** The moves as text: after a move, in parentheses, what could be played instead. */
  get text(): string {
    const words: string[] = [];
    function write(first: StudyNode): void {
      for (let at: StudyNode | undefined = first; at; at = at.children[0]) {
        words.push(at.token);
        if (at !== at.parent?.children[0]) continue;
        for (const other of at.parent.children.slice(1)) {
          words.push("(");
          write(other);
          words.push(")");
        }
      }
    }
    if (this.root.children[0]) write(this.root.children[0]);
    return words.join(" ");
  }

  /** Where a node is: which child it is, from the start on. */
  placeOf(node: StudyNode): number[] {
    return this.path(node).map((one) => one.parent!.children.indexOf(one));
  }

  /** The node at a place, or as near to it as there is one. */
  nodeAt(place: readonly number[]): StudyNode {
    let at = this.root;
    for (const k of place) at = at.children[k] ?? at;
    return at;
  }
}
