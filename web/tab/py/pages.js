/** A file in Python's memory that the browser keeps, page by page, in IndexedDB. */

const PAGE = 4096;
const SIZE = "size";

function result(request) {
  return new Promise((resolve, reject) => {
    request.onsuccess = () => resolve(request.result);
    request.onerror = () => reject(request.error);
  });
}

/** The pages of the table whose static folder is at `base`: folders on one server have tables of their own. */
export async function openPages(base) {
  const opening = indexedDB.open(`sintra-table ${new URL(base).pathname}`, 1);
  opening.onupgradeneeded = () => opening.result.createObjectStore("pages");
  const db = await result(opening);
  const store = db.transaction("pages").objectStore("pages");
  const [keys, values] = await Promise.all([result(store.getAllKeys()), result(store.getAll())]);
  const kept = new Map(keys.map((key, k) => [key, values[k]]));
  return new Pages(db, kept);
}

class Pages {
  #db;
  #kept;
  #changed = new Set();
  #file = null;

  constructor(db, kept) {
    this.#db = db;
    this.#kept = kept;
  }

  /** Makes the file with what is kept, and notes from now on which of its pages are written. */
  follow(FS, path) {
    const whole = new Uint8Array(this.#kept.get(SIZE) ?? 0);
    for (const [number, page] of this.#kept) if (number * PAGE < whole.length) whole.set(page, number * PAGE);
    this.#kept = null;
    FS.writeFile(path, whole);
    this.#file = FS.lookupPath(path).node;
    const plain = this.#file.stream_ops;
    this.#file.stream_ops = {
      ...plain,
      write: (stream, buffer, offset, length, position, canOwn) => {
        const written = plain.write(stream, buffer, offset, length, position, canOwn);
        for (let page = Math.floor(position / PAGE); page * PAGE < position + written; page++) this.#changed.add(page);
        return written;
      },
    };
  }

  /** Keeps what was written since the last time: all of it or nothing. What cannot be kept is tried again with more. */
  async keep() {
    const changed = this.#changed;
    this.#changed = new Set();
    const size = this.#file.usedBytes;
    const content = this.#file.contents;
    try {
      const writing = this.#db.transaction("pages", "readwrite", { durability: "strict" });
      const store = writing.objectStore("pages");
      store.put(size, SIZE);
      for (const number of changed) {
        const begin = number * PAGE;
        if (begin < size) store.put(content.slice(begin, Math.min(begin + PAGE, size)), number);
        else store.delete(number);
      }
      await new Promise((resolve, reject) => {
        writing.oncomplete = resolve;
        writing.onabort = () => reject(writing.error);
      });
    } catch (error) {
      for (const number of changed) this.#changed.add(number);
      throw error;
    }
  }
}
