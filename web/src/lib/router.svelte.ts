/** The router: the address of the page, as state. */
import type { PuzzleKind } from "./puzzles/log";

export type Page =
  | { name: "start" }
  | { name: "game"; game: string; secret: string }
  | { name: "review"; review: string; seat: number | null; game: string | null }
  | { name: "learn"; review: string; seat: number | null }
  | { name: "analysis"; code: string }
  | { name: "progress" }
  | { name: "lesson" }
  | { name: "puzzles" }
  | { name: "puzzle"; puzzle: string; kind: PuzzleKind | null }
  | { name: "rules" }
  | { name: "lost" };

/** What a link's secret looks like: other fragments are places on the page. */
const SECRET = /^#([A-Za-z0-9_-]{16,64})$/;

function read(): Page {
  const path = location.pathname.replace(/\/+$/, "");
  if (path === "") return { name: "start" };
  if (path === "/rules") return { name: "rules" };
  if (path === "/lesson") return { name: "lesson" };
  if (path === "/analysis") return { name: "analysis", code: location.hash.slice(1) };
  if (path === "/progress") return { name: "progress" };
  if (path === "/puzzles") return { name: "puzzles" };
  const puzzle = /^\/puzzles\/([0-9a-f]{12})$/.exec(path);
  if (puzzle?.[1]) return { name: "puzzle", puzzle: puzzle[1], kind: kindAsked() };
  const game = /^\/game\/([A-Za-z0-9_-]{6,40})$/.exec(path);
  if (game?.[1]) return { name: "game", game: game[1], secret: SECRET.exec(location.hash)?.[1] ?? "" };
  const review = /^\/review\/([A-Za-z0-9_-]{24})$/.exec(path);
  if (review?.[1]) return { name: "review", review: review[1], seat: seatAsked(), game: gameAsked() };
  const learn = /^\/review\/([A-Za-z0-9_-]{24})\/learn$/.exec(path);
  if (learn?.[1]) return { name: "learn", review: learn[1], seat: seatAsked() };
  return { name: "lost" };
}

/** Whose game it is, in the address of a review. */
function seatAsked(): number | null {
  const seat = new URLSearchParams(location.search).get("seat");
  return seat === "0" || seat === "1" ? Number(seat) : null;
}

/** Which game of this browser it is, if it is one. */
function gameAsked(): string | null {
  return new URLSearchParams(location.search).get("game");
}

/** The kind of puzzles that somebody goes on with. */
function kindAsked(): PuzzleKind | null {
  const kind = new URLSearchParams(location.search).get("kind");
  return kind === "tiling" || kind === "win" || kind === "keep" ? kind : null;
}

let page = $state.raw<Page>(read());

export function currentPage(): Page {
  return page;
}

export function go(path: string): void {
  history.pushState(null, "", path);
  page = read();
  window.scrollTo(0, 0);
}

/** Takes a secret out of the address once it was exchanged for a cookie. */
export function forgetSecret(): void {
  history.replaceState(null, "", location.pathname);
}

/** Writes what the page shows into its address, so that it can be shared and loaded again. */
export function keepInAddress(code: string): void {
  history.replaceState(null, "", `${location.pathname}#${code}`);
}

/** Follows a link inside the page without loading it again. */
export function followLink(event: MouseEvent): void {
  if (event.defaultPrevented || event.button !== 0 || event.metaKey || event.ctrlKey || event.shiftKey) return;
  const link = (event.currentTarget as HTMLAnchorElement).getAttribute("href");
  if (!link) return;
  event.preventDefault();
  go(link);
}

/** Follows the address; a game that is there already begins anew only for another link to it. */
window.addEventListener("popstate", () => {
  const next = read();
  const isThere = next.name === "game" && !next.secret && page.name === "game" && page.game === next.game;
  if (!isThere) page = next;
});
