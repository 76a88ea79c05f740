"""The notation of moves: every token's form, and which of `U`, `T` and `E` the walk of R4.1 allows."""

from __future__ import annotations

import random

import pytest

from sintra import (
    PLATES,
    Color,
    DisplayPlate,
    Draw,
    EndTiling,
    Game,
    HiddenReturn,
    IllegalMoveError,
    KeepPlate,
    Look,
    MoonTake,
    Move,
    NotationError,
    Pay,
    Place,
    PlateKind,
    ReturnPlate,
    Stage,
    SunTake,
    TakeChip,
)
from sintra.records.record import Record

from .helpers import amounts, at, broken, legal, lines, play, refused

ROW_1_WITHOUT_RED = "11=08r0 12=16r0 13=13r0"
"""Rows 1 and 2 are `Y B  * T  B K` and `K *  Y B  * T`."""


@pytest.mark.parametrize(
    ("token", "kind"),
    [
        ("P07@23r1", DisplayPlate),
        ("P18@11r0", DisplayPlate),
        ("D", Draw),
        ("H", Look),
        ("K07@23r3", KeepPlate),
        ("<12", ReturnPlate),
        ("<*", HiddenReturn),
        ("<W", HiddenReturn),
        ("S1B3:RYK", SunTake),
        ("S4T6:KK", SunTake),
        ("S2R1:Y", SunTake),
        ("S3Kx", SunTake),
        ("SLB3", SunTake),
        ("SLYx", SunTake),
        ("MB3", MoonTake),
        ("MTx", MoonTake),
        ("C2", TakeChip),
        ("U3:T-,TY", Pay),
        ("U6:B-,KB,RT", Pay),
        ("T35", Place),
        ("E", EndTiling),
    ],
)
def test_every_form_of_token_is_read_and_written(token: str, kind: type[Move]) -> None:
    move = Move.parse(token)
    assert type(move) is kind
    assert str(move) == token


def test_every_letter_of_a_token_has_its_meaning() -> None:
    laid = DisplayPlate.parse("P07@23r1")
    assert (laid.plate, laid.slot, laid.turns) == (PLATES[6], "23", 1)
    taken = SunTake.parse("S1B3:RYK")
    assert (taken.factory, taken.color, taken.line) == ("1", Color.BLUE, 3)
    assert taken.order == (Color.RED, Color.YELLOW, Color.BLACK)
    assert SunTake.parse("SLBx").factory == "L"
    assert MoonTake.parse("MBx").line is None
    assert HiddenReturn.parse("<*").back is PlateKind.SPECIAL
    placed = Place.parse("T35")
    assert (placed.line, placed.column) == (3, 5)
    paid = Pay.parse("U3:T-,TY")
    assert (paid.line, [chip.face for chip in paid.chips]) == (3, ["T-", "TY"])


@pytest.mark.parametrize(
    "token",
    """
    P00@11r0 P19@11r0 P7@11r0 P07@14r0 P07@01r0 P07@11r4 P07@11 P07 p07@11r0 K00@11r0 K19@11r0
    DD D1 d H1 h <1 <19 <00 <? <B
    S5B3 S0B3 S1G3 S1B7 S1B0 S1B S1B3: S1B3:G S1B3:RYKT S1B3:BRY S1W3:R s1B3 SLB3:RY
    MB MB7 MG3 ML3 M1B3 MB3:RY C0 C5 CL C C2x
    U3 U3: U3:T- U3:T-,T-,TY,TY U7:T-,TY U0:T-,TY U3:TY,T- U3:RT,B-,K- U3:YT,YT U3:T-TY U3:T-,,TY U3:**,**
    T3 T37 T70 T07 T351 E1 EE e X pass 0
    """.split(),
)
def test_what_is_no_token_is_refused(token: str) -> None:
    with pytest.raises(NotationError, match="cannot read the move"):
        Move.parse(token)


@pytest.mark.parametrize("token", ["", " ", "E ", " E", "S1B3 :RYK", "E\n", "T\uff13\uff15"])
def test_no_spaces_and_no_other_digits(token: str) -> None:
    with pytest.raises(NotationError):
        Move.parse(token)


def test_chips_are_written_in_the_order_of_their_faces() -> None:
    """R1.5: `B- Y- R- K- T- TY YK KB BR RT`."""
    with pytest.raises(NotationError, match="T-,TY"):
        Move.parse("U3:TY,T-")
    game = at("stage: tiling; round: 5; 0 plates: 21=15r0; 0 store: RT KB YK; 0 lines: - - B2 - - -")
    assert legal(game, "U") == {"U3:YK,KB,RT"}


@pytest.mark.parametrize("seed", range(3))
def test_every_legal_move_of_a_game_can_be_read_back(seed: int) -> None:
    game = Game.new(seed=seed)
    dice = random.Random(seed)
    while not game.is_over:
        moves = list(game.legal_moves)
        tokens = [str(move) for move in moves]
        assert len(set(tokens)) == len(tokens)
        assert [Move.parse(token) for token in tokens] == moves
        game.push(dice.choice(tokens))
    assert game.moves


