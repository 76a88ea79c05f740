"""The clock: chosen at the start, told to the friend, seen to run, heard of when little is left, and the end of it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from table.browser.browsers import Browsers, Seat, seat_of, words
from table.browser.reaching import ask, visit

NEAR = ".near .clock"
FAR = ".far-small .clock"


def timed_game(page: Page, seconds: int) -> Seat:
    """A game against the computer in which the player's time runs: their second decision is to come."""
    body = {
        "mode": "computer",
        "names": ["Ann"],
        "first": "me",
        "opponent": "level:n=1",
        "clock": {"seconds": seconds, "increment": 0},
    }
    made = ask(page, "POST", "/api/games", body).json()
    visit(page, f"/game/{made['game']}#{made['links']['own']}")
    page.locator("[data-tour=prompt]").wait_for()
    seat = seat_of(page)
    seat.play(lambda shown: shown["clock"]["running"] == 0)
    return seat


def expect_left(page: Page, place: str, time: str) -> None:
    """A clock says so much, before which stands, for those who hear it, what it is."""
    expect(page.locator(place)).to_have_text(re.compile(rf"^{words('clock.left')}\s*{time}$"))


def test_a_game_is_lost_when_the_time_has_run_out(page: Page) -> None:
    seat = timed_game(page, 3)
    expect(page.locator(f"{NEAR}.runs.last")).to_be_visible()
    dialog = page.get_by_role("dialog")
    expect(dialog).to_contain_text(words("end.timeout", name="Ann"))
    shown = seat.shown()
    assert (shown["status"], shown["result"]["reason"], shown["result"]["winner"]) == ("over", "timeout", 1)
    dialog.get_by_role("button", name=words("page.close")).first.click()
    expect_left(page, NEAR, "0:00")
    expect_left(page, FAR, "0:03")
    expect(page.locator("[data-tour=log] li").first).to_contain_text(words("log.timeout"))
    page.get_by_role("button", name=words("act.replay")).click()
    expect_left(page, NEAR, "0:03")


def test_little_time_is_told_in_words(page: Page) -> None:
    timed_game(page, 11)
    expect(page.locator("p[aria-live=polite]").first).to_have_text(words("clock.soon.10", name="Ann"))
    expect(page.get_by_role("timer")).to_have_count(2)


@pytest.mark.server("a second browser at the same game")
def test_a_clock_is_chosen_remembered_and_told_to_the_friend(browsers: Browsers) -> None:
    ann, ben = browsers.page(), browsers.page()
    visit(ann, "/")
    ann.locator("input[name=mode][value=friend]").check()
    ann.locator("form summary").first.click()
    ann.locator("#clock").select_option("own")
    ann.locator("#clock-minutes").fill("7")
    ann.locator("#clock-seconds").fill("4")
    ann.locator("form .button.main").click()
    link = ann.locator("#link-friend").input_value()
    ben.goto(link)
    expect(ben.locator("form")).to_contain_text(words("clock.preset", minutes=7, seconds=4))
    ben.locator("#join-name").fill("Ben")
    ben.get_by_role("button", name=words("join.go")).click()
    for page in (ann, ben):
        for place in (NEAR, FAR):
            expect_left(page, place, "7:00")
    visit(ann, "/")
    expect(ann.locator("form summary").first).to_contain_text(words("clock.preset", minutes=7, seconds=4))
    ann.locator("form summary").first.click()
    expect(ann.locator("#clock")).to_have_value("own")
    expect(ann.locator("#clock-minutes")).to_have_value("7")
    ann.locator("#clock").select_option("none")
    ann.locator("form .button.main").click()
    ann.locator("[data-tour=prompt]").wait_for()
    assert "clock" not in seat_of(ann).shown()
