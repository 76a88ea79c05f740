"""A whole game against the computer by touch, on a phone."""

from __future__ import annotations

import pytest

from table.browser.browsers import Browsers, seat_of, words
from table.browser.users import TouchUser


@pytest.mark.soak
def test_a_whole_game_on_a_phone(browsers: Browsers) -> None:
    page = browsers.page(390, 844, touch=True)
    page.goto("/")
    page.locator("#opponent option").first.wait_for(state="attached")
    page.locator("#opponent").select_option("level:n=1")
    page.locator("form .button.main").tap()
    page.wait_for_url("**/game/*")
    finger = TouchUser(page, 7)
    finger.play_round()
    assert finger.go_on()
    finger.play_to_the_end()
    assert seat_of(page).shown()["status"] == "over"
    assert {"sun", "moon", "plate", "space", "end", "order"} <= set(finger.used)
    picks = ("sun", "moon", "chip", "plate", "draw", "more", "look", "hand", "space", "end", "pay", "spend")
    moves = sum(finger.used[kind] for kind in picks)
    assert finger.used["confirm"] == moves
    page.get_by_role("dialog").get_by_role("button", name=words("page.close")).tap()
    page.get_by_role("dialog").wait_for(state="detached")
