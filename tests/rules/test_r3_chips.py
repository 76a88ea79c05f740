"""R3.4, R3.8: bonus chips are turned up and taken."""

from __future__ import annotations

import pytest

from sintra import Game, PositionError

from .helpers import at, faces, first_letters, legal, play, refused

CHIPS = "chips: TY KB RT B- B- Y- Y- R- R- K- K- T- T- TY YK YK KB BR BR RT"


def chip_states(game: Game) -> list[str]:
    """For each small factory `down`, the face of a chip turned up, or `gone`."""
    states = []
    for factory in game.factories[:4]:
        states.append("down" if factory.chip_is_down else factory.chip.face if factory.chip else "gone")
    return states


def test_r3_4_a_chip_turned_up_is_taken_to_the_store() -> None:
    game = at(f"{CHIPS}; factory 1: sun - moon - chip up; factory 2: sun - moon - chip up")
    assert legal(game, "C") == {"C1", "C2"}
    play(game, "C2")
    assert faces(game.board(0).chips) == "KB"
    assert chip_states(game) == ["TY", "gone", "gone", "gone"]
    assert (game.board(0).chips_left, game.turn) == (1, 1)


def test_r3_4_the_rulebooks_example_one_turns_it_up_and_the_other_takes_it() -> None:
    game = at(f"{CHIPS}; factory 1: sun - moon B chip down")
    play(game, "MB1")
    assert chip_states(game) == ["TY", "gone", "gone", "gone"]
    play(game, "C1")
    assert faces(game.board(1).chips) == "TY"


def test_r3_4_a_chip_that_is_gone_cannot_be_taken() -> None:
    assert refused(at("factory 1: sun BYRK moon - chip down"), "C2") == "R3.4"


def test_r3_4_each_player_takes_at_most_two_chips_a_round() -> None:
    game = at(f"{CHIPS}; factory 1: sun - moon - chip up; factory 2: sun BYRK moon - chip down; 0 left: chips=0")
    assert "C" not in first_letters(game)
    assert refused(game, "C1") == "R3.4"


def test_r3_4_with_four_chips_up_each_player_gets_two() -> None:
    table = "; ".join(f"factory {name}: sun - moon - chip up" for name in "1234")
    game = play(at(f"round: 5; {CHIPS}; {table}"), "C1 C2 C3 C4")
    assert [len(board.chips) for board in game.boards] == [2, 2]
    assert [board.chips_left for board in game.boards] == [0, 0]


def test_r3_4_chips_are_taken_in_round_5_too() -> None:
    assert legal(at("round: 5; factory 4: sun - moon - chip up")) == {"C4"}


def test_r3_4_a_chip_is_turned_up_where_the_round_laid_it() -> None:
    """Round 2 uses the fifth to eighth chip."""
    game = at(f"round: 2; {CHIPS}; factory 1: sun - moon - chip up; factory 4: sun - moon - chip up")
    assert chip_states(game) == ["B-", "gone", "gone", "R-"]


def test_r3_8_the_chip_stays_down_while_a_tile_is_on_the_factory() -> None:
    game = at(f"{CHIPS}; factory 1: sun BBYK moon - chip down")
    play(game, "S1B2:YK")
    assert chip_states(game)[0] == "down"
    assert refused(game, "C1") == "R3.8"
    play(game, "MK1")
    assert chip_states(game)[0] == "down"
    play(game, "MY1")
    assert chip_states(game)[0] == "TY"


def test_r3_8_four_tiles_of_one_colour_taken_at_once_turn_the_chip_up() -> None:
    game = at(f"{CHIPS}; factory 3: sun TTTT moon - chip down")
    assert game.preview("S3T4").turns_up == ("3",)
    assert chip_states(play(game, "S3T4"))[2] == "RT"


def test_r3_8_one_take_can_turn_up_several_chips() -> None:
    stacks = [f"factory {name}: sun - moon {stack} chip down" for name, stack in (("1", "B"), ("2", "B"), ("3", "BB"))]
    game = play(at("; ".join([CHIPS, *stacks])), "MB4")
    assert chip_states(game) == ["TY", "KB", "down", "gone"]


@pytest.mark.parametrize(
    "factory", ["sun - moon - chip down", "sun BYRK moon - chip up", "sun - moon Y chip up", "sun - moon Y chip gone"]
)
def test_r3_8_in_a_position_a_chip_is_down_exactly_while_tiles_are_there(factory: str) -> None:
    with pytest.raises(PositionError):
        at(f"factory 1: {factory}")


def test_r3_8_the_large_factory_has_no_chip() -> None:
    game = play(at("factory L: sun BY moon -"), "SLB1 MY1")
    assert chip_states(game) == ["gone"] * 4


@pytest.mark.parametrize(("token", "rule"), [("C1", "R3.8"), ("C2", "R3.4")])
def test_r3_8_a_chip_face_down_is_not_yet_there(token: str, rule: str) -> None:
    assert refused(at("factory 1: sun BYRK moon - chip down"), token) == rule


def test_r3_8_a_chip_is_turned_up_before_the_other_player_moves() -> None:
    game = play(at(f"{CHIPS}; factory 1: sun - moon R chip down; 0 left: markers=0; 1 left: markers=0"), "MR1")
    assert (game.turn, legal(game)) == (1, {"C1"})
