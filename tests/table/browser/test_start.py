"""The start page: a new game within sight, and a list of games that can be tidied; settings that say why."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import soak
from table.browser.browsers import Browsers, game_of, seat_of, start_game, words
from table.browser.reaching import ask, visit
from table.catalogues import LANGUAGES


@pytest.mark.parametrize("language", soak.rest_long(*LANGUAGES))
@pytest.mark.parametrize(("width", "height"), [(1280, 800), (1280, 720), (1366, 625), (390, 844)])
def test_a_game_can_be_started_without_scrolling(browsers: Browsers, language: str, width: int, height: int) -> None:
    page = browsers.page(width, height, language=language, name="")
    visit(page, "/")
    page.locator("#opponent option").first.wait_for(state="attached")
    go = page.locator("form .button.main")
    for mode in ("computer", "screen", "friend"):
        page.locator(f"input[name=mode][value={mode}]").check()
        expect(go).to_be_in_viewport(ratio=1)
        expect(page.locator("form summary")).to_be_in_viewport(ratio=1)
        foot, more = go.bounding_box(), page.locator("form summary").bounding_box()
        assert foot is not None
        assert more is not None
        assert more["y"] + more["height"] <= foot["y"], "nothing of the form lies under its button"


def test_the_list_of_games_can_be_tidied(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    game = game_of(page)
    seat = seat_of(page)
    start_game(page, "screen", name="Cleo", other="Dan")
    seat_of(page).post("resign")
    visit(page, "/")
    for name in ("Ann \N{EN DASH} Ben", "Cleo \N{EN DASH} Dan"):
        entry, dialog = page.get_by_role("link", name=name), page.get_by_role("dialog")
        remove = page.get_by_role("button", name=words("start.remove", name=name))
        remove.click()
        dialog.get_by_role("button", name=words("act.cancel")).click()
        expect(entry).to_be_visible()
        remove.click()
        dialog.get_by_role("button", name=words("start.remove.go")).click()
        expect(entry).to_have_count(0)
        page.reload()
        expect(page.get_by_text(words("start.new"))).to_be_visible()
        expect(entry).to_have_count(0)
    assert page.evaluate("localStorage.getItem('sintra.games')") == "[]"
    assert ask(page, "GET", f"/api/games/{game}").status == 404, "no cookie is left either"
    assert seat.game == game


@pytest.mark.parametrize("can", [True, False])
def test_who_cannot_be_notified_is_told_why(browsers: Browsers, can: bool) -> None:
    page = browsers.page(notify=not can)
    page.add_init_script(
        "Notification.requestPermission = async () => 'denied';" if can else "delete window.Notification;"
    )
    visit(page, "/")
    page.get_by_role("button", name=words("page.settings")).click()
    tick = page.get_by_role("checkbox", name=words("settings.notify"))
    expect(tick).not_to_be_checked()
    if can:
        tick.click()
        expect(page.get_by_text(words("settings.notify.denied"))).to_be_visible()
    else:
        expect(page.get_by_text(words("settings.notify.none"))).to_be_visible()
        expect(tick).to_be_disabled()
    expect(tick).not_to_be_checked()
