"""Views as bytes: what a thinking process reads from a pipe is a view that can be used, or is refused."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from random import Random

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

import damage
import soak
from compile_ahead import CHECKED
from helpers import (
    ALL_RULES,
    TASTES,
    is_read,
    legal_choices,
    made_up_knowledge,
    play_on,
    random_scene,
    scene_of_returns,
    some,
)
from sintra import Game, Rules, SintraError, Stage, View
from sintra.errors import Fault
from sintra.players import NotToMoveError, player
from sintra.players.hints import Adviser
from sintra.rules import engine, soundness
from sintra.rules.limits import LIMITS, field_out_of_limits
from sintra.rules.soundness import FAULTS, fault_found
from sintra.rules.state import STATE, States, states_of

EVERYBODY = (0, 1, 2)
TESTS = Path(__file__).parents[1]
FIELDS = STATE.names or ()
seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)


@given(seed=seeds, rules=rule_sets, taste=st.sampled_from(sorted(TASTES)))
@soak.examples(6)
def test_every_view_of_a_game_is_read_back(seed: int, rules: Rules, taste: str) -> None:
    for game in play_on(Game.new(seed=seed, rules=rules), taste, Random(seed)):
        for observer in EVERYBODY:
            view = game.view(observer)
            assert View.from_bytes(view.to_bytes()) == view


@given(seed=seeds, often=st.booleans())
@soak.examples(8)
def test_views_of_plates_drawn_again_and_again_are_read_back(seed: int, often: bool) -> None:
    """Equal tables are read from bytes and from text. (Made-up boards can run out of slots in later rounds.)"""
    read = 0
    for scene in scene_of_returns(seed) if often else random_scene(seed):
        for observer in EVERYBODY:
            view = scene.game.view(observer)
            if is_read(scene.game):
                assert View.from_bytes(view.to_bytes()) == view
                read += 1
            else:
                with pytest.raises(SintraError, match="slots"):
                    View.from_bytes(view.to_bytes())
    assert read > 10


@pytest.mark.parametrize("observer", EVERYBODY)
def test_views_of_a_position_that_was_made_up_are_read_back(observer: int) -> None:
    view = made_up_knowledge().view(observer)
    assert View.from_bytes(view.to_bytes()) == view


# ---------------------------------------------------------------- every field


def test_every_field_has_limits() -> None:
    assert set(LIMITS) == set(FIELDS)
    assert sum(STATE[name].itemsize for name in FIELDS) == STATE.itemsize


@given(seed=seeds, rules=rule_sets)
@soak.examples(3)
def test_states_are_within_the_limits_at_every_choice(seed: int, rules: Rules) -> None:
    dice = Random(seed)
    states = Game.new(seed=seed, rules=rules).state
    while legal := legal_choices(states):
        assert field_out_of_limits(states) is None
        for observer in EVERYBODY:
            assert field_out_of_limits(View.of_state(states, 0, observer).state) is None
        assert engine.apply(states, 0, dice.choice(legal))
    assert field_out_of_limits(states) is None


def _beyond(name: str) -> list[int]:
    """Numbers that a field can hold and that are out of its limits: the nearest and the farthest."""
    low, high = LIMITS[name]
    kind = np.iinfo(STATE[name].base)
    tried = (low - 1, high + 1, int(kind.min), int(kind.max))
    return [number for number in tried if kind.min <= number <= kind.max and not low <= number <= high]


def test_only_bits_have_no_number_out_of_limits() -> None:
    assert {name for name in FIELDS if not _beyond(name)} == {"rng"}


@pytest.mark.parametrize("name", [name for name in FIELDS if _beyond(name)])
def test_a_number_out_of_its_limits_is_refused(name: str) -> None:
    """Each element of each field, one below and one above."""
    view = _middle_of_a_game()
    for wrong in _beyond(name):
        for place in range(STATE[name].itemsize // STATE[name].base.itemsize):
            states = view.state
            states[name].reshape(-1)[place] = wrong
            assert field_out_of_limits(states) == name
            with pytest.raises(SintraError, match=f"no view.*{name}"):
                View.from_bytes(_bytes_of(states, view.seat))


FREE = (
    *("score", "tally", "round_no", "turn", "first", "start_tile", "goals", "options"),
    *("markers_left", "chips_left", "store", "spent", "could_be", "looked_at", "returned_in"),
)
"""Fields of which another value within the limits can make another table, or another memory of it."""


@pytest.mark.parametrize("name", [name for name in FIELDS if name not in (*FREE, "spare")])
def test_a_field_that_says_something_else_is_refused(name: str) -> None:
    """All other fields are decided by the rest of the view: no element can be changed alone."""
    view = _middle_of_a_game()
    low, high = LIMITS[name]
    for place, value in enumerate(view.state[name].reshape(-1).tolist()):
        states = view.state
        states[name].reshape(-1)[place] = value + 1 if value < high else low
        with pytest.raises(SintraError, match="no view"):
            View.from_bytes(_bytes_of(states, view.seat))


def _middle_of_a_game() -> View:
    """A view with plates that the seat has returned and others that it has not seen."""
    game = Game.new(seed=5)
    *_, game = play_on(game, "drawing", Random(5), most=45)
    assert game.stage is Stage.TURN
    view = game.view(game.turn)
    assert (view.state["returned_in"] >= 0).any()
    return view


def _bytes_of(states: States, observer: int) -> bytes:
    return bytes([observer]) + bytes(states.tobytes())


def test_every_fault_has_words_for_every_part_of_the_table() -> None:
    assert sorted(FAULTS) == [*range(1, len(FAULTS) + 1)]
    for fault in FAULTS:
        for part in range(soundness.FAULT_STEP):
            key, code, details = fault_found(fault * soundness.FAULT_STEP + part)
            reason = str(Fault(code, **details))
            assert key.strip("{}") == key != ""
            assert reason.strip("{}") == reason != ""


# ---------------------------------------------------------------- what is refused


def half_made(states: States) -> None:
    states["stage"] = Stage.TURNING


def two_plates_at_once(states: States) -> None:
    states["display"] = states["display"][0, 1]


def a_tile_too_many(states: States) -> None:
    states["bag"][0, np.flatnonzero(states["bag"][0] < 13)[0]] += 1


def three_chips_alike(states: States) -> None:
    states["chip_order"][0, :3] = 4


def a_plate_that_is_not_known(states: States) -> None:
    unknown = np.flatnonzero(states["pile"][0, : states["pile_size"][0]] < 0)[0]
    states["pile"][0, unknown] = 7


def a_generator(states: States) -> None:
    states["rng"] = 1


def one_goal_twice(states: States) -> None:
    states["goals"][0, 1] = states["goals"][0, 0]


@pytest.mark.parametrize(
    ("change", "reason"),
    [
        (half_made, "half made"),
        (two_plates_at_once, "one place"),
        (a_tile_too_many, "13"),
        (three_chips_alike, "fits"),
        (a_plate_that_is_not_known, "R8"),
        (a_generator, "R8"),
        (one_goal_twice, "goals"),
    ],
)
def test_bytes_that_contradict_themselves_are_refused(change: Callable[[States], None], reason: str) -> None:
    view = _middle_of_a_game()
    states = view.state
    change(states)
    with pytest.raises(SintraError, match=reason):
        View.from_bytes(_bytes_of(states, view.seat))


def test_a_view_in_the_middle_of_a_move_is_refused() -> None:
    """Thinkers are asked between moves; half a move has no notation to be answered with."""
    states = Game.new(seed=3).state
    assert engine.apply(states, 0, legal_choices(states)[0])
    for observer in EVERYBODY:
        with pytest.raises(SintraError, match="half made"):
            View.from_bytes(View.of_state(states, 0, observer).to_bytes())


@pytest.mark.parametrize("text", ["random", "greedy", "search:sims=2", "level:n=1", "level:n=11"])
def test_who_is_not_to_move_has_nothing_to_choose(text: str) -> None:
    game = Game.new(seed=1)
    for observer in some({*EVERYBODY} - {game.turn}):
        with pytest.raises(NotToMoveError, match="not to move"):
            player(text).choose(game.view(observer))
        with pytest.raises(NotToMoveError, match="not to move"):
            Adviser(2).evaluate(game.view(observer))


# ---------------------------------------------------------------- what is read survives


def run_damage(*arguments: str, **environment: str) -> tuple[int, int]:
    """Damages views in a process of its own; returns how many were read and how many refused."""
    paths = os.pathsep.join((str(Path(engine.__file__).parents[2]), str(TESTS)))
    done = subprocess.run(
        [sys.executable, str(Path(damage.__file__)), *arguments],
        env={**os.environ, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "0", **environment},
        capture_output=True,
        text=True,
        timeout=soak.pick(600, 3600),
        check=False,
    )
    assert done.returncode == 0, done.stderr[-3000:]
    read, refused = map(int, done.stdout.split())
    return read, refused


@pytest.mark.long
@pytest.mark.timeout(1800)
@pytest.mark.soak
@pytest.mark.usefixtures("checked_code")
def test_a_damaged_view_that_is_read_can_be_used_for_everything() -> None:
    """With every index checked."""
    games = soak.pick(2, 200)
    read, refused = run_damage("0", str(games), "150", "random", "greedy", **CHECKED)
    assert read > 6 * games
    assert refused > 100 * games


@pytest.mark.soak
def test_players_can_think_about_a_damaged_view_that_is_read() -> None:
    games = soak.pick(3, 100)
    read, refused = run_damage("50", str(games), "60", "search:sims=50")
    assert read > 2 * games
    assert refused > 35 * games


def test_what_is_no_bytes_of_a_view_is_refused() -> None:
    data = Game.new(seed=1).view(0).to_bytes()
    for wrong in (b"", data[:-1], data + b"\0", b"\x03" + data[1:], bytes(len(data)), bytearray(data)):
        with pytest.raises(SintraError):
            View.from_bytes(wrong)  # type: ignore[arg-type]
    assert states_of(data[1:]).shape == (1,)
