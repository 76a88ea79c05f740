/** What a browser must have to be a table. */

/** The first thing that this browser lacks, as a code that the texts explain (`tab.failed.…`); null if it has all. */
export function missing(): string | null {
  if (!window.isSecureContext) return "secure";
  if (typeof WebAssembly !== "object") return "wasm";
  if (!("locks" in navigator) || typeof BroadcastChannel !== "function") return "browser";
  try {
    if (!indexedDB || !navigator.storage) return "storage";
  } catch {
    return "storage"; // browsers that keep nothing forbid to ask
  }
  return null;
}

/** A worker that is a module; null where the browser knows only scripts. */
export function moduleWorker(address: string): Worker | null {
  let isKnown = false;
  const worker = new Worker(address, {
    get type(): WorkerType {
      isKnown = true;
      return "module";
    },
  });
  if (isKnown) return worker;
  worker.terminate();
  return null;
}
