"""Players who see the page only: they look at what can be decided, and decide it by mouse, by touch or by keyboard."""

from __future__ import annotations

import re
from collections import Counter
from random import Random
from typing import Any

from playwright.sync_api import Locator, Page, expect

import soak
from table.browser.browsers import away, pattern, seat_of, stage_is, words

KINDS = {
    "sun": "[data-place^='sun-'] button",
    "moon": "[data-place^='moon-'] button:not([data-place^='chip-'] *)",
    "chip": "[data-place^='chip-'] button",
    "plate": "[data-place^='display-'] button",
    "draw": "[data-place='stack'] button",
    "hand": "[data-place='hand'] button",
    "space": "[data-place^='space-'] button",
    "spend": "[data-tour=pay] button[aria-pressed=false]",
}
ACTS = {
    "end": pattern("act.end"),
    "more": f"{pattern('act.draw_more')}|{pattern('act.draw_free')}",
    "look": pattern("act.look"),
    "pay": pattern("act.pay.line"),
    "curtain": pattern("curtain.show"),
}
WEIGHTS = {"sun": 4, "moon": 3, "chip": 6, "plate": 1, "draw": 3, "hand": 1, "space": 9, "spend": 5}
WEIGHTS |= {"end": 1, "more": 1, "look": 1, "pay": 5, "curtain": 99}
BEGINNING = 10
"""So many decisions of the first round are made by hand in the short form of a game."""
CURIOUS = 30
"""So much likelier is what was never chosen before."""
PROMPT = "[data-tour=prompt]"
LOG = "[data-tour=log] li"
DROPS = "button[data-drop]"
ORDERS = "input[name=order]"
LOOK = """([kinds, acts, prompt, log]) => {
    const can = (one) => !one.disabled && one.offsetParent !== null;
    const choices = [];
    for (const [kind, css] of Object.entries(kinds))
        document.querySelectorAll(css).forEach((one, k) => {
            if (can(one) && one.tabIndex >= 0) choices.push([kind, css, k]);
        });
    document.querySelectorAll(`${prompt} button`).forEach((one, k) => {
        for (const [kind, source] of Object.entries(acts))
            if (can(one) && new RegExp(source).test(one.innerText.trim())) choices.push([kind, `${prompt} button`, k]);
    });
    const dialog = document.querySelector("dialog[open]") !== null;
    return { choices, dialog, log: document.querySelectorAll(log).length };
}"""
READY = f"(args) => {{ const found = ({LOOK})(args); return found.dialog || found.choices.length > 0; }}"
DONE = """([prompt, log, before, confirm]) => {
    if (document.querySelectorAll(log).length !== before || document.querySelector("dialog[open]")) return "done";
    const buttons = [...document.querySelectorAll(`${prompt} button:enabled`)];
    return buttons.some((one) => one.innerText.startsWith(confirm)) ? "confirm" : null;
}"""

DIRECTION = """(one) => {
    const middle = (e) => [e.x + e.width / 2, e.y + e.height / 2];
    const [a, b] = [document.activeElement, one].map((e) => middle(e.getBoundingClientRect()));
    const [x, y] = [b[0] - a[0], b[1] - a[1]];
    if (Math.abs(x) > Math.abs(y)) return x > 0 ? "ArrowRight" : "ArrowLeft";
    return y > 0 ? "ArrowDown" : "ArrowUp";
}"""
FOCUS = """() => {
    const one = document.activeElement;
    const box = one.getBoundingClientRect();
    const outlined = (e) => {
        const style = e && getComputedStyle(e);
        return !!style && style.outlineStyle !== "none" && parseFloat(style.outlineWidth) > 0;
    };
    return {
        what: one.outerHTML.slice(0, 200),
        lost: one === document.body,
        marked: outlined(one) || outlined(one.closest("label")),
        inside: box.bottom > 0 && box.right > 0 && box.top < innerHeight && box.left < innerWidth,
    };
}"""


