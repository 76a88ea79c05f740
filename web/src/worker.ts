/// <reference lib="webworker" />
/** The service worker: shows notifications, and the offline page while the server cannot be reached. It caches nothing
 * but that page. */
import { followNotifications, showNotification, type NotificationRequest } from "./notifying";
declare const self: ServiceWorkerGlobalScope;

/** The build fills in the stamp, so that every build has a new worker, which takes over at once. */
const CACHE = "offline-__STAMP__";
const OFFLINE = "/offline.html";
const FILES = [OFFLINE, "/offline.js", "/offline.css", "/icon.svg"];
/** The statuses of a proxy without a server behind it, and of a server that is shutting down. */
const UNAVAILABLE = [502, 503, 504];

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
  event.waitUntil(showNotification(event.data as NotificationRequest, event.source));
});
followNotifications();

async function install(): Promise<void> {
  const cache = await caches.open(CACHE);
  await cache.addAll(FILES.map((path) => new Request(path, { cache: "reload" })));
  await self.skipWaiting();
}

async function takeOver(): Promise<void> {
  for (const name of await caches.keys()) if (name.startsWith("offline-") && name !== CACHE) await caches.delete(name);
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
