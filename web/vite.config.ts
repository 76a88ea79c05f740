import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Scripts that are looked for by their names: the service worker, and that of the page it shows without a table. */
const NAMED = ["sw", "offline"];

/** What is built beside the page. */
const WORKERS: Record<"served" | "tab", Record<string, string>> = {
  served: { sw: "src/worker.ts", offline: "src/offline.ts" },
  tab: { sw: "src/tab/service-worker.ts" },
};

/** Texts of the page that only some of its screens need, */
const LATER =
  /^((progress|puzzle|edit|fault|count|study|review|learn|wrong|because)\.|problem\.(not_tiling|running_game|bad_study|bad_position|bad_move|is_over|no_puzzle|no_review|no_review_here|nothing_to_redo)$)/;
/** but for those that lead there. */
const AT_ONCE =
  /^(progress\.(title|rating|rating\.about|games|none|open)|puzzle\.(title|lead|open|you)|study\.(title|lead|analyse|player)|review\.record\..*|wrong\.other)$/;

/** Texts that only a page needs whose table is in the browser. */
const IN_TAB = /^(tab\.|problem\.bad_games$)/;

/** `Features.Nesting` of lightningcss, which Vite brings along. */
const NESTING = 1;

/** A catalogue in parts, so that a page loads what it shows: `de.json?part=rules`. */
function catalogueParts(): Plugin {
  return {
    name: "catalogue-parts",
    enforce: "pre",
    transform(code, id) {
      const part = /\/texts\/[\w-]+\.json\?part=(\w+)$/.exec(id)?.[1];
      if (!part) return null;
      const { name, direction, locale, page: all, rules, lesson } = JSON.parse(code);
      const isOffline = ([key]: [string, unknown]): boolean => key.startsWith("offline.");
      const texts = Object.fromEntries(Object.entries(all).filter(isOffline));
      const isLater = ([key]: [string, unknown]): boolean => LATER.test(key) && !AT_ONCE.test(key);
      const later = Object.fromEntries(Object.entries(all).filter(isLater));
      const isInTab = ([key]: [string, unknown]): boolean => IN_TAB.test(key);
      const tab = Object.fromEntries(Object.entries(all).filter(isInTab));
      const isElsewhere = (one: [string, unknown]): boolean => isOffline(one) || isLater(one) || isInTab(one);
      const page = Object.fromEntries(Object.entries(all).filter((one) => !isElsewhere(one)));
      const parts: Record<string, unknown> = {
        head: { name, direction, locale },
        page,
        later,
        tab,
        rules,
        lesson,
        offline: { direction, texts },
      };
      return { code: `export default ${JSON.stringify(parts[part])}`, moduleType: "js", map: null };
    },
  };
}

/** What the page says about itself in a folder of a plain static server, which sends no such headers. */
function headOfTab(): Plugin {
  const policy =
    "default-src 'none'; script-src 'self' 'wasm-unsafe-eval'; style-src 'self'; img-src 'self' data:; " +
    "connect-src 'self'; font-src 'self'; manifest-src 'self'; base-uri 'none'; form-action 'none'";
  return {
    name: "head-of-tab",
    transformIndexHtml: () => [
      { tag: "meta", attrs: { "http-equiv": "content-security-policy", content: policy }, injectTo: "head-prepend" },
      { tag: "meta", attrs: { name: "referrer", content: "no-referrer" } },
      { tag: "noscript", children: "This page needs JavaScript.", injectTo: "body" },
    ],
  };
}

/** `vite build --mode tab` builds the page whose table is in the browser (`src/tab`), for a folder at any path. */
export default defineConfig(({ mode }) => ({
  base: mode === "tab" ? "./" : "/",
  define: { __IN_TAB__: JSON.stringify(mode === "tab") },
  plugins: [catalogueParts(), svelte(), ...(mode === "tab" ? [headOfTab()] : [])],
  // nested rules stay nested, which is shorter: Chromium 120, Firefox 117 and Safari 17.2 know them
  css: { lightningcss: { exclude: NESTING } },
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
  build: {
    outDir: "../src/sintra/table/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
    rolldownOptions: {
      input: { index: "index.html", ...(mode === "tab" ? WORKERS.tab : WORKERS.served) },
      output: {
        entryFileNames: ({ name }) => (NAMED.includes(name) ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
}));