class MouseUser:
    """Somebody with a mouse."""

    def __init__(self, page: Page, seed: int, drags: bool = True) -> None:
        self.page = page
        self.dice = Random(seed)
        self.used: Counter[str] = Counter()
        self._drags = drags
        self._look = [KINDS, ACTS, PROMPT, LOG]

    # --- what fingers do ------------------------------------------------------------------------

    def press(self, one: Locator) -> None:
        one.click()

    def bring(self, one: Locator, css: str) -> None:
        """Picks a piece and puts it on one of the places that light up for it."""
        if self._drags and (self.dice.random() < 0.4 or not self.used["drag"]):
            self.used["drag"] += 1
            self._drag(one, css)
            return
        self.press(one)
        drops = self.page.locator(css)
        drops.first.wait_for()
        self.press(drops.nth(self.dice.randrange(drops.count())))

    def _drag(self, one: Locator, css: str) -> None:
        mouse = self.page.mouse
        one.hover()
        mouse.down()
        x, y = _middle(one)
        mouse.move(x + 15, y + 15, steps=3)
        drops = self.page.locator(css)
        drops.first.wait_for()
        chosen = drops.nth(self.dice.randrange(drops.count()))
        chosen.scroll_into_view_if_needed()
        mouse.move(*_middle(chosen), steps=4)
        mouse.up()

    def turn(self) -> None:
        """Turns the plate that is being laid."""
        for _ in range(self.dice.randrange(3)):
            self.press(self.page.locator(f"{PROMPT} .turner button").last)

    def order(self) -> None:
        """Orders the stack that is left behind."""
        orders = self.page.locator(ORDERS)
        self.used["order"] += 1
        self.press(self.page.locator(f"label:has({ORDERS})").nth(self.dice.randrange(orders.count())))

    def confirm(self) -> None:
        self.press(self.page.locator(f"{PROMPT} button:enabled", has_text="Confirm"))

    # --- decisions ------------------------------------------------------------------------------

    def look(self) -> dict[str, Any]:
        found: dict[str, Any] = self.page.evaluate(LOOK, self._look)
        return found

    def ready(self) -> dict[str, Any]:
        """Waits until there is something to decide or to read."""
        self.page.wait_for_function(READY, arg=self._look)
        return self.look()

    def decide(self) -> bool:
        """One decision; False when there is a window to read instead."""
        seen = self.ready()
        if seen["dialog"]:
            return False
        if self.choose(seen):
            self.finish(seen["log"])
        return True

    def choose(self, seen: dict[str, Any]) -> bool:
        """Chooses something as far as it can be chosen without a confirmation; False if it is no move."""
        kinds = sorted({kind for kind, _, _ in seen["choices"]})
        kind = self.dice.choices(kinds, [WEIGHTS[one] * (1 if self.used[one] else CURIOUS) for one in kinds])[0]
        _, css, index = self.dice.choice([one for one in seen["choices"] if one[0] == kind])
        self.used[kind] += 1
        one = self.page.locator(css).nth(index)
        if kind in ("sun", "moon"):
            self.bring(one, f"{DROPS}[data-drop^='line-']")
        elif kind == "plate" or (kind == "hand" and self._keeps(one)):
            self.bring(one, f"{DROPS}[data-drop^='slot-']")
            self.turn()
        elif kind == "pay":
            self.press(one)
            self.page.locator(KINDS["spend"]).first.wait_for()
            self.spend(seen["log"])
        elif kind == "spend":
            self.spend(seen["log"])
        elif kind == "curtain":
            self.press(one)
            self.page.get_by_role("button", name=re.compile(ACTS["curtain"])).wait_for(state="detached")
            return False
        else:
            self.press(one)
        return True

    def spend(self, before: int) -> None:
        """Chooses chips as long as one more can be chosen: then a payment is whole."""
        chips = self.page.locator(f"{KINDS['spend']}:enabled")
        while chips.count() and self.page.locator(LOG).count() == before:
            self.press(chips.nth(self.dice.randrange(chips.count())))

    def _keeps(self, one: Locator) -> bool:
        keeps = re.match(pattern("take.plate"), one.get_attribute("aria-label") or "") is not None
        self.used["keep" if keeps else "return"] += 1
        return keeps

    def finish(self, before: int) -> None:
        """Orders and confirms where the page waits for it, until the move has happened."""
        arg = [PROMPT, LOG, before, "Confirm"]
        if self.page.wait_for_function(DONE, arg=arg).json_value() == "confirm":
            if self.page.locator(ORDERS).count():
                self.order()
            self.used["confirm"] += 1
            self.confirm()
            self.page.wait_for_function(f"(arg) => ({DONE})(arg) === 'done'", arg=arg)

    def play_round(self, decisions: int = 1000) -> bool:
        """Decides until a window tells of the round, or of the end; True if there is more to decide than so much."""
        return all(self.decide() for _ in range(decisions))

    def go_on(self) -> bool:
        """Puts away what is told of a round when all is told; False when the game is over."""
        dialog = self.page.get_by_role("dialog")
        dialog.get_by_role("button", name=words("act.skip")).wait_for(state="detached")
        button = dialog.get_by_role("button", name=words("act.continue"))
        if not button.count():
            return False
        self.used["continue"] += 1
        self.press(button)
        button.wait_for(state="detached")
        return True

    def play_whole_game(self) -> None:
        """Plays all rounds. The short form of a test plays the beginning of the first by hand, its tiling, or that of
        the first round in which there is something to place, and the tiling of the last."""
        if not soak.is_on and self.play_round(BEGINNING):
            self.leap(1)
        self.play_round()
        expect(self.page.get_by_role("heading", name=re.compile(pattern("summary.title")))).to_be_visible()
        assert self.go_on(), "no round follows the first"
        if not soak.is_on:
            self.leap(5)
        self.play_round()
        while self.go_on():
            self.play_round()

    def leap(self, round_no: int) -> None:
        """Asks the service itself for moves until this round, or a later one, is tiled, if there is one."""

        def fits(shown: dict[str, Any]) -> bool:
            can_place = bool((shown.get("options") or {}).get("placements"))
            now = shown["position"]["round"]
            is_tiled = now >= round_no and stage_is("tiling")(shown) and (can_place or now == 5)
            return is_tiled or shown["status"] == "over"

        seat = seat_of(self.page)
        with away(self.page):
            seat.play(fits)


