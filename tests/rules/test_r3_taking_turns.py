"""R3, R3.9, R3.10: whose turn it is, passing, and the end of phase 1."""

from __future__ import annotations

import pytest

from sintra import PositionError, Stage

from .helpers import at, first_letters, legal, play, refused

NO_MARKERS = "0 left: markers=0; 1 left: markers=0"


@pytest.mark.parametrize("seat", [0, 1])
def test_r3_9_players_with_an_action_alternate(seat: int) -> None:
    game = at(f"turn: {seat}; factory L: sun BYRK moon -; factory 1: sun BYRK moon - chip down")
    play(game, "SLB1")
    assert game.turn == 1 - seat
    play(game, "S1B1:YRK")
    assert game.turn == seat
    play(game, "MK6")
    assert game.turn == 1 - seat


def test_r3_9_a_turn_is_a_plate_a_draw_a_take_or_a_chip() -> None:
    game = at("factory L: sun - moon B; factory 1: sun BYRK moon - chip down; factory 2: sun - moon - chip up")
    assert first_letters(game) == {"P", "D", "S", "M", "C"}
    for token in ("E", "T11", "H", "K01@11r0", "<01", "U1:B-,B-"):
        assert refused(game, token) == "R3"


def test_r3_9_there_is_no_passing_with_an_action_left() -> None:
    """Breaking a tile is the only move of seat 0, and it must be made."""
    game = at(f"0 lines: B1 B2 B3 B4 Y5 Y6; factory L: sun - moon R; {NO_MARKERS}")
    assert legal(game) == {"MRx"}


def test_r3_9_who_has_no_action_passes_and_the_other_goes_on_alone() -> None:
    game = at("0 left: markers=0; 1 left: markers=2; display: 01 02 03; factory L: sun - moon R")
    play(game, "MR1")
    assert game.turn == 1
    play(game, "P01@11r0")
    assert game.turn == 1
    play(game, "P02@12r0")
    assert game.stage is Stage.TILING


def test_r3_9_a_chip_that_only_the_other_may_take_makes_no_action() -> None:
    left = "0 left: markers=0 chips=2; 1 left: markers=0 chips=0"
    game = at(f"{left}; factory 1: sun - moon - chip up; factory 2: sun - moon - chip up")
    play(game, "C1")
    assert (game.turn, legal(game)) == (0, {"C2"})
    assert play(game, "C2").stage is Stage.TILING


def test_r3_9_a_compulsory_draw_is_an_action() -> None:
    game = at("0 score: 0; 0 left: markers=1; 1 left: markers=1; display: 01 - -; turn: 1; 1 plates: 11=02r0 12=03r0")
    play(game, "P01@13r0")
    assert (game.turn, legal(game)) == (0, {"D"})


def test_r3_9_passing_has_no_token() -> None:
    game = play(at("0 left: markers=0; 1 left: markers=2; display: 01 02 03; factory L: sun - moon R"), "MR1 P01@11r0")
    assert [str(move) for move in game.moves] == ["MR1", "P01@11r0"]


def test_r3_10_the_phase_ends_when_tiles_chips_and_markers_are_gone() -> None:
    game = at("round: 3; 0 left: markers=1; 1 left: markers=0; display: 01 02 03; factory 1: sun - moon B chip down")
    play(game, "MB1")
    assert game.stage is Stage.TURN
    play(game, "C1")
    assert game.stage is Stage.TURN
    play(game, "P01@11r0")
    assert game.stage is Stage.TILING


def test_r3_10_in_round_5_unused_markers_do_not_count() -> None:
    game = play(at("round: 5; factory L: sun - moon B; 0 plates: 11=01r0"), "MB6")
    assert game.stage is Stage.TILING


@pytest.mark.parametrize("first", [0, 1])
@pytest.mark.parametrize("last", [0, 1])
def test_r3_10_tiling_begins_with_the_rounds_start_player(first: int, last: int) -> None:
    """R4: not with the one who now holds the start tile, nor with the one who had the last turn."""
    game = play(at(f"turn: {last}; first: {first}; factory L: sun - moon B; {NO_MARKERS}"), "MB6")
    assert game.start_tile == last
    assert (game.stage, game.turn) == (Stage.TILING, first)


@pytest.mark.parametrize("factory", ["1: sun BYRK moon - chip down", "1: sun - moon - chip up", "L: sun - moon K"])
def test_r3_10_a_position_in_phase_2_has_empty_factories(factory: str) -> None:
    with pytest.raises(PositionError):
        at(f"stage: tiling; factory {factory}")


def test_r3_10_the_preview_says_that_the_phase_ends() -> None:
    game = at(f"factory L: sun - moon BK; {NO_MARKERS}")
    assert not game.preview("MB6").ends_phase
    play(game, "MB6")
    assert game.preview("MK6").ends_phase
