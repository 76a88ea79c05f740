"""Best spaces: what the rules say of every space, and what changes them in a draft."""

from __future__ import annotations

from itertools import pairwise
from random import Random
from typing import Final

import numpy as np

from helpers import TASTES, play_on
from players.helpers import begun_tilings, compiled
from sintra import Game, Stage
from sintra.components import COLORS, GRID, LINES, NOTHING, SEATS
from sintra.features.spaces import CANNOT_EVER, NOT_YET, write_spaces
from sintra.rules.compiled import at
from sintra.rules.drafting import row_slots_are_full
from sintra.rules.scoring import placement_points, special_points, special_to_fill
from sintra.rules.state import Array, States, copied
from sintra.rules.tiling import is_open

TILES: Final = (Stage.TILING, Stage.PAYING)


@compiled
def write_both(states: States, spaces: Array) -> None:
    """The best spaces of both seats."""
    for seat in range(SEATS):
        write_spaces(at(states, 0), seat, spaces)


@compiled
def write_plainly(states: States, spaces: Array) -> None:
    """Writes the best spaces of both seats, found space by space by the rules."""
    s = at(states, 0)
    for seat in range(SEATS):
        for row in range(LINES):
            for color in range(COLORS):
                best = CANNOT_EVER if row_slots_are_full(s, seat, row) else NOT_YET
                for col in range(GRID):
                    if is_open(s, seat, row, col, color):
                        s.dome[seat, row, col] = color
                        special = special_to_fill(s.space[seat], s.dome[seat], row, col)
                        points = placement_points(s.dome[seat], row, col) + special_points(special)
                        s.dome[seat, row, col] = NOTHING
                        best = max(best, float(points))
                spaces[seat, row, color] = best


def spaces_of(states: States) -> Array:
    """The best spaces of both seats."""
    spaces = np.full((SEATS, LINES, COLORS), np.nan)
    write_both(states, spaces)
    return spaces


def test_best_spaces_are_those_of_the_rules() -> None:
    found = set()
    for seed in range(8):
        for states in begun_tilings(seed):
            plainly = np.full((SEATS, LINES, COLORS), np.nan)
            before = states.tobytes()
            spaces = spaces_of(states)
            assert states.tobytes() == before
            write_plainly(states, plainly)
            assert np.array_equal(spaces, plainly), Game(states).position
            found |= set(spaces.ravel().tolist())
    assert {CANNOT_EVER, NOT_YET, 1.0, 5.0, 9.0} <= found


def test_in_a_draft_they_change_only_with_a_plate_that_the_seat_lays() -> None:
    changed = 0
    for taste in TASTES:
        states = [copied(game.state) for game in play_on(Game.new(seed=3), taste, Random(taste))]
        for before, after in pairwise(states):
            if before["stage"][0] in TILES or after["stage"][0] in TILES:
                continue
            for seat in range(SEATS):
                is_same = np.array_equal(spaces_of(before)[seat], spaces_of(after)[seat])
                lays = not np.array_equal(before["slot_plate"][0, seat], after["slot_plate"][0, seat])
                assert is_same or (lays and seat == before["turn"][0])
                changed += not is_same
    assert changed > 10
