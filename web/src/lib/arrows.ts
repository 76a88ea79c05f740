/** Arrow keys move the focus to the next thing in that direction. */

const DIRECTIONS: Record<string, [number, number]> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

export function moveFocus(event: KeyboardEvent, root: HTMLElement): boolean {
  const direction = DIRECTIONS[event.key];
  const active = document.activeElement;
  if (!direction || !(active instanceof HTMLElement) || !root.contains(active)) return false;
  if (active.matches("input, select, textarea")) return false;
  const here = active.getBoundingClientRect();
  let best: HTMLElement | null = null;
  let least = Infinity;
  for (const one of root.querySelectorAll<HTMLElement>("button:not(:disabled), a[href]")) {
    if (one === active || one.offsetParent === null) continue;
    const there = one.getBoundingClientRect();
    const dx = there.x + there.width / 2 - here.x - here.width / 2;
    const dy = there.y + there.height / 2 - here.y - here.height / 2;
    const ahead = dx * direction[0] + dy * direction[1];
    const aside = Math.abs(dx * direction[1]) + Math.abs(dy * direction[0]);
    if (ahead <= 4) continue;
    const distance = ahead + 2.5 * aside;
    if (distance < least) [best, least] = [one, distance];
  }
  best?.focus();
  return best !== null;
}
