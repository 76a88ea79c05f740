"""Positions of random play at every stage, also in the middle of a move: what drawings are tested on."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache
from random import Random

import numpy as np

from sintra import PLATES, Game, Rules, Stage, View
from sintra.components import CHIP_COUNT, FIRST_GAME, SPECTATOR
from sintra.rules import engine

MAX_PLIES = 250


@cache
def some_games() -> tuple[Game, ...]:
    """Games stopped after a random number of choices, one at each stage, and one resigned."""
    dice = Random(2026)
    games = [_stopped(seed, dice.randrange(MAX_PLIES), dice.choice((3, 4))) for seed in range(8)]
    resigned = Game.new(seed=1)
    resigned.resign(0)
    return (*games, *map(at_stage, Stage), resigned)


def _stopped(seed: int, choices: int, goals: int) -> Game:
    states = Game.new(seed=seed, goals=goals).state
    engine.play_random(states, 0, choices, np.zeros(1, np.int64))
    return Game(states)


def at_stage(stage: Stage) -> Game:
    """A position of random play at which this is asked."""
    if stage is Stage.DEALING:
        return Game.from_deal(Rules(FIRST_GAME), 0, range(len(PLATES)), [chip // 2 for chip in range(CHIP_COUNT)])
    for seed in range(1000):
        states = Game.new(seed=seed).state
        while states["stage"][0] not in (stage, Stage.OVER):
            engine.play_random(states, 0, 1, np.zeros(1, np.int64))
        if states["stage"][0] == stage:
            return Game(states)
    raise AssertionError(f"random play never reaches {stage.name}")


def views_of(game: Game) -> Iterator[View]:
    """What both seats and a spectator see."""
    for observer in (0, 1, SPECTATOR):
        yield game.view(observer)


def view_alike(view: View, seed: int) -> View:
    """The view of another state that could be the real one for all the observer knows."""
    return View.of_state(view.sample_state(seed), 0, view.seat, view._ended)
