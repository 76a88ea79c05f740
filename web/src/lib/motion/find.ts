/** Finding places and pieces on the page. */

/** Where a place is seen; some are out of sight on small screens. */
export function findPlace(place: string): Element | null {
  const found = document.querySelectorAll(`[data-place~="${place}"]`);
  return [...found].find((one) => one.getClientRects().length > 0) ?? null;
}

/** The pieces of one look at a place, newest last; the place itself if it shows none. */
export function findPieces(place: string, piece: string, count: number): Element[] {
  const home = findPlace(place);
  if (!home) return [];
  const found = [...home.querySelectorAll(`[data-piece="${piece}"]`)].slice(-count);
  return found.length ? found : [home];
}
