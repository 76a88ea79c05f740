"""What lies on the table: boards and factories as values, and positions as text."""

from __future__ import annotations

import re
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import (
    ALL_PLATE_LIST,
    ALL_RULES,
    letter,
    plate_list,
    play_on,
    played,
    scene_of_returns,
    tile_counts,
)
from sintra import PLATES, Chip, Color, Game, Goal, PlateKind, PositionError, Rules, SintraError, Space, Stage
from sintra.components import FIRST_GAME, NOTHING

KNOWN = """
# a position in the middle of round 3
round: 3; turn: 1; first: 0; start tile: 0
goals: colors edge diagonals specials; options: draw_at_zero=free special_is_color=false
factory 1: sun BBYR moon - chip down
factory 2: sun - moon KT chip down
factory 3: sun - moon - chip up
factory 4: sun - moon - chip gone
factory L: sun - moon RRK
bag: B6 Y7 R3 K6 T8
display: 07 - 03
0 score: 12; 0 left: markers=0 chips=1
0 lines: Y1 - T2 - - R6
0 broken: BK
0 plates: 11=01r0 12=02r1 33=18r2
0 dome: YKT... T*.... ...... ...... ....R. ......
0 store: TY; 0 spent: B- B-
1 score: 31; 1 lines: - K2 - B3 - -; 1 store: RT RT
chips: B- B- TY RT RT K- K- T- T- Y- Y- BR BR KB KB TY R- R- YK YK
"""


def test_factories_are_read_right() -> None:
    one, two, three, four, large = Game.from_position(KNOWN).factories
    assert [factory.name for factory in (one, two, three, four, large)] == ["1", "2", "3", "4", "L"]
    assert one.sun == (Color.BLUE, Color.BLUE, Color.YELLOW, Color.RED)
    assert two.moon == (Color.BLACK, Color.TURQUOISE)
    assert (one.chip_is_down, two.chip_is_down, three.chip_is_down, four.chip_is_down) == (True, True, False, False)
    assert (one.chip, two.chip, three.chip, four.chip) == (None, None, Chip("Y-"), None)
    assert (one.is_empty, three.is_empty, large.is_empty) == (False, True, False)
    assert large.is_large
    assert not one.is_large
    assert sorted(large.moon) == [Color.RED, Color.RED, Color.BLACK]
    assert large.sun == ()
    assert not large.has_start_tile


def test_boards_are_read_right() -> None:
    board, other = Game.from_position(KNOWN).boards
    assert (board.seat, board.score, board.markers_left, board.chips_left) == (0, 12, 0, 1)
    assert [str(line) for line in board.lines] == ["Y", "..", "TT.", "....", ".....", "RRRRRR"]
    assert [line.color for line in board.lines] == [Color.YELLOW, None, Color.TURQUOISE, None, None, Color.RED]
    assert [line.room for line in board.lines] == [0, 2, 1, 4, 5, 0]
    assert [line.is_complete for line in board.lines] == [True, False, False, False, False, True]
    assert board.broken == (Color.BLUE, Color.BLACK)
    assert board.has_start_tile
    assert (board.chips, board.chips_spent) == ((Chip("TY"),), (Chip("B-"), Chip("B-")))
    assert [str(laid) for laid in board.plates if laid] == ["11=01r0", "12=02r1", "33=18r2"]
    assert "".join(letter(space.shows) for space in board.dome[0]) == "YKTW.."
    assert "".join(letter(space.shows) for space in board.dome[1]) == "T*KB.."
    assert "".join(letter(space.shows) for space in board.dome[4]) == "....RB"
    assert "".join(letter(space.shows) for space in board.dome[5]) == "....Y*"
    assert board.dome[0][3] == Space(PlateKind.WILD, None)
    assert board.dome[1][1] == Space(PlateKind.SPECIAL, PlateKind.SPECIAL)
    assert board.dome[4][4] == Space(Color.RED, Color.RED)
    assert board.tiles_placed == 6
    assert (other.score, other.chips, other.has_start_tile) == (31, (Chip("RT"), Chip("RT")), False)
    assert other.tiles_placed == 0


