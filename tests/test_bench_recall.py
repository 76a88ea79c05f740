"""The measure of what a seat's memory rules out (`bench/recall.py`), on scenes whose answer is known."""

from __future__ import annotations

import pytest

from game.test_returned_plates import chain_of_returns
from recall import CANDIDATES, NOTHING_MIXED, PILES, main, ruled_out
from sintra import Game


def test_nothing_is_ruled_out_while_nothing_was_mixed() -> None:
    assert [ruled_out(Game.new(seed=3).state, seat, 10, 1) for seat in range(2)] == [NOTHING_MIXED] * 2


def test_a_pile_that_cannot_be_is_found() -> None:
    """Of b and c only one can lie among the last two: no set says so."""
    assert ruled_out(chain_of_returns().game.state, 0, 300, 1) == PILES


def test_a_candidate_that_cannot_be_is_found() -> None:
    """Once one of the two has come out on the way, the other one cannot have taken it."""
    state = chain_of_returns().game.state
    for kind in range(state["drawn_again"].shape[2]):
        state["came_out"][0, 0, kind] = state["drawn_again"][0, 0, kind]
    assert ruled_out(state, 0, 300, 1) == CANDIDATES


def test_it_prints_the_shares(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["--games", "2", "--draws", "0.9"]) == 0
    printed = capsys.readouterr().out
    assert "2 games" in printed
    assert "a pile is ruled out: 0.0 % of games" in printed