def test_the_order_stands_exactly_when_tiles_are_left_on_a_small_factory() -> None:
    """R3.2."""
    game = at("factory L: sun BBYRK moon -; factory 1: sun BBYY moon - chip down; factory 2: sun RRRR moon - chip down")
    assert legal(game, "S1B3") == {"S1B3:YY"}
    assert legal(game, "S2R3") == {"S2R3"}
    assert legal(game, "SLB3") == {"SLB3"}


def test_orders_that_look_the_same_are_one_move() -> None:
    """R3.2."""
    game = at("factory 1: sun BYYK moon - chip down")
    assert legal(game, "S1Bx") == {"S1Bx:YYK", "S1Bx:YKY", "S1Bx:KYY"}


def test_after_d_only_d_or_h_after_h_only_k() -> None:
    """R3.1."""
    game = play(at("factory 1: sun BYRK moon - chip down"), "D")
    assert legal(game) == {"D", "H"}
    play(game, "D H")
    assert {token[0] for token in legal(game)} == {"K"}


def test_each_returned_plate_has_a_token_also_the_last() -> None:
    """R3.1."""
    game = play(at("display: 01 02 03"), "D D D H K05@11r0")
    assert legal(game) == {"<04", "<06"}
    play(game, "<06")
    assert legal(game) == {"<04"}


def test_a_hidden_return_cannot_be_played() -> None:
    """R8: the token hides which plate it was."""
    game = play(at("display: 01 02 03"), "D D H K05@11r0")
    assert refused(game, "<W") == "R8"


def test_a_display_token_is_no_token_for_a_drawn_plate() -> None:
    """R3.1: `P` and `K` tell where the plate comes from."""
    game = play(at("display: 01 02 03; factory 1: sun BYRK moon - chip down"), "D H")
    assert refused(game, "P04@11r0") == "R3.1"
    assert refused(game, "P01@11r0") == "R3.1"


def test_place_is_legal_on_the_first_complete_line_with_an_open_space_only() -> None:
    """R4.1: line 1 has no open space but a free slot, lines 2 and 4 are both complete."""
    game = at("stage: tiling; 0 plates: 11=16r0 21=08r0; 0 lines: R1 B2 - K4 - -")
    assert legal(game) == {"T22"}
    assert refused(game, "T41") == "R4.1"


def test_pay_is_legal_on_the_predecessors_of_the_compulsory_line_only() -> None:
    """R4.4: lines 2 and 6 could be paid for, line 3 is compulsory."""
    plates = "11=16r0 21=15r0 31=14r0"
    game = at(f"stage: tiling; round: 5; 0 plates: {plates}; 0 store: B- B- Y- Y-; 0 lines: - B1 T3 - - Y5")
    assert legal(game) == {"U2:B-,B-", "U2:B-,Y-,Y-", "T31"}
    assert refused(game, "U6:Y-,Y-") == "R4.2"
    play(game, "T31")
    assert legal(game) == {"U6:Y-,Y-", "U6:B-,B-,Y-", "E"}


def test_pay_is_legal_on_any_line_ahead_where_no_line_is_compulsory() -> None:
    """R4.4."""
    plates = "11=16r0 21=15r0 31=14r0"
    game = at(f"stage: tiling; round: 5; 0 plates: {plates}; 0 store: B- B- Y- Y-; 0 lines: - B1 - - - Y5")
    assert legal(game) == {"U2:B-,B-", "U2:B-,Y-,Y-", "U6:Y-,Y-", "U6:B-,B-,Y-", "E"}


def test_place_closes_the_lines_above() -> None:
    """R4.1: line 2 could have been paid for before line 3 was placed, not after."""
    game = at("stage: tiling; round: 5; 0 plates: 11=16r0 21=15r0; 0 store: B- B-; 0 lines: - B1 T3 - - -")
    assert "U2:B-,B-" in game.legal_moves
    play(game, "T31")
    assert legal(game) == {"E"}
    assert refused(game, "U2:B-,B-") == "R4.4"
    assert lines(play(game, "E")) == "- B1 - - - -"


def test_pay_closes_the_lines_above() -> None:
    """R4.1."""
    plates = "11=16r0 21=15r0"
    game = at(f"stage: tiling; round: 5; 0 plates: {plates}; 0 store: B- B- KB KB; 0 lines: - B1 B2 - - -")
    assert {"U2:B-,B-", "U3:B-,B-"} <= legal(game)
    play(game, "U3:B-,B- T32")
    assert refused(game, "U2:KB,KB") == "R4.4"


