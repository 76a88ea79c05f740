/** Dragging a piece with mouse or finger: it is picked up, and dropped on what would be clicked,
 * unless `drop` says what happens at a target. Where a finger scrolls (`--pull` of the piece's surroundings says in
 * which directions), it does not drag. */

export interface Drag {
  enabled: boolean;
  pick?: () => void;
  hover?: (target: string | null) => void;
  drop?: (target: string) => void;
}

/** The names of what things can be dropped on, and what they mean. */
export const lineTarget = (line: number): string => `line-${line}`;
export const slotTarget = (slot: string): string => `slot-${slot}`;
export function lineOfTarget(target: string | null): number | null {
  return target?.startsWith("line-") ? Number(target.slice("line-".length)) : null;
}
export function slotOfTarget(target: string | null): string | null {
  return target?.startsWith("slot-") ? target.slice("slot-".length) : null;
}

const MIN_DRAG_PX = 7;

export function drag(node: HTMLElement, options: Drag): { update(next: Drag): void; destroy(): void } {
  let now = options;
  let from: { x: number; y: number; id: number } | null = null;
  let clone: HTMLElement | null = null;

  function targetAt(x: number, y: number): HTMLElement | null {
    return document.elementFromPoint(x, y)?.closest<HTMLElement>("[data-drop], [data-refuses]") ?? null;
  }
  function scrolls(sideways: boolean): boolean {
    const ways = getComputedStyle(node).touchAction;
    return ways === "pan-x" ? sideways : ways !== "none";
  }
  function down(event: PointerEvent): void {
    if (!now.enabled || event.button !== 0) return;
    from = { x: event.clientX, y: event.clientY, id: event.pointerId };
    window.addEventListener("pointermove", move);
    window.addEventListener("pointerup", up);
    window.addEventListener("pointercancel", stop);
  }
  function move(event: PointerEvent): void {
    if (!from || event.pointerId !== from.id) return;
    if (!clone) {
      const [x, y] = [event.clientX - from.x, event.clientY - from.y];
      if (Math.hypot(x, y) < MIN_DRAG_PX) return;
      if (event.pointerType === "touch" && scrolls(Math.abs(x) > Math.abs(y))) {
        stop();
        return;
      }
      now.pick?.();
      clone = document.createElement("div");
      clone.className = "flight";
      clone.append(...[...node.childNodes].map((child) => child.cloneNode(true)));
      clone.style.width = `${node.offsetWidth}px`;
      clone.style.height = `${node.offsetHeight}px`;
      document.body.append(clone);
    }
    event.preventDefault();
    clone.style.transform = `translate(${event.clientX - node.offsetWidth / 2}px, ${event.clientY - node.offsetHeight / 2}px)`;
    now.hover?.(targetAt(event.clientX, event.clientY)?.dataset.drop ?? null);
  }
  function up(event: PointerEvent): void {
    const dragged = clone !== null;
    const target = dragged ? targetAt(event.clientX, event.clientY) : null;
    stop();
    if (!dragged) return;
    window.addEventListener("click", swallow, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", swallow, { capture: true }), 0);
    now.hover?.(null);
    if (!target) return;
    if (now.drop) now.drop(target.dataset.drop ?? "");
    else setTimeout(() => target.click(), 0);
  }
  function swallow(event: MouseEvent): void {
    event.stopPropagation();
    event.preventDefault();
  }
  function stop(): void {
    clone?.remove();
    clone = from = null;
    window.removeEventListener("pointermove", move);
    window.removeEventListener("pointerup", up);
    window.removeEventListener("pointercancel", stop);
  }
  node.addEventListener("pointerdown", down);
  return {
    update: (next) => (now = next),
    destroy: () => {
      stop();
      node.removeEventListener("pointerdown", down);
    },
  };
}
