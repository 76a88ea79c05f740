"""Observations: named, the same for all states that a seat cannot tell apart, and enough to know what is legal."""

from __future__ import annotations

from random import Random

import numpy as np
import pytest

from helpers import TASTES, play_on
from sintra import Game
from sintra.features import inputs
from sintra.features.observation import BLOCKS, NAMES, SIZE, observe, observe_batch, planes
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.state import Array, Stage, States, copied


def of_state(states: States, seat: int) -> Array:
    """What a seat of one state may know."""
    out = np.full((1, SIZE), 99, np.uint8)
    observe_batch(states, np.array([seat]), out)
    found: Array = out[0]
    return found


def test_every_field_has_a_name_of_its_own_and_a_place_in_one_block() -> None:
    assert len(NAMES) == SIZE == len(set(NAMES)) == sum(block.size for block in BLOCKS)
    assert [name for block in BLOCKS for name in block.names] == list(NAMES)
    assert all(block.first == sum(one.size for one in BLOCKS[:k]) for k, block in enumerate(BLOCKS))
    assert NAMES[: inputs.INPUTS] == inputs.NAMES


@pytest.mark.parametrize("taste", TASTES)
def test_states_that_a_seat_cannot_tell_apart_look_alike(taste: str) -> None:
    """R8."""
    for number, game in enumerate(play_on(Game.new(seed=12), taste, Random(6))):
        for seat in range(2):
            view = game.view(seat)
            seen = observe(view)
            assert (seen == of_state(game.state, seat)).all()
            if number % 7 == 0:
                assert (seen == of_state(view.sample(number).state, seat)).all()
                assert (seen == observe(view.sample(number).view(seat))).all()


def walk(seed: int) -> list[States]:
    """The states of a game, choice by choice."""
    states, random = Game.new(seed=seed).state, Random(seed)
    found = []
    legal = np.empty(256, np.int16)
    while states["stage"][0] != Stage.OVER:
        found.append(copied(states))
        n = engine.legal(states, 0, legal)
        assert engine.apply(states, 0, int(legal[random.randrange(n)]))
    return found


def test_what_is_legal_follows_from_what_is_observed() -> None:
    known: dict[bytes, bytes] = {}
    for seed in range(12):
        for states in walk(seed):
            mask = np.empty(CHOICES, bool)
            engine.legal_mask(states, 0, mask)
            seen = of_state(states, int(states["turn"][0])).tobytes()
            assert known.setdefault(seen, mask.tobytes()) == mask.tobytes()
    assert len(known) > 1000


def test_a_plate_that_is_turned_in_the_hand_is_shown_to_its_holder_only() -> None:
    """R3.1, R8."""
    hidden = 0
    for seed in range(40):
        before = None
        for states in walk(seed):
            if states["stage"][0] == Stage.TURNING and states["held_from"][0] == Stage.KEEPING:
                holder = int(states["turn"][0])
                assert before is not None
                assert (of_state(states, 1 - holder) == of_state(before, 1 - holder)).all()
                assert (of_state(states, holder) != of_state(before, holder)).any()
                hidden += 1
            before = states
    assert hidden > 3


def test_planes_have_their_axes_also_for_many_observations() -> None:
    game = Game.new(seed=5)
    one = observe(game.view(game.turn))
    found = planes(one)
    assert found["sun"].shape == (5, 5)
    assert (found["sun"] == game.state[0]["sun"]).all()
    assert found["my dome"].shape == (6, 6, 5)
    assert planes(np.stack([one, one, one]))["pile could be"].shape == (3, *found["pile could be"].shape)
    assert found["my points"] == found["their points"] == 5