@pytest.mark.parametrize(("token", "row"), [("T31", "T3"), ("U3:T-,T-", "T2")])
def test_a_closed_line_that_is_unplaceable_breaks_at_that_moment(token: str, row: str) -> None:
    """R4.3: with `T` and with `U`."""
    plates = f"{ROW_1_WITHOUT_RED} 21=15r0"
    game = at(f"stage: tiling; round: 5; 0 plates: {plates}; 0 store: T- T-; 0 lines: R1 - {row} - - -")
    assert broken(game) == "-"
    play(game, token)
    assert broken(game) == "R"
    assert lines(game).startswith("- - ")


def test_end_is_not_legal_with_a_complete_line_ahead_that_has_an_open_space() -> None:
    """R4.2."""
    game = at("stage: tiling; 0 plates: 31=14r0; 0 lines: - - - - - Y6")
    assert refused(game, "E") == "R4.2"
    assert legal(game) == {"T61", "T62"}


def test_end_is_not_legal_with_a_payment_begun() -> None:
    """R4.4: neither between two payments nor before the line is placed."""
    game = at("stage: tiling; round: 5; 0 plates: 21=15r0; 0 store: T- T- TY TY; 0 lines: - - T1 - - -")
    play(game, "U3:T-,T-")
    assert refused(game, "E") == "R4.4"
    play(game, "U3:TY,TY")
    assert legal(game) == {"T31"}
    assert "E" not in game.legal_moves


def test_a_paid_line_is_placed_before_a_compulsory_line_below() -> None:
    """R4.4, R4.1."""
    game = at("stage: tiling; round: 5; 0 plates: 21=15r0; 0 store: T- T-; 0 lines: - - T2 Y4 - -")
    assert legal(game) == {"U3:T-,T-", "T41", "T42"}
    play(game, "U3:T-,T-")
    assert legal(game) == {"T31"}
    assert refused(game, "T42") in ("R4.1", "R4.4")
    play(game, "T31")
    assert legal(game) == {"T41", "T42"}


def test_end_closes_the_rest_and_books_the_penalties() -> None:
    """R4.3, R4.6."""
    game = at(f"stage: tiling; 0 score: 9; 0 plates: {ROW_1_WITHOUT_RED}; 0 lines: R1 R2 - - - -; start tile: 0")
    play(game, "E")
    assert (lines(game), broken(game), amounts(game.tower)) == ("- - - - - -", "-", "R3")
    assert game.scores[0] == 9 - 6 - 2


def test_forced_tokens_are_written_too() -> None:
    """R4.2: a single open space and a walk without lines still need their `T` and `E`."""
    game = at("stage: tiling; turn: 1; first: 0; 1 plates: 11=01r0; 1 lines: Y1 - - - - -")
    assert legal(game) == {"T11"}
    play(game, "T11")
    assert legal(game) == {"E"}


@pytest.mark.parametrize(("round_no", "after"), [(1, Stage.DEALING), (4, Stage.DEALING), (5, Stage.OVER)])
def test_the_second_end_sets_off_the_next_round_or_the_end(round_no: int, after: Stage) -> None:
    """R7, R6.1: and no token follows the last `E`."""
    game = play(at(f"stage: tiling; round: {round_no}"), "E")
    assert game.stage is Stage.TILING
    play(game, "E")
    assert game.stage is after
    assert legal(game) == set()


def test_tokens_before_the_deal_are_refused_by_the_rule_of_the_deal() -> None:
    """R7.3."""
    game = play(at("stage: tiling"), "E E")
    assert refused(game, "D") == "R7.3"


@pytest.mark.parametrize(
    ("position", "rule"),
    [
        ("stage: over", "R6"),
        ("stage: tiling", "R4"),
        ("stage: dealing; round: 2", "R7.3"),
        ("stage: opening; display: 01 02 03; factory 1: sun BYYY moon - chip down", "R2.6"),
        ("stage: drawing; hand: 04; factory 1: sun BYYY moon - chip down", "R3.1"),
    ],
)
def test_a_take_at_the_wrong_time_names_the_rule_of_that_time(position: str, rule: str) -> None:
    """R3.2 is not what forbids it, whatever order the token names."""
    assert refused(at(position), "S1B1:YRK") == rule


def test_the_moves_of_a_record_are_these_tokens() -> None:
    game = Game.new(seed=4)
    dice = random.Random(4)
    while not game.is_over:
        game.push(dice.choice(game.legal_moves))
    record = Record.of(game)
    assert record.moves == tuple(str(move) for move in game.moves)
    assert record.moves[-1] == "E"
    assert record.moves.count("E") == 10
    assert record.replay() == game


def test_a_begun_payment_names_the_line_that_is_paid_for() -> None:
    """R4.4."""
    plates = "11=16r0 21=15r0 31=14r0"
    game = at(f"stage: tiling; round: 5; 0 plates: {plates}; 0 store: B- B- Y- Y- TY YK; 0 lines: - B1 - - - Y4")
    play(game, "U6:Y-,Y-")
    with pytest.raises(IllegalMoveError, match="line 6 is being paid for"):
        game.push("U2:B-,B-")
