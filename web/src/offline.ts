/** The offline page: says that the server cannot be reached and what to do, and waits for it. It shares no code with the
 * page, because the service worker stores it alone. */
interface Catalogue {
  direction: string;
  texts: Record<string, string>;
}
const PATH = /\/([\w-]+)\.json$/;
const POLL_MS = 3000;

const found = import.meta.glob<Catalogue>("./texts/*.json", { eager: true, query: "?part=offline", import: "default" });
const catalogues = new Map(Object.entries(found).map(([path, texts]) => [PATH.exec(path)?.[1] ?? "", texts]));

interface StoredSettings {
  language?: string;
  theme?: string;
}
function settings(): StoredSettings {
  try {
    return JSON.parse(localStorage.getItem("sintra.settings") ?? "{}") as StoredSettings;
  } catch {
    return {};
  }
}

const { language, theme } = settings();
const wanted = [language ?? "", ...navigator.languages.flatMap((tag) => [tag, tag.split("-")[0] ?? ""]), "en"];
const tag = wanted.find((one) => catalogues.has(one)) ?? "en";
const texts = catalogues.get(tag)?.texts ?? {};
const t = (key: string): string => texts[key] ?? "";

function element<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { textContent: text });
}

const again = element("button", t("offline.again"));
again.addEventListener("click", leave);
document.documentElement.lang = tag;
document.documentElement.dir = catalogues.get(tag)?.direction ?? "ltr";
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
document.title = `${t("offline.title")} – Sintra`;
document
  .querySelector("main")
  ?.append(
    element("h1", t("offline.title")),
    ...["why", "own", "other", "kept"].map((part) => element("p", t(`offline.${part}`))),
    again,
  );

function leave(): void {
  if (location.pathname === "/offline.html") location.replace("/");
  else location.reload();
}

/** Asks the server again and again, and leaves as soon as it answers. */
async function poll(): Promise<void> {
  try {
    if ((await fetch("/api/health", { cache: "no-store" })).ok) return leave();
  } catch {
    // not yet
  }
  setTimeout(() => void poll(), POLL_MS);
}
void poll();
