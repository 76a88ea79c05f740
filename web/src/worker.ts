/// <reference lib="webworker" />
/** The service worker: an offline page that says why, and notifications. It keeps nothing of the table but that page. */
export {};
declare const self: ServiceWorkerGlobalScope;

/** Filled in when the page is built: another page is another worker, which takes over at once. */
const CACHE = "offline-__STAMP__";
const OFFLINE = "/offline.html";
const FILES = [OFFLINE, "/offline.js", "/offline.css", "/icon.svg"];
/** What a proxy, or a table that is closing, answers for one that is not there. */
const NOT_THERE = [502, 503, 504];

/** What a page asks to be shown; the tag is the path of the game that it is about. */
interface Call {
  title: string;
  options: NotificationOptions & { tag: string };
}
/** A tab has the address that it was opened with, whatever it shows by now: so it is known by its own name. */
interface CalledFrom {
  path: string;
  tab: string;
}

self.addEventListener("install", (event) => {
  event.waitUntil(install());
});
self.addEventListener("activate", (event) => {
  event.waitUntil(takeOver());
});
self.addEventListener("fetch", (event) => {
  const path = new URL(event.request.url).pathname;
  if (event.request.mode === "navigate" && !path.startsWith("/api/")) event.respondWith(visit(event));
  else if (FILES.includes(path)) event.respondWith(fetch(event.request).catch(() => kept(path)));
});
self.addEventListener("message", (event) => {
  const { title, options } = event.data as Call;
  const tab = event.source instanceof Client ? event.source.id : "";
  event.waitUntil(self.registration.showNotification(title, { ...options, data: { path: options.tag, tab } }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(focusGame(event.notification.data as CalledFrom));
});

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name !== CACHE) await caches.delete(name);
  await self.registration.navigationPreload?.enable();
  await self.clients.claim();
}

/** The page as the table serves it now, or the one that says that there is no table. */
async function visit(event: FetchEvent): Promise<Response> {
  try {
    const answer = ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
    return NOT_THERE.includes(answer.status) ? await kept(OFFLINE) : answer;
  } catch {
    return kept(OFFLINE);
  }
}

async function kept(path: string): Promise<Response> {
  return (await caches.match(path)) ?? Response.error();
}

/** The tab that called comes to the front, or one that was opened with the game; if there is none, a new one. */
async function focusGame({ path, tab }: CalledFrom): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = tabs.find((one) => one.id === tab) ?? tabs.find((one) => new URL(one.url).pathname === path);
  await (found ? found.focus() : self.clients.openWindow(path));
}
