/** The table in this browser: a worker of one tab, the owner, which answers the requests of all tabs of the folder. */
import { keepFiles } from "./keeping";
import { missing, moduleWorker } from "./needs";
import type { Answer, Progress, ToTable } from "./protocol";

/** The owner is another tab that does not answer. */
export type TableState = Progress | { kind: "elsewhere" };
/** What reads an answer piece by piece; `fail` when none will come. */
export interface Reader {
  head(status: number, headers: Headers): void;
  chunk(data: Uint8Array<ArrayBuffer>): void;
  end(): void;
  fail(): void;
}
/** A message between tabs. */
interface Note {
  to: string;
  from: string;
  message: ToTable | Answer | TableState | { kind: "hello" } | { kind: "owner" };
}

const OWNER = "owner";
const EVERYBODY = "everybody";
/** An owner that has not answered for so long is asleep: phones let hidden tabs sleep. */
const ASLEEP_AFTER_MS = 6000;

class TabTable {
  state = $state.raw<TableState>({ kind: "loading", part: "files", done: 0, total: 0 });
  private readonly self = Math.random().toString(36).slice(2);
  private readonly base = new URL(".", location.origin + location.pathname).href;
  private readonly name = `sintra ${this.base}`;
  private channel: BroadcastChannel | null = null;
  private worker: Worker | null = null;
  private readonly readers = new Map<string, Reader>();
  /** What waits until the table is known to be there. */
  private waiting: ToTable[] = [];
  /** What the owner does for other tabs: the ids of their requests under way. */
  private readonly served = new Map<string, Set<string>>();
  private lastId = 0;

  /** Finds the table, or starts it; requests wait until then. `isOldBuild` says whether the page is not of the build that
   * is kept. */
  async begin(isOldBuild: () => Promise<boolean | null>): Promise<void> {
    const code = missing();
    if (code) return this.setState({ kind: "failed", code, detail: "" });
    this.channel = new BroadcastChannel(this.name);
    this.channel.addEventListener("message", (event: MessageEvent<Note>) => this.onNote(event.data));
    await new Promise<void>((resolve) => this.lock(this.self, resolve));
    await keepFiles((done, total) => this.setState({ kind: "loading", part: "files", done, total }), isOldBuild);
    this.lock(OWNER, () => this.own());
    this.note(OWNER, { kind: "hello" });
    setTimeout(() => {
      const { state } = this;
      if (!this.worker && state.kind === "loading" && state.part === "files") this.setState({ kind: "elsewhere" });
    }, ASLEEP_AFTER_MS);
  }

  /** Sends a request; what is returned gives it up. */
  ask(
    method: string,
    path: string,
    headers: Record<string, string>,
    body: string | ArrayBuffer | null,
    reader: Reader,
  ) {
    const id = `${this.self}:${++this.lastId}`;
    this.readers.set(id, reader);
    this.send({ kind: "request", id, method, path, headers, body });
    return (): void => {
      if (this.readers.delete(id)) this.send({ kind: "cancel", id });
    };
  }

  private send(message: ToTable): void {
    if (this.state.kind === "failed") this.failAll();
    else if (this.worker) this.worker.postMessage(message);
    else if (this.state.kind === "ready") this.note(OWNER, message);
    else this.waiting.push(message);
  }

  private lockOf(what: string): string {
    return `${this.name} ${what}`;
  }

  /** Holds a lock for as long as the tab is there, once it has it. */
  private lock(what: string, then: () => void): void {
    void navigator.locks.request(this.lockOf(what), () => {
      then();
      return new Promise(() => undefined);
    });
  }

  /** Becomes the owner: starts the worker, which takes over from a tab that is gone. */
  private own(): void {
    const worker = (this.worker = moduleWorker(`${this.base}table.js`));
    if (!worker) return this.setState({ kind: "failed", code: "worker", detail: "" });
    worker.addEventListener("message", (event: MessageEvent<Progress | Answer>) => this.onTable(event.data));
    worker.addEventListener("error", (event) =>
      this.onTable({ kind: "failed", code: "loading", detail: event.message }),
    );
    this.note(EVERYBODY, { kind: "owner" });
    this.loseAnswers();
    this.setState({ kind: "loading", part: "python", done: 0, total: 0 });
    this.send({ kind: "start", base: this.base });
    this.sendWaiting();
  }

  private onTable(message: Progress | Answer): void {
    if (!("id" in message)) {
      this.setState(message);
      this.note(EVERYBODY, message);
      return;
    }
    const tab = tabOf(message.id);
    if (tab === this.self) return this.onAnswer(message);
    this.note(tab, message);
    if (message.kind === "end") this.served.get(tab)?.delete(message.id);
  }

  private onNote({ to, from, message }: Note): void {
    if (to === OWNER && this.worker) return this.serve(from, message as ToTable | { kind: "hello" });
    if (to !== EVERYBODY && to !== this.self) return;
    if (message.kind === "owner") this.loseAnswers();
    else if ("id" in message) this.onAnswer(message as Answer);
    else if (!this.worker) {
      this.setState(message as TableState);
      if (message.kind === "ready") this.sendWaiting();
    }
  }

  /** Does, as the owner, what another tab asks for. */
  private serve(tab: string, message: ToTable | { kind: "hello" }): void {
    if (!this.served.has(tab)) {
      this.served.set(tab, new Set());
      void navigator.locks.request(this.lockOf(tab), () => this.forget(tab));
    }
    if (message.kind === "hello") return this.note(tab, this.state);
    if (message.kind === "request") this.served.get(tab)!.add(message.id);
    this.worker!.postMessage(message);
  }

  /** A tab is gone, with the lock that it held: nobody hears its answers. */
  private forget(tab: string): void {
    for (const id of this.served.get(tab) ?? []) this.worker!.postMessage({ kind: "cancel", id });
    this.served.delete(tab);
  }

  private onAnswer(answer: Answer): void {
    const reader = this.readers.get(answer.id);
    if (answer.kind === "head") reader?.head(answer.status, new Headers(answer.headers));
    else if (answer.kind === "chunk") reader?.chunk(answer.data);
    else if (this.readers.delete(answer.id)) reader?.end();
  }

  /** What the owner before was asked for is not answered any more; whoever asked does so again. */
  private loseAnswers(): void {
    const kept = new Set(this.waiting.map((one) => ("id" in one ? one.id : "")));
    for (const [id, reader] of this.readers) {
      if (kept.has(id)) continue;
      this.readers.delete(id);
      reader.fail();
    }
    if (!this.worker) this.setState({ kind: "loading", part: "python", done: 0, total: 0 });
  }

  private failAll(): void {
    for (const reader of this.readers.values()) reader.fail();
    this.readers.clear();
    this.waiting = [];
  }

  private sendWaiting(): void {
    for (const one of this.waiting.splice(0)) this.send(one);
  }

  private setState(state: TableState): void {
    this.state = state;
    if (state.kind !== "failed") return;
    console.error(`the table cannot be started: ${state.code} ${state.detail}`);
    this.failAll();
  }

  private note(to: string, message: Note["message"]): void {
    this.channel!.postMessage({ to, from: this.self, message } satisfies Note);
  }
}

function tabOf(id: string): string {
  return id.slice(0, id.indexOf(":"));
}

export const tabTable = /* @__PURE__ */ new TabTable();
