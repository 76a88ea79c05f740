/** Requests to the table in this browser, as the network would answer them. */
import { tabTable } from "./table.svelte";

/** Statuses whose answers have no body. */
const BODILESS = [204, 205, 304];

function ask(path: string, init: RequestInit = {}): Promise<Response> {
  const { method = "GET", headers, body = null } = init;
  // whoever plays would not like the browser to make room at their games' cost; some ask, so it is not asked before
  if (method === "POST" && path === "/api/games") void navigator.storage.persist?.();
  return new Promise((resolve, reject) => {
    let out: ReadableStreamDefaultController<Uint8Array<ArrayBuffer>> | undefined;
    let giveUp = (): void => undefined;
    const pieces = new ReadableStream<Uint8Array<ArrayBuffer>>({
      start: (controller) => void (out = controller),
      cancel: () => giveUp(),
    });
    const lost = new TypeError("the table has ended");
    giveUp = tabTable.ask(method, path, Object.fromEntries(new Headers(headers)), body as string | ArrayBuffer | null, {
      head: (status, told) =>
        resolve(new Response(BODILESS.includes(status) ? null : pieces, { status, headers: told })),
      chunk: (data) => out?.enqueue(data),
      end: () => out?.close(),
      fail: () => {
        reject(lost);
        out?.error(lost);
      },
    });
  });
}

/** An event stream that is read by the page itself. It does not reconnect: `GameStream` begins another one. */
class WorkerEventStream extends EventTarget {
  readyState: number = EventSource.CONNECTING;
  private reader: ReadableStreamDefaultReader<string> | null = null;

  constructor(path: string) {
    super();
    void this.read(path)
      .catch(() => undefined)
      .finally(() => this.end());
  }

  close(): void {
    this.readyState = EventSource.CLOSED;
    void this.reader?.cancel().catch(() => undefined);
  }

  private async read(path: string): Promise<void> {
    const answer = await ask(path, { headers: { accept: "text/event-stream" } });
    if (!answer.ok || !answer.body) return;
    this.reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
    if (this.readyState === EventSource.CLOSED) return void (await this.reader.cancel());
    this.readyState = EventSource.OPEN;
    this.dispatchEvent(new Event("open"));
    let rest = "";
    for (let piece = await this.reader.read(); !piece.done; piece = await this.reader.read()) {
      const events = (rest + piece.value).split("\n\n");
      rest = events.pop()!;
      for (const event of events) this.tell(event);
    }
  }

  private tell(event: string): void {
    const lines = event.split("\n");
    const field = (name: string): string[] =>
      lines.filter((line) => line.startsWith(`${name}:`)).map((line) => line.slice(name.length + 1).trimStart());
    const data = field("data").join("\n");
    if (data) this.dispatchEvent(new MessageEvent(field("event")[0] ?? "message", { data }));
  }

  private end(): void {
    if (this.readyState === EventSource.CLOSED) return;
    this.readyState = EventSource.CLOSED;
    this.dispatchEvent(new Event("error"));
  }
}

export const tabTransport = {
  fetch: ask,
  listen: (path: string) => new WorkerEventStream(path) as WorkerEventStream & Pick<EventSource, "addEventListener">,
};
