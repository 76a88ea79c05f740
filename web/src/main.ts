import { mount } from "svelte";
import App from "./App.svelte";
import "./app.css";
import { followLanguage, speak } from "./lib/i18n.svelte";
import { keepSettings, settings } from "./lib/settings.svelte";

keepSettings();
await speak(settings.language);
followLanguage();
const target = document.getElementById("app");
if (target) mount(App, { target });
