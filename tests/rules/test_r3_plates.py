"""R3.1: taking a plate, from the display or from the stack."""

from __future__ import annotations

import pytest

from sintra import Game, Stage

from .helpers import WILD_PLATES, at, display, first_letters, legal, names, play, refused, shown

STACK = "stack: 04 05 06 07 08 09 10 11 12 13 14 15 16 17 18"
DRAWER = f"display: 01 02 03; {STACK}; factory 1: sun BYRK moon - chip down"
NO_DISPLAY = "0 plates: 11=01r0; 1 plates: 11=02r0 12=03r0; 0 left: markers=1; display: - - -"


def drawn(score: int = 5, how_many: int = 3) -> Game:
    """Seat 0 holds 04, 05, ... and has looked at them."""
    return play(at(f"{DRAWER}; 0 score: {score}"), "D " * how_many + "H")


def test_r3_1_a_plate_of_the_display_is_free_and_uses_a_marker() -> None:
    game = play(at(DRAWER), "P02@13r0")
    assert shown(game)[0] == "....WB"
    assert game.scores[0] == 5
    assert [board.markers_left for board in game.boards] == [1, 2]
    assert game.turn == 1


def test_r3_1_the_display_is_not_refilled_during_the_round() -> None:
    game = play(at(DRAWER), "P02@13r0 P01@11r0")
    assert (display(game), game.stack_size) == ("- - 03", 15)


