"""A whole game against the computer by keyboard alone."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from table.browser.browsers import seat_of, words
from table.browser.reaching import visit
from table.browser.users import KeyboardUser

pytestmark = pytest.mark.long


@pytest.mark.soak
def test_a_whole_game_without_a_mouse(page: Page) -> None:
    visit(page, "/")
    page.locator("#opponent option").first.wait_for(state="attached")
    keys = KeyboardUser(page, 5)
    keys.reach(page.locator("#opponent"))
    page.keyboard.press("Home")
    expect(page.locator("#opponent")).to_have_value("level:n=1")
    keys.press(page.locator("form .button.main"))
    page.wait_for_url("**/game/*")
    page.locator("[data-tour=prompt]").wait_for()
    keys.play_whole_game()
    assert seat_of(page).shown()["status"] == "over"
    assert {"sun", "moon", "plate", "space", "end", "digit", "arrows", "confirm", "order"} <= set(keys.used)
    keys.check_focus()
    keys.press(page.get_by_role("dialog").get_by_role("button", name=words("act.replay")))
    expect(page.get_by_role("slider")).to_have_value("0")
    page.keyboard.press("ArrowRight")
    expect(page.get_by_role("slider")).to_have_value("1")
    page.keyboard.press("Escape")
    expect(page.get_by_role("slider")).to_have_count(0)
