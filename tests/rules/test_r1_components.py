"""R1: what is in the box."""

from __future__ import annotations

import random
from collections import Counter

import pytest

from sintra import CHIPS, PLATES, Color, Game, Goal, PlateKind, PositionError, RulesError
from sintra.tabletop.ruleset import Rules, parse_goals

from .helpers import COLORS, amounts, at, letters, new_deal, play, shown, tiles_in_play

PRINTED = """
01 YK/T*  07 *K/RB  13 BK/*T
02 WB/TK  08 YB/K*  14 RT/YW
03 TR/BW  09 TR/B*  15 TB/WY
04 KY/RW  10 YR/WB  16 *T/YB
05 K*/TR  11 Y*/KR  17 RW/BK
06 TY/WK  12 TK/RW  18 *Y/BR
"""


def test_r1_1_there_are_five_colours_with_these_letters() -> None:
    assert {color.letter: str(color) for color in Color} == {
        "B": "blue",
        "Y": "yellow",
        "R": "red",
        "K": "black",
        "T": "turquoise",
    }


@pytest.mark.parametrize("seed", range(4))
def test_r1_1_there_are_always_13_tiles_of_each_colour(seed: int) -> None:
    game = Game.new(seed=seed)
    dice = random.Random(seed)
    while not game.is_over:
        game.push(dice.choice(game.legal_moves))
        assert tiles_in_play(game) == dict.fromkeys(COLORS, 13), game.moves[-1]
    assert game.moves


def test_r1_1_a_position_cannot_have_a_14th_tile_of_a_colour() -> None:
    with pytest.raises(PositionError, match=r"13 blue.*R1\.1"):
        at("0 lines: - - - - - B6; 1 lines: - - - - - B6; factory 1: sun BB moon - chip down")


def test_r1_1_special_tiles_are_no_tiles_of_the_bag() -> None:
    with pytest.raises(PositionError):
        at("bag: *9")


def test_r1_2_all_65_tiles_start_in_the_bag_and_the_tower_is_empty() -> None:
    game = new_deal()
    assert amounts(game.bag) == "B13 Y13 R13 K13 T13"
    assert amounts(game.tower) == "-"


def test_r1_2_bag_and_tower_are_public() -> None:
    game = at("bag: B2 T1")
    for observer in (0, 1, 2):
        view = game.view(observer)
        assert (amounts(view.bag), amounts(view.tower)) == ("B2 T1", "B11 Y13 R13 K13 T12")


def test_r1_3_there_are_four_small_factories_and_a_large_one() -> None:
    factories = at(
        "factory L: sun - moon RK; factory 1: sun BYRK moon - chip down; factory 3: sun - moon TYR chip down"
    ).factories
    assert [factory.name for factory in factories] == ["1", "2", "3", "4", "L"]
    assert [factory.is_large for factory in factories] == [False, False, False, False, True]
    assert [letters(factory.sun) for factory in factories] == ["BYRK", "-", "-", "-", "-"]
    assert [letters(factory.moon) for factory in factories] == ["-", "-", "TYR", "-", "RK"]


def test_r1_4_the_18_plates_show_what_is_printed() -> None:
    printed = dict(zip(PRINTED.split()[::2], PRINTED.split()[1::2], strict=True))
    assert {plate.name: f"{plate.printed[:2]}/{plate.printed[2:]}" for plate in PLATES} == printed


def test_r1_4_nine_plates_are_special_and_nine_wild() -> None:
    assert Counter(plate.kind for plate in PLATES) == {PlateKind.SPECIAL: 9, PlateKind.WILD: 9}
    assert {plate.name for plate in PLATES if plate.kind is PlateKind.SPECIAL} == set(
        "01 05 07 08 09 11 13 16 18".split()
    )


def test_r1_4_every_plate_has_three_coloured_spaces() -> None:
    assert {sum(letter in COLORS for letter in plate.printed) for plate in PLATES} == {3}


def test_r1_4_a_plate_is_in_one_place_only() -> None:
    with pytest.raises(PositionError, match=r"07.*R1\.4"):
        at("display: 07 01 02; 0 plates: 11=07r0")


def test_r1_5_there_are_two_chips_of_each_of_ten_faces() -> None:
    assert [chip.face for chip in CHIPS] == "B- Y- R- K- T- TY YK KB BR RT".split()
    assert Counter(Game.new(seed=3).deal_so_far.chips) == {chip.face: 2 for chip in CHIPS}


