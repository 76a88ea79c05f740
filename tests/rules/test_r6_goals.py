"""R6: the end of the game, its goals and the winner."""

from __future__ import annotations

import numpy as np
import pytest

from helpers import some
from sintra import Game, Result, Source, Stage
from sintra.rules import engine

from .helpers import ALL_SPACES, COLORS, SPECIAL_PLATES, WILD_PLATES, at, colored, covered, first_letters, play, refused

OTHER_GOALS = {"rows": "columns wilds", "colors": "columns wilds", "columns": "rows wilds", "edge": "rows wilds"}
SIX = range(1, 7)


def goal(name: str, plates: str, spaces: list[tuple[int, int]], options: str = "", wilds: str = COLORS) -> int:
    """What one goal is worth to seat 0, whose dome has tiles on these spaces."""
    tiles = covered(plates, spaces, wilds)
    others = OTHER_GOALS.get(name, "rows columns")
    game = at(f"stage: over; goals: {name} {others}; 0 plates: {plates}; 0 dome: {tiles}; {options}")
    return game.goal_points[0][0]


def last_end(more: str) -> Game:
    """Seat 0 has tiled in round 5; seat 1 is to end."""
    return at(f"stage: tiling; round: 5; turn: 1; first: 0; {more}")


def corner(*slots: str) -> list[tuple[int, int]]:
    """The spaces of some plate slots."""
    chosen = [(int(slot[0]), int(slot[1])) for slot in slots]
    return [(row, column) for row, column in ALL_SPACES if ((row + 1) // 2, (column + 1) // 2) in chosen]


@pytest.mark.parametrize("rows", [[], [1], [6], [2, 5], [1, 2, 3, 4, 5, 6]])
def test_r6_1_rows_score_3_for_each_complete_grid_row(rows: list[int]) -> None:
    assert goal("rows", WILD_PLATES, [(row, column) for row in rows for column in SIX]) == 3 * len(rows)


@pytest.mark.parametrize("gap", SIX)
def test_r6_1_rows_with_one_gap_score_nothing(gap: int) -> None:
    assert goal("rows", WILD_PLATES, [(4, column) for column in SIX if column != gap]) == 0


def test_r6_1_rows_count_special_tiles() -> None:
    """Row 3 of the special plates is `Y B T R Y *`."""
    assert goal("rows", SPECIAL_PLATES, [(3, c) for c in range(1, 6)] + [(4, 5), (4, 6)]) == 3
    assert goal("rows", SPECIAL_PLATES, [(3, c) for c in range(1, 6)] + [(4, 5)]) == 0


@pytest.mark.parametrize("columns", [[], [1], [6], [2, 5], [1, 2, 3, 4, 5, 6]])
def test_r6_1_columns_score_7_for_each_complete_column(columns: list[int]) -> None:
    assert goal("columns", WILD_PLATES, [(row, column) for row in SIX for column in columns]) == 7 * len(columns)


@pytest.mark.parametrize("gap", SIX)
def test_r6_1_columns_with_one_gap_score_nothing(gap: int) -> None:
    assert goal("columns", WILD_PLATES, [(row, 2) for row in SIX if row != gap]) == 0


def test_r6_1_columns_count_special_tiles() -> None:
    """Column 2 of the special plates is `K * B * K T`; its special tiles need plates 21 and 11 full."""
    spaces = [(1, 2), (3, 2), (5, 2), (6, 2), (1, 1), (2, 1), (3, 1), (4, 1)]
    assert goal("columns", SPECIAL_PLATES, spaces) == 7


def test_r6_1_edge_scores_1_for_each_tile_on_the_20_outer_spaces() -> None:
    outer = [(row, column) for row, column in ALL_SPACES if row in (1, 6) or column in (1, 6)]
    assert len(outer) == 20
    assert goal("edge", WILD_PLATES, list(ALL_SPACES)) == 20
    assert goal("edge", WILD_PLATES, outer) == 20
    assert goal("edge", WILD_PLATES, [space for space in ALL_SPACES if space not in outer]) == 0
    for space in outer:
        assert goal("edge", WILD_PLATES, [space]) == 1, space


def test_r6_1_edge_counts_special_tiles() -> None:
    """Plate 12 of the special dome, `K * / T R`, has its special space in row 1."""
    assert goal("edge", SPECIAL_PLATES, [(1, 3), (2, 3)]) == 1
    assert goal("edge", SPECIAL_PLATES, [(1, 3), (2, 3), (2, 4)]) == 2


def test_r6_1_diagonals_score_10_for_each_of_two() -> None:
    falling = [(n, n) for n in SIX]
    rising = [(n, 7 - n) for n in SIX]
    assert goal("diagonals", WILD_PLATES, falling) == 10
    assert goal("diagonals", WILD_PLATES, rising) == 10
    assert goal("diagonals", WILD_PLATES, falling + rising) == 20
    for gap in range(6):
        assert goal("diagonals", WILD_PLATES, falling[:gap] + falling[gap + 1 :]) == 0
        assert goal("diagonals", WILD_PLATES, rising[:gap] + rising[gap + 1 :]) == 0


def test_r6_1_diagonals_are_the_two_main_ones_only() -> None:
    others = [(row, column) for row, column in ALL_SPACES if row not in (column, 7 - column)]
    assert goal("diagonals", WILD_PLATES, others) == 0


def test_r6_1_diagonals_count_special_tiles() -> None:
    """The falling diagonal of the special dome is `Y * T * * R`."""
    needed = colored(SPECIAL_PLATES)
    assert goal("diagonals", SPECIAL_PLATES, needed) == 20
    without_the_special_of_slot_33 = [space for space in needed if space != (6, 5)]
    assert goal("diagonals", SPECIAL_PLATES, without_the_special_of_slot_33) == 10


@pytest.mark.parametrize(
    ("slots", "expected"),
    [
        (["11"], 3),
        (["13"], 3),
        (["31"], 8),
        (["33"], 8),
        (["11", "13", "31", "33"], 22),
        (["12", "21", "22", "23", "32"], 0),
    ],
)
def test_r6_1_corners_score_3_above_and_8_below(slots: list[str], expected: int) -> None:
    assert goal("corners", WILD_PLATES, corner(*slots)) == expected


@pytest.mark.parametrize("slot", ["11", "13", "31", "33"])
def test_r6_1_corners_need_all_four_spaces(slot: str) -> None:
    for space in some(corner(slot)):
        assert goal("corners", WILD_PLATES, [other for other in corner(slot) if other != space]) == 0


def test_r6_1_corners_count_special_plates() -> None:
    assert goal("corners", SPECIAL_PLATES, [(5, 1), (5, 2), (6, 2)]) == 8


def test_r6_1_wilds_score_2_each_if_all_are_filled() -> None:
    wild_spaces = [(1, 1), (2, 4), (2, 6), (4, 1), (4, 3), (4, 6), (5, 6), (6, 2), (6, 3)]
    assert goal("wilds", WILD_PLATES, wild_spaces) == 18
    for gap in range(9):
        assert goal("wilds", WILD_PLATES, wild_spaces[:gap] + wild_spaces[gap + 1 :]) == 0


def test_r6_1_wilds_count_the_spaces_on_the_own_dome_only() -> None:
    assert goal("wilds", "11=02r0 12=01r0", [(1, 1)]) == 2
    assert goal("wilds", "11=02r0 12=03r0", [(1, 1)]) == 0
    assert goal("wilds", "11=01r0 12=05r0", []) == 0


def test_r6_1_specials_cost_3_for_each_empty_special_space() -> None:
    assert goal("specials", SPECIAL_PLATES, []) == -27
    assert goal("specials", SPECIAL_PLATES, colored(SPECIAL_PLATES)) == 0
    assert goal("specials", SPECIAL_PLATES, [(1, 1), (1, 2), (2, 1)]) == -24
    assert goal("specials", WILD_PLATES, []) == 0
    assert goal("specials", "11=01r0 12=02r0", []) == -3


def test_r6_1_colors_score_4_for_each_row_with_five_colours() -> None:
    """Row 1 of the wild dome is `W B T R K Y`, row 3 `T Y Y R T K`."""
    row_1 = [(1, column) for column in SIX]
    assert goal("colors", WILD_PLATES, row_1) == 4
    assert goal("colors", WILD_PLATES, [(3, column) for column in SIX]) == 0
    assert goal("colors", WILD_PLATES, row_1 + [(4, column) for column in SIX], wilds="BTYB") == 8


def test_r6_1_colors_allow_a_gap() -> None:
    assert goal("colors", WILD_PLATES, [(1, column) for column in range(2, 7)]) == 4


def test_r6_1_colors_count_a_wild_tile_as_its_own_colour() -> None:
    """Without the blue tile in column 2, a blue tile on the wild space makes the fifth colour, a red one does not."""
    row = [(1, column) for column in (1, 3, 4, 5, 6)]
    assert goal("colors", WILD_PLATES, row, wilds="B") == 4
    assert goal("colors", WILD_PLATES, row, wilds="R") == 0


@pytest.mark.parametrize(("option", "expected"), [("true", 4), ("false", 0)])
def test_r6_1_colors_with_a_special_tile_and_a_gap(option: str, expected: int) -> None:
    """Row 3 of the special plates is `Y B T R Y *`: four colours and the special tile, with a gap."""
    spaces = [(3, column) for column in range(2, 6)] + [(4, 5), (4, 6)]
    assert goal("colors", SPECIAL_PLATES, spaces, f"options: special_is_color={option}") == expected


@pytest.mark.parametrize("option", ["true", "false"])
def test_r6_1_colors_five_real_colours_need_no_special_tile(option: str) -> None:
    assert goal("colors", WILD_PLATES, [(1, c) for c in SIX], f"options: special_is_color={option}") == 4


TWO_SPECIALS = "11=01r0 12=08r0 13=15r0"
"""Rows 1 and 2 are `Y K  Y B  T B` and `T *  K *  W Y`."""


@pytest.mark.parametrize(
    ("wild", "option", "expected"),
    [("R", "true", 4), ("B", "true", 4), ("T", "true", 0), ("R", "false", 0), ("B", "false", 0)],
)
def test_r6_1_colors_a_second_special_tile_neither_counts_nor_spoils(wild: str, option: str, expected: int) -> None:
    """Row 2 is `T * K * W Y`: three colours, two special tiles, and the tile on the wild space."""
    spaces = [(1, 1), (1, 2), (2, 1), (1, 3), (1, 4), (2, 3), (2, 5), (2, 6)]
    assert goal("colors", TWO_SPECIALS, spaces, f"options: special_is_color={option}", wilds=wild) == expected


def test_r6_1_goals_are_scored_after_round_5_for_both() -> None:
    tiles = covered(WILD_PLATES, [(1, column) for column in SIX])
    boards = f"0 plates: {WILD_PLATES}; 0 dome: {tiles}; 1 plates: 11=01r0; 1 lines: Y1 - - - - -"
    game = last_end(f"goals: rows edge diagonals; {boards}")
    assert game.scores == (5, 5)
    play(game, "T11 E")
    assert game.stage is Stage.OVER
    assert game.goal_points == ((3, 6, 0), (0, 1, 0))
    assert game.scores == (14, 7)
    assert game.result == Result((14, 7), 0, ((3, 6, 0), (0, 1, 0)))


@pytest.mark.parametrize("round_no", [1, 2, 3, 4])
def test_r6_1_goals_are_not_scored_before(round_no: int) -> None:
    goals = "goals: specials rows edge; 0 plates: 11=01r0; 0 dome: Y..... ...... ...... ...... ...... ......"
    game = at(f"stage: tiling; round: {round_no}; turn: 1; first: 0; {goals}")
    play(game, "E")
    assert (game.round, game.scores, game.result) == (round_no + 1, (5, 5), None)


def test_r6_1_only_the_goals_in_play_are_scored() -> None:
    tiles = covered(WILD_PLATES, list(ALL_SPACES))
    game = play(last_end(f"goals: rows columns wilds; 0 plates: {WILD_PLATES}; 0 dome: {tiles}"), "E")
    assert game.scores[0] == 5 + 18 + 42 + 18


def test_r6_1_four_goals_are_all_scored() -> None:
    tiles = covered(WILD_PLATES, list(ALL_SPACES))
    game = play(last_end(f"goals: edge corners wilds rows; 0 plates: {WILD_PLATES}; 0 dome: {tiles}"), "E")
    assert game.goal_points[0] == (20, 22, 18, 18)
    assert game.scores[0] == 5 + 78


@pytest.mark.parametrize("order", ["specials rows edge", "rows edge specials", "edge specials rows"])
@pytest.mark.parametrize(("score", "expected"), [(4, 0), (5, 0), (6, 1)])
def test_r6_2_the_goals_sum_is_added_in_one_step(order: str, score: int, expected: int) -> None:
    """-6 for two empty special spaces and +1 for an edge tile: from 5 points, the floor of 0 does not come between."""
    tile = "Y..... ...... ...... ...... ...... ......"
    game = last_end(f"goals: {order}; 0 plates: 11=01r0 12=05r0; 0 dome: {tile}; 0 score: {score}")
    assert play(game, "E").scores[0] == expected


def test_r6_2_the_result_is_never_below_zero() -> None:
    game = play(last_end(f"goals: specials rows edge; 0 plates: {SPECIAL_PLATES}; 0 score: 11"), "E")
    assert game.goal_points[0] == (-27, 0, 0)
    assert game.scores[0] == 0
    assert game.points_by_source[0][Source.GOALS] == -11


def test_r6_2_penalties_of_the_last_round_come_before_the_goals() -> None:
    tile = "Y..... ...... ...... ...... ...... ......"
    board = f"0 score: 2; 0 broken: BYR; 0 plates: 11=01r0; 0 dome: {tile}"
    game = at(f"stage: tiling; round: 5; goals: edge rows wilds; {board}")
    assert play(game, "E E").scores[0] == 1


@pytest.mark.parametrize(("scores", "winner"), [((30, 29), 0), ((29, 30), 1), ((0, 1), 1)])
@pytest.mark.parametrize("first", [0, 1])
def test_r6_3_more_points_win(scores: tuple[int, int], winner: int, first: int) -> None:
    game = at(f"stage: tiling; round: 5; turn: {first}; first: {first}; 0 score: {scores[0]}; 1 score: {scores[1]}")
    play(game, "E E")
    assert game.result == Result(scores, winner, ((0, 0, 0), (0, 0, 0)))


@pytest.mark.parametrize("holder", [0, 1])
def test_r6_3_the_start_tile_does_not_help_with_fewer_points(holder: int) -> None:
    scores = [30, 30]
    scores[holder] = 31
    points = f"start tile: {holder}; 0 score: {scores[0]}; 1 score: {scores[1]}"
    game = play(at(f"stage: tiling; round: 5; {points}"), "E E")
    assert game.result is not None
    assert (game.scores[holder], game.result.winner) == (29, 1 - holder)


@pytest.mark.parametrize("holder", [0, 1])
@pytest.mark.parametrize("first", [0, 1])
def test_r6_3_on_a_tie_the_holder_of_the_start_tile_wins(holder: int, first: int) -> None:
    scores = [20, 20]
    scores[holder] += 2
    points = f"start tile: {holder}; 0 score: {scores[0]}; 1 score: {scores[1]}"
    game = play(at(f"stage: tiling; round: 5; turn: {first}; first: {first}; {points}"), "E E")
    assert game.scores == (20, 20)
    assert game.result is not None
    assert game.result.winner == holder


@pytest.mark.parametrize("first", [0, 1])
def test_r6_3_on_a_tie_without_a_holder_the_starter_of_round_5_wins(first: int) -> None:
    """R3.7: nobody took the start tile."""
    game = play(at(f"stage: tiling; round: 5; turn: {first}; first: {first}"), "E E")
    assert game.scores == (5, 5)
    assert game.result is not None
    assert game.result.winner == first


def test_r6_3_a_finished_game_has_no_moves() -> None:
    game = play(last_end(""), "E")
    assert game.is_over
    assert first_letters(game) == set()
    for token in ("E", "D", "C1", "SLB1", "MB1", "T11", "P01@11r0"):
        assert refused(game, token) == "R6"


def progress(name: str, plates: str, spaces: list[tuple[int, int]]) -> tuple[int, int, list[str]]:
    """How far one goal has come for seat 0: what is there, what is asked for, and the spaces that it is about."""
    others = OTHER_GOALS.get(name, "rows columns")
    tiles = covered(plates, spaces, COLORS)
    game = at(f"stage: over; goals: {name} {others}; 0 plates: {plates}; 0 dome: {tiles}")
    counts = np.zeros((2, 4, 2), np.int64)
    cells = np.zeros((2, 4, 6, 6), np.int8)
    engine.progress_of_goals(game.state, 0, counts, cells)
    there, asked = counts[0, 0].tolist()
    return there, asked, ["".join(".xo"[mark] for mark in row) for row in cells[0, 0].tolist()]


def test_r6_1_progress_is_about_the_row_that_lacks_least() -> None:
    some = [(2, 1), (4, 2), (4, 3), (4, 5)]
    assert progress("rows", WILD_PLATES, some) == (3, 6, ["......", "......", "......", "oxxoxo", "......", "......"])


def test_r6_1_progress_goes_on_with_the_next_row_and_keeps_the_full_one() -> None:
    full = [(1, column) for column in SIX]
    rows = ["xxxxxx", "......", "xooooo", "......", "......", "......"]
    assert progress("rows", WILD_PLATES, [*full, (3, 1)]) == (1, 6, rows)


def test_r6_1_progress_of_a_goal_that_is_reached() -> None:
    assert progress("rows", WILD_PLATES, [(row, column) for row in SIX for column in SIX])[:2] == (6, 6)


@pytest.mark.parametrize(
    ("name", "spaces", "there", "asked"),
    [
        ("columns", [(1, 3), (2, 3), (6, 1)], 2, 6),
        ("edge", [(1, 1), (3, 3), (6, 4)], 2, 20),
        ("diagonals", [(1, 6), (2, 5), (3, 3)], 2, 6),
        ("corners", [(5, 5), (6, 6), (5, 6), (1, 1)], 3, 4),
        ("colors", [(2, 4)], 1, 5),
    ],
)
def test_r6_1_progress_of_each_goal(name: str, spaces: list[tuple[int, int]], there: int, asked: int) -> None:
    found, of, cells = progress(name, WILD_PLATES, spaces)
    assert (found, of) == (there, asked)
    lit = [(row, column) for row in SIX for column in SIX if cells[row - 1][column - 1] == "x"]
    assert set(lit) <= set(spaces)
    assert len(lit) == there


@pytest.mark.parametrize(("name", "plates"), [("wilds", WILD_PLATES), ("specials", SPECIAL_PLATES)])
def test_r6_1_progress_counts_the_spaces_of_a_kind(name: str, plates: str) -> None:
    there, asked, cells = progress(name, plates, [])
    assert there == 0
    assert asked == sum(row.count("o") for row in cells) == 9
