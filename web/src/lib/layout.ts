/** The layouts of the table: where its parts lie, and how large they are, in a window of one shape.
 * The style sheets name them (`[data-layout="square"]`, `[data-layout^="phone"]`). */

export type Layout =
  /** Factories, board and plates side by side; the log beside them, or, where it is lower, in a drawer. */
  | "wide"
  | "wide-low"
  /** Factories in a row over the board, plates at the side. */
  | "square"
  /** The other player, goals and plates over the factories over the board; on a large phone with a phone's text. */
  | "tall"
  | "phone-large"
  /** As `tall`, with the plates in a row; in a shorter window, in a column. */
  | "phone"
  | "phone-short"
  /** Three columns. */
  | "phone-landscape";

/** The layout for so much room, in rem: with larger text there is less room for it. */
export function layoutFor(width: number, height: number): Layout {
  if (width >= 50 && height < 32.5) return "phone-landscape";
  if (width < 37.5) return height <= 46 ? "phone-short" : "phone";
  if (width < height) return width < 44 ? "phone-large" : "tall";
  if (width < 44 || height < 32.5) return "phone";
  if (width < 1.5 * height) return "square";
  return width < 75 || height < 42.5 ? "wide-low" : "wide";
}

/** Sets `data-layout` on the frame of a table, now and whenever the frame or the ruler has another size; the ruler is as
 * wide as the window and a rem high. That is done before the browser paints, so that no other layout is seen. */
export function followLayout(frame: HTMLElement, ruler: Element): () => void {
  const page = document.documentElement;
  function choose(): void {
    const rem = parseFloat(getComputedStyle(page).fontSize);
    const { width, height } = frame.getBoundingClientRect();
    // a layout that scrolls must not give way to another because of its own scrollbar, which then goes again
    const scrollbar = ruler.getBoundingClientRect().width - page.clientWidth;
    frame.dataset.layout = layoutFor((width + scrollbar) / rem, height / rem);
  }
  choose();
  const observer = new ResizeObserver(choose);
  observer.observe(frame);
  observer.observe(ruler);
  return () => observer.disconnect();
}
