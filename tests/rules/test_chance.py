"""Chance from outside: the same code deals what a caller gives, and refuses what cannot be."""

from __future__ import annotations

import numpy as np

from helpers import plate_list, some
from sintra import CHIPS, PLATES, Game
from sintra.components import chip_index
from sintra.game.game import View
from sintra.rules import engine
from sintra.rules.state import States


def start() -> States:
    return Game.new(seed=11).state


def test_a_chip_face_down_becomes_the_one_that_is_given() -> None:
    for face in range(len(CHIPS)):
        states = start()
        before = View.of_state(states, 0, 2)
        assert engine.give_chip(states, 0, 2, face)
        assert states["chip_order"][0, 2] == face
        assert sorted(states["chip_order"][0].tolist()) == sorted(2 * list(range(len(CHIPS))))
        assert View.of_state(states, 0, 2) == before


def test_a_chip_that_is_up_or_used_up_is_not_given() -> None:
    text = "round: 5; factory 1: sun BYRK moon - chip down; factory 2: sun - moon - chip up; 0 store: B- B-"
    states = Game.from_position(text).state
    before = states.tobytes()
    assert not engine.give_chip(states, 0, 1, 3)
    assert not engine.give_chip(states, 0, 0, chip_index("B-"))
    assert states.tobytes() == before


def test_a_plate_of_the_stack_becomes_the_one_that_is_given() -> None:
    states = start()
    views = [View.of_state(states, 0, observer) for observer in range(3)]
    stack = states["pile"][0].tolist()
    for plate in some(stack[1:]):
        same_kind = PLATES[plate].kind is PLATES[int(states["pile"][0, 0])].kind
        given = states.copy()
        assert engine.give_plate(given, 0, 0, plate) == same_kind
        if same_kind:
            assert given["pile"][0, 0] == plate
            assert sorted(given["pile"][0].tolist()) == sorted(stack)
            assert [View.of_state(given, 0, observer) for observer in range(3)] == views
        else:
            assert given.tobytes() == states.tobytes()


def test_what_is_given_comes_to_light() -> None:
    game = Game.from_position("display: 01 02 03; stage: opening; first: 1; factory L: sun BYRKT moon -", seed=3)
    states = game.state
    top = int(states["pile"][0, 0])
    other = next(int(p) for p in states["pile"][0, 1:] if PLATES[int(p)].kind is PLATES[top].kind)
    assert engine.give_plate(states, 0, 0, other)
    after = Game(states)
    after.push(next(iter(after.legal_moves)))
    assert PLATES[other] in after.display
    assert sorted(plate_list(after.state)) == list(range(len(PLATES)))


def test_a_place_that_is_not_there_is_refused() -> None:
    states = start()
    assert not engine.give_plate(states, 0, 15, int(states["pile"][0, 3]))
    assert not engine.give_plate(states, 0, 0, int(states["display"][0, 0]))
    assert np.array_equal(states, start())