def test_the_table_is_read_right() -> None:
    game = Game.from_position(KNOWN)
    assert (game.round, game.phase, game.stage, game.turn, game.first, game.start_tile) == (3, 1, Stage.TURN, 1, 0, 0)
    assert game.rules == Rules((Goal.COLORS, Goal.EDGE, Goal.DIAGONALS, Goal.SPECIALS), "free", False)
    assert game.scores == (12, 31)
    assert game.goal_points == ((0, 4, 0, -3), (0, 0, 0, 0))
    assert game.display == (PLATES[6], None, PLATES[2])
    assert (game.stack_size, game.drawn) == (13, 0)
    assert game.bag == dict(zip(Color, (6, 7, 3, 6, 8), strict=True))
    assert game.tower == dict(zip(Color, (1, 3, 0, 1, 0), strict=True))
    assert tile_counts(game.state) == [13] * 5
    assert not game.has_history
    with pytest.raises(SintraError, match="position"):
        game.deal_so_far  # noqa: B018


def test_what_is_left_out_of_a_position_has_a_default() -> None:
    game = Game.from_position("")
    assert (game.round, game.stage, game.turn, game.first, game.scores) == (1, Stage.TURN, 0, 0, (5, 5))
    assert game.goals == FIRST_GAME
    assert game.bag == dict.fromkeys(Color, 13)
    assert all(game.display)
    assert game.stack_size == 15
    assert all(factory.is_empty for factory in game.factories)


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("round 2", "line 1: 'round 2' lacks a colon"),
        ("round: 2\nfoo: 3", "line 2: unknown key 'foo'"),
        ("round: 2\n\nround: 3", "line 3: 'round' stands here twice"),
        ("# nothing\nround: 6", "line 2, round"),
        ("round: 0", "line 1, round"),
        ("round: two", "line 1, round"),
        ("round: \u0662", "line 1, round"),
        ("stage: drafting", "line 1, stage"),
        ("stage: turning", "line 1, stage"),
        ("turn: 2", "line 1, turn"),
        ("turn: 0; first: x", "line 1, first"),
        ("start tile: 2", "line 1, start tile"),
        ("goals: rows", "3 or 4 goals"),
        ("goals: rows colors edge", "one tile"),
        ("goals: rows stars edge", "stars"),
        ("options: fast=1", "line 1, options"),
        ("options: draw_at_zero", "line 1, options"),
        ("options: draw_at_zero=never", "draw_at_zero"),
        ("options: special_is_color=1", "line 1, options"),
        ("factory 5: sun - moon - chip down", "line 1: unknown key"),
        ("factory 1: sun BYRK", "line 1, factory 1"),
        ("factory 1: sun BYRG moon - chip down", "line 1, factory 1"),
        ("factory 1: sun BYRK moon - chip lost", "line 1, factory 1"),
        ("factory 1: sun - moon BYRK chip down", "line 1, factory 1"),
        ("factory 1: sun BYRKT moon - chip down", "line 1, factory 1"),
        ("factory 1: sun BYYYYY moon - chip down", "line 1, factory 1"),
        ("factory 4: sun BY moon RRR chip down", "line 1, factory 4"),
        ("factory 4: sun BYRK moon K chip down", "line 1, factory 4"),
        (f"factory 1: sun {'B' * 200} moon - chip down", ""),
        (f"factory L: sun - moon {'B' * 300}", ""),
        ("factory L: sun BYRKT moon - twice", "line 1, factory L"),
        ("bag: X3", "line 1, bag"),
        ("bag: B14", "blue"),
        ("bag: B5 R14", "red"),
        ("bag: B3; tower: B3 Y13 R13 K13 T13", "13"),
        ("display: 01 02 03 04", "line 1, display"),
        ("display: 19", "line 1, display"),
        ("display: 01 01", "two places"),
        ("display: - - -", "display"),
        ("display: 01 02 03; stack: 04", "line 1, stack"),
        ("stack: 1", "line 1, stack"),
        ("stage: keeping", "in hand"),
        ("hand: 01", "in hand"),
        (f"stage: keeping; hand: {' '.join(f'{plate:02d}' for plate in range(1, 17))}", "hand"),
        (f"stage: keeping; hand: {' '.join(f'{plate:02d}' for plate in range(1, 19))}", "hand"),
        ("0 score: -1", "line 1, 0 score"),
        ("0 score: 1000000", "line 1, 0 score"),
        ("2 score: 5", "line 1: unknown key"),
        ("0 left: markers=3", "line 1, 0 left"),
        ("0 left: lives=3", "line 1, 0 left"),
        ("0 lines: - - -", "line 1, 0 lines"),
        ("0 lines: B2 - - - - -", "line 1, 0 lines"),
        ("0 lines: G1 - - - - -", "line 1, 0 lines"),
        ("0 broken: BBBBB", "line 1, 0 broken"),
        (f"0 broken: {'B' * 200}", ""),
        ("0 plates: 11=01", "line 1, 0 plates"),
        ("0 plates: 11=19r0", "line 1, 0 plates"),
        ("0 plates: 14=01r0", "line 1, 0 plates"),
        ("0 plates: 11=01r0 11=02r0", "line 1, 0 plates"),
        ("0 plates: 11=01r0; 1 plates: 11=01r0", "two places"),
        ("0 dome: B..... ...... ...... ...... ...... ......", "line 1, 0 dome"),
        ("0 dome: ......", "line 1, 0 dome"),
        ("0 plates: 11=01r0; 0 dome: B..... ...... ...... ...... ...... ......", "line 1, 0 dome"),
        ("0 plates: 11=02r0; 0 dome: *..... ...... ...... ...... ...... ......", "line 1, 0 dome"),
        ("0 store: XX", "line 1, 0 store"),
        ("0 store: B- B- B-", "chip"),
        ("0 store: B- B-; 1 spent: B-", "chip"),
        (f"0 store: {'B- ' * 256}", "chip"),
        ("0 points: luck=3", "line 1, 0 points"),
        ("chips: B-", "line 1, chips"),
        ("round: 1; factory 1: sun BYRK moon - chip down; factory 2: sun - moon - chip down; "
         "factory 3: sun - moon - chip down; factory 4: sun - moon - chip down; 0 store: B-", "chip"),
        ("stage: paying", "tiling"),
        ("stage: tiling; tiling: pays=7", "line 1, tiling"),
        ("stage: tiling; tiling: next=9", "line 1, tiling"),
        ("tiling: pays=1 paid=0", "tiling"),
        ("stage: tiling; tiling: pays=2 paid=0", "tiling"),
        ("0 knows: 01", "line 1, 0 knows"),
        ("spectator knows:" + " 04" * 15, "line 1, spectator knows"),
        ("returned: 0.1", "line 1, returned"),
        ("round: 2; returned: 0.3" + " -" * 14, "line 1, returned"),
        ("round: 2; returned: 2.1" + " -" * 14, "line 1, returned"),
        ("round: 2; returned: 1.3" + " -" * 14, "taken 2 plates"),
        ("round: 2; 2 recalls: 01>1", "line 1"),
        ("round: 5", "no move"),
    ],
    ids=lambda text: text[:40],
)  # fmt: skip
def test_a_wrong_position_is_refused_and_says_where(text: str, reason: str) -> None:
    with pytest.raises(PositionError) as caught:
        Game.from_position(text)
    assert reason in str(caught.value)


