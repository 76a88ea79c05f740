"""R4.1 to R4.3, R4.5, R4.6: the walk down the lines, special tiles, penalties."""

from __future__ import annotations

import pytest

from sintra import Source, Stage

from .helpers import SPECIAL_PLATES, amounts, at, broken, covered, dome, legal, lines, play, refused

TILING = "stage: tiling"
ROW_1_WITHOUT_RED = "0 plates: 11=08r0 12=16r0 13=13r0"
"""Rows 1 and 2 are `Y B  * T  B K` and `K *  Y B  * T`."""


def test_r4_1_lines_go_strictly_from_top_to_bottom() -> None:
    """Lines 1 and 2 of plate 01, `Y K / T *`, are both complete."""
    game = at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 T2 - - - -")
    assert legal(game) == {"T11"}
    assert refused(game, "T21") == "R4.1"
    play(game, "T11")
    assert legal(game) == {"T21"}
    assert refused(game, "T11") == "R4.2"


def test_r4_1_open_spaces_show_the_colour_or_are_wild() -> None:
    """Row 1 is `R W  Y R  K Y`: red can go to columns 1, 2 and 4."""
    game = at(f"{TILING}; 0 plates: 11=17r0 12=10r0 13=04r0; 0 lines: R1 - - - - -")
    assert legal(game) == {"T11", "T12", "T14"}
    assert refused(game, "T13") == "R4.1"


def test_r4_1_a_space_that_holds_a_tile_is_not_open() -> None:
    tiles = "RB.... ...... ...... ...... ...... ......"
    game = at(f"{TILING}; 0 plates: 11=17r0 12=10r0; 0 lines: R1 - - - - -; 0 dome: {tiles}")
    assert legal(game) == {"T14"}


def test_r4_1_a_line_uses_its_own_grid_row_only() -> None:
    """Red is in row 5 and 6 of plate 18 turned once, `B * / R Y`, not in row 1."""
    game = at(f"{TILING}; 0 plates: 31=18r1; 0 lines: - - - - R5 R6")
    assert legal(game) == {"T61"}


def test_r4_1_a_special_space_is_never_open() -> None:
    game = at(f"{TILING}; 0 plates: 11=07r0; 0 lines: K1 - - - - -")
    assert legal(game) == {"T12"}
    assert refused(game, "T11") == "R4.1"


