/** A study as the fragment of a link: its start, its moves, and where one stands. */

/** What a study begins with: a position text, a game record (JSON text), or the seed of a new deal. */
export type StudyStart = { position: string } | { record: string } | { seed: number };

export interface StudyLink {
  start: StudyStart;
  /** The tree of moves as text; a record's own moves if it is left out. */
  moves?: string;
  /** The place in the tree, or how many moves of the record were made. */
  at: number[] | number;
}

async function through(
  bytes: Uint8Array<ArrayBuffer>,
  way: ReadableWritablePair<Uint8Array<ArrayBuffer>, BufferSource>,
) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(way)).arrayBuffer());
}

/** The code of a study, made of letters that an address may have. */
export async function codeOf(start: StudyStart, at: number[] | number, moves?: string): Promise<string> {
  const link: StudyLink = moves === undefined ? { start, at } : { start, at, moves };
  const small = await through(new TextEncoder().encode(JSON.stringify(link)), new CompressionStream("deflate-raw"));
  const letters = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The study of a code; none if it is damaged. */
export async function linkOf(code: string): Promise<StudyLink | null> {
  try {
    const small = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    const text = new TextDecoder().decode(await through(small, new DecompressionStream("deflate-raw")));
    return checked(JSON.parse(text));
  } catch {
    return null;
  }
}

function checked(found: unknown): StudyLink | null {
  const { start, at, moves } = found as Partial<StudyLink>;
  const isPlace = typeof at === "number" || (Array.isArray(at) && at.every((one) => typeof one === "number"));
  const { position, record, seed } = (start ?? {}) as Record<string, unknown>;
  const isStart = typeof position === "string" || typeof record === "string" || typeof seed === "number";
  if (!isPlace || !isStart || (moves !== undefined && typeof moves !== "string")) return null;
  return found as StudyLink;
}

/** The moves of a record; none of what is no record. */
export function movesOf(start: StudyStart): string[] {
  if (!("record" in start)) return [];
  try {
    const { moves } = JSON.parse(start.record) as { moves?: unknown };
    return Array.isArray(moves) ? moves.map(String) : [];
  } catch {
    return [];
  }
}

/** What somebody has pasted: a record is JSON, everything else a position. */
export function startOf(text: string): StudyStart {
  return text.trimStart().startsWith("{") ? { record: text } : { position: text };
}
