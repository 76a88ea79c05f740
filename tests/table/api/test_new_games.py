"""What a new game can be, and a whole one of them."""

from __future__ import annotations

from itertools import pairwise

import msgspec
import pytest

from sintra.table.shown import messages
from table.local_table import LocalTable, shown


def test_health_and_about(local: LocalTable) -> None:
    ann = local.person()
    assert ann.get("/health")["status"] == "ok"
    about = msgspec.convert(ann.get("/about"), messages.About)
    assert [one.player for one in about.opponents] == [f"level:n={number}" for number in range(1, 12)]
    assert all((weaker.elo or 0) < (stronger.elo or 0) for weaker, stronger in pairwise(about.opponents))
    assert len(about.goals) == 8
    assert not about.network.open


def test_game_against_the_computer_to_its_end(local: LocalTable) -> None:
    ann = local.person()
    game = ann.create(opponent="level:n=5", goal_count=4)["game"]
    first = shown(ann, game)
    assert first.you == [0]
    assert first.players[1] == messages.PlayerShown("Tiler", "computer", "level:n=5", True, True)
    assert len(first.rules.goals) == 4
    local.play(game, {0: ann})
    last = shown(ann, game)
    assert last.status == "over"
    assert last.options is None
    assert last.result is not None
    assert last.result.reason == "points"
    assert last.log is not None
    assert [event.seq for event in last.log] == list(range(last.seq + 1))
    assert {event.summary.round for event in last.log if event.summary} == {1, 2, 3, 4, 5}
    assert ann.cannot(game, "moves", token="E") == (409, "over")
    assert ann.cannot(game, "resign") == (409, "over")
    assert ann.cannot(game, "undo") == (409, "over")
    assert ann.cannot(game, "take-back") == (409, "over")


@pytest.mark.parametrize("first", ["me", "other"])
def test_start_player_is_as_asked(local: LocalTable, first: str) -> None:
    ann = local.person()
    for _ in range(4):
        game = ann.create("screen", first=first)["game"]
        assert shown(ann, game).position.first == ["me", "other"].index(first)


def test_both_start_when_it_is_drawn(local: LocalTable) -> None:
    ann = local.person()
    assert {shown(ann, ann.create("screen")["game"]).position.first for _ in range(30)} == {0, 1}


def test_chosen_rules(local: LocalTable) -> None:
    ann = local.person()
    goals = ["rows", "edge", "wilds"]
    options: dict[str, str | bool] = {"draw_at_zero": "free", "special_is_color": False}
    game = ann.create("screen", goals=goals, rule_options=options)["game"]
    assert shown(ann, game).rules == messages.RulesShown(goals, options)
    body = {"mode": "screen", "names": ["Ann", "Ben"]}
    assert ann.refused("POST", "/games", body | {"goals": ["rows", "colors", "edge"]}) == (422, "bad_rules")
    assert ann.refused("POST", "/games", body | {"goals": ["rows"]}) == (422, "bad_rules")
    for wrong in ({"draw_at_zero": "never"}, {"special_is_color": "true"}, {"draw_at_one": "free"}):
        assert ann.refused("POST", "/games", body | {"rule_options": wrong}) == (422, "bad_rules")
    assert ann.refused("POST", "/games", body | {"names": ["Ann"]}) == (422, "names_needed")
    assert ann.refused("POST", "/games", body | {"names": ["Ann", "\u202e \u200b"]}) == (422, "bad_name")
