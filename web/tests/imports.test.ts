import { expect, it } from "vitest";

const sources = import.meta.glob<string>("../src/**/*.{ts,svelte}", { query: "?raw", import: "default", eager: true });

/** The files of the page that a file imports. */
function importsOf(path: string): string[] {
  const found = [...sources[path]!.matchAll(/(?:from|import)\s*\(?\s*"(\.[^"]+)"/g)];
  return found.flatMap(([, wanted]) => {
    const target = new URL(wanted!, `file:///${path.replace("../", "")}`).pathname.slice(1);
    return ["", ".ts", "/index.ts"].map((end) => `../${target}${end}`).filter((one) => one in sources);
  });
}

it("no file of the page leads back to itself by its imports", () => {
  const circles: string[] = [];
  const done = new Set<string>();
  function walk(path: string, way: string[]): void {
    if (way.includes(path)) circles.push([...way.slice(way.indexOf(path)), path].join(" → "));
    else if (!done.has(path)) for (const next of importsOf(path)) walk(next, [...way, path]);
    done.add(path);
  }
  for (const path of Object.keys(sources)) walk(path, []);
  expect(circles).toEqual([]);
  expect(importsOf("../src/main.ts")).toContain("../src/App.svelte");
  expect(importsOf("../src/lib/acts.svelte.ts")).toContain("../src/lib/feed.svelte.ts");
});
