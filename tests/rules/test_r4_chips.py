"""R4.4: incomplete lines are completed with bonus chips."""

from __future__ import annotations

import pytest

from sintra import Game, Stage

from .helpers import amounts, at, dome, faces, legal, lines, play, refused

TURQUOISE_3 = "stage: tiling; round: 5; 0 plates: 21=15r0 22=17r0"
"""Rows 3 and 4 are `T B  R W` and `W Y  B K`."""


def with_chips(chips: str, row: str = "- - T2 - - -", more: str = "") -> Game:
    """Seat 0 tiles; line 3 could go to columns 1 (turquoise) and 4 (wild)."""
    return at(f"{TURQUOISE_3}; 0 store: {chips}; 0 lines: {row}; {more}")


def test_r4_4_two_half_turquoise_chips_complete_line_3_or_any_three_line_4() -> None:
    """The rulebooks' example: both lines lack one tile."""
    game = with_chips("T- RT B- K-", "- - T2 K3 - -")
    assert legal(game) == {
        "U3:T-,RT",
        "U3:B-,K-,T-",
        "U3:B-,K-,RT",
        "U4:B-,K-,T-",
        "U4:B-,K-,RT",
        "U4:B-,T-,RT",
        "U4:K-,T-,RT",
        "E",
    }
    assert dome(play(game.copy(), "U3:T-,RT T31 E"))[2] == "T....."
    assert dome(play(game.copy(), "U4:B-,T-,RT T44 E"))[3] == "...K.."


def test_r4_4_completing_is_a_choice() -> None:
    game = play(with_chips("T- T-"), "E")
    assert (lines(game), faces(game.board(0).chips)) == ("- - T2 - - -", "T- T-")


def test_r4_4_the_chips_are_turned_over_and_the_line_is_placed_at_once() -> None:
    game = play(with_chips("T- TY B-"), "U3:T-,TY")
    assert (faces(game.board(0).chips), faces(game.board(0).chips_spent)) == ("B-", "T- TY")
    assert legal(game) == {"T31", "T34"}
    assert refused(game, "E") == "R4.2"
    play(game, "T31")
    assert dome(game)[2] == "T....."
    assert game.scores[0] == 6


def test_r4_4_spent_chips_never_come_back() -> None:
    game = at("stage: tiling; round: 2; 0 plates: 21=15r0; 0 store: T- T-; 0 lines: - - T2 - - -")
    play(game, "U3:T-,T- T31 E E")
    assert game.round == 3
    assert (faces(game.board(0).chips), faces(game.board(0).chips_spent)) == ("-", "T- T-")


def test_r4_4_only_real_tiles_go_to_the_tower() -> None:
    game = play(with_chips("T- T-"), "U3:T-,T- T31 E")
    assert amounts(game.tower) == "T1"


def test_r4_4_a_line_with_one_real_tile_leaves_nothing_for_the_tower() -> None:
    game = play(with_chips("T- T- TY RT", "- - T1 - - -"), "U3:T-,T- U3:TY,RT T31 E")
    assert amounts(game.tower) == "-"
    assert lines(game) == "- - - - - -"


def test_r4_4_a_chip_with_two_colours_counts_for_either() -> None:
    assert "U3:TY,TY" in legal(with_chips("TY TY"))
    yellow = at("stage: tiling; round: 5; 0 plates: 21=15r0; 0 store: TY TY; 0 lines: - - - Y3 - -")
    assert legal(yellow) == {"U4:TY,TY", "E"}


def test_r4_4_two_chips_must_both_show_the_colour() -> None:
    game = with_chips("T- YK B-")
    assert refused(game, "U3:T-,YK") == "R4.4"
    assert refused(game, "U3:B-,YK") == "R4.4"


def test_r4_4_any_three_may_hold_one_chip_of_the_colour_but_not_two() -> None:
    game = with_chips("T- TY B- K- R-")
    assert "U3:B-,K-,T-" in game.legal_moves
    assert "U3:B-,R-,K-" in game.legal_moves
    assert "U3:R-,K-,TY" in game.legal_moves
    assert refused(game, "U3:B-,T-,TY") == "R4.4"


def test_r4_4_any_three_with_two_of_the_colour_are_refused_in_every_place() -> None:
    game = with_chips("B- Y- K- TY", "- - - Y3 - -")
    assert legal(game, "U") == {"U4:Y-,TY", "U4:B-,Y-,K-", "U4:B-,K-,TY"}
    assert refused(game, "U4:B-,Y-,TY") == "R4.4"
    assert refused(game, "U4:Y-,K-,TY") == "R4.4"


def test_r4_4_any_three_of_other_colours_will_do() -> None:
    game = with_chips("B- R- KB")
    assert legal(game) == {"U3:B-,R-,KB", "E"}
    assert refused(game, "U3:B-,R-") == "R4.4"


def test_r4_4_equal_chips_are_one_choice() -> None:
    assert legal(with_chips("B- B- K- K-"), "U") == {"U3:B-,B-,K-", "U3:B-,K-,K-"}


def test_r4_4_only_unused_chips_that_are_there_can_be_spent() -> None:
    game = with_chips("T- TY B-", more="0 spent: T- KB")
    assert refused(game, "U3:T-,T-") == "R4.4"
    assert refused(game, "U3:T-,RT") == "R4.4"


