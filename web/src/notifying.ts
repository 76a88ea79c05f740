/// <reference lib="webworker" />
/** Notifications, in a service worker: shows those that a page asks for, and leads to the game when one is clicked. A
 * service worker is one file, so nothing here is shared with the page. */
declare const self: ServiceWorkerGlobalScope;

/** A notification that a page asks for, about the game that is at an address. */
export interface NotificationRequest {
  title: string;
  options: NotificationOptions;
  address: string;
}
/** Where a notification leads: the tab that has asked for it, by its id, since its address may have changed; or else the
 * address of the game. */
interface NotificationOrigin {
  address: string;
  tab: string;
}

/** Lets clicks on notifications lead to their games. */
export function followNotifications(): void {
  self.addEventListener("notificationclick", (event) => {
    event.notification.close();
    event.waitUntil(focusGame(event.notification.data as NotificationOrigin));
  });
}

export function showNotification({ title, options, address }: NotificationRequest, source: unknown): Promise<void> {
  const tab = source instanceof Client ? source.id : "";
  return self.registration.showNotification(title, { ...options, data: { address, tab } satisfies NotificationOrigin });
}

/** Brings the tab that has asked to the front, or one that was opened with the game; without one, opens a new one. */
async function focusGame({ address, tab }: NotificationOrigin): Promise<void> {
  const tabs = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
  const found = tabs.find((one) => one.id === tab) ?? tabs.find((one) => one.url.split("#")[0] === address);
  await (found ? found.focus() : self.clients.openWindow(address));
}
