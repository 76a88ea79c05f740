import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { hrefOf } from "./lib/router.svelte";
import { followLanguage, speak } from "./lib/i18n.svelte";
import { listenForInstallPrompt } from "./lib/installing.svelte";
import { clearSeenNotifications, startWorker } from "./lib/notifications";
import { keepSettings, settings } from "./lib/settings.svelte";
import { tabTable } from "./tab/table.svelte";

/** Whether there is another build of the page now; null while nothing can be reached. */
async function isOldBuild(): Promise<boolean | null> {
  const response = await fetch(hrefOf("/")).catch(() => null);
  const script = new URL(import.meta.url).pathname.split("/").slice(-2).join("/");
  return response?.ok ? !(await response.text()).includes(script) : null;
}

// The server has no longer the chunks of an older build: the page is loaded again. That does nothing while the server
// cannot be reached, and is done once where the build is the same and something else is wrong.
window.addEventListener("vite:preloadError", async () => {
  const isOld = await isOldBuild();
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (isOld || (isOld === false && navigation?.type !== "reload")) location.reload();
});

listenForInstallPrompt();
keepSettings();
if (__IN_TAB__) void tabTable.begin(isOldBuild);
await speak(settings.language);
followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
if (!__IN_TAB__) startWorker();
clearSeenNotifications();
