/** What a page and the worker that is its table (`table.js`) tell each other. */

/** The id of a request begins with that of the tab that asks. */
export interface TableRequest {
  kind: "request";
  id: string;
  method: string;
  /** As the service knows it: `/api/…`, or `/tab/games` for the file with all games. */
  path: string;
  headers: Record<string, string>;
  body: string | ArrayBuffer | null;
}
export type ToTable =
  /** `base` is the address of the folder. */
  { kind: "start"; base: string } | TableRequest | { kind: "cancel"; id: string };

/** How far the table is. */
export type Progress =
  | { kind: "loading"; part: string; done: number; total: number }
  | { kind: "ready" }
  | { kind: "failed"; code: string; detail: string };

export type Answer =
  | { kind: "head"; id: string; status: number; headers: [string, string][] | Record<string, string> }
  | { kind: "chunk"; id: string; data: Uint8Array<ArrayBuffer> }
  | { kind: "end"; id: string };
