"""The tutor asks before a costly move, a line says why it takes no tiles, and the lesson shows what it asks for."""

from __future__ import annotations

from typing import Any

import pytest
from playwright.sync_api import Page, expect

from table.browser.browsers import Browsers, game_of, seat_of, start_game, words
from table.browser.reaching import ask, visit
from table.browser.screens import POSITION
from table.browser.users import PROMPT


def breakings(shown: dict[str, Any]) -> list[dict[str, Any]]:
    """Takes of which all tiles can be broken, those first that break most."""
    takes = (shown.get("options") or {}).get("takes") or []
    return sorted(takes, key=lambda take: -take["count"])


def costly(page: Page) -> dict[str, Any]:
    """A take whose breaking the tutor warns of, in the game that the page shows, which goes on until there is one."""
    seat = seat_of(page)
    while True:
        shown = seat.play(lambda shown: bool(breakings(shown)))
        take = breakings(shown)[0]
        token = next(to for to in take["to"] if not to["line"])["tokens"][0]
        asked = {"seq": shown["seq"], "token": token}
        said = ask(page, "POST", f"/api/games/{game_of(page)}/tutor", asked).json()
        if said["warns"]:
            assert 0 < said["share"] <= 1
            return take
        seat.move(shown)


@pytest.mark.long
def test_the_tutor_asks_once_before_a_costly_move(browsers: Browsers) -> None:
    page = browsers.page(confirm="on", tutor=True)
    start_game(page)
    take = costly(page)
    page.reload()
    confirm = page.locator(PROMPT).get_by_role("button", name=words("act.confirm"))
    question = page.locator(".tutor")

    def break_tiles() -> None:
        page.locator(f"[data-place={take['places'][0]}] button[data-piece={take['color']}]").first.click()
        page.locator("button[data-drop=line-0]").click()
        confirm.click()

    break_tiles()
    expect(question).to_be_visible()
    expect(page.locator(PROMPT)).to_have_count(0)
    page.get_by_role("button", name=words("tutor.again")).click()
    expect(question).to_have_count(0)
    expect(page.locator(".tile.picked")).to_have_count(0)
    ply = seat_of(page).shown()["ply"]
    break_tiles()
    seat_of(page).play(lambda shown: shown["ply"] > ply)
    expect(question).to_have_count(0)


def test_a_line_says_why_it_takes_no_tiles(browsers: Browsers) -> None:
    page = browsers.page(confirm="on")
    visit(page, "/analysis")
    page.locator("#study-text").fill(POSITION)
    page.locator("form .button.main").click()
    page.locator("[data-place=sun-1] button[data-piece=R]").click()
    page.locator("[data-place=line-0-1]").click(force=True)
    alert = page.locator(PROMPT).get_by_role("alert")
    expect(alert).to_have_text(words("line.refused.full", line=1))
    page.keyboard.press("4")
    expect(alert).to_have_text(words("line.refused.holds", line=4, color=words("color.K")))
    page.keyboard.press("2")
    expect(alert).to_have_count(0)
    expect(page.locator(PROMPT).get_by_role("button", name=words("act.confirm"))).to_be_visible()


def test_what_the_lesson_asks_for_glows_until_it_is_picked(page: Page) -> None:
    visit(page, "/lesson")
    asked = page.locator("[data-asked]")
    expect(asked).to_have_count(2)
    assert {one.get_attribute("data-piece") for one in asked.all()} == {"B"}
    asked.first.click()
    expect(asked).to_have_count(0)
