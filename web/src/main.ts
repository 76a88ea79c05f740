import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, speak } from "./lib/i18n.svelte";
import { listenForOffer } from "./lib/installing.svelte";
import { startWorker } from "./lib/notifications";
import { keepSettings, settings } from "./lib/settings.svelte";

// a part of a page that is older than the table is not there any more: then the page comes anew; a table that cannot be
// reached is waited for, and once is enough if something else is wrong
window.addEventListener("vite:preloadError", async () => {
  const answer = await fetch("/").catch(() => null);
  if (!answer?.ok) return;
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  const isOld = !(await answer.text()).includes(new URL(import.meta.url).pathname);
  if (isOld || visit?.type !== "reload") location.reload();
});

listenForOffer();
keepSettings();
await speak(settings.language);
followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
startWorker();
