/** Reads the code of a link. Anybody can have written it, so sizes are limited. */

import type { StudyLink } from "./link";

/** The longest code that is read, and the most bytes that one may unpack to: a short code can hold gigabytes. */
export const MAX_LETTERS = 200_000;
export const MAX_BYTES = 1_000_000;
/** Bytes that are unpacked at a time: at most a thousand times as many come out. */
const PIECE = 1024;

/** What bytes unpack to; an error if that is too long, as soon as it is. */
async function unpacked(bytes: Uint8Array<ArrayBuffer>): Promise<string> {
  let next = 0;
  const pieces = new ReadableStream<BufferSource>({
    pull(to) {
      to.enqueue(bytes.subarray(next, (next += PIECE)));
      if (next >= bytes.length) to.close();
    },
  });
  const found: Uint8Array<ArrayBuffer>[] = [];
  let size = 0;
  const reader = pieces.pipeThrough(new DecompressionStream("deflate-raw")).getReader();
  for (let read = await reader.read(); !read.done; read = await reader.read()) {
    size += read.value.length;
    if (size > MAX_BYTES) {
      await reader.cancel();
      throw new RangeError("too long");
    }
    found.push(read.value);
  }
  return new Blob(found).text();
}

/** The study of a code; null if the code is damaged or too long. */
export async function linkOf(code: string): Promise<StudyLink | null> {
  if (code.length > MAX_LETTERS) return null;
  try {
    const small = Uint8Array.from(atob(code.replaceAll("-", "+").replaceAll("_", "/")), (one) => one.charCodeAt(0));
    return checked(JSON.parse(await unpacked(small)));
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
