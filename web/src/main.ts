import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, speak } from "./lib/i18n.svelte";
import { listenForOffer } from "./lib/installing.svelte";
import { startWorker } from "./lib/notifications";
import { keepSettings, settings } from "./lib/settings.svelte";

listenForOffer();
keepSettings();
await speak(settings.language);
followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
startWorker();
// a part of a page that is older than the table is not there any more; once is enough if that is not why
window.addEventListener("vite:preloadError", () => {
  const [visit] = performance.getEntriesByType("navigation") as PerformanceNavigationTiming[];
  if (visit?.type !== "reload") location.reload();
});
