/** Notifications, and the service worker that shows them and the offline page. */
import { settings } from "./settings.svelte";

/** Browsers allow them over https and on the machine itself. */
export const canNotify = window.isSecureContext && "Notification" in window;

export function startWorker(): void {
  if (!import.meta.env.PROD || !("serviceWorker" in navigator)) return;
  navigator.serviceWorker.register("/sw.js", { updateViaCache: "none" }).catch(() => {
    // some browsers forbid it in private windows
  });
  document.addEventListener("visibilitychange", () => void clearSeen());
}

/** Notifies a player who is looking elsewhere. A click leads to the game's tab. */
export async function notify(game: string, title: string, body: string): Promise<void> {
  if (!settings.notify || !canNotify || Notification.permission !== "granted") return;
  const options = { body, tag: `/game/${game}`, icon: "/icon-192.png", lang: settings.language };
  const worker = (await registration())?.active;
  if (worker) {
    worker.postMessage({ title, options });
    return;
  }
  const shown = new Notification(title, options);
  shown.onclick = () => {
    window.focus();
    shown.close();
  };
}

/** Clears the notifications of a game while the player looks at it. */
async function clearSeen(): Promise<void> {
  if (document.hidden) return;
  for (const one of (await (await registration())?.getNotifications({ tag: location.pathname })) ?? []) one.close();
}

async function registration(): Promise<ServiceWorkerRegistration | undefined> {
  return "serviceWorker" in navigator ? navigator.serviceWorker.getRegistration() : undefined;
}