def test_r4_4_the_line_must_hold_a_tile() -> None:
    game = with_chips("T- T- TY TY RT RT", "- - - - - -")
    assert legal(game) == {"E"}
    assert refused(game, "U3:T-,T-") == "R4.4"


def test_r4_4_a_complete_line_needs_no_chips() -> None:
    assert refused(with_chips("T- T-", "- - T3 - - -"), "U3:T-,T-") == "R4.4"


def test_r4_4_each_missing_tile_is_paid_for_by_itself() -> None:
    game = with_chips("T- T- TY RT", "- - T1 - - -")
    play(game, "U3:T-,T-")
    assert game.stage is Stage.PAYING
    assert legal(game) == {"U3:TY,RT"}
    play(game, "U3:TY,RT")
    assert legal(game) == {"T31", "T34"}


def test_r4_4_one_tile_for_two_chips_and_another_for_three() -> None:
    """Mixing would leave too few chips for the second tile, so it cannot be begun."""
    game = with_chips("T- T- B- Y- R-", "- - T1 - - -")
    assert legal(game) == {"U3:T-,T-", "U3:B-,Y-,R-", "E"}
    assert refused(game, "U3:B-,Y-,T-") == "R4.4"
    assert legal(play(game.copy(), "U3:T-,T-")) == {"U3:B-,Y-,R-"}
    assert legal(play(game.copy(), "U3:B-,Y-,R-")) == {"U3:T-,T-"}


def test_r4_4_mixed_payments_for_two_tiles() -> None:
    """One turquoise chip and two others, twice."""
    game = with_chips("T- TY B- B- K- K-", "- - T1 - - -")
    assert "U3:B-,B-,T-" in game.legal_moves
    play(game, "U3:B-,B-,T-")
    assert legal(game) == {"U3:K-,K-,TY"}


def test_r4_4_chips_are_spent_only_so_that_the_line_gets_complete() -> None:
    game = with_chips("T- T- B-", "- - T1 - - -")
    assert legal(game) == {"E"}
    assert refused(game, "U3:T-,T-") == "R4.4"


def test_r4_4_chips_are_spent_only_for_a_line_with_an_open_space() -> None:
    game = with_chips("R- R- BR", "- R1 - - R4 -")
    assert legal(game) == {"E"}
    assert refused(game, "U5:R-,R-") == "R4.4"
    assert refused(game, "U2:R-,R-") == "R4.4"


def test_r4_4_an_unplaceable_line_cannot_be_saved_by_chips() -> None:
    game = at("stage: tiling; round: 5; 0 store: R- R-; 0 plates: 11=08r0 12=16r0 13=13r0; 0 lines: - R1 - - - -")
    assert legal(game) == {"E"}
    assert amounts(play(game, "E").tower) == "R1"


def test_r4_4_once_begun_the_line_is_completed_before_anything_else() -> None:
    game = with_chips("T- T- TY RT K- K-", "- - T1 K3 - -")
    play(game, "U3:T-,T-")
    assert refused(game, "E") == "R4.4"
    assert refused(game, "T31") == "R4.4"
    assert refused(game, "U4:K-,K-") == "R4.4"
    play(game, "U3:TY,RT T31")
    assert legal(game) == {"U4:K-,K-", "E"}


def test_r4_4_several_lines_may_be_completed_in_one_walk() -> None:
    game = play(with_chips("T- T- K- K-", "- - T2 K3 - -"), "U3:T-,T- T31 U4:K-,K- T44 E")
    assert dome(game)[2:4] == ["T.....", "...K.."]
    assert amounts(game.tower) == "K2 T1"


def test_r4_4_a_line_completed_with_chips_can_bring_a_special_tile() -> None:
    """R4.5."""
    tiles = "YK.... ...... ...... ...... ...... ......"
    game = at(f"stage: tiling; round: 5; 0 plates: 11=01r0; 0 dome: {tiles}; 0 store: T- T-; 0 lines: - T1 - - - -")
    play(game, "U2:T-,T- T21")
    assert dome(game)[:2] == ["YK....", "T*...."]
    assert game.scores[0] == 9


@pytest.mark.parametrize(
    ("missing", "chips", "can_pay"),
    [
        (3, "K- K- YK YK KB KB", True),
        (4, "K- K- YK YK KB KB", False),
        (4, "K- K- YK YK KB KB B- B- Y-", True),
        (4, "K- K- YK YK KB KB B- B-", False),
        (3, "K- K- YK YK KB B- B-", True),
        (3, "K- K- YK YK B- B-", False),
        (3, "K- YK KB B- B- Y- Y- R-", True),
        (4, "K- K- YK YK KB KB B- B- Y- Y-", True),
        (5, "K- K- YK YK KB KB B- B- Y- Y-", False),
    ],
)
def test_r4_4_many_missing_tiles_need_many_chips(missing: int, chips: str, can_pay: bool) -> None:
    """Black pairs first; one black chip with two others, or three others, for each further tile."""
    line = f"- - - - - K{6 - missing}"
    game = at(f"stage: tiling; round: 5; 0 plates: 31=13r0 32=02r0; 0 store: {chips}; 0 lines: {line}")
    assert bool(legal(game, "U6")) is can_pay


def test_r4_4_the_chips_of_the_other_player_cannot_be_spent() -> None:
    game = at(f"{TURQUOISE_3}; 1 store: T- T-; 0 lines: - - T2 - - -")
    assert legal(game) == {"E"}
