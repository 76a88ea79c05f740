"""R5: what a placed tile scores."""

from __future__ import annotations

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from players.helpers import compiled
from sintra import Source
from sintra.components import GRID, NOTHING, SPECIAL
from sintra.rules import engine
from sintra.rules.scoring import placement_points, points_between, special_of_plate, special_to_fill
from sintra.rules.state import Array

from .helpers import SPECIAL_PLATES, WILD_PLATES, at, colored, covered, dome, play


def points(plates: str, spaces: list[tuple[int, int]], line: str, token: str) -> int:
    """What the token scores on a dome with tiles on these spaces."""
    tiles = covered(plates, spaces)
    game = at(f"stage: tiling; 0 plates: {plates}; 0 dome: {tiles}; 0 lines: {line}")
    return game.preview(token).points[Source.PLACEMENT]


def wild_dome(spaces: list[tuple[int, int]]) -> int:
    """The points for a black tile placed on row 4, column 2 of the dome of wild plates."""
    return points(WILD_PLATES, spaces, "- - - K4 - -", "T42")


def test_r5_the_worked_example() -> None:
    """Yellow scores 2 + 2 and fills its plate, the special tile in row 2 scores 2, blue scores 3 below it."""
    tiles = ".K.... T..... ...... ...... ...... ......"
    game = at(f"stage: tiling; 0 plates: 11=01r0 21=15r0; 0 dome: {tiles}; 0 lines: Y1 - B3 - - -; 0 score: 10")
    assert game.preview("T11").points == {Source.PLACEMENT: 4, Source.SPECIALS: 2}
    play(game, "T11")
    assert game.scores[0] == 16
    assert game.preview("T32").points == {Source.PLACEMENT: 3}
    play(game, "T32")
    assert game.scores[0] == 19
    assert dome(game)[:3] == ["YK....", "T*....", ".B...."]


def test_r5_a_lonely_tile_scores_one_point() -> None:
    assert wild_dome([]) == 1


def test_r5_tiles_that_touch_only_at_a_corner_do_not_count() -> None:
    assert wild_dome([(3, 1), (3, 3), (5, 1), (5, 3)]) == 1


@pytest.mark.parametrize(
    ("columns", "expected"),
    [([1], 2), ([3], 2), ([1, 3], 3), ([3, 4], 3), ([1, 3, 4, 5, 6], 6), ([4, 5, 6], 1), ([1, 4, 5], 2)],
)
def test_r5_a_horizontal_run_counts_its_tiles_without_gaps(columns: list[int], expected: int) -> None:
    assert wild_dome([(4, column) for column in columns]) == expected


@pytest.mark.parametrize(
    ("rows", "expected"),
    [([3], 2), ([5], 2), ([3, 5], 3), ([2, 3], 3), ([1, 2, 3, 5, 6], 6), ([1, 2, 6], 1), ([1, 3, 6], 2)],
)
def test_r5_a_vertical_run_counts_its_tiles_without_gaps(rows: list[int], expected: int) -> None:
    assert wild_dome([(row, 2) for row in rows]) == expected


def test_r5_both_runs_are_added_and_the_tile_counts_in_each() -> None:
    assert wild_dome([(4, 1), (3, 2)]) == 4
    assert wild_dome([(4, 1), (4, 3), (3, 2), (5, 2), (6, 2)]) == 3 + 4


def test_r5_a_run_of_one_adds_nothing_to_the_other_run() -> None:
    assert wild_dome([(4, 1), (4, 3)]) == 3
    assert wild_dome([(3, 2), (2, 2)]) == 3


def test_r5_the_highest_score_of_one_tile_is_twelve() -> None:
    assert wild_dome(colored(WILD_PLATES, without=[(4, 2)])) == 12


def test_r5_runs_cross_the_borders_of_plates_and_count_every_colour() -> None:
    """Row 3 of the dome of special plates is `Y B T R Y *`."""
    row = [(3, 1), (3, 3), (3, 4), (3, 5)]
    assert points(SPECIAL_PLATES, row, "- - B3 - - -", "T32") == 5


def test_r5_a_tile_on_a_wild_space_scores_like_any_other() -> None:
    """Row 1 of the dome of wild plates is `W B T R K Y`."""
    assert points(WILD_PLATES, [(1, 2), (1, 3)], "R1 - - - - -", "T11") == 3


def test_r5_special_tiles_count_in_later_runs() -> None:
    """R4.5: with its plate full, row 3 `Y B T R Y *` reaches the special tile in column 6."""
    plate_23 = [(3, 5), (4, 5), (4, 6)]
    assert points(SPECIAL_PLATES, plate_23, "- - R3 - - -", "T34") == 3


def test_r5_an_empty_special_space_interrupts_a_run() -> None:
    """Row 1 is `Y K K * * K`; with both special spaces empty the last black tile stands alone."""
    assert points(SPECIAL_PLATES, [(1, 1), (1, 2), (1, 3)], "K1 - - - - -", "T16") == 1


def test_r5_each_tile_is_scored_before_the_next_is_placed() -> None:
    """Two tiles one under the other: 1 point for the upper one, 2 for the lower one."""
    game = play(at("stage: tiling; 0 plates: 11=01r0; 0 lines: Y1 T2 - - - -"), "T11")
    assert game.scores[0] == 6
    assert play(game, "T21").scores[0] == 8


@given(st.sets(st.tuples(st.integers(1, 6), st.integers(1, 6))))
@settings(max_examples=30)
def test_r5_the_tiles_beside_a_space_are_those_that_are_counted(spaces: set[tuple[int, int]]) -> None:
    around = sorted(spaces - {(4, 2)})
    tiles = covered(WILD_PLATES, around)
    game = at(f"stage: tiling; 0 plates: {WILD_PLATES}; 0 dome: {tiles}; 0 lines: - - - K4 - -")
    left, right, above, below = engine.runs_through(game.state, 0, 0, 3, 1)
    runs = [1 + left + right, 1 + above + below]
    assert wild_dome(around) == (sum(run for run in runs if run > 1) or 1)


@compiled
def count_differences(space: Array, dome: Array) -> int:
    """How often points and special tiles differ when they are told from sets of bits, over all sets of tiles in the
    row and the column of a space, and on a plate."""
    differ = 0
    for tiles in range(1 << (2 * GRID)):
        row = tiles % GRID
        col = tiles // GRID % GRID
        across = tiles & ((1 << GRID) - 1)
        down = tiles >> GRID
        for k in range(GRID):
            dome[k, col] = 0 if (down >> k) & 1 else NOTHING
        for k in range(GRID):
            dome[row, k] = 0 if (across >> k) & 1 else NOTHING
        down = down & ~(1 << row) | ((across >> col) & 1) << row
        differ += points_between(across, down, row, col) != placement_points(dome, row, col)
        for k in range(GRID):
            dome[k, col] = NOTHING
            dome[row, k] = NOTHING
    for special in range(-1, 4):
        for held in range(16):
            for k in range(4):
                space[2 + k // 2, 4 + k % 2] = SPECIAL if k == special else 0
                dome[2 + k // 2, 4 + k % 2] = 0 if (held >> k) & 1 else NOTHING
            plainly = special_to_fill(space, dome, 3, 4)
            found = special_of_plate(1 << special if special >= 0 else 0, held)
            if found != NOTHING:
                found = (2 + found // 2) * GRID + 4 + found % 2
            differ += plainly != found
    return differ


def test_r5_sets_of_bits_tell_the_same() -> None:
    assert count_differences(np.full((GRID, GRID), NOTHING, np.int8), np.full((GRID, GRID), NOTHING, np.int8)) == 0
