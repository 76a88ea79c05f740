"""Forecasts are exact, and no position takes them long: their steps are counted, whatever the clock says."""

from __future__ import annotations

from random import Random

import pytest

import soak
from sintra import Game
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.round_points import UNKNOWN
from sintra.players.thinking.tiler import MAX_STEPS, Tiler, new_work, solve
from sintra.rules.state import States
from sintra.table.shown.forecasts import forecasts_by_path, forecasts_in
from table.hard_tilings import HARDEST, random_tiling

BLANK = Evaluator.blank()
GAMES = soak.pick(150, 5_000)


def states_at(text: str) -> States:
    return Game.from_position(text).state


def steps_to_solve(states: States) -> int:
    work = new_work()
    solve(states, 0, 0, BLANK.parameters, work)
    return int(work["steps"][0])


@pytest.mark.soak
def test_a_forecast_is_what_the_exact_tiler_finds() -> None:
    """In round 5, where goals count, and before, where they do not."""
    dice, compared, tiler = Random(1), 0, Tiler(BLANK)
    for _ in range(GAMES):
        states = states_at(random_tiling(dice))
        if steps_to_solve(states) < MAX_STEPS:
            assert forecasts_in(states)[0] == tiler.value(states, 0) - states["score"][0, 0]
            compared += 1
    assert compared > GAMES / 3


def test_the_hardest_tiling_has_a_forecast() -> None:
    """The exact tiler would need millions of steps and stops before."""
    states = states_at(HARDEST)
    assert steps_to_solve(states) > MAX_STEPS
    mine, theirs = forecasts_in(states)
    assert mine != UNKNOWN
    assert theirs == 0
    assert mine >= Tiler(BLANK).value(states, 0) - states["score"][0, 0]


def test_the_exact_tiler_leaves_its_slate_as_it_was_when_it_stops() -> None:
    """A search goes on with the same slate."""
    states = states_at(HARDEST)
    tiler = Tiler(BLANK)
    assert tiler.value(states, 0) == tiler.value(states, 0)
    assert tiler.next_move(states) in list(Game(states).legal_moves.paths)


def test_what_takes_too_many_steps_is_not_forecast() -> None:
    """The first forecasts of a call are found; with the steps used up the others are none, and none is wrong."""
    states = states_at(HARDEST)
    paths = list(Game(states).legal_moves.paths)
    one_by_one = [forecasts_by_path(states, [path])[0] for path in paths]
    assert None not in one_by_one
    at_once = forecasts_by_path(states, paths * 100)
    assert at_once[0] is not None
    assert at_once[-1] is None
    assert all(found in (None, right) for found, right in zip(at_once, one_by_one * 100, strict=True))
