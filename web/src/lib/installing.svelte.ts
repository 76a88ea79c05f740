/** Installing the page as an app, where the browser offers that. */
interface Offer extends Event {
  prompt: () => Promise<unknown>;
}
let offer = $state.raw<Offer | null>(null);

export function listenForOffer(): void {
  window.addEventListener("beforeinstallprompt", (event) => {
    event.preventDefault();
    offer = event as Offer;
  });
  window.addEventListener("appinstalled", () => (offer = null));
}

export function isInstallable(): boolean {
  return offer !== null;
}

/** An offer can be taken up once. */
export async function install(): Promise<void> {
  const taken = offer;
  offer = null;
  await taken?.prompt();
}
