/** Whether pointing at something shows what it would do: a mouse that comes to it, or the focus that a key has moved.
 * A finger does not hover: a preview under it could move what it is about to press. */
export function hovers(event: PointerEvent | FocusEvent): boolean {
  if (event instanceof PointerEvent) return event.pointerType !== "touch";
  return event.target instanceof Element && event.target.matches(":focus-visible");
}
