"""The first quick look at a game."""

from __future__ import annotations

import pytest

from helpers import VECTORS
from sintra.records.files import read_records
from sintra.review.sketch import TURNING_POINTS, sketching, smoothed, turning_points


def test_a_whole_game_is_looked_at_position_by_position() -> None:
    record = read_records(VECTORS / "random.jsonl")[0]
    seen = list(sketching(record, sims=4))
    assert [len(one.course) for one in seen] == list(range(1, len(record.moves) + 2))
    assert seen[-1].course[-1] == float(record.replay().result.winner == 0)  # type: ignore[union-attr]
    assert 1 <= len(seen[-1].turning) <= TURNING_POINTS
    assert all(0 <= ply < len(record.moves) for ply in seen[-1].turning)


def test_what_only_goes_with_who_is_to_move_turns_nothing() -> None:
    """Each side sees its own chances too well."""
    course, movers = [0.6, 0.4] * 5, [0, 1] * 5
    assert smoothed(course)[1:-1] == pytest.approx([0.5] * 8)
    assert turning_points(course, movers) == ()
    assert smoothed([0.3]) == [0.3]
    assert smoothed([]) == []


def test_a_move_that_gives_much_away_turns_the_game_once() -> None:
    course = [0.6, 0.6, 0.6, 0.6, 0.2, 0.2, 0.2, 0.2, 0.2, 0.5, 0.5, 0.5]
    movers = [0, 1, 0, 0, 1, 0, 1, 0, 1, 0, 1, 0]
    assert turning_points(course, movers) == (3, 8)
    assert turning_points([0.5] * 4, [0, 1, 0, 1]) == ()
