"""R3.7: who takes the start tile."""

from __future__ import annotations

import pytest

from .helpers import at, legal, play

MOON = """
    factory L: sun - moon RKK
    factory 1: sun - moon KY chip down
    factory 2: sun - moon TBY chip down
"""


def test_r3_7_start_tile_goes_with_the_first_moon_tiles_of_the_large_factory() -> None:
    game = play(at(MOON), "MK3")
    assert game.start_tile == 0
    assert [board.has_start_tile for board in game.boards] == [True, False]
    assert not game.factories[4].has_start_tile


@pytest.mark.parametrize(("token", "takes_it"), [("MY2", False), ("MR2", True), ("MK2", True)])
def test_r3_7_the_choice_of_the_example_with_and_without_the_start_tile(token: str, takes_it: bool) -> None:
    """The rulebooks' example: both yellow tiles lie on small factories, red and black on the large one."""
    game = at(MOON)
    assert game.preview(token).takes_start_tile is takes_it
    assert (play(game, token).start_tile == 0) is takes_it


def test_r3_7_one_tile_from_the_large_factory_is_enough() -> None:
    game = play(at("factory L: sun - moon KR; factory 1: sun - moon RK chip down"), "MKx")
    assert game.start_tile == 0


def test_r3_7_the_second_taker_gets_none() -> None:
    game = play(at(MOON), "MK3 MR1")
    assert game.start_tile == 0


def test_r3_7_tiles_from_the_sun_side_of_the_large_factory_do_not_bring_it() -> None:
    game = play(at("factory L: sun BBYRK moon -"), "SLB2")
    assert game.start_tile is None
    assert game.factories[4].has_start_tile


def test_r3_7_it_costs_nothing_at_once() -> None:
    assert play(at(MOON), "MK3").scores == (5, 5)


def test_r3_7_it_takes_no_place_of_the_broken_tiles() -> None:
    game = play(at(MOON + "0 broken: BYR"), "MKx")
    assert (game.start_tile, len(game.board(0).broken)) == (0, 4)


@pytest.mark.parametrize("tiles", ["BBBBB", "BBB", "B"])
def test_r3_7_one_colour_on_the_large_factory_brings_it_with_the_sun_side(tiles: str) -> None:
    """R2.4, and the reading for a short fill."""
    game = at(f"factory L: sun {tiles} moon -; factory 1: sun BYRK moon - chip down")
    assert game.preview("SLB6").takes_start_tile
    play(game, "S1B1:YRK SLB6")
    assert game.start_tile == 1


def test_r3_7_a_position_need_not_say_that_the_tiles_laid_were_of_one_colour() -> None:
    """While tiles lie on the large sun side they are all that was laid there this round."""
    game = at("factory L: sun BBBBB moon -; factory 1: sun BYRK moon - chip down")
    assert play(game, "SLB6").start_tile == 0


def test_r3_7_one_colour_on_a_small_factory_does_not_bring_it() -> None:
    game = play(at("factory L: sun - moon KK; factory 1: sun BBBB moon - chip down"), "S1B4")
    assert game.start_tile is None


def test_r3_7_the_last_tiles_of_the_large_moon_side_bring_it_even_if_they_break() -> None:
    game = play(at("factory L: sun - moon KK; 0 lines: B1 B2 B3 B4 Y5 Y6"), "MKx")
    assert game.start_tile == 0


def test_r3_7_without_a_tile_on_the_large_factory_nobody_takes_it() -> None:
    """The player who started the round then starts the next one, and nobody pays the 2 points."""
    no_markers = "0 left: markers=0; 1 left: markers=0"
    game = at(f"round: 2; turn: 1; factory 1: sun BYRK moon - chip down; {no_markers}")
    play(game, "S1B1:YRK MK1 MR2 MY2 C1")
    assert game.start_tile is None
    assert (game.turn, legal(game)) == (1, {"E"})
    play(game, "E E")
    assert game.scores == (5, 5)
    assert (game.round, game.first) == (3, 1)
