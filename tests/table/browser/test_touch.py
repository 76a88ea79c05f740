"""By touch: a whole game against the computer on a phone, and what a swipe does."""

from __future__ import annotations

import pytest
from playwright.sync_api import Locator, Page, expect

from table.browser.browsers import Browsers, resize, seat_of, stage_is, start_game, words
from table.browser.reaching import visit
from table.browser.users import KINDS, TouchUser


def swipe(page: Page, one: Locator, x: int, y: int) -> None:
    """A finger goes down on a thing and moves by so many pixels."""
    one.scroll_into_view_if_needed()
    box = one.bounding_box()
    assert box is not None
    left, top = box["x"] + box["width"] / 2, box["y"] + box["height"] / 2
    finger = page.context.new_cdp_session(page)
    for k in range(11):
        at = {"x": left + k * x / 10, "y": top + k * y / 10}
        finger.send("Input.dispatchTouchEvent", {"type": "touchMove" if k else "touchStart", "touchPoints": [at]})
    finger.send("Input.dispatchTouchEvent", {"type": "touchEnd", "touchPoints": []})


@pytest.mark.tab
@pytest.mark.long
@pytest.mark.soak
def test_a_whole_game_on_a_phone(browsers: Browsers) -> None:
    page = browsers.page(390, 844, touch=True)
    visit(page, "/")
    page.locator("#opponent option").first.wait_for(state="attached")
    page.locator("#opponent").select_option("level:n=1")
    page.locator("form .button.main").tap()
    page.wait_for_url("**/game/*")
    finger = TouchUser(page, 7)
    finger.play_whole_game()
    assert seat_of(page).shown()["status"] == "over"
    assert {"sun", "moon", "plate", "space", "end", "order"} <= set(finger.used)
    picks = ("sun", "moon", "chip", "plate", "draw", "more", "look", "hand", "space", "end", "pay", "spend")
    moves = sum(finger.used[kind] for kind in picks)
    assert finger.used["confirm"] == moves
    page.get_by_role("dialog").get_by_role("button", name=words("page.close")).tap()
    page.get_by_role("dialog").wait_for(state="detached")


def test_a_swipe_that_begins_on_a_tile_scrolls_a_page_that_scrolls(browsers: Browsers) -> None:
    page = browsers.page(390, 500, touch=True)
    start_game(page, "screen", name="Ann", other="Ben")
    seat_of(page).play(stage_is("turn"))
    tile = page.locator(KINDS["sun"]).first
    tile.wait_for()
    page.locator(".felt.scrolls").wait_for()
    before = page.evaluate("scrollY")
    swipe(page, tile, 0, -100)
    page.wait_for_function("(before) => scrollY > before + 50", arg=before)
    expect(tile).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".flight")).to_have_count(0)
    resize(page, 390, 844)
    page.locator(".felt:not(.scrolls)").wait_for()
    swipe(page, tile, 0, -100)
    expect(tile).to_have_attribute("aria-pressed", "true")


def test_drawn_plates_are_swiped_along_their_row_and_dragged_out_of_it(browsers: Browsers) -> None:
    page = browsers.page(1024, 768, touch=True)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(stage_is("drawing"), "draw")
    while seat.shown()["options"].get("draw"):
        seat.post("moves", token="D")
    seat.post("moves", token=seat.shown()["options"]["look"]["token"])
    page.get_by_role("button", name="show the plates").tap()
    plates = page.locator(KINDS["hand"])
    plates.nth(4).wait_for()
    row = page.locator("[data-place=hand] .held")
    swipe(page, plates.nth(1), -150, 0)
    page.wait_for_function("(row) => row.scrollLeft > 50", arg=row.element_handle())
    expect(page.locator("[data-place=hand] [aria-pressed=true]")).to_have_count(0)
    swipe(page, plates.nth(3), 0, 200)
    expect(plates.nth(3)).to_have_attribute("aria-pressed", "true")
