"""Games that end before their time."""

from __future__ import annotations

import pickle
from typing import Any

import pytest

from helpers import played
from sintra import Game, IllegalMoveError, SintraError


def test_a_game_can_be_resigned() -> None:
    game = played(1, most=30)
    scores = game.scores
    game.resign(0)
    assert game.is_over
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (1, "resigned")
    assert (game.result.scores, game.result.goals) == (scores, None)
    assert len(game.legal_moves) == 0
    before = game.state.tobytes()
    with pytest.raises(IllegalMoveError, match="ended early"):
        game.push(played(1, most=31).moves[-1])
    assert game.state.tobytes() == before
    with pytest.raises(SintraError, match="over already"):
        game.resign(1)
    with pytest.raises(SintraError, match="over already"):
        game.end_early(0, "timeout")
    assert game.result.winner == 1


def test_taking_back_a_move_takes_back_the_early_end() -> None:
    game = played(1, most=30)
    game.end_early(0, "timeout")
    game.pop()
    assert not game.is_over
    assert game.result is None
    assert game == played(1, most=29)


@pytest.mark.parametrize(("winner", "reason"), [(2, "resigned"), (-1, "timeout"), (0, "bored"), (0, "")])
def test_an_early_end_must_make_sense(winner: int, reason: Any) -> None:
    game = Game.new(seed=1)
    with pytest.raises(SintraError):
        game.end_early(winner, reason)
    with pytest.raises(SintraError):
        game.resign(2)
    assert game.result is None
    assert not game.is_over


def test_a_finished_game_cannot_be_resigned() -> None:
    game = played(4)
    result = game.result
    assert result is not None
    assert result.reason is None
    with pytest.raises(SintraError, match="over already"):
        game.resign(0)
    assert game.result == result
    assert result.scores == game.scores
    assert result.goals == game.goal_points


def test_an_early_end_is_an_end_for_views_and_perft_too() -> None:
    game = Game.new(seed=7)
    game.push(game.legal_moves[0])
    game.resign(0)
    for observer in (0, 1, 2):
        view = game.view(observer)
        assert view.is_over
        assert view.result == game.result
        assert not view.to_move
        assert list(view.legal_moves) == []
        assert pickle.loads(pickle.dumps(view)) == view
        assert "Seat 1 wins (resigned)" in str(view)
    assert (game.perft(0), game.perft(1)) == (1, 0)
    with pytest.raises(IllegalMoveError, match="ended early"):
        game.describe("D")
    assert repr(game.legal_moves) == "<no legal moves>"
