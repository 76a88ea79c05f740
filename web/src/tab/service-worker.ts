/// <reference lib="webworker" />
/** The service worker of the folder: keeps all its files before the table starts, so that everything works offline, and
 * answers with those of one build only: a newer build waits until no tab shows the older one. */
import { followNotifications, showNotification, type NotificationRequest } from "../notifying";
declare const self: ServiceWorkerGlobalScope & {
  /** Put before this script when the folder is sealed: its files, each with its SHA-256 (hex) and its length. */
  sealed: { version: string; files: Record<string, [hash: string, bytes: number]> };
};

const { version, files } = self.sealed;
const CACHE = `sintra ${self.registration.scope} ${version}`;
const PAGE = "index.html";
/** Files that are fetched at the same time. */
const AT_ONCE = 4;
const REPORT_BYTES = 100_000;

self.addEventListener("install", (event) => {
  event.waitUntil(keepAll());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});
self.addEventListener("message", (event) => {
  event.waitUntil(showNotification(event.data as NotificationRequest, event.source));
});
self.addEventListener("fetch", (event) => {
  const { request } = event;
  if (request.method !== "GET" || !request.url.startsWith(self.registration.scope)) return;
  const name = nameOf(request.url);
  if (name in files) event.respondWith(kept(name, request));
  else if (request.mode === "navigate") event.respondWith(toScreen(request.url));
});
followNotifications();

/** The name of a file of the folder; the folder itself is its page. */
function nameOf(address: string): string {
  return new URL(address).pathname.slice(new URL(self.registration.scope).pathname.length) || PAGE;
}

/** Leads from an address as a table has it (`game/ID`) to that of the same screen here. */
async function toScreen(address: string): Promise<Response> {
  return Response.redirect(`${self.registration.scope}?/${nameOf(address)}${new URL(address).search}`);
}

async function kept(name: string, request: Request): Promise<Response> {
  const cache = await caches.open(CACHE);
  return (await cache.match(keyOf(name))) ?? fetch(request);
}

/** Where a file is kept: with its hash, so that the next build can take over what is the same. */
function keyOf(name: string): string {
  return `${self.registration.scope}${name}?${files[name]![0]}`;
}

async function keepAll(): Promise<void> {
  const cache = await caches.open(CACHE);
  const total = Object.values(files).reduce((sum, [, bytes]) => sum + bytes, 0);
  let done = 0;
  let reported = 0;
  const add = (bytes: number): void => {
    done += bytes;
    if (done < total && done < reported + REPORT_BYTES) return;
    reported = done;
    void tellPages({ kind: "keeping", done, total });
  };
  const left = Object.keys(files);
  const keepSome = async (): Promise<void> => {
    for (let name = left.shift(); name !== undefined; name = left.shift()) {
      const known = await caches.match(keyOf(name));
      if (known) add(files[name]![1]);
      await cache.put(keyOf(name), known ?? (await fetched(name, add)));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, keepSome));
}

/** A file as this build has it: an error if the server has another build by now. */
async function fetched(name: string, add: (bytes: number) => void): Promise<Response> {
  // some servers lead from the page's name to the folder
  const address = self.registration.scope + (name === PAGE ? "" : name);
  const answer = await fetch(address, { cache: "no-cache" });
  if (!answer.ok) throw new Error(`${name}: ${answer.status}`);
  const pieces: Uint8Array<ArrayBuffer>[] = [];
  const reader = answer.body!.getReader();
  for (let piece = await reader.read(); !piece.done; piece = await reader.read()) {
    pieces.push(piece.value);
    add(piece.value.length);
  }
  const body = new Blob(pieces);
  const hash = new Uint8Array(await crypto.subtle.digest("SHA-256", await body.arrayBuffer()));
  if (Array.from(hash, (byte) => byte.toString(16).padStart(2, "0")).join("") !== files[name]![0])
    throw new Error(`${name} is not of this build`);
  return new Response(body, { headers: { "content-type": answer.headers.get("content-type") ?? "" } });
}

async function tellPages(message: { kind: "keeping"; done: number; total: number }): Promise<void> {
  const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  for (const page of pages) if (page.url.startsWith(self.registration.scope)) page.postMessage(message);
}

/** Serves the pages that are open from now on, and forgets what older builds had. */
async function takeOver(): Promise<void> {
  const own = `sintra ${self.registration.scope} `;
  for (const name of await caches.keys()) if (name.startsWith(own) && name !== CACHE) await caches.delete(name);
  await self.clients.claim();
}
