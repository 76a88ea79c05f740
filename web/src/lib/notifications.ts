/** Notifications, and the service worker that shows them and the offline page. */
import { fileOf, here, hrefOf } from "./router.svelte";
import { settings } from "./settings.svelte";

/** Browsers allow them over https and on the machine itself. */
export const canNotify = window.isSecureContext && "Notification" in window;

export function startWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register(fileOf("sw.js"), { updateViaCache: "none" }).catch(() => {
    // some browsers forbid it in private windows
  });
}

/** Clears the notifications of a game whenever the player comes to look at it. */
export function clearSeenNotifications(): void {
  document.addEventListener("visibilitychange", () => void clearSeen());
}

/** Notifies a player who is looking elsewhere. A click leads to the game's tab. */
export async function notify(game: string, title: string, body: string): Promise<void> {
  if (!settings.notify || !canNotify || Notification.permission !== "granted") return;
  const tag = `/game/${game}`;
  const options = { body, tag, icon: fileOf("icon-192.png"), lang: settings.language };
  const worker = (await registration())?.active;
  if (worker) {
    worker.postMessage({ title, options, address: new URL(hrefOf(tag), location.href).href });
    return;
  }
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

async function clearSeen(): Promise<void> {
  if (document.hidden || !import.meta.env.PROD) return;
  for (const one of (await (await registration())?.getNotifications({ tag: here().pathname })) ?? []) one.close();
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}
