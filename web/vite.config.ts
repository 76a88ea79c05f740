import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** Scripts that are looked for by their names: the service worker, and that of the page it shows without a table. */
const NAMED = ["sw", "offline"];

/** Texts of the page that only some of its screens need, */
const LATER =
  /^((progress|puzzle|edit|fault|count|study|review|learn|wrong|because)\.|problem\.(not_tiling|running_game|bad_study|bad_position|bad_move|is_over|no_puzzle|no_review|no_review_here|nothing_to_redo)$)/;
/** but for those that lead there. */
const AT_ONCE =
  /^(progress\.(title|rating|rating\.about|games|none|open)|puzzle\.(title|lead|open|you)|study\.(title|lead|analyse|player)|review\.record\..*|wrong\.other)$/;

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
      const page = Object.fromEntries(Object.entries(all).filter((one) => !isOffline(one) && !isLater(one)));
      const parts: Record<string, unknown> = {
        head: { name, direction, locale },
        page,
        later,
        rules,
        lesson,
        offline: { direction, texts },
      };
      return { code: `export default ${JSON.stringify(parts[part])}`, moduleType: "js", map: null };
    },
  };
}

export default defineConfig({
  plugins: [catalogueParts(), svelte()],
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
      input: { index: "index.html", sw: "src/worker.ts", offline: "src/offline.ts" },
      output: {
        entryFileNames: ({ name }) => (NAMED.includes(name) ? "[name].js" : "assets/[name]-[hash].js"),
      },
    },
  },
});
