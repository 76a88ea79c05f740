import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig, type Plugin } from "vite";

/** A catalogue in parts, so that a page loads what it shows: `de.json?part=rules`. */
function catalogueParts(): Plugin {
  return {
    name: "catalogue-parts",
    enforce: "pre",
    transform(code, id) {
      const part = /\/texts\/[\w-]+\.json\?part=(\w+)$/.exec(id)?.[1];
      if (!part) return null;
      const { name, direction, page, rules } = JSON.parse(code);
      const parts: Record<string, unknown> = { head: { name, direction }, page, rules };
      return { code: `export default ${JSON.stringify(parts[part])}`, moduleType: "js", map: null };
    },
  };
}

export default defineConfig({
  plugins: [catalogueParts(), svelte()],
  server: { proxy: { "/api": "http://127.0.0.1:8765" } },
  build: {
    outDir: "../src/sintra/table/page",
    emptyOutDir: true,
    target: "es2022",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: true,
  },
});
