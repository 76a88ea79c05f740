/** Scrolls a list, and not the page around it, until its current entry is in sight. */
export function showCurrent(list: HTMLElement | undefined): void {
  const entry = list?.querySelector<HTMLElement>("[aria-current]");
  if (!list || !entry) return;
  const above = entry.offsetTop - list.scrollTop;
  if (above < 0 || above + entry.offsetHeight > list.clientHeight)
    list.scrollTop = entry.offsetTop - (list.clientHeight - entry.offsetHeight) / 2;
}