def test_a_position_is_text() -> None:
    with pytest.raises(PositionError, match="text"):
        Game.from_position(3)  # type: ignore[arg-type]


def test_positions_may_have_comments_and_semicolons() -> None:
    one = Game.from_position("round: 2 # the second\n\n  turn : 1;first:0\n")
    two = Game.from_position("turn: 1\nround: 2\nfirst: 0")
    assert one == two


@pytest.mark.parametrize("seed", [59, 102, 117])
def test_what_is_known_of_returned_plates_survives_as_text(seed: int) -> None:
    """R8: plates that were drawn and returned several times; both seats and a spectator know as much as before."""
    for scene in scene_of_returns(seed):
        game = scene.game
        again = Game.from_position(game.position)
        assert again == game
        assert again.position == game.position
        assert [again.view(observer) for observer in range(3)] == [game.view(observer) for observer in range(3)]
    assert scene.mixed_again


def test_a_position_need_not_say_who_returned_plates() -> None:
    """What is known of the places is then all that is known."""
    scene = next(scene for scene in scene_of_returns(117) if scene.mixed_again)
    lines = scene.game.position.splitlines()
    assert any(line.startswith("returned:") for line in lines)
    plain = Game.from_position("\n".join(line for line in lines if not line.startswith("returned:")))
    assert (plain.state["returned_in"] == NOTHING).all()
    assert plain.view(0).sample_state(1).shape == (1,)


