"""The chances of a review that was kept as JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from helpers import VECTORS
from sintra import Record, SintraError, read_records
from sintra.review import GameReview, TurnReview
from sintra.review.chances import chances_of
from sintra.review.report import marked

Reviewed = tuple[Record, GameReview, Any]


@pytest.fixture(scope="module")
def reviewed() -> Reviewed:
    """A game, a review made up for it, and the same as JSON."""
    record = read_records(VECTORS / "kinds.jsonl")[0]
    turns = [
        TurnReview(
            ply=game.ply,
            round=game.round,
            seat=game.turn,
            move=record.moves[game.ply],
            chance=0.3 + 0.4 * (game.ply % 7) / 7,
            lead=0.0,
            best=(),
            cost=0.2 * (game.ply % 11 == 4),
            skill=0.0,
            luck={},
            noise=0.0,
            choices=2,
        )
        for game in record.positions()
        if game.ply < len(record.moves)
    ]
    found = GameReview(record.players, 0.5, 1.0, 0.0, tuple(turns))
    return record, found, json.loads(json.dumps(found.to_dict()))


def test_chances_are_those_of_the_review(reviewed: Reviewed) -> None:
    record, found, data = reviewed
    chances = chances_of(GameReview.from_dict(data), record)
    assert GameReview.from_dict(data) == found
    assert chances.by_ply == (*(turn.chance for turn in found.turns), found.result)
    assert len(chances.by_ply) == len(record.moves) + 1
    assert [(point.ply, point.sign) for point in chances.turning_points] == [
        (turn.ply, mark.symbol) for turn, mark in marked(found)
    ]
    assert chances.turning_points
    assert len(chances.rounds) == 5
    assert [found.turns[ply].round for ply in chances.rounds] == [1, 2, 3, 4, 5]


def test_what_is_no_review_of_this_game_is_refused(reviewed: Reviewed) -> None:
    record, found, data = reviewed
    other = read_records(VECTORS / "kinds.jsonl")[1]
    for wrong, said in (
        ([], "this is no review"),
        ({"format": "sintra/1"}, "this is no review"),
        ({**data, "turns": [{}]}, "damaged"),
        ({**data, "result": "won"}, "damaged"),
        ({**data, "result": 7}, "not between 0 and 1"),
    ):
        with pytest.raises(SintraError, match=said):
            chances_of(GameReview.from_dict(wrong), record)
    with pytest.raises(SintraError, match="another game"):
        chances_of(found, other)
