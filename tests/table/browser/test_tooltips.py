"""Tooltips: they wait, keep away from what was just played, and can be switched off."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import Page, expect

from table.browser.browsers import Browsers, Seat, seat_of, start_game, words
from table.browser.users import PROMPT

REST = 800
"""Milliseconds that the pointer rests before something is said."""
MEETS = """(tip) => {
    const meet = (a, b) => a.left < b.right && b.left < a.right && a.top < b.bottom && b.top < a.bottom;
    const own = tip.getBoundingClientRect();
    if (getComputedStyle(tip).visibility === "hidden") return [];
    const played = [...document.querySelectorAll("[data-place]:is(.marked, .source)")];
    return played.filter((one) => meet(own, one.getBoundingClientRect())).map((one) => one.dataset.place);
}"""


def at_standstill(page: Page, plies: int = 0) -> Seat:
    """Two on one screen after some moves; from now on time passes when the test says so."""
    page.clock.install()
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(lambda shown: shown["ply"] >= plies and shown["position"]["stage"] == "turn")
    page.reload()
    page.locator(PROMPT).wait_for()
    page.clock.pause_at(page.evaluate("Date.now() + 60_000"))
    return seat


def test_a_tooltip_waits_for_the_pointer_to_rest(browsers: Browsers) -> None:
    page = browsers.page()
    at_standstill(page)
    tip = page.get_by_role("tooltip")
    page.locator("[data-explain=bag]").hover()
    page.clock.run_for(REST - 100)
    expect(tip).to_have_count(0)
    page.clock.run_for(200)
    expect(tip).to_have_text(words("explain.bag"))


def test_what_is_pressed_is_not_explained_until_the_pointer_moves(browsers: Browsers) -> None:
    page = browsers.page()
    at_standstill(page)
    tip = page.get_by_role("tooltip")
    bag = page.locator("[data-explain=bag]")
    bag.click(position={"x": 5, "y": 8})
    page.clock.run_for(5 * REST)
    expect(tip).to_have_count(0)
    bag.hover(position={"x": 60, "y": 8})
    page.clock.run_for(REST + 100)
    expect(tip).to_have_text(words("explain.bag"))


def test_a_move_puts_a_tooltip_away(browsers: Browsers) -> None:
    page = browsers.page()
    seat = at_standstill(page)
    tip = page.get_by_role("tooltip")
    page.locator("[data-explain=bag]").hover()
    page.clock.run_for(REST + 100)
    expect(tip).to_be_visible()
    seat.move(seat.shown())
    for _ in range(20):
        page.clock.run_for(500)
    expect(tip).to_have_count(0)


def test_a_tooltip_covers_nothing_that_was_just_played(browsers: Browsers) -> None:
    page = browsers.page()
    at_standstill(page, 6)
    expect(page.locator("[data-place].marked").first).to_be_visible()
    tip = page.get_by_role("tooltip")
    said: list[Any] = []
    for part in page.locator(":is([data-explain], [data-tip]):not(.goal *)").all():
        if not part.is_visible():
            continue
        page.mouse.move(0, 0)
        box = part.bounding_box()
        assert box is not None
        page.mouse.move(box["x"] + box["width"] / 2, box["y"] + 3)
        page.clock.run_for(REST + 100)
        if tip.count():
            assert tip.evaluate(MEETS) == []
            said.append(tip.inner_text())
    assert len(said) > 10


def test_tooltips_can_be_switched_off(browsers: Browsers) -> None:
    page = browsers.page()
    at_standstill(page)
    page.get_by_role("button", name=words("page.settings")).click()
    page.get_by_label(words("settings.tooltips")).uncheck()
    page.get_by_role("button", name=words("page.done")).click()
    page.locator("[data-explain=bag]").hover()
    page.clock.run_for(5 * REST)
    expect(page.get_by_role("tooltip")).to_have_count(0)
