"""Two players on one screen: private plates are shown to the one who has drawn them."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from table.browser.browsers import fill_start, seat_of, stage_is, start_game, words
from table.browser.users import KINDS, LOG, MouseUser


def test_the_screen_is_handed_over_before_private_plates_are_shown(page: Page) -> None:
    fill_start(page, "screen", name="Ann", other="Ben")
    hand = MouseUser(page, 21)
    for _ in range(4):
        assert hand.decide()
    seat = seat_of(page)
    seat.play(stage_is("drawing"), "draw")
    seat.play(lambda shown: len(shown["position"]["hand"]) == 2, "draw")
    seat.post("moves", token="D")
    look = page.get_by_role("button", name=words("act.look", count=3))
    look.click()
    curtain = page.get_by_role("button", name=re.compile("show the plates?"))
    expect(curtain).to_be_visible()
    held = page.locator("[data-place=hand]")
    expect(held.locator("[data-piece=plate]")).to_have_count(3)
    assert "sintra-space" not in held.inner_html()
    expect(page.locator(KINDS["hand"])).to_have_count(0)
    page.reload()
    expect(curtain).to_be_visible()
    assert "sintra-space" not in held.inner_html()

    curtain.click()
    expect(page.locator(KINDS["hand"])).to_have_count(3)
    expect(curtain).to_have_count(0)
    # it stays up for all that this player decides, and falls before the other's plates
    for left in (2, 1):
        hand.decide()
        expect(page.locator(KINDS["hand"])).to_have_count(left)
        assert not hand.used["curtain"]
    hand.decide()
    assert seat.shown()["position"]["stage"] not in ("keeping", "returning")
    # the other player sees nothing of what was returned
    expect(held).to_have_count(0)
    told = page.locator(LOG)
    expect(told.filter(has_text="returns a ")).to_have_count(2)
    expect(told.filter(has_text="returns plate")).to_have_count(0)
    for _ in range(6):
        hand.decide()
    before = seat.shown()["position"]["seat"]
    seat.play(lambda shown: stage_is("keeping")(shown) and shown["position"]["seat"] == before, "draw")
    expect(curtain).to_be_visible()
    assert "sintra-space" not in held.inner_html()


def test_the_window_says_who_resigns_and_who_wins(page: Page) -> None:
    start_game(page, "screen", name="Ann", other="Ben")
    names = ["Ann", "Ben"]
    mover = seat_of(page).shown()["position"]["seat"]
    page.get_by_role("button", name=words("act.resign")).click()
    ask = page.get_by_role("dialog")
    expect(ask.get_by_text(words("resign.lead", name=names[mover], other=names[1 - mover]))).to_be_visible()
    ask.get_by_role("button", name=words("act.resign")).click()
    expect(page.get_by_role("dialog").get_by_text(words("end.resigned", name=names[mover]))).to_be_visible()