class TouchUser(MouseUser):
    """Somebody with a finger."""

    def __init__(self, page: Page, seed: int) -> None:
        super().__init__(page, seed, drags=False)

    def press(self, one: Locator) -> None:
        one.tap()


class KeyboardUser(MouseUser):
    """Somebody with a keyboard and nothing else, who must always see where the focus is."""

    def __init__(self, page: Page, seed: int) -> None:
        super().__init__(page, seed, drags=False)

    def press(self, one: Locator) -> None:
        self.reach(one)
        self.page.keyboard.press("Enter")

    def reach(self, one: Locator) -> None:
        """Goes to a thing by arrow keys, if that leads there soon, else by Tab."""
        wanted = one.element_handle()
        assert wanted is not None
        is_there = "(one) => document.activeElement === one"
        if self.dice.random() < 0.5:
            for _ in range(12):
                if wanted.evaluate(is_there):
                    self.used["arrows"] += 1
                    return
                self.page.keyboard.press(wanted.evaluate(DIRECTION))
        back = wanted.evaluate("(one) => !!(document.activeElement.compareDocumentPosition(one) & 2)")
        for _ in range(250):
            if wanted.evaluate(is_there):
                self.check_focus()
                return
            self.page.keyboard.press("Shift+Tab" if back else "Tab")
        raise AssertionError(f"no key leads to {one}")

    def check_focus(self) -> None:
        """The focus is on something, and that can be seen."""
        seen = self.page.evaluate(FOCUS)
        assert not seen["lost"], "the focus is lost"
        assert seen["marked"], f"the focus cannot be seen on {seen['what']}"
        assert seen["inside"], f"the focus is out of sight on {seen['what']}"

    def ready(self) -> dict[str, Any]:
        found = super().ready()
        self.check_focus()
        return found

    def leap(self, round_no: int) -> None:
        super().leap(round_no)
        self.page.locator(PROMPT).wait_for()
        if self.page.evaluate(FOCUS)["lost"]:  # the page was loaded anew
            self.page.keyboard.press("Tab")

    def bring(self, one: Locator, css: str) -> None:
        self.press(one)
        drops = self.page.locator(css)
        drops.first.wait_for()
        chosen = drops.nth(self.dice.randrange(drops.count()))
        line = (chosen.get_attribute("data-drop") or "").removeprefix("line-")
        if line.isdigit() and self.dice.random() < 0.7:
            self.used["digit"] += 1
            self.page.keyboard.press(line)
        else:
            self.press(chosen)

    def turn(self) -> None:
        for _ in range(self.dice.randrange(3)):
            self.page.keyboard.press(self.dice.choice("rR"))

    def order(self) -> None:
        self.used["order"] += 1
        self.reach(self.page.locator(f"{ORDERS}:checked"))
        for _ in range(self.dice.randrange(4)):
            self.page.keyboard.press("ArrowRight")

    def confirm(self) -> None:
        self.page.keyboard.press("c")


def _middle(one: Locator) -> tuple[float, float]:
    box = one.bounding_box()
    assert box is not None
    return box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
