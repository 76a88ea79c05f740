/** A study as the fragment of a link: its start, its moves, and the position that is shown. */

/** What a study begins with: a position text, a game record (JSON text), or the seed of a new deal. */
export type StudyStart = { position: string } | { record: string } | { seed: number };

export interface StudyLink {
  start: StudyStart;
  /** The tree of moves as text; a record's own moves if it is left out. */
  moves?: string;
  /** The place in the tree, or how many moves of the record were made. */
  at: number[] | number;
}

/** The code of a study, made of letters that an address may have. */
export async function codeOf(start: StudyStart, at: number[] | number, moves?: string): Promise<string> {
  const link: StudyLink = moves === undefined ? { start, at } : { start, at, moves };
  const packed = new Blob([JSON.stringify(link)]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const small = new Uint8Array(await new Response(packed).arrayBuffer());
  const letters = btoa(Array.from(small, (byte) => String.fromCharCode(byte)).join(""));
  return letters.replaceAll("+", "-").replaceAll("/", "_").replaceAll("=", "");
}

/** The moves of a record; an empty list for other starts. */
export function movesOf(start: StudyStart): string[] {
  if (!("record" in start)) return [];
  try {
    const { moves } = JSON.parse(start.record) as { moves?: unknown };
    return Array.isArray(moves) ? moves.map(String) : [];
  } catch {
    return [];
  }
}

/** The start that a pasted text stands for: JSON is a record, everything else a position. */
export function startOf(text: string): StudyStart {
  return text.trimStart().startsWith("{") ? { record: text } : { position: text };
}
