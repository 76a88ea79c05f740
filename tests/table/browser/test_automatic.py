"""Where there is nothing to choose, the page asks for no click."""

from __future__ import annotations

from typing import Any

from playwright.sync_api import expect

from table.browser.browsers import Browsers, seat_of, stage_is, start_game, words
from table.browser.users import LOG


def tokens_of(options: dict[str, Any]) -> list[str]:
    """Everything that a player who tiles can do."""
    ends = [options["end"]] if options.get("end") else []
    return [one["token"] for one in (*options.get("placements", ()), *options.get("payments", ()), *ends)]


def test_a_tiling_asks_only_where_there_is_a_choice(browsers: Browsers) -> None:
    page = browsers.page(autoPlace=True, autoEnd=True)
    start_game(page, "screen", name="Ann", other="Ben")
    seat = seat_of(page)
    seat.play(stage_is("tiling"))
    alone = 0
    while (now := seat.shown())["position"]["stage"] == "tiling":
        tokens = tokens_of(now["options"])
        if len(tokens) > 1:
            seat.post("moves", token=tokens[0])
        else:
            alone += 1
        story = page.get_by_role("button", name=words("act.continue"))
        expect(page.locator(LOG).nth(now["seq"] + 1).or_(story)).to_be_attached()
    assert alone >= 2, "both players end their tiling"
