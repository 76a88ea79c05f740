"""Positions with tilings that are hard, or cannot be: the table refuses them, or shows them as quickly as others."""

from __future__ import annotations

from typing import Any

import pytest

from sintra.table.base.times import time_now
from sintra.table.games.capabilities import hash_of, new_secret
from sintra.table.games.log import Created, Start, write_event
from sintra.table.games.storage import Stored
from sintra.tabletop.ruleset import RuleOptions
from table.hard_tilings import HARDEST, TOO_MANY_CHIPS
from table.local_table import LocalTable

ENDPOINTS = ["/study", "/study/advice", "/study/count", "/study/play"]


@pytest.mark.parametrize("path", ENDPOINTS)
def test_more_chips_than_a_seat_can_take_are_refused(local: LocalTable, path: str) -> None:
    body: dict[str, Any] = {"position": TOO_MANY_CHIPS}
    if path == "/study/play":
        body |= {"names": ["Ann", "Ben"], "mode": "screen"}
    ann = local.person()
    assert ann.refused("POST", path, body) == (422, "bad_position")
    assert "at most 10 chips" in ann.ask("POST", f"/api{path}", json=body).json()["message"]


def test_the_hardest_tiling_is_counted(local: LocalTable) -> None:
    """Every move of the count is the best one: together they bring what the forecast of the board promises."""
    ann = local.person()
    promised = ann.post("/study", {"position": HARDEST})["game"]["position"]["boards"][0]
    counted = ann.post("/study/count", {"position": HARDEST})["seats"][0]
    assert counted["score"] == promised["score"] + promised["forecast"]
    assert any(move["line"] for move in counted["moves"])


def test_a_game_of_an_earlier_version_that_cannot_be_does_not_keep_others_from_anything(local: LocalTable) -> None:
    """It is as if it were not there, and whoever has its link can do everything else."""
    ann = local.person()
    good = ann.create("screen")
    made = Created(
        seed=1,
        computer_seed=1,
        mode="screen",
        names=["Ann", "Ben"],
        goals=["rows", "columns", "diagonals"],
        goal_count=3,
        options=RuleOptions(),
        start=Start(TOO_MANY_CHIPS, "", 0),
    )
    name, secret, other = "impossible-game", good["links"]["own"], new_secret()
    event = Stored(0, None, time_now(), write_event(made))
    roles = [("own", hash_of(one)) for one in (secret, other)]
    local.runner.run(local.table.storage.create(name, [event], roles))
    assert ann.refused("POST", f"/games/{name}/enter", {"secret": other}) == (404, "no_game")
    running = local.runner.run(local.table.studies.running({name: secret, good["game"]: secret}))
    assert list(running) == [good["game"]]
