"""A whole game against the computer by mouse."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect

from table.browser.hands import Hand
from table.browser.people import seat_of, start_game, words


def test_a_whole_game_by_clicking_and_dragging(page: Page) -> None:
    start_game(page)
    page.get_by_role("button", name=words("page.settings")).click()
    page.locator("#set-speed").select_option("fast")
    page.get_by_role("button", name=words("page.done")).click()
    hand = Hand(page, 11)
    hand.play_round()
    expect(page.get_by_role("heading", name=words("summary.title", round=1))).to_be_visible()
    page.get_by_role("button", name=words("act.continue")).click()
    page.get_by_role("button", name=words("page.settings")).click()
    page.locator("#set-speed").select_option("off")
    page.get_by_role("button", name=words("page.done")).click()
    hand.play_round()
    for _ in range(3):
        if page.get_by_role("button", name=words("act.continue")).count():
            page.get_by_role("button", name=words("act.continue")).click()
            hand.play_round()

    shown = seat_of(page).shown()
    assert shown["status"] == "over"
    assert {"sun", "moon", "plate", "space", "end", "drag", "confirm", "order"} <= set(hand.used)
    result = shown["result"]
    ending = page.get_by_role("dialog")
    scores = [int(number) for number in re.findall(r"\d+", ending.locator("p").first.inner_text())]
    assert scores == result["scores"]
    rows = ending.locator("tbody tr").all_inner_texts()
    columns = list(zip(*([_number(cell) for cell in row.split("\t")[1:]] for row in rows), strict=True))
    assert len(rows) == 7 + len(shown["rules"]["goals"])
    for seat, column in enumerate(columns):
        assert column[-1] == result["scores"][seat]
        assert sum(column[:-1]) == column[-1], rows


def _number(text: str) -> int:
    return int(text.replace("\N{MINUS SIGN}", "-").replace("+", ""))
