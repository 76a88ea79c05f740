import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, speak } from "./lib/i18n.svelte";
import { listenForInstallPrompt } from "./lib/installing.svelte";
import { startWorker } from "./lib/notifications";
import { keepSettings, settings } from "./lib/settings.svelte";

// The server has no longer the chunks of an older build: the page is loaded again. That does nothing while the server
// cannot be reached, and is done once where the build is the same and something else is wrong.
window.addEventListener("vite:preloadError", async () => {
  const response = await fetch("/").catch(() => null);
  if (!response?.ok) return;
  const [navigation] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isOld = !(await response.text()).includes(new URL(import.meta.url).pathname);
  if (isOld || navigation?.type !== "reload") location.reload();
});

listenForInstallPrompt();
keepSettings();
await speak(settings.language);
followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
startWorker();
