/** Keeps all files of the folder for later, by the service worker, before the table needs them. */
import { fileOf } from "../lib/router.svelte";

interface Kept {
  kind: "keeping";
  done: number;
  total: number;
}

/** Resolves when everything is kept, or cannot be: in some private windows there are no service workers. A newer build
 * is fetched meanwhile; the browser lets it take over once no tab shows the one that is kept. */
export async function keepFiles(
  progress: (done: number, total: number) => void,
  isOldBuild: () => Promise<boolean | null>,
): Promise<void> {
  if (!("serviceWorker" in navigator)) return;
  const { serviceWorker } = navigator;
  const onMessage = ({ data }: MessageEvent<Kept>): void => {
    if (data.kind === "keeping") progress(data.done, data.total);
  };
  const known = await serviceWorker.getRegistration(fileOf("")).catch(() => undefined);
  if (known?.active) return void known.update().catch(() => undefined); // offline, or a server that is away
  serviceWorker.addEventListener("message", onMessage);
  try {
    const { installing, waiting } = await serviceWorker.register(fileOf("sw.js"), { updateViaCache: "none" });
    const worker = installing ?? waiting;
    if (worker) await settled(worker);
    if (await isOldBuild()) location.reload();
  } catch {
    // forbidden, or the files cannot be fetched: then the table cannot fetch them either, and says so
  }
  serviceWorker.removeEventListener("message", onMessage);
}

/** Resolves when a service worker is active, or will never be. */
function settled(worker: ServiceWorker): Promise<void> {
  return new Promise((resolve) => {
    const look = (): void => {
      if (worker.state === "activated" || worker.state === "redundant") resolve();
    };
    worker.addEventListener("statechange", look);
    look();
  });
}
