/** Installing the page as an app, where the browser offers that. */
interface InstallPromptEvent extends Event {
  prompt: () => Promise<unknown>;
}
/** The browser's offer, as long as it stands. */
let offered = $state.raw<InstallPromptEvent | null>(null);

export function listenForInstallPrompt(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offered = event as InstallPromptEvent;
  });
  window.addEventListener("appinstalled", () => (offered = null));
}

export function isInstallable(): boolean {
  return offered !== null;
}

/** Asks the reader to install the page; a browser's offer can be used once. */
export async function install(): Promise<void> {
  const event = offered;
  offered = null;
  await event?.prompt();
}