def test_r1_5_every_colour_shows_six_times_and_ten_half_fields_are_blank() -> None:
    halves = Counter(half for face in Game.new(seed=3).deal_so_far.chips for half in face)
    assert halves == {"B": 6, "Y": 6, "R": 6, "K": 6, "T": 6, "-": 10}


def test_r1_5_a_third_chip_of_a_face_does_not_exist() -> None:
    with pytest.raises(PositionError, match=r"R1\.5"):
        at("round: 2; 0 store: TY TY; 1 store: TY")


def test_r1_6_four_goal_tiles_have_two_sides_each() -> None:
    pairs = {frozenset((str(goal), str(goal.other_side))) for goal in Goal}
    assert pairs == {
        frozenset(("rows", "colors")),
        frozenset(("columns", "edge")),
        frozenset(("diagonals", "corners")),
        frozenset(("wilds", "specials")),
    }


@pytest.mark.parametrize("goal", list(Goal))
def test_r1_6_the_two_sides_of_a_tile_exclude_each_other(goal: Goal) -> None:
    other_tiles = [other for other in Goal if other.tile != goal.tile]
    with pytest.raises(RulesError, match=r"R1\.6"):
        Rules((goal, goal.other_side, other_tiles[0]))


def test_r1_6_an_unknown_goal_is_refused() -> None:
    with pytest.raises(RulesError, match="unknown goal 'towers'"):
        parse_goals("rows,edge,towers")


def test_r1_7_six_lines_hold_one_to_six_tiles() -> None:
    board = at("").board(0)
    assert [(line.number, line.room) for line in board.lines] == [(n, n) for n in range(1, 7)]


@pytest.mark.parametrize("line", range(1, 7))
def test_r1_7_a_line_holds_no_more_tiles_than_its_number(line: int) -> None:
    words = ["-"] * 6
    words[line - 1] = f"B{line + 1}"
    with pytest.raises(PositionError, match=f"line {line}"):
        at(f"0 lines: {' '.join(words)}")


@pytest.mark.parametrize(
    ("slot", "row", "column"),
    [("11", 1, 1), ("12", 1, 3), ("13", 1, 5), ("21", 3, 1), ("22", 3, 3), ("23", 3, 5), ("31", 5, 1), ("33", 5, 5)],
)
def test_r1_7_a_slot_covers_two_grid_rows_and_two_columns(slot: str, row: int, column: int) -> None:
    rows = shown(play(at("display: 07 01 02"), f"P07@{slot}r0"))
    assert rows[row - 1][column - 1 : column + 1] == "*K"
    assert rows[row][column - 1 : column + 1] == "RB"
    assert sum(text.count(".") for text in rows) == 32


@pytest.mark.parametrize(
    ("turns", "upper", "lower"), [(0, "*K", "RB"), (1, "R*", "BK"), (2, "BR", "K*"), (3, "KB", "*R")]
)
def test_r1_7_a_plate_is_turned_clockwise_by_quarters(turns: int, upper: str, lower: str) -> None:
    rows = shown(play(at("display: 07 01 02"), f"P07@22r{turns}"))
    assert (rows[2][2:4], rows[3][2:4]) == (upper, lower)


def test_r1_7_four_broken_tiles_have_a_place() -> None:
    assert letters(at("0 broken: BYRK").board(0).broken) == "BYRK"
    with pytest.raises(PositionError, match="at most 4"):
        at("0 broken: BYRKT")


def test_r1_7_each_player_has_two_markers() -> None:
    assert [board.markers_left for board in Game.new(seed=1).boards] == [2, 2]


def test_r1_8_both_players_start_with_five_points() -> None:
    assert Game.new(seed=1).scores == (5, 5)


def test_r1_8_a_score_has_no_upper_limit() -> None:
    game = at("stage: tiling; 0 score: 140; 0 plates: 11=01r0; 0 lines: Y1 - - - - -")
    assert play(game, "T11").scores[0] == 141


def test_r1_8_a_score_is_never_below_zero() -> None:
    game = at("stage: tiling; 0 score: 3; 0 broken: BYRK")
    assert play(game, "E").scores[0] == 0
    with pytest.raises(PositionError):
        at("0 score: -1")
