"""Whose legal moves they are, and how the sequence behaves."""

from __future__ import annotations

import pytest

from sintra import Draw, Game, IllegalMoveError, NotationError, SintraError
from sintra.rules import choices, engine
from sintra.rules.state import empty_states


@pytest.mark.parametrize("seat", [-1, 2, 3])
def test_there_are_two_seats(seat: int) -> None:
    game = Game.new(seed=1)
    with pytest.raises(ValueError, match="no seat"):
        game.board(seat)
    if seat != 2:
        with pytest.raises(SintraError, match="no seat"):
            game.view(seat)


def test_the_other_seat_has_no_moves() -> None:
    game = Game.new(seed=1)
    waiting, watching = game.view(1 - game.turn), game.view(2)
    for view in (waiting, watching):
        assert not view.to_move
        assert len(view.legal_moves) == 0
        with pytest.raises(IllegalMoveError):
            view.preview(game.legal_moves[0])


def test_legal_moves_are_a_sequence() -> None:
    game = Game.new(seed=7)
    legal = game.legal_moves
    assert len(legal) == 108
    assert legal[0] == next(iter(legal)) == legal[-108]
    assert legal[-1] == list(legal)[-1]
    assert legal[3:6] == list(legal)[3:6]
    assert list(reversed(legal)) == list(legal)[::-1]
    assert legal.index(legal[17]) == 17
    assert legal.count(legal[17]) == 1
    for index in (108, -109):
        with pytest.raises(IndexError):
            legal[index]
    assert str(legal[0]) in legal
    assert legal[0] in legal
    for stranger in ("P01@11r9", "no move", 3, None, "D", Draw()):
        assert stranger not in legal
    assert str(legal[0]) in repr(legal)
    assert "108" in repr(legal)


def test_legal_moves_stay_those_of_their_position() -> None:
    game = Game.new(seed=7)
    legal = game.legal_moves
    first = legal[0]
    game.push(first)
    assert len(legal) == 108
    assert legal[0] == first
    assert game.legal_moves[0] != first


def test_require_gives_the_move_or_the_reason() -> None:
    legal = Game.new(seed=7).legal_moves
    assert legal.require(str(legal[4])) == legal[4] == legal.require(legal[4])
    with pytest.raises(IllegalMoveError):
        legal.require("D")
    with pytest.raises(NotationError):
        legal.require("?")


def test_a_blank_table_has_no_moves() -> None:
    assert len(Game(empty_states()).legal_moves) == 0


def test_a_view_speaks_of_its_own_moves_only() -> None:
    game = Game.new(seed=7)
    other = game.view(1 - game.turn)
    for ask in (other.preview, other.describe):
        with pytest.raises(IllegalMoveError, match=f"seat {game.turn} is to move"):
            ask(game.legal_moves[0])
    with pytest.raises(IllegalMoveError):
        game.view(game.turn).describe("MB3")
    with pytest.raises(AttributeError):
        other.seat = 0  # type: ignore[misc]


def test_legal_moves_are_found_by_their_notation() -> None:
    moves = Game.new(seed=7).legal_moves
    assert moves.index(str(moves[5])) == moves.index(moves[5]) == 5
    assert (moves.count(str(moves[5])), moves.count("D")) == (1, 0)
    with pytest.raises(SintraError, match="D is not among"):
        moves.index("D")
    with pytest.raises(SintraError, match="not among"):
        moves.index(moves[5], 6)


def test_a_state_in_the_middle_of_a_move_has_no_moves() -> None:
    game = Game.new(seed=7)
    states = game.state
    engine.apply(states, 0, choices.unpack(game.legal_moves.paths[0])[0])
    between = Game(states)
    assert len(between.legal_moves) == 0
    with pytest.raises(IllegalMoveError, match="being made"):
        between.push("D")
