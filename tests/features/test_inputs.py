"""The inputs of a position: named, the same for a view and for every state that fits it, and seen from either side."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from helpers import TASTES, play_on
from sintra import Game
from sintra.features.inputs import INPUTS, MAX_INPUTS, NAMES, SEAT, SEAT_INPUTS, inputs_of
from sintra.rules.state import States


def seen(states: States, seat: int) -> list[str]:
    """The names of the inputs that are there for a seat."""
    out = np.full(MAX_INPUTS, -1, np.int16)
    n = inputs_of(states, 0, seat, out)
    assert 0 < n < MAX_INPUTS
    assert (out[n:] == -1).all()
    names = [NAMES[k] for k in out[:n]]
    twice = {name for name in names if names.count(name) > 1}
    assert all(name.startswith("chip up") for name in twice), "only equal chips are there twice"
    return names


def inputs(text: str, seat: int = 0) -> set[str]:
    """Those of a position."""
    return set(seen(Game.from_position(text).state, seat))


def test_every_input_has_a_name_of_its_own() -> None:
    assert len(NAMES) == INPUTS == len(set(NAMES))
    mine, theirs = NAMES[SEAT : SEAT + SEAT_INPUTS], NAMES[SEAT + SEAT_INPUTS : SEAT + 2 * SEAT_INPUTS]
    assert [name.replace("mine", "theirs", 1) for name in mine] == list(theirs)


@pytest.mark.parametrize("taste", TASTES)
def test_a_view_shows_what_every_fitting_state_shows(taste: str) -> None:
    decisions = 0
    for game in play_on(Game.new(seed=11), taste, Random(5)):
        for seat in range(2):
            view = game.view(seat)
            names = seen(view.state, seat)
            assert names == seen(game.state, seat)
            if decisions % 7 == 0:
                assert names == seen(view.sample(decisions).state, seat)
        decisions += 1
    assert decisions > 50


def test_both_sides_are_seen_in_the_same_way() -> None:
    for game in play_on(Game.new(seed=3), "uniform", Random(3)):
        mine, theirs = (
            {name for name in seen(game.state, seat) if name.startswith(whose)}
            for seat, whose in ((0, "mine"), (1, "theirs"))
        )
        assert {name.replace("mine", "theirs", 1) for name in mine} == theirs


def test_lines_spaces_and_tiles() -> None:
    names = inputs("round: 2; stage: turn; 0 plates: 11=02r3; 0 lines: - T1 - - - -; 0 broken: BB; 1 score: 17")
    assert {"round 2", "stage turn", "mine: line 2 holds T 1", "mine: broken 2", "theirs: score 16"} <= names
    assert "mine: best space 2 T 2" in names
    assert "mine: best space 2 R 2" in names  # the wild space
    assert "mine: best space 6 R not yet" in names
    assert "theirs: best space 2 T not yet" in names


def test_the_hand_is_told_to_who_holds_it() -> None:
    told = 0
    for game in play_on(Game.new(seed=4), "drawing", Random(1)):
        for seat in range(2):
            names = seen(game.state, seat)
            hand = [name for name in names if name.startswith("in hand")]
            assert not hand or seat == game.turn
            told += len(hand)
    assert told > 5
