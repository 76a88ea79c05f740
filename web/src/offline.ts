/** What is shown instead of the page when there is no table: why, and what to do. It uses nothing of the page. */
interface Catalogue {
  direction: string;
  texts: Record<string, string>;
}
const PATH = /\/([\w-]+)\.json$/;
const POLL_MS = 3000;

const found = import.meta.glob<Catalogue>("./texts/*.json", { eager: true, query: "?part=offline", import: "default" });
const catalogues = new Map(Object.entries(found).map(([path, texts]) => [PATH.exec(path)?.[1] ?? "", texts]));

interface Kept {
  language?: string;
  theme?: string;
}
function settings(): Kept {
  try {
    return JSON.parse(localStorage.getItem("sintra.settings") ?? "{}") as Kept;
  } catch {
    return {};
  }
}

const { language, theme } = settings();
const wanted = [language ?? "", ...navigator.languages.flatMap((tag) => [tag, tag.split("-")[0] ?? ""]), "en"];
const tag = wanted.find((one) => catalogues.has(one)) ?? "en";
const texts = catalogues.get(tag)?.texts ?? {};
const t = (key: string): string => texts[key] ?? "";

function made<K extends keyof HTMLElementTagNameMap>(name: K, text: string): HTMLElementTagNameMap[K] {
  return Object.assign(document.createElement(name), { textContent: text });
}

const again = made("button", t("offline.again"));
again.addEventListener("click", back);
document.documentElement.lang = tag;
document.documentElement.dir = catalogues.get(tag)?.direction ?? "ltr";
if (theme === "light" || theme === "dark") document.documentElement.dataset.theme = theme;
document.title = `${t("offline.title")} – Sintra`;
document
  .querySelector("main")
  ?.append(
    made("h1", t("offline.title")),
    made("p", t("offline.why")),
    made("p", t("offline.own")),
    made("p", t("offline.other")),
    made("p", t("offline.kept")),
    again,
  );

function back(): void {
  if (location.pathname === "/offline.html") location.replace("/");
  else location.reload();
}

/** Looks again and again whether the table is there. */
async function look(): Promise<void> {
  try {
    if ((await fetch("/api/health", { cache: "no-store" })).ok) return back();
  } catch {
    // not yet
  }
  setTimeout(() => void look(), POLL_MS);
}
void look();
