"""The move notation against any text: a move, or a `NotationError`, and nothing else."""

from __future__ import annotations

import copy
import dataclasses
import pickle
from functools import cache
from random import Random
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from helpers import play_on, played, some
from sintra import (
    CHIPS,
    PLATES,
    Chip,
    Color,
    DisplayPlate,
    Draw,
    Game,
    IllegalMoveError,
    KeepPlate,
    LayPlate,
    Move,
    NotationError,
    Pay,
    Place,
    Plate,
    PlateKind,
    SunTake,
    TakeTiles,
)
from sintra.tabletop.moves import kinds

GRAMMAR = "|".join(
    (
        r"[PK](0[1-9]|1[0-8])@[1-3][1-3]r[0-3]",
        r"<(0[1-9]|1[0-8])|<[*W]",
        r"[DHE]",
        r"S[1-4][BYRKT][1-6x](:[BYRKT]{1,3})?",
        r"SL[BYRKT][1-6x]",
        r"M[BYRKT][1-6x]",
        r"C[1-4]",
        r"T[1-6][1-6]",
        r"U[1-6]:(B-|Y-|R-|K-|T-|TY|YK|KB|BR|RT)(,(B-|Y-|R-|K-|T-|TY|YK|KB|BR|RT)){1,2}",
    )
)
near_tokens = st.text("PKDHESMCTUBYR<*W@rxL:,-0123456789", max_size=12)
LETTERS = "PKDHESMCTUBYRW<*@rxL:,-0123456789 \n\u0663\uff13\xe9"


def parse(text: str) -> Move | None:
    """The move, or None for a text that is refused as it should be."""
    try:
        return Move.parse(text)
    except NotationError:
        return None


@given(text=st.text() | near_tokens)
@settings(max_examples=500)
def test_any_text_is_a_move_or_refused(text: str) -> None:
    move = parse(text)
    assert move is None or str(move) == text


@given(text=st.from_regex(GRAMMAR, fullmatch=True))
@settings(max_examples=500)
def test_a_move_is_written_as_it_was_read(text: str) -> None:
    move = parse(text)
    if move is None:
        takes_what_it_stacks = text.startswith("S") and text[2] in text[4:]
        faces = text[3:].split(",")
        order = ["B-", "Y-", "R-", "K-", "T-", "TY", "YK", "KB", "BR", "RT"]
        unsorted_chips = text.startswith("U") and faces != sorted(faces, key=order.index)
        assert takes_what_it_stacks or unsorted_chips
        return
    assert str(move) == text
    assert Move.parse(str(move)) == move
    assert hash(Move.parse(text)) == hash(move)
    assert repr(move) == f"Move.parse({text!r})"
    assert eval(repr(move)) == move


@given(data=st.data())
@settings(max_examples=500)
def test_a_damaged_token_is_another_move_or_refused(data: st.DataObject) -> None:
    text = data.draw(st.sampled_from(played_tokens()))
    at = data.draw(st.integers(0, len(text)))
    damaged = text[:at] + data.draw(st.text(LETTERS, max_size=2)) + text[at + data.draw(st.integers(0, 1)) :]
    move = parse(damaged)
    assert move is None or str(move) == damaged
    if move is not None and damaged != text:
        assert move != Move.parse(text)


@cache
def played_tokens() -> list[str]:
    """The tokens of some games, each once."""
    games = [played(seed, taste) for taste in ("drawing", "chips") for seed in range(3)]
    return sorted({str(move) for game in games for move in game.moves})


def test_all_kinds_of_token_are_damaged() -> None:
    assert {token[0] for token in played_tokens()} == {kind.letter for kind in kinds()}


@pytest.mark.parametrize(
    "token",
    [
        "",
        " ",
        "D ",
        "D\n",
        "d",
        "DD",
        "P7@11r0",
        "P00@11r0",
        "P19@11r0",
        "P07@14r0",
        "P07@11r4",
        "P07@11",
        "P\u06607@11r0",
        "K07@41r0",
        "<",
        "<0",
        "<19",
        "<?",
        "<**",
        "S5B3",
        "S1G3",
        "S1B0",
        "S1B7",
        "S1BX",
        "S1B3:",
        "S1B3:RYKT",
        "S1B3:RYB",
        "S1B3:ryk",
        "SLB3:R",
        "MB",
        "MB7",
        "ML3",
        "C0",
        "C5",
        "CL",
        "U3",
        "U3:",
        "U3:T-",
        "U3:T-,TY,YK,KB",
        "U3:TY,T-",
        "U3:-T,TY",
        "U3:T-;TY",
        "U7:T-,TY",
        "T",
        "T07",
        "T71",
        "T\uff111",
        "E1",
        "S1B3:RYK ",
    ],
)
def test_what_is_not_in_the_notation_is_refused_and_named(token: str) -> None:
    with pytest.raises(NotationError) as caught:
        Move.parse(token)
    assert repr(token) in str(caught.value)
    assert caught.value.faults


