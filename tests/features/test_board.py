"""The features of a board: what each of them counts."""

from __future__ import annotations

import numpy as np
import pytest

from helpers import some
from players.helpers import begun_tilings, features_of
from sintra import Game
from sintra.features.board import FEATURES, NAMES
from sintra.rules.state import States

SEAT_FIELDS = "line_color line_size line_placed broken slot_plate slot_turns space dome store spent score".split()


def feature(text: str, *names: str, seat: int = 0) -> list[float]:
    """Some features of a seat's board at a position."""
    found = features_of(Game.from_position(f"round: 2; stage: tiling; {text}").state, seat)
    return [float(found[NAMES.index(name)]) for name in names]


def test_every_feature_has_a_name_of_its_own() -> None:
    assert len(NAMES) == FEATURES == len(set(NAMES))
    assert NAMES[0] == "line ready 1"
    assert NAMES[-1] == "bias"


def test_an_empty_board() -> None:
    text = "round: 2; stage: tiling; goals: rows columns corners specials"
    found = features_of(Game.from_position(text).state, 0)
    assert {NAMES[k] for k in np.flatnonzero(found)} == {"bias"}


def test_a_line_with_an_open_space_is_ready() -> None:
    names = ("line ready 2", "line waits for a plate 2", "line's promise 2")
    text = "0 plates: 11=02r3; 0 lines: - T1 - - - -; "  # B K / W T
    assert feature(text, *names) == [0.5, 0.0, 0.5]
    dome = "0 dome: .K.... ...... ...... ...... ...... ......"
    assert feature(text + dome, *names) == [0.5, 0.0, 1.0]  # T goes under K for 2 points


def test_a_line_without_an_open_space_waits() -> None:
    names = ("line ready 3", "line waits for a plate 3", "line's promise 3")
    assert feature("0 lines: - - T2 - - -; 0 plates: 11=02r3", *names) == pytest.approx([0.0, 2 / 3, 0.0])
    assert feature("0 lines: - - T2 - - -; 0 plates: 21=08r0", *names) == pytest.approx([0.0, 2 / 3, 0.0])


def test_the_open_spaces_of_a_row() -> None:
    names = ("row's best space 1", "row's mean space 1", "row's open spaces 1")
    text = "0 plates: 11=02r3 12=07r0; "  # B K / W T and * K / R B
    dome = "0 dome: .K.... ...... ...... ...... ...... ......"
    assert feature(text + dome, *names) == pytest.approx([2.0, 1.5, 2 / 3])
    with_line = feature("0 lines: K1 - - - - -; " + text + dome, *names)
    assert with_line == pytest.approx([0.0, 1.5, 2 / 3])


def test_special_plates_that_are_near() -> None:
    near = ("special plates with 2 of 3", "their rows, 2 of 3")
    begun = ("special plates with 1 of 3", "their rows, 1 of 3")
    text = "0 plates: 31=01r0 11=05r0; "  # Y K / T * in rows 5 and 6, K * / T R in rows 1 and 2
    assert feature(text, *near, *begun, "special spaces open") == [0, 0, 0, 0, 2]
    dome = "0 dome: K..... ...... ...... ...... YK.... ......"
    assert feature(text + dome, *near, *begun, "special spaces open") == [1, 6, 1, 1, 2]
    done = "0 dome: ...... ...... ...... ...... YK.... T*...."
    assert feature(text + done, *near, *begun, "special spaces open") == [0, 0, 0, 0, 1]


def test_columns() -> None:
    text = "0 plates: 11=02r0 21=06r0 31=14r0; "  # W B/T K, T Y/W K, R T/Y W
    dome = "0 dome: BB.... T..... T..... B..... ...... ......"
    names = ("columns squared", "fullest column", "columns of 4 or more", "goal columns 1", "goal columns 2")
    wanted = feature(text + dome + "; goals: columns rows corners", *names)
    assert wanted == pytest.approx([(16 + 1) / 6, 4, 1, (16 + 1) / 36, 1])
    unwanted = feature(text + dome + "; goals: edge rows corners", *names)
    assert unwanted == pytest.approx([(16 + 1) / 6, 4, 1, 0, 0])


def test_progress_towards_goals() -> None:
    text = "0 plates: 11=02r0 12=03r0 13=04r0; 0 dome: YBTRK. T.B... ...... ...... ...... ......; "
    goals = "goals: rows edge wilds"
    assert feature(text + goals, "goal rows 1", "goal rows 2", "goal rows 3") == pytest.approx([29 / 36, 1, 0])
    assert feature(text + goals, "goal edge 1", "goal edge 2") == [6, 2]  # Y, and W at the row's end
    assert feature(text + goals, "goal wilds 1", "goal wilds 2", "goal wilds 3") == [1, 2, 0]
    goals = "goals: colors columns corners"
    assert feature(text + goals, "goal colors 1", "goal colors 3") == pytest.approx([(25 + 4) / 25, 1])
    assert feature(text + goals, "goal corners 1", "goal corners 2") == pytest.approx([(9 + 1) / 16, 1])


def test_a_goal_that_is_not_in_play_says_nothing() -> None:
    text = "0 plates: 11=02r0 12=03r0 13=04r0; 0 dome: YBTRK. T.B... ...... ...... ...... ......; "
    found = features_of(Game.from_position(text + "stage: tiling; goals: rows edge wilds").state, 0)
    spoken = {name.split()[1] for name, number in zip(NAMES, found, strict=True) if name[:4] == "goal" and number}
    assert spoken == {"rows", "edge", "wilds"}


def test_chips_and_the_start_tile() -> None:
    names = ("unused chips 1", "unused chips 2", "starts the next round", "tiles on the dome")
    assert feature("0 store: B- BR K- T-; start tile: 0", *names) == [4, 3, 1, 0]
    assert feature("0 store: B-; start tile: 1", *names) == [1, 1, 0, 0]


def test_both_seats_are_described_alike() -> None:
    for seed in range(6):
        for states in some(begun_tilings(seed, goals=3 + seed % 2)):
            turned = swapped(states)
            for seat in range(2):
                assert np.array_equal(features_of(states, seat), features_of(turned, 1 - seat))
            assert not np.array_equal(features_of(states, 0), features_of(states, 1))


def swapped(states: States) -> States:
    """A position with the seats' boards exchanged."""
    turned = states.copy()
    for name in SEAT_FIELDS:
        turned[name] = states[name][:, ::-1]
    for name in ("turn", "first"):
        turned[name] = 1 - states[name]
    if states["start_tile"][0] >= 0:
        turned["start_tile"] = 1 - states["start_tile"]
    return turned
