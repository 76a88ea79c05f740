/** Where there is room for a few words beside a thing. */

export interface Box {
  left: number;
  top: number;
  right: number;
  bottom: number;
}
export interface Size {
  width: number;
  height: number;
}

const GAP = 8;

function overlap(a: Box, b: Box): boolean {
  return a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
}

/** A spot above, below or at a side of a thing, inside the window, that covers none of the others; null if there
 * is no such spot. */
export function freeSpot(
  thing: Box,
  size: Size,
  others: readonly Box[],
  room: Size,
): { left: number; top: number } | null {
  const inside = (at: number, long: number, end: number): number => Math.max(GAP, Math.min(at, end - long - GAP));
  const left = inside((thing.left + thing.right - size.width) / 2, size.width, room.width);
  const top = inside((thing.top + thing.bottom - size.height) / 2, size.height, room.height);
  const spots = [
    { left, top: thing.top - size.height - GAP },
    { left, top: thing.bottom + GAP },
    { left: thing.right + GAP, top },
    { left: thing.left - size.width - GAP, top },
  ];
  const isFree = (spot: { left: number; top: number }): boolean => {
    const box = { ...spot, right: spot.left + size.width, bottom: spot.top + size.height };
    const fits = box.left >= GAP && box.top >= GAP && box.right <= room.width - GAP && box.bottom <= room.height - GAP;
    return fits && !others.some((one) => overlap(box, one));
  };
  return spots.find(isFree) ?? null;
}
