/** The router: the address of the page, as state.
 *
 * A table serves the page at every path (`/game/ID`). Where the page lies in a folder of any static server, its paths are
 * queries of that folder (`?/game/ID`), which every such server answers with the page. */
import type { PuzzleKind, PuzzleTheme } from "./puzzles/log";

export type Page =
  | { name: "start" }
  | { name: "game"; game: string; secret: string }
  /** `seat` is the player's, and `game` one of this browser's, if that is known; it is looked at `from` a seat. */
  | { name: "review"; review: string; seat: number | null; game: string | null; from: number | null }
  /** `ply` is the one turn that is asked about, where that returns. */
  | { name: "learn"; review: string; seat: number | null; game: string | null; ply: number | null }
  | { name: "analysis"; code: string }
  | { name: "progress" }
  | { name: "lesson" }
  | { name: "puzzles" }
  /** `kind` and `theme` are those of the puzzles that the solver goes on with, unless what `returns` is gone through. */
  | { name: "puzzle"; puzzle: string; kind: PuzzleKind | null; theme: PuzzleTheme | null; returns: boolean }
  | { name: "rules" }
  | { name: "lost" };

/** What a link's secret looks like: other fragments are places on the page. */
const SECRET = /^#([A-Za-z0-9_-]{16,64})$/;

/** What a link of the page leads to: `href` of the path of a screen, with its query and its fragment. */
export function hrefOf(path: string): string {
  if (!__IN_TAB__) return path;
  return path === "/" ? "./" : `?${path}`;
}

/** The path, query and fragment of a screen in an address of either form. */
export function screenOf(address: Pick<URL, "pathname" | "search" | "hash" | "origin">): URL {
  const { pathname, search, hash, origin } = address;
  const asked = search.startsWith("?/") ? search.slice(1) : __IN_TAB__ ? "/" : pathname + search;
  // eslint-disable-next-line svelte/prefer-svelte-reactivity -- it is read and never changed
  return new URL(asked + hash, origin);
}

/** The screen that the page is at. */
export function here(): URL {
  return screenOf(location);
}

/** The address of one of the page's own files. */
export function fileOf(name: string): string {
  return import.meta.env.BASE_URL + name;
}

function read(): Page {
  const { pathname, searchParams: query, hash } = here();
  const path = pathname.replace(/\/+$/, "");
  if (path === "") return { name: "start" };
  if (path === "/analysis") return { name: "analysis", code: hash.slice(1) };
  for (const name of ["rules", "lesson", "progress", "puzzles"] as const) if (path === `/${name}`) return { name };
  const puzzle = /^\/puzzles\/([0-9a-f]{12})$/.exec(path)?.[1];
  const kind = (["tiling", "win", "keep"] as const).find((one) => one === query.get("kind")) ?? null;
  const theme =
    (["column", "special", "break", "stack", "chips"] as const).find((one) => one === query.get("theme")) ?? null;
  if (puzzle) return { name: "puzzle", puzzle, kind, theme, returns: query.has("again") };
  const game = /^\/game\/([A-Za-z0-9_-]{6,40})$/.exec(path)?.[1];
  if (game) return { name: "game", game, secret: SECRET.exec(hash)?.[1] ?? "" };
  const [, review, isLearn] = /^\/review\/([A-Za-z0-9_-]{24})(\/learn)?$/.exec(path) ?? [];
  const seatIn = (key: string): number | null => [0, 1].find((one) => query.get(key) === String(one)) ?? null;
  const seat = seatIn("seat");
  const ply = query.has("ply") ? Number(query.get("ply")) : null;
  const own = query.get("game");
  if (review)
    return isLearn
      ? { name: "learn", review, seat, game: own, ply }
      : { name: "review", review, seat, game: own, from: seatIn("from") ?? seat };
  return { name: "lost" };
}

let page = $state.raw<Page>(read());

export function currentPage(): Page {
  return page;
}

export function go(path: string): void {
  history.pushState(null, "", hrefOf(path));
  page = read();
  window.scrollTo(0, 0);
}

/** Takes a secret out of the address once it was exchanged for a cookie. */
export function forgetSecret(): void {
  history.replaceState(null, "", hrefOf(here().pathname));
}

/** Writes what the page shows into its address, so that it can be shared and loaded again. */
export function keepInAddress(code: string): void {
  history.replaceState(null, "", `${hrefOf(here().pathname)}#${code}`);
}

/** Follows a link inside the page without loading it again. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const { pathname, search, hash } = screenOf(event.currentTarget as HTMLAnchorElement);
  event.preventDefault();
  go(pathname + search + hash);
}

/** Follows the address. A game that is open stays as it is, unless the address has another secret for it. */
window.addEventListener("popstate", () => {
  const next = read();
  const isThere = next.name === "game" && !next.secret && page.name === "game" && page.game === next.game;
  if (!isThere) page = next;
});