@given(data=st.data())
@soak.examples(75)
def test_a_damaged_position_is_another_position_or_refused(data: st.DataObject) -> None:
    """And one that is read is a whole game: nothing is lost, and it can be played on."""
    seed = data.draw(st.integers(0, 30))
    text = played(seed, "drawing", ALL_RULES[seed * 6], most=seed * 5).position
    for _ in range(data.draw(st.integers(1, 2))):
        start = data.draw(st.integers(0, len(text) - 1))
        end = min(len(text), start + data.draw(st.integers(0, 3)))
        text = text[:start] + data.draw(st.text("0123456789BYRKT*W-=r:;#!>.| \n", max_size=3)) + text[end:]
    try:
        game = Game.from_position(text, seed=seed)
    except PositionError as error:
        told_in_codes(error)
        return
    assert tile_counts(game.state) == [13] * 5
    assert plate_list(game.state) == ALL_PLATE_LIST
    for _ in play_on(game, "uniform", Random(seed), most=60):
        assert tile_counts(game.state) == [13] * 5
        assert plate_list(game.state) == ALL_PLATE_LIST


def told_in_codes(error: PositionError) -> None:
    """What is wrong can be said in other languages too."""
    assert error.faults, error


FACTORY = "factory 1: sun B moon - chip down"
FULL_DOME = "0 plates: " + " ".join(f"{k // 3 + 1}{k % 3 + 1}={k + 1:02}r0" for k in range(9))


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("round: 2; stage: dealing; factory 4: sun - moon YKB chip down", "R3.10"),
        (f"round: 2; {FACTORY}; {FULL_DOME}", "R3.1"),
        ("round: 5; stage: drawing; hand: 07 08", "no plates are taken in round 5"),
        ("round: 4; stage: drawing; hand: 07; 0 left: markers=0", "marker"),
        ("round: 3; stage: opening; display: 01 02 03", "R2.6"),
        (f"round: 2; 0 lines: K0! - - - - -; {FACTORY}", "R4.2"),
        ("start tile: 1; factory L: sun BYRKT moon -", "R3.7"),
        (f"0 left: markers=1 markers=2; {FACTORY}", "twice"),
    ],
)
def test_a_table_that_cannot_be_is_refused(text: str, reason: str) -> None:
    with pytest.raises(PositionError, match=re.escape(reason)):
        Game.from_position(text)


def test_a_plate_named_twice_for_a_place_is_one() -> None:
    stack = "display: 01 02 03; stack: " + " ".join(f"{plate:02}" for plate in range(4, 19))
    game = Game.from_position(f"{stack}; {FACTORY}; 0 knows: 04|04 " + "? " * 14)
    assert [plate.name for plate in game.view(0).stack[0].candidates] == ["04"]
