/** How requests reach the table: over the network, or the worker that is the table in this browser (`src/tab`). */
import { saveFile } from "./saving";
import { tabTransport } from "../tab/transport";

/** A stream of server-sent events, as `EventSource` is one. */
export interface EventStream {
  readonly readyState: number;
  addEventListener(type: string, listener: (event: MessageEvent<string>) => void): void;
  close(): void;
}

export interface Transport {
  /** Makes a request as `fetch` does; paths are those of the service (`/api/…`). */
  fetch(path: string, init?: RequestInit): Promise<Response>;
  listen(path: string): EventStream;
}

const network: Transport = {
  fetch: (path, init) => fetch(path, init),
  listen: (path) => new EventSource(path),
};

export const transport: Transport = __IN_TAB__ ? tabTransport : network;

/** Saves what a link to the service leads to, where the browser cannot fetch that by itself. */
export function followDownload(event: MouseEvent): void {
  if (!__IN_TAB__) return;
  event.preventDefault();
  const path = (event.currentTarget as HTMLAnchorElement).getAttribute("href")!;
  void transport.fetch(path).then(async (answer) => {
    const name = /filename="([^"]+)"/.exec(answer.headers.get("content-disposition") ?? "")?.[1];
    saveFile(await answer.blob(), name ?? "sintra.json");
  });
}
