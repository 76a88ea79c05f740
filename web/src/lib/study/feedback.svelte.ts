/** What the table does while something is said in the prompt's place of a move that was tried. */
import { untrack } from "svelte";
import type { Marks } from "../marks";
import type { TableContext } from "../table";

/** Puts back what was picked when something new is said of it, and puts that away as soon as something else is picked;
 * call it inside a component. */
export function followVerdict(table: TableContext, verdict: () => unknown, putAway: () => void): void {
  let latest: unknown = null;
  $effect(() => {
    const { isEmpty } = table.decision;
    const said = verdict();
    const isNews = said !== latest;
    latest = said;
    if (isNews && said) untrack(() => table.decision.clear());
    else if (!isEmpty) untrack(putAway);
  });
}

/** Marks the places that are spoken of; call it inside a component. */
export function markSpokenOf(table: TableContext, marks: () => Marks | null): void {
  $effect(() => {
    table.mark(marks());
    return () => table.mark(null);
  });
}

/** An attachment: the button has the focus at once, so that Enter goes on. */
export function takeFocus(button: HTMLElement): void {
  button.focus({ preventScroll: true });
}
