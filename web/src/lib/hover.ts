/** Pointing at something shows what it would do. */

interface PointHandlers {
  onpointerdown: (event: PointerEvent) => void;
  onpointermove: () => void;
  onpointerleave: () => void;
  onfocus: () => void;
  onblur: () => void;
}
interface HoverHandlers {
  onpointerenter: (event: PointerEvent) => void;
  onpointerleave: () => void;
  onfocus: (event: FocusEvent) => void;
  onblur: () => void;
}

/** The handlers of something that marks what it is about, also under a finger. What comes to lie under a mouse that
 * rests was not pointed at: it has to move. */
export function onPoint<What>(mark: (what: What | null) => void, what: What): PointHandlers {
  const [begin, end] = [() => mark(what), () => mark(null)];
  return { onpointerdown: begin, onpointermove: begin, onpointerleave: end, onfocus: begin, onblur: end };
}

/** Whether a mouse has come to it, or the focus that a key has moved. A finger does not hover: a preview under it
 * could move what it is about to press. */
function hovers(event: PointerEvent | FocusEvent): boolean {
  if (event instanceof PointerEvent) return event.pointerType !== "touch";
  return event.target instanceof Element && event.target.matches(":focus-visible");
}

/** The handlers of something that shows a preview while a mouse or the focus is on it. */
export function onHover<What>(show: (what: What | null) => void, what: What): HoverHandlers {
  const [enter, end] = [(event: PointerEvent | FocusEvent) => hovers(event) && show(what), () => show(null)];
  return { onpointerenter: enter, onpointerleave: end, onfocus: enter, onblur: end };
}