@pytest.mark.parametrize("token", ["T13", "T14", "T15"])
def test_r4_1_no_tile_is_placed_where_no_plate_lies(token: str) -> None:
    assert refused(at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 - - - - -"), token) == "R4.1"


def test_r4_2_a_complete_line_with_an_open_space_must_be_placed() -> None:
    game = at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 - - - - -")
    assert legal(game) == {"T11"}
    assert refused(game, "E") == "R4.2"


def test_r4_2_one_tile_moves_and_the_rest_waits_until_all_lines_are_done() -> None:
    game = at(f"{TILING}; 0 plates: 31=13r0; 0 lines: - - - - K5 -")
    play(game, "T52")
    assert dome(game)[4] == ".K...."
    assert lines(game) == "- - - - K4! -"
    assert amounts(game.tower) == "-"
    play(game, "E")
    assert lines(game) == "- - - - - -"
    assert amounts(game.tower) == "K4"


def test_r4_2_an_incomplete_line_is_not_placed() -> None:
    game = at(f"{TILING}; 0 plates: 31=13r0; 0 lines: - - - - K4 -")
    assert legal(game) == {"E"}
    assert refused(game, "T52") == "R4.2"
    assert refused(game, "T11") == "R4.2"


def test_r4_2_the_same_colour_may_lie_twice_in_a_row_and_in_a_column() -> None:
    tiles = "..Y... T..... ...... ...... ...... ......"
    game = at(f"{TILING}; 0 plates: 11=01r0 12=08r0 21=16r3; 0 lines: Y1 - T3 - - -; 0 dome: {tiles}")
    play(game, "T11 T31")
    assert [row[0] for row in dome(game)[:3]] == ["Y", "T", "T"]
    assert dome(game)[0] == "Y.Y..."


def test_r4_2_the_example_with_13_tiles_in_the_lines() -> None:
    """The rulebooks' example: line 1 cannot be placed, 2 and 4 are complete, 3 and 5 are not."""
    game = at(f"{TILING}; {ROW_1_WITHOUT_RED} 22=12r0; 0 lines: R1 K2 T2 B4 Y4 -")
    assert legal(game) == {"T21"}
    play(game, "T21")
    assert (game.scores[0], broken(game)) == (6, "R")
    assert legal(game) == {"T44"}
    play(game, "T44")
    assert game.scores[0] == 7
    play(game, "E")
    assert lines(game) == "- - T2 - Y4 -"
    assert dome(game) == ["......", "K.....", "......", "...B..", "......", "......"]
    assert amounts(game.tower) == "B3 R1 K1"
    assert game.scores[0] == 6


@pytest.mark.parametrize("row", ["R1 - - - - -", "- R1 - - - -", "- R2 - - - -"])
def test_r4_3_an_unplaceable_line_breaks_complete_or_not(row: str) -> None:
    game = at(f"{TILING}; {ROW_1_WITHOUT_RED}; 0 lines: {row}")
    tiles = row.count("R1") + 2 * row.count("R2")
    assert game.preview("E").points == {Source.BROKEN: -(tiles * (tiles + 1) // 2)}
    play(game, "E")
    assert lines(game) == "- - - - - -"
    assert amounts(game.tower) == f"R{tiles}"


@pytest.mark.parametrize("row", ["R1 - - - - -", "- R1 - - - -", "- R2 - - - -"])
def test_r4_3_with_a_free_slot_in_its_dome_row_a_line_waits(row: str) -> None:
    game = at(f"{TILING}; 0 plates: 11=08r0 12=16r0; 0 lines: {row}")
    assert legal(game) == {"E"}
    play(game, "E")
    assert (lines(game), game.scores[0]) == (row, 5)


def test_r4_3_a_free_slot_in_another_dome_row_does_not_help() -> None:
    game = play(at(f"{TILING}; {ROW_1_WITHOUT_RED} 21=18r0; 0 lines: R1 - R1 - - -"), "E")
    assert lines(game) == "- - R1 - - -"


def test_r4_3_a_taken_space_makes_a_line_unplaceable() -> None:
    tile = "Y..... ...... ...... ...... ...... ......"
    game = play(at(f"{TILING}; {ROW_1_WITHOUT_RED}; 0 lines: Y1 - - - - -; 0 dome: {tile}"), "E")
    assert (lines(game), amounts(game.tower)) == ("- - - - - -", "Y1")


def test_r4_3_an_incomplete_line_with_an_open_space_does_not_break() -> None:
    game = play(at(f"{TILING}; {ROW_1_WITHOUT_RED}; 0 lines: - B1 - - - -"), "E")
    assert lines(game) == "- B1 - - - -"


def test_r4_3_a_line_that_waited_is_placed_when_a_plate_comes() -> None:
    """Round 2: plate 18 turned twice shows red at the top left of slot 13."""
    left = "0 left: markers=1; 1 left: markers=0; display: 18 - -; factory L: sun - moon B"
    game = at(f"round: 2; turn: 1; 0 plates: 11=08r0 12=16r0; 0 lines: R1 - - - - -; {left}")
    play(game, "MB6 P18@13r2")
    assert (game.stage, game.turn) == (Stage.TILING, 1)
    play(game, "E T15")
    assert dome(game)[0] == "....R."


def test_r4_3_a_plate_can_make_a_waiting_line_break() -> None:
    left = "0 left: markers=1; 1 left: markers=0; display: 13 - -"
    game = at(f"round: 2; 0 plates: 11=08r0 12=16r0; 0 lines: R1 - - - - -; {left}")
    play(game, "P13@13r0 E")
    assert (lines(game), amounts(game.tower)) == ("- - - - - -", "R1")


def test_r4_3_a_line_breaks_when_the_walk_passes_it() -> None:
    """Not when phase 2 begins, but with the first tile placed below it."""
    game = at(f"{TILING}; {ROW_1_WITHOUT_RED} 31=14r0; 0 lines: R1 - - - - T6")
    assert broken(game) == "-"
    play(game, "T62")
    assert (lines(game), broken(game)) == ("- - - - - T5!", "R")


def test_r4_3_lines_below_the_placed_one_do_not_break_yet() -> None:
    game = play(at(f"{TILING}; {ROW_1_WITHOUT_RED}; 0 lines: Y1 R2 - - - -"), "T11")
    assert (lines(game), broken(game)) == ("Y0! R2 - - - -", "-")
    play(game, "E")
    assert (lines(game), amounts(game.tower)) == ("- - - - - -", "R2")


def test_r4_3_more_than_four_broken_tiles_go_to_the_tower_at_once() -> None:
    """R3.6: row 5 of slots 31 to 33 is `Y B  * T  B K`, so five red tiles break, three of them into the tower."""
    game = at(f"{TILING}; 0 broken: KK; 0 plates: 31=08r0 32=16r0 33=13r0; 0 lines: - - - - R5 Y6; 0 score: 50")
    play(game, "T63")
    assert (broken(game), amounts(game.tower)) == ("RRKK", "R3")
    play(game, "E")
    assert amounts(game.tower) == "Y5 R5 K2"


def test_r4_3_the_preview_names_the_lines_that_break() -> None:
    game = at(f"{TILING}; {ROW_1_WITHOUT_RED}; 0 lines: R1 R2 - - - -")
    assert game.preview("E").lines_broken == (1, 2)


def test_r4_5_the_third_coloured_space_of_a_special_plate_brings_a_special_tile() -> None:
    game = at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 - - - - -; 0 dome: .K.... T..... ...... ...... ...... ......")
    effect = game.preview("T11")
    assert effect.special == (2, 2)
    assert effect.points == {Source.PLACEMENT: 4, Source.SPECIALS: 2}
    play(game, "T11")
    assert dome(game)[:2] == ["YK....", "T*...."]
    assert game.scores[0] == 11


@pytest.mark.parametrize(
    ("row", "two_tiles", "line", "token"),
    [
        (1, [(1, 3), (2, 4)], "- T2 - - - -", "T23"),
        (2, [(1, 1), (1, 2)], "- T2 - - - -", "T21"),
        (3, [(3, 5), (4, 5)], "- - - R4 - -", "T46"),
        (4, [(3, 3), (3, 4)], "- - - B4 - -", "T43"),
        (5, [(5, 4), (6, 4)], "- - - - - Y6", "T63"),
        (6, [(5, 1), (5, 2)], "- - - - - T6", "T62"),
    ],
)
def test_r4_5_a_special_tile_scores_the_number_of_its_grid_row(
    row: int, two_tiles: list[tuple[int, int]], line: str, token: str
) -> None:
    tiles = covered(SPECIAL_PLATES, two_tiles)
    game = play(at(f"{TILING}; 0 plates: {SPECIAL_PLATES}; 0 dome: {tiles}; 0 lines: {line}"), token)
    assert [text.count("*") for text in dome(game)] == [int(n == row) for n in range(1, 7)]
    assert game.points_by_source[0][Source.SPECIALS] == row


def test_r4_5_the_third_tile_scores_before_the_special_tile_is_there() -> None:
    """Turquoise beside the empty special space: its row counts only itself."""
    game = at(f"{TILING}; 0 plates: 11=01r0; 0 lines: - T2 - - - -; 0 dome: YK.... ...... ...... ...... ...... ......")
    play(game, "T21")
    assert game.points_by_source[0] == {
        source: {Source.PLACEMENT: 2, Source.SPECIALS: 2}.get(source, 0) for source in Source
    }


def test_r4_5_a_special_tile_scores_nothing_for_its_neighbours() -> None:
    neighbours = "YK.... ..T... .K.... ...... ...... ......"
    game = at(f"{TILING}; 0 plates: 11=01r0 12=05r0 21=13r0; 0 lines: - T2 - - - -; 0 dome: {neighbours}")
    play(game, "T21")
    assert game.points_by_source[0][Source.SPECIALS] == 2


def test_r4_5_two_covered_spaces_bring_no_special_tile() -> None:
    tiles = "...... T..... ...... ...... ...... ......"
    game = play(at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 - - - - -; 0 dome: {tiles}"), "T11")
    assert "*" not in "".join(dome(game))


def test_r4_5_a_full_wild_plate_brings_no_special_tile() -> None:
    tiles = "...... TK.... ...... ...... ...... ......"
    game = at(f"{TILING}; 0 plates: 11=02r0; 0 lines: B1 - - - - -; 0 dome: R{tiles[1:]}")
    play(game, "T12")
    assert dome(game)[:2] == ["RB....", "TK...."]
    assert game.points_by_source[0][Source.SPECIALS] == 0


@pytest.mark.parametrize(("tiles", "loss"), [("-", 0), ("B", 1), ("BY", 3), ("BYR", 6), ("BYRK", 10)])
def test_r4_6_broken_tiles_cost_1_2_3_and_4_points_and_go_to_the_tower(tiles: str, loss: int) -> None:
    game = play(at(f"{TILING}; 0 score: 30; 0 broken: {tiles}"), "E")
    assert game.scores[0] == 30 - loss
    assert broken(game) == "-"
    assert sum(game.tower.values()) == len(tiles.replace("-", ""))


def test_r4_6_eight_points_are_lost_for_three_broken_tiles_and_the_start_tile() -> None:
    """The rulebooks' example."""
    game = at(f"{TILING}; start tile: 0; 0 score: 20; 0 broken: BYR")
    assert game.preview("E").points == {Source.BROKEN: -6, Source.START_TILE: -2}
    assert play(game, "E").scores == (12, 5)


def test_r4_6_the_start_tile_alone_costs_two_points() -> None:
    game = play(at(f"{TILING}; start tile: 1"), "E E")
    assert game.scores == (5, 3)


@pytest.mark.parametrize(("score", "left"), [(9, 0), (11, 0), (12, 0), (13, 1)])
def test_r4_6_a_score_never_falls_below_zero(score: int, left: int) -> None:
    game = play(at(f"{TILING}; start tile: 0; 0 score: {score}; 0 broken: BYRK"), "E")
    assert game.scores[0] == left


def test_r4_6_penalties_come_after_the_points_of_the_round() -> None:
    """1 point for the tile and -3 for two broken ones, from a score of 1."""
    game = at(f"{TILING}; 0 score: 1; 0 broken: BY; 0 plates: 11=01r0; 0 lines: Y1 - - - - -")
    assert play(game, "T11").scores[0] == 2
    assert play(game, "E").scores[0] == 0


def test_r4_6_only_ones_own_penalties_are_booked() -> None:
    game = play(at(f"{TILING}; 0 score: 20; 1 score: 20; 0 broken: BY; 1 broken: RKT"), "E")
    assert game.scores == (17, 20)
    assert broken(game, 1) == "RKT"


def test_r4_6_tiles_of_lines_that_were_not_placed_stay() -> None:
    game = play(at(f"{TILING}; 0 plates: 11=01r0; 0 lines: Y1 T1 K3 - B2 -"), "T11 E")
    assert lines(game) == "- T1 K3 - B2 -"


@pytest.mark.parametrize("first", [0, 1])
def test_r4_6_each_player_ends_once_the_rounds_start_player_first(first: int) -> None:
    game = at(f"{TILING}; turn: {first}; first: {first}; start tile: {1 - first}")
    assert (game.turn, legal(game)) == (first, {"E"})
    play(game, "E")
    assert (game.stage, game.turn, legal(game)) == (Stage.TILING, 1 - first, {"E"})
    play(game, "E")
    assert game.stage is Stage.DEALING


def test_r4_6_the_second_player_walks_the_own_lines_from_the_top() -> None:
    game = at(f"{TILING}; 0 plates: 11=01r0; 0 lines: - T2 - - - -; 1 plates: 11=08r0; 1 lines: Y1 - - - - -")
    play(game, "T21 E T11 E")
    assert (dome(game)[1], dome(game, 1)[0]) == ("T.....", "Y.....")


@pytest.mark.parametrize("token", ["P01@11r0", "D", "S1B3", "MB3", "C1", "H", "<01"])
def test_r4_phase_2_knows_no_turns(token: str) -> None:
    """R4.1: only lines are tiled."""
    assert refused(at(TILING), token) == "R4"
