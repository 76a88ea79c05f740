"""A whole game against a strong computer by mouse."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

import soak
from table.browser.browsers import assert_points_add_up, seat_of, start_game, words
from table.browser.users import MouseUser

MOVING = soak.pick(6, 1000)
"""So many decisions of the first round are made while all that happens is shown in motion."""


def set_speed(page: Page, speed: str) -> None:
    page.get_by_role("button", name=words("page.settings")).click()
    page.locator("#set-speed").select_option(speed)
    page.get_by_role("button", name=words("page.done")).click()


def test_the_first_decisions_by_clicking_and_dragging(page: Page) -> None:
    start_game(page)
    hand = MouseUser(page, 11)
    assert hand.play_round(4), "the round goes on"
    assert seat_of(page).shown()["ply"] > 4


@pytest.mark.tab
@pytest.mark.long
@pytest.mark.soak
def test_a_whole_game_by_clicking_and_dragging(page: Page) -> None:
    start_game(page, level=9)
    set_speed(page, "fast")
    hand = MouseUser(page, 11)
    if hand.play_round(MOVING):
        set_speed(page, "off")
    else:
        expect(page.get_by_role("heading", name=words("summary.title", round=1))).to_be_visible()
        assert hand.go_on()
        set_speed(page, "off")
    hand.play_whole_game()
    assert hand.used["continue"] == 5 or not soak.is_on, "each round is told"

    shown = seat_of(page).shown()
    assert shown["status"] == "over"
    assert {"sun", "moon", "plate", "space", "end", "drag", "confirm", "order"} <= set(hand.used)
    assert_points_add_up(page, shown["result"])