@pytest.mark.parametrize("token", [None, 3, b"D", ["D"], Draw()])
def test_a_move_is_read_from_text_only(token: object) -> None:
    with pytest.raises(NotationError, match="text"):
        Move.parse(token)  # type: ignore[arg-type]


def test_the_parts_of_a_token() -> None:
    assert Move.parse("P07@23r1") == DisplayPlate(plate=PLATES[6], slot="23", turns=1)
    assert Move.parse("K18@31r3") == KeepPlate(plate=PLATES[17], slot="31", turns=3)
    assert Move.parse("P07@23r1") != Move.parse("K07@23r1")
    take = SunTake.parse("S1B3:RYK")
    assert (take.factory, take.color, take.line) == ("1", Color.BLUE, 3)
    assert take.order == (Color.RED, Color.YELLOW, Color.BLACK)
    large = SunTake.parse("SLTx")
    assert (large.factory, large.color, large.line, large.order) == ("L", Color.TURQUOISE, None, ())
    assert Pay.parse("U3:T-,TY").chips == (Chip("T-"), Chip("TY"))
    assert (Place.parse("T35").line, Place.parse("T35").column) == (3, 5)
    tokens = ("MB3", "SLB3", "T35", "D")
    assert [isinstance(Move.parse(token), TakeTiles) for token in tokens] == [True, True, False, False]


def test_a_kind_reads_its_own_tokens_only() -> None:
    for token in some(played_tokens()):
        for kind in kinds():
            if kind is type(Move.parse(token)):
                assert kind.parse(token) == Move.parse(token)
            else:
                with pytest.raises(NotationError, match=f"not a {kind.__name__}"):
                    kind.parse(token)


def test_moves_can_be_matched() -> None:
    match Move.parse("S1B3:RYK"):
        case SunTake(factory="1", color=Color.BLUE, line=3, order=[Color.RED, *_]):
            pass
        case other:
            raise AssertionError(repr(other))


def test_moves_sort_by_their_notation() -> None:
    moves = [Move.parse(token) for token in played_tokens()]
    assert [str(move) for move in sorted(moves[::-1])] == played_tokens()


fields = st.fixed_dictionaries(
    {},
    optional={
        "plate": st.sampled_from([*PLATES, 3, Plate(19, "YKT*"), Plate(1, "YKTW")]),
        "slot": st.sampled_from(["11", "23", "33", "34", "", 5]),
        "turns": st.integers(-1, 7),
        "back": st.sampled_from(PlateKind),
        "factory": st.sampled_from([*"1234L", "0", "", "12", "23", 1]),
        "color": st.sampled_from(Color) | st.integers(0, 5),
        "line": st.none() | st.booleans() | st.integers(-1, 15),
        "order": st.lists(st.sampled_from(Color), max_size=4).map(tuple),
        "chips": st.lists(st.sampled_from([*CHIPS, "B-"]), max_size=4).map(tuple),
        "column": st.booleans() | st.integers(-1, 7),
    },
)


@given(kind=st.sampled_from(kinds()), given_fields=fields)
@settings(max_examples=500)
def test_a_move_made_of_fields_can_be_written_or_is_refused(kind: Any, given_fields: dict[str, object]) -> None:
    needed = {one.name: given_fields[one.name] for one in dataclasses.fields(kind) if one.name in given_fields}
    try:
        move = kind(**needed)
    except NotationError:
        return
    except TypeError:
        assert len(needed) < len(dataclasses.fields(kind)), "a field is missing"
        return
    assert Move.parse(str(move)) == move
    assert pickle.loads(pickle.dumps(move)) == copy.deepcopy(move) == move


def test_a_move_of_fields_is_pushed_exactly_when_it_is_legal() -> None:
    for game in play_on(Game.new(seed=7), "uniform", Random(7), 40):
        for factory in "1234L":
            for order in ((), (Color.RED,), (Color.RED, Color.YELLOW), (Color.YELLOW, Color.RED)):
                try:
                    move = SunTake(factory, Color.BLUE, 1, order)
                except NotationError:
                    continue
                before, copy = move in game.legal_moves, game.copy()
                try:
                    copy.push(move)
                except IllegalMoveError:
                    assert not before
                else:
                    assert before


def test_moves_are_ordered_by_their_notation() -> None:
    game = Game.new(seed=7)
    moves = sorted(game.legal_moves)
    assert [str(move) for move in moves] == sorted(map(str, moves))
    assert moves[0] <= moves[0] < moves[1] >= moves[0]
    with pytest.raises(TypeError):
        _ = moves[0] < "D"
    with pytest.raises(NotationError, match=r"Move\.parse"):
        Move("D")
    for kind in (TakeTiles, LayPlate):
        with pytest.raises(NotationError):
            kind()
