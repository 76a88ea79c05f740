/// <reference lib="webworker" />
/** The service worker: shows notifications, and the offline page while the server cannot be reached. It caches nothing
 * but that page. */
export {};
declare const self: ServiceWorkerGlobalScope;

/** The build fills in the stamp, so that every build has a new worker, which takes over at once. */
const CACHE = "offline-__STAMP__";
const OFFLINE = "/offline.html";
const FILES = [OFFLINE, "/offline.js", "/offline.css", "/icon.svg"];
/** The statuses of a proxy without a server behind it, and of a server that is shutting down. */
const UNAVAILABLE = [502, 503, 504];

/** A notification that a page asks for; the tag is the path of the game that it is about. */
interface NotificationRequest {
  title: string;
  options: NotificationOptions & { tag: string };
}
/** Where a notification leads: the tab that has asked for it, by its id, since its address may have changed; or else the
 * path of the game. */
interface NotificationOrigin {
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
  if (event.request.mode === "navigate" && !path.startsWith("/api/")) event.respondWith(navigate(event));
  else if (FILES.includes(path)) event.respondWith(fetch(event.request).catch(() => cached(path)));
});
self.addEventListener("message", (event) => {
  const { title, options } = event.data as NotificationRequest;
  const tab = event.source instanceof Client ? event.source.id : "";
  event.waitUntil(self.registration.showNotification(title, { ...options, data: { path: options.tag, tab } }));
});
self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  event.waitUntil(focusGame(event.notification.data as NotificationOrigin));
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

/** Answers with the page as the server has it now, or with the offline page. */
async function navigate(event: FetchEvent): Promise<Response> {
  try {
    const response = ((await event.preloadResponse) as Response | undefined) ?? (await fetch(event.request));
    return UNAVAILABLE.includes(response.status) ? await cached(OFFLINE) : response;
  } catch {
    return cached(OFFLINE);
  }
}

async function cached(path: string): Promise<Response> {
  return (await caches.match(path)) ?? Response.error();
}

/** Brings the tab that has asked to the front, or one that was opened with the game; without one, opens a new one. */
async function focusGame({ path, tab }: NotificationOrigin): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = tabs.find((one) => one.id === tab) ?? tabs.find((one) => new URL(one.url).pathname === path);
  await (found ? found.focus() : self.clients.openWindow(path));
}
