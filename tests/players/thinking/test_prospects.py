"""What is expected of a move, by source: it adds up, it is exact in phase 2, and it tells nothing that is hidden."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random
from typing import Final

import numpy as np
import pytest

from checked_integers import INSTALL
from helpers import play_on, some
from random_positions import view_alike
from sintra import Game, Stage
from sintra.players.thinking.evaluator import load_evaluator, standard_evaluator
from sintra.players.thinking.prospects import LATER, PARTS, Foresight, Promise
from sintra.players.thinking.tiler import Tiler
from sintra.rules.state import Source
from sintra.tabletop.moves import move_of

from ..helpers import played_greedily
from .test_evaluator import with_hidden_layer
from .test_tree import printed_by

FIRST_MOVE: Final = """
from sintra import Game
from sintra.players.thinking.prospects import Foresight
game = Game.new(seed=5)
found = Foresight(sims=3, lines=2).of(game.view(game.turn), game.legal_moves[0]).parts
print([[[round(part, 6) for part in seat] for seat in line] for line in found])
"""
"""What is expected of the first move of a game."""


@cache
def games() -> tuple[Game, ...]:
    """Positions of random play, at all stages."""
    return tuple(game for taste in ("uniform", "drawing", "chips") for game in _positions(taste))


def _positions(taste: str) -> Iterator[Game]:
    for game in play_on(Game.new(seed=6), taste, Random(6)):
        if len(game.legal_moves) > 1 and (game.ply % 9 == 0 or game.stage in (Stage.TILING, Stage.PAYING)):
            yield game.copy()


@cache
def tilings() -> tuple[Game, ...]:
    """Positions of phase 2 in games of greedy play, with and without chips that are spent."""
    found = [Game(states) for hoards in (True, False) for states in played_greedily(5, hoards=hoards)]
    return tuple(game for game in found if game.stage in (Stage.TILING, Stage.PAYING))


def test_the_same_view_and_move_give_the_same_whatever_is_hidden() -> None:
    one, other = Foresight(sims=20, lines=4), Foresight(sims=20, lines=4)
    for game in some(games()[::3]):
        view, move = game.view(game.turn), game.legal_moves[-1]
        found = one.of(view, move)
        again = other.of(view_alike(view, game.ply), move)
        assert found.parts == again.parts
        assert found.columns == again.columns
        assert len(found.parts) == (1 if game.stage in (Stage.TILING, Stage.PAYING) else 4)
        assert np.shape(found.parts)[1:] == (2, PARTS)


@pytest.mark.parametrize("has_hidden", [False, True])
def test_phase_2_is_exact(has_hidden: bool) -> None:
    """Of the best move, the parts make what the tiler makes of the board. (It looks for the best by weights alone.)"""
    evaluator = with_hidden_layer(5) if has_hidden else load_evaluator("classic")
    foresight, tiler = Foresight(sims=2, lines=1, evaluator=evaluator), Tiler(evaluator)
    rounds = set()
    for game in tilings():
        view, seat = game.view(game.turn), game.turn
        best = move_of(tiler.next_move(view.state), view.state, 0)
        parts = np.array(foresight.of(view, best).parts)[0, seat]
        if game.scores[seat] >= 14:  # no penalty meets the floor of 0
            assert game.scores[seat] + parts.sum() == pytest.approx(
                tiler.value(view.state, seat), abs=1e-3 if has_hidden else None
            )
            rounds.add(game.round)
            others = [] if has_hidden else [sum(foresight.of(view, move).parts[0][seat]) for move in game.legal_moves]
            assert all(other < parts.sum() + 1e-9 for other in others)
    assert rounds >= {3, 4, 5}


def test_what_is_booked_is_the_change_of_the_score() -> None:
    foresight, tiler = Foresight(sims=2, lines=1), Tiler(standard_evaluator())
    booked = set()
    for game in tilings():
        view = game.view(game.turn)
        end = game.copy()
        best = move_of(tiler.next_move(view.state), view.state, 0)
        parts = np.array(foresight.of(view, best).parts[0])
        while end.stage in (Stage.TILING, Stage.PAYING):
            end.push(move_of(tiler.next_move(end.state), end.state, 0))
        for seat in range(2):
            assert parts[seat, :LATER].sum() == end.scores[seat] - game.scores[seat]
            booked |= {source for source in Source if parts[seat, source]}
        assert bool((parts[:, LATER:] == 0).all()) == end.is_over
    assert booked >= {Source.PLACEMENT, Source.BROKEN, Source.START_TILE, Source.GOALS}


def test_boards_promise_for_later_rounds_until_the_last_and_one_seat_starts_the_next() -> None:
    foresight = Foresight(sims=20, lines=3)
    rounds = set()
    for game in games():
        parts = np.array(foresight.of(game.view(game.turn), game.legal_moves[0]).parts)
        rounds.add(game.round)
        starts = parts[:, :, Promise.STARTS]
        assert ((starts != 0).sum(axis=1) == (game.round < 5)).all()
        assert (parts[:, :, Source.GOALS] == 0).all() or game.round == 5
    assert rounds == {1, 2, 3, 4, 5}


def test_a_lead_is_what_one_seat_gains_on_the_other() -> None:
    game = Game.new(seed=2)
    found = Foresight(sims=20, lines=5).of(game.view(game.turn), game.legal_moves[0])
    assert len(found.lead(0)) == 5
    assert found.lead(0) == pytest.approx([-one for one in found.lead(1)])
    assert found.lead(1) == pytest.approx([sum(line[1]) - sum(line[0]) for line in found.parts])


@pytest.mark.long
def test_without_compilation_the_same_is_expected(capsys: pytest.CaptureFixture[str]) -> None:
    exec(FIRST_MOVE, {})
    uncompiled = printed_by(INSTALL + FIRST_MOVE, NUMBA_DISABLE_JIT="1", PYTHONWARNINGS="error")
    assert uncompiled == capsys.readouterr().out