def test_r3_1_a_plate_goes_on_any_empty_slot_in_any_rotation() -> None:
    game = at("display: 01 02 03; 0 plates: 11=18r0")
    slots = [f"{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3)][1:]
    assert legal(game, "P02") == {f"P02@{slot}r{turns}" for slot in slots for turns in range(4)}


def test_r3_1_a_laid_plate_never_moves_and_its_slot_takes_no_other() -> None:
    game = at("display: 01 02 03; 0 plates: 22=18r1")
    assert refused(game, "P02@22r0") == "R3.1"
    play(game, "P02@11r0")
    laid = game.board(0).plates[4]
    assert laid is not None
    assert str(laid) == "22=18r1"


def test_r3_1_a_plate_that_does_not_lie_open_cannot_be_taken() -> None:
    assert refused(at(DRAWER), "P04@11r0") == "R3.1"


def test_r3_1_each_player_takes_two_plates_a_round() -> None:
    game = at(f"{DRAWER}; 0 left: markers=0")
    assert first_letters(game) == {"S"}
    assert refused(game, "P02@11r0") == "R3.1"
    assert refused(game, "D") == "R3.1"


def test_r3_1_both_plates_of_a_round_may_come_from_the_stack() -> None:
    game = play(at(f"{DRAWER}; 1 left: markers=0"), "D H K04@11r0 S1B6:YRK D H K05@12r0")
    assert game.board(0).markers_left == 0
    assert display(game) == "01 02 03"


@pytest.mark.parametrize("round_no", [1, 2, 3, 4])
def test_r3_1_plates_are_taken_in_rounds_1_to_4(round_no: int) -> None:
    assert {"P", "D"} <= first_letters(at(f"round: {round_no}; {DRAWER}"))


def test_r3_1_no_plates_are_taken_in_round_5() -> None:
    game = at(f"round: 5; {DRAWER}")
    assert first_letters(game) == {"S"}
    assert refused(game, "P02@11r0") == "R3.1"
    assert refused(game, "D") == "R3.1"


def test_r3_1_drawing_two_plates_costs_two_points() -> None:
    """The rulebooks' example: two plates are drawn, one is laid, the other goes under the stack."""
    game = play(at(DRAWER), "D D")
    assert game.scores[0] == 3
    play(game, "H")
    assert names(game.hand) == "04 05"
    play(game, "K05@31r2")
    assert shown(game)[4:] == ["RT....", "*K...."]
    play(game, "<04")
    assert names(game.stack) == "06 07 08 09 10 11 12 13 14 15 16 17 18 04"
    assert display(game) == "01 02 03"
    assert (game.scores[0], game.board(0).markers_left, game.turn) == (3, 1, 1)


def test_r3_1_drawing_commits_to_the_stack() -> None:
    game = play(at(DRAWER), "D")
    assert legal(game) == {"D", "H"}
    assert refused(game, "P02@11r0") == "R3.1"
    assert refused(game, "S1B3:YRK") == "R3.1"
    assert refused(game, "K04@11r0") == "R3.1"


def test_r3_1_stopping_comes_before_looking() -> None:
    game = drawn(how_many=1)
    assert game.stage is Stage.KEEPING
    assert first_letters(game) == {"K"}
    assert refused(game, "D") == "R3.1"


def test_r3_1_any_of_the_drawn_plates_is_kept_and_no_other() -> None:
    game = drawn()
    slots = [f"{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
    assert legal(game) == {
        f"K{plate}@{slot}r{turns}" for plate in ("04", "05", "06") for slot in slots for turns in range(4)
    }
    assert refused(game, "K07@11r0") == "R3.1"
    assert refused(game, "K01@11r0") == "R3.1"


def test_r3_1_a_drawn_plate_needs_an_empty_slot_too() -> None:
    game = play(at("display: 01 02 03; 0 plates: 11=18r0"), "D H")
    assert legal(game, "K04@11") == set()
    assert refused(game, "K04@11r0") == "R3.1"


@pytest.mark.parametrize(("returns", "bottom"), [("<04 <06", "04 06"), ("<06 <04", "06 04")])
def test_r3_1_the_others_return_in_any_order_the_first_lies_highest(returns: str, bottom: str) -> None:
    game = play(drawn(), "K05@11r0")
    assert legal(game) == {"<04", "<06"}
    play(game, returns)
    assert names(game.stack) == f"07 08 09 10 11 12 13 14 15 16 17 18 {bottom}"
    assert game.turn == 1


def test_r3_1_only_plates_still_in_hand_can_be_returned() -> None:
    game = play(drawn(), "K05@11r0 <04")
    assert legal(game) == {"<06"}
    assert refused(game, "<04") == "R3.1"
    assert refused(game, "<05") == "R3.1"
    assert refused(game, "P02@12r0") == "R3.1"


def test_r3_1_one_drawn_plate_leaves_nothing_to_return() -> None:
    game = play(drawn(how_many=1), "K04@11r0")
    assert (game.stage, game.turn, game.stack_size) == (Stage.TURN, 1, 14)


def test_r3_1_plates_are_drawn_as_long_as_the_stack_lasts() -> None:
    """With the whole stack in hand `H` is the only token."""
    full = f"1 plates: {WILD_PLATES}; 1 left: markers=0"
    game = at(f"0 score: 20; display: 11 16 18; {full}; stack: 01 05 07 08 09 13")
    play(game, "D D D D D D")
    assert legal(game) == {"H"}
    assert refused(game, "D") == "R3.1"
    play(game, "H K05@11r0 <13 <09 <08 <07 <01")
    assert (names(game.stack), game.scores[0]) == ("13 09 08 07 01", 14)


def test_r3_1_without_a_stack_nothing_is_drawn() -> None:
    laid = f"0 plates: 11=01r0 12=05r0 13=07r0 21=08r0 22=09r0 23=13r0; 1 plates: {WILD_PLATES}"
    game = at(f"display: 11 16 18; {laid}; 1 left: markers=0")
    assert game.stack_size == 0
    assert first_letters(game) == {"P"}
    assert refused(game, "D") == "R3.1"


def test_r3_1_the_last_point_pays_for_one_more_plate() -> None:
    game = play(at(f"{DRAWER}; 0 score: 2"), "D D")
    assert game.scores[0] == 0
    assert legal(game) == {"H"}


def test_r3_1_forced_with_plates_open_a_player_without_points_cannot_draw() -> None:
    game = at(f"{DRAWER}; 0 score: 0")
    assert {"P", "S"} == first_letters(game)
    assert refused(game, "D") == "R3.1"


def test_r3_1_forced_one_plate_open_is_enough_to_forbid_the_free_draw() -> None:
    game = at("display: - - 03; 1 plates: 11=01r0 12=02r0; 0 score: 0")
    assert refused(game, "D") == "R3.1"


def test_r3_1_forced_without_points_the_first_draw_before_an_empty_display_is_free() -> None:
    game = at(f"{NO_DISPLAY}; 0 score: 0")
    assert legal(game) == {"D"}
    play(game, "D")
    assert game.scores[0] == 0
    assert legal(game) == {"H"}
    assert refused(game, "D") == "R3.1"
    play(game, "H K04@12r0")
    assert game.board(0).markers_left == 0


def test_r3_1_forced_with_one_point_and_an_empty_display_only_one_plate_is_drawn() -> None:
    game = play(at(f"{NO_DISPLAY}; 0 score: 1"), "D")
    assert (game.scores[0], legal(game)) == (0, {"H"})


def test_r3_1_forced_a_free_draw_is_allowed_while_tiles_are_left() -> None:
    game = at(f"{NO_DISPLAY}; 0 score: 0; factory 1: sun BYRK moon - chip down")
    assert first_letters(game) == {"D", "S"}


@pytest.mark.parametrize("table", [DRAWER, NO_DISPLAY])
def test_r3_1_free_every_draw_without_points_costs_nothing(table: str) -> None:
    game = play(at(f"{table}; options: draw_at_zero=free; 0 score: 1"), "D D D D")
    assert game.scores[0] == 0
    assert legal(game) == {"D", "H"}
    assert len(game.hand) == 4


def test_r3_1_free_draws_with_points_still_cost_them() -> None:
    assert play(at(f"{DRAWER}; options: draw_at_zero=free; 0 score: 3"), "D D").scores[0] == 1


def test_r3_1_a_round_needs_four_plates_so_the_fourth_comes_from_the_stack() -> None:
    game = play(at("display: 01 02 03"), "P01@11r0 P02@11r0 P03@12r0")
    assert (game.turn, legal(game)) == (1, {"D"})
