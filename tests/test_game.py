"""The face of the library: how a game is made, asked, changed and ended, and what it refuses."""

from __future__ import annotations

import copy
import pickle
import re
from collections.abc import Sequence
from itertools import combinations
from random import Random
from types import SimpleNamespace
from typing import Any

import pytest

from helpers import ALL_CHIP_LIST, ALL_PLATE_LIST, play_on, played, tile_counts
from sintra import (
    CHIPS,
    Game,
    Goal,
    IllegalMoveError,
    Move,
    MoveKind,
    NotationError,
    Rules,
    RulesError,
    SintraError,
    Stage,
    View,
)
from sintra.components import FIRST_GAME
from sintra.records.record import Record, check_record
from sintra.rules import choices, engine
from sintra.rules.state import empty_states

RULES = Rules(FIRST_GAME)
TILES = ["BYRKT", "BBBB", "YYYY", "RRRR", "KKKK"]


def new_deal() -> Game:
    """A game with given plates and chips that waits for its first tiles."""
    return Game.from_deal(RULES, 0, ALL_PLATE_LIST, ALL_CHIP_LIST)


# ---------------------------------------------------------------- new games


def test_a_new_game_follows_r2() -> None:
    game = Game.new(seed=7)
    assert (game.round, game.phase, game.stage) == (1, 1, Stage.OPENING)
    assert game.turn == 1 - game.first
    assert game.scores == (5, 5)
    assert len(game.goals) == 3
    assert game.rules.draw_at_zero == "forced"
    assert game.rules.special_is_color is True
    assert [len(factory.sun) for factory in game.factories] == [4, 4, 4, 4, 5]
    assert len([plate for plate in game.display if plate]) == 3
    assert game.stack_size == 15
    assert sum(game.bag.values()) == 65 - 21
    assert (game.ply, game.moves, game.result, game.is_over) == (0, (), None, False)
    assert len(game.legal_moves) == 3 * 9 * 4
    assert game.has_history


def test_seeds_make_different_games() -> None:
    assert len({Game.new(seed=seed).position_key for seed in range(200)}) == 200
    assert Game.new() != Game.new()
    assert {Game.new(seed=seed).first for seed in range(30)} == {0, 1}


@pytest.mark.parametrize(
    ("goals", "expected"),
    [
        ("first-game", FIRST_GAME),
        ("rows edge wilds", FIRST_GAME),
        ("rows,edge,wilds", FIRST_GAME),
        (["specials", "rows", "corners"], (Goal.SPECIALS, Goal.ROWS, Goal.CORNERS)),
        (
            (Goal.COLORS, "columns", Goal.DIAGONALS, "wilds"),
            (Goal.COLORS, Goal.COLUMNS, Goal.DIAGONALS, Goal.WILDS),
        ),
    ],
)
def test_goals_can_be_named(goals: Any, expected: tuple[Goal, ...]) -> None:
    assert Game.new(seed=1, goals=goals).goals == expected
    assert Game.new(seed=1, rules={"goals": goals}).goals == expected
    assert Game.new(seed=1, goals=goals, rules={"goals": ["colors", "columns", "corners"]}).goals == expected


@pytest.mark.parametrize("how_many", [3, 4])
def test_goals_can_be_drawn(how_many: int) -> None:
    drawn = {Game.new(seed=seed, goals=how_many).goals for seed in range(300)}
    assert {len(goals) for goals in drawn} == {how_many}
    tiles = {tuple(sorted(goal.tile for goal in goals)) for goals in drawn}
    assert tiles == set(combinations(range(4), how_many))
    assert {goal for goals in drawn for goal in goals} == set(Goal)


def test_options_can_be_given() -> None:
    options = {"draw_at_zero": "free", "special_is_color": False}
    assert Game.new(seed=1, rules=options).rules == Rules(Game.new(seed=1).goals, "free", False)
    rules = Rules(FIRST_GAME, "free", False)
    assert Game.new(seed=1, rules=rules).rules == rules
    assert Game.new(seed=1, rules=rules.to_dict()).rules == rules
    assert Game.new(seed=1, goals="rows edge specials", rules=rules).rules == Rules(
        (Goal.ROWS, Goal.EDGE, Goal.SPECIALS), "free", False
    )
    assert len(Game.new(seed=1, goals=4, rules=options).goals) == 4


@pytest.mark.parametrize(
    ("arguments", "reason"),
    [
        ({"goals": 2}, "3 or 4 goals"),
        ({"goals": 5}, "3 or 4 goals"),
        ({"goals": 0}, "3 or 4 goals"),
        ({"goals": True}, "3 or 4 goals"),
        ({"goals": []}, "3 or 4 goals"),
        ({"goals": "rows"}, "3 or 4 goals"),
        ({"goals": "rows colors edge"}, "one tile"),
        ({"goals": "rows rows edge"}, "one tile"),
        ({"goals": "rows stars edge"}, "stars"),
        ({"goals": "second-game"}, "second-game"),
        ({"goals": ["rows", "edge", None]}, "None"),
        ({"rules": {"goals": ["rows"]}}, "3 or 4 goals"),
        ({"rules": {"speed": 3}}, "speed"),
        ({"rules": {"draw_at_zero": "never"}}, "draw_at_zero"),
        ({"rules": {"special_is_color": "yes"}}, "special_is_color"),
        ({"seed": -1}, "seed"),
        ({"seed": 2**63}, "seed"),
        ({"seed": 1.5}, "seed"),
        ({"seed": True}, "seed"),
        ({"seed": "7"}, "seed"),
    ],
    ids=repr,
)
def test_a_game_with_wrong_arguments_is_not_made(arguments: dict[str, Any], reason: str) -> None:
    with pytest.raises(SintraError, match=re.escape(reason)):
        Game.new(**arguments)


@pytest.mark.parametrize("options", [{"draw_at_zero": "never"}, {"special_is_color": 1}], ids=repr)
def test_rules_are_checked_when_they_are_made(options: dict[str, Any]) -> None:
    with pytest.raises(RulesError):
        Rules(FIRST_GAME, **options)
    with pytest.raises(RulesError):
        Rules.from_dict({"goals": ["rows", "edge", "wilds"], **options})


def test_a_number_of_goals_is_not_ignored_beside_given_rules() -> None:
    """Rules with three goals and a wish for four contradict each other, or four are drawn."""
    try:
        game = Game.new(seed=1, goals=4, rules=RULES)
    except SintraError:
        return
    assert len(game.goals) == 4


# ---------------------------------------------------------------- deals


def test_a_deal_from_outside() -> None:
    game = new_deal()
    assert (game.awaits_deal, game.stage, game.phase, len(game.legal_moves)) == (True, Stage.DEALING, 3, 0)
    game.deal(TILES)
    assert (game.awaits_deal, game.stage, game.phase, len(game.legal_moves)) == (False, Stage.OPENING, 1, 108)
    assert game.deal_so_far.tiles == (tuple(TILES),)
    assert [plate.index for plate in game.deal_so_far.plates] == ALL_PLATE_LIST
    assert game.deal_so_far.chips == tuple(CHIPS[face].face for face in ALL_CHIP_LIST)
    assert tile_counts(game.state) == [13] * 5


@pytest.mark.parametrize(
    ("tiles", "reason"),
    [
        (TILES[:4], "5 factories"),
        ([*TILES, "BYRK"], "5 factories"),
        (["BYRKT", "BBBB", "YYYY", "RRRR", "KKKG"], "'G'"),
        (["BYRKT", "BBBB", "YYYY", "RRRR", "kkkk"], "'k'"),
        (["BBBBB", "YYYY", "YYYY", "RRRR", "KKKK"], "the large factory"),
        (["BYRK", "BBBB", "YYYY", "RRRR", "KKKK"], "the large factory"),
        (["BYRKTT", "BBBB", "YYYY", "RRRR", "KKKK"], "the large factory"),
        (["BYRKT", "BBBB", "BBBB", "BBBB", "BBYY"], "factory 4"),
        (["BYRKT", "", "YYYY", "RRRR", "KKKK"], "factory 1"),
        (["BYRKT" + "B" * 256, "BBBB", "YYYY", "RRRR", "KKKK"], "the large factory"),
        (["BYRKT", "BBBB" + "T" * 128, "YYYY", "RRRR", "KKKK"], "factory 1"),
    ],
)
def test_an_impossible_deal_is_refused_and_changes_nothing(tiles: list[str], reason: str) -> None:
    game = new_deal()
    before = game.state.tobytes()
    with pytest.raises(SintraError, match=reason):
        game.deal(tiles)
    assert game.state.tobytes() == before
    game.deal(TILES)


def test_tiles_are_dealt_only_when_they_are_asked_for() -> None:
    game = Game.new(seed=1)
    with pytest.raises(SintraError, match="no tiles"):
        game.deal(TILES)


@pytest.mark.parametrize(
    ("first", "plates", "chips"),
    [
        (2, ALL_PLATE_LIST, ALL_CHIP_LIST),
        (-1, ALL_PLATE_LIST, ALL_CHIP_LIST),
        (0, ALL_PLATE_LIST[:17], ALL_CHIP_LIST),
        (0, [*ALL_PLATE_LIST[:17], 0], ALL_CHIP_LIST),
        (0, [*ALL_PLATE_LIST[:17], 18], ALL_CHIP_LIST),
        (0, ALL_PLATE_LIST, ALL_CHIP_LIST[:19]),
        (0, ALL_PLATE_LIST, [0, *ALL_CHIP_LIST[:19]]),
        (0, ALL_PLATE_LIST, [*ALL_CHIP_LIST[:18], 10, 10]),
    ],
)
def test_a_deal_holds_all_pieces(first: int, plates: Sequence[int], chips: Sequence[int]) -> None:
    with pytest.raises(SintraError):
        Game.from_deal(RULES, first, plates, chips)


def test_a_deal_with_a_seed_goes_on_by_itself() -> None:
    game = Game.from_deal(RULES, 1, ALL_PLATE_LIST, ALL_CHIP_LIST, seed=3)
    assert (game.first, game.turn, game.awaits_deal) == (1, 0, False)
    for _ in play_on(game, "uniform", Random(1)):
        pass
    assert game.is_over
    assert len(game.deal_so_far.tiles) == 5


def test_a_reseeded_game_deals_itself_differently() -> None:
    games = [played(3, most=25) for _ in range(3)]
    games[1].reseed(99)
    games[2].reseed(99)
    for game in games:
        for _ in play_on(game, "uniform", Random(1)):
            pass
    assert games[1] == games[2] != games[0]
    assert games[0].deal_so_far.tiles[0] == games[1].deal_so_far.tiles[0]
    assert games[0].deal_so_far.tiles[1:] != games[1].deal_so_far.tiles[1:]
    with pytest.raises(SintraError, match="seed"):
        games[0].reseed(-5)


@pytest.mark.parametrize("round_no", [1, 2, 5])
def test_a_game_that_waits_for_tiles_gets_them_from_its_new_generator(round_no: int) -> None:
    """From now on it deals itself: also the tiles that are missing now."""
    game = Game.from_position(f"stage: dealing; round: {round_no}", seed=4)
    assert not game.awaits_deal
    assert len(game.legal_moves) > 0


# ---------------------------------------------------------------- pushing and popping


def test_push_takes_values_and_notation() -> None:
    game, twin = Game.new(seed=2), Game.new(seed=2)
    for move in played(2, most=40).moves:
        game.push(move)
        twin.push(str(move))
        assert game == twin
        assert game.moves[-1] == twin.moves[-1] == move


@pytest.mark.parametrize(
    ("token", "error", "reason"),
    [
        ("nonsense", NotationError, "nonsense"),
        ("", NotationError, "''"),
        ("P19@11r0", NotationError, "19"),
        ("E", IllegalMoveError, "R2.6"),
        ("D", IllegalMoveError, "R2.6"),
        ("MB1", IllegalMoveError, "R2.6"),
        ("<*", IllegalMoveError, "R8"),
        ("<07", IllegalMoveError, "R2.6"),
        ("K08@11r0", IllegalMoveError, "R2.6"),
    ],
)
def test_a_wrong_move_changes_nothing(token: str, error: type[SintraError], reason: str) -> None:
    game = Game.new(seed=1)
    before = game.state.tobytes()
    with pytest.raises(error, match=reason):
        game.push(token)
    assert (game.state.tobytes(), game.moves) == (before, ())
    assert token not in game.legal_moves


TURN = """
round: 2; turn: 1; display: 07 12 -
factory 1: sun BBYR moon - chip down; factory 2: sun - moon - chip up; factory 3: sun - moon KT chip down
factory L: sun - moon RRK; start tile: factory
0 lines: - B2 - K1 - -; 1 lines: Y1 - K2 - - -; 1 left: markers=1 chips=1; 1 plates: 11=01r0
chips: B- B- Y- Y- R- R- K- K- T- T- TY TY YK YK KB KB BR BR RT RT; 0 store: B-; 1 score: 3
"""


@pytest.mark.parametrize(
    ("token", "rule"),
    [
        ("P07@11r0", "R3.1"),
        ("P03@12r0", "R3.1"),
        ("H", "R3"),
        ("T11", "R3"),
        ("E", "R3"),
        ("S1K1:BBY", "R3.2"),
        ("S1B2", "R3.2"),
        ("S1B2:Y", "R3.2"),
        ("S1B2:YK", "R3.2"),
        ("S1B2:YRR", "R3.2"),
        ("S2B1", "R3.2"),
        ("SLR1", "R3.2"),
        ("MK1", "R3.5"),
        ("MR3", "R3.5"),
        ("MB1", "R3.3"),
        ("C1", "R3.8"),
        ("C4", "R3.4"),
    ],
)
def test_an_illegal_move_names_its_rule(token: str, rule: str) -> None:
    game = Game.from_position(TURN)
    before = game.state.tobytes()
    with pytest.raises(IllegalMoveError) as caught:
        game.push(token)
    assert caught.value.rule == rule
    assert str(caught.value).startswith(f"{token} is not legal: ")
    assert str(caught.value).endswith(f"({rule})")
    assert game.state.tobytes() == before
    with pytest.raises(IllegalMoveError):
        game.describe(token)
    with pytest.raises(IllegalMoveError):
        game.preview(token)


@pytest.mark.parametrize(
    "token", ["S1K1:BBY", "SLR1", "MK1", "P07@11r0", "C1", "D", "H", "K07@11r0", "T11", "U2:B-,B-", "E"]
)
def test_after_the_end_the_reason_is_the_end(token: str) -> None:
    game = played(1)
    assert game.is_over
    with pytest.raises(IllegalMoveError, match="over") as caught:
        game.push(token)
    assert caught.value.rule == "R6"
    assert len(game.legal_moves) == 0


@pytest.mark.parametrize("token", ["S1K1:BBY", "SLR1", "D", "E"])
def test_before_the_deal_the_reason_is_the_deal(token: str) -> None:
    with pytest.raises(IllegalMoveError, match="dealt") as caught:
        new_deal().push(token)
    assert caught.value.rule == "R7.3"


@pytest.mark.parametrize("token", ["S1K1:BBY", "S1K1", "MK1", "D", "C1"])
def test_in_phase_2_the_reason_is_phase_2(token: str) -> None:
    with pytest.raises(IllegalMoveError, match="phase 2"):
        Game.from_position("stage: tiling").push(token)


def test_there_is_nothing_to_take_back_at_the_beginning() -> None:
    game = Game.new(seed=1)
    with pytest.raises(SintraError, match="no move"):
        game.pop()
    game.push(game.legal_moves[5])
    assert game.pop() == game.legal_moves[5]
    with pytest.raises(SintraError, match="no move"):
        game.pop()


def test_pop_goes_back_over_a_deal() -> None:
    """The tiles of a round that is not begun any more are forgotten, and can be dealt differently."""
    game = new_deal()
    game.deal(TILES)
    while len(game.legal_moves):
        game.push(game.legal_moves[-1])
    game.deal(TILES)
    dealt = [game.deal_so_far.tiles]
    assert str(game.pop()) == "E"
    dealt.append(game.deal_so_far.tiles)
    game.push("E")
    other = ["BYTTT", "BBYY", "YYRR", "RRKK", "KKTT"]
    game.deal(other)
    dealt.append(game.deal_so_far.tiles)
    assert dealt == [(tuple(TILES), tuple(TILES)), (tuple(TILES),), (tuple(TILES), tuple(other))]
    while game.ply:
        game.pop()
    assert game.deal_so_far.tiles == (tuple(TILES),)


def test_legal_counts_are_those_before_each_move() -> None:
    game = Game.new(seed=5)
    counts = [len(game.legal_moves) for game in play_on(game, "uniform", Random(5), most=60)]
    assert game.legal_counts() == counts[:-1]


# ---------------------------------------------------------------- early ends


def test_a_game_can_be_resigned() -> None:
    game = played(1, most=30)
    scores = game.scores
    game.resign(0)
    assert game.is_over
    assert game.result is not None
    assert (game.result.winner, game.result.reason) == (1, "resigned")
    assert (game.result.scores, game.result.goals) == (scores, None)
    assert len(game.legal_moves) == 0
    before = game.state.tobytes()
    with pytest.raises(IllegalMoveError, match="ended early"):
        game.push(played(1, most=31).moves[-1])
    assert game.state.tobytes() == before
    with pytest.raises(SintraError, match="over already"):
        game.resign(1)
    with pytest.raises(SintraError, match="over already"):
        game.end_early(0, "timeout")
    assert game.result.winner == 1


def test_taking_back_a_move_takes_back_the_early_end() -> None:
    game = played(1, most=30)
    game.end_early(0, "timeout")
    game.pop()
    assert not game.is_over
    assert game.result is None
    assert game == played(1, most=29)


@pytest.mark.parametrize(("winner", "reason"), [(2, "resigned"), (-1, "timeout"), (0, "bored"), (0, "")])
def test_an_early_end_must_make_sense(winner: int, reason: Any) -> None:
    game = Game.new(seed=1)
    with pytest.raises(SintraError):
        game.end_early(winner, reason)
    with pytest.raises(SintraError):
        game.resign(2)
    assert game.result is None
    assert not game.is_over


def test_a_finished_game_cannot_be_resigned() -> None:
    game = played(4)
    result = game.result
    assert result is not None
    assert result.reason is None
    with pytest.raises(SintraError, match="over already"):
        game.resign(0)
    assert game.result == result
    assert result.scores == game.scores
    assert result.goals == game.goal_points


# ---------------------------------------------------------------- seats


@pytest.mark.parametrize("seat", [-1, 2, 3])
def test_there_are_two_seats(seat: int) -> None:
    game = Game.new(seed=1)
    with pytest.raises(ValueError, match="no seat"):
        game.board(seat)
    if seat != 2:
        with pytest.raises(SintraError, match="no seat"):
            game.view(seat)


def test_the_other_seat_has_no_moves() -> None:
    game = Game.new(seed=1)
    waiting, watching = game.view(1 - game.turn), game.view(2)
    for view in (waiting, watching):
        assert not view.to_move
        assert len(view.legal_moves) == 0
        with pytest.raises(IllegalMoveError):
            view.preview(game.legal_moves[0])


# ---------------------------------------------------------------- legal moves as a sequence


def test_legal_moves_are_a_sequence() -> None:
    game = Game.new(seed=7)
    legal = game.legal_moves
    assert len(legal) == 108
    assert legal[0] == next(iter(legal)) == legal[-108]
    assert legal[-1] == list(legal)[-1]
    assert legal[3:6] == list(legal)[3:6]
    assert list(reversed(legal)) == list(legal)[::-1]
    assert legal.index(legal[17]) == 17
    assert legal.count(legal[17]) == 1
    for index in (108, -109):
        with pytest.raises(IndexError):
            legal[index]
    assert str(legal[0]) in legal
    assert legal[0] in legal
    for stranger in ("P01@11r9", "no move", 3, None, "D", Move(MoveKind.DRAW)):
        assert stranger not in legal
    assert str(legal[0]) in repr(legal)
    assert "108" in repr(legal)


def test_legal_moves_stay_those_of_their_position() -> None:
    game = Game.new(seed=7)
    legal = game.legal_moves
    first = legal[0]
    game.push(first)
    assert len(legal) == 108
    assert legal[0] == first
    assert game.legal_moves[0] != first


def test_require_gives_the_move_or_the_reason() -> None:
    legal = Game.new(seed=7).legal_moves
    assert legal.require(str(legal[4])) == legal[4] == legal.require(legal[4])
    with pytest.raises(IllegalMoveError):
        legal.require("D")
    with pytest.raises(NotationError):
        legal.require("?")


def test_a_blank_table_has_no_moves() -> None:
    assert len(Game(empty_states()).legal_moves) == 0


def test_how_a_game_shows_itself() -> None:
    game = played(3, most=12)
    assert repr(game) == f"<Game: round 1, seat {game.turn} {game.stage.name.lower()}, scores {game.scores}, 12 moves>"
    over = played(3)
    assert over.result is not None
    assert f"won by seat {over.result.winner}" in repr(over)


# ---------------------------------------------------------------- awkward guests


def test_errors_travel_between_processes() -> None:
    game = Game.new(seed=7)
    with pytest.raises(IllegalMoveError) as caught:
        game.push("D")
    twin = pickle.loads(pickle.dumps(caught.value))
    assert (str(twin), twin.rule) == (str(caught.value), caught.value.rule)
    assert str(copy.copy(caught.value)) == str(caught.value)


def test_a_game_that_is_given_a_generator_while_it_waits_keeps_its_record() -> None:
    game = new_deal()
    game.deal(["BYRKT", "BYRK", "BYRK", "BYRK", "BYRK"])
    for _ in play_on(game, "uniform", Random(3)):
        pass
    assert game.awaits_deal
    game.reseed(5)
    dealt = [len(factory.sun) for factory in game.factories]
    assert sorted(dealt) == [4, 4, 4, 4, 5]
    game.push(game.legal_moves[-1])
    assert check_record(Record.of(game)) == game
    for _ in range(3):
        game.pop()
    for _ in play_on(game, "uniform", Random(4)):
        pass
    assert game.is_over, "it goes on dealing itself after moves were taken back"


def test_an_early_end_is_an_end_for_views_and_perft_too() -> None:
    game = Game.new(seed=7)
    game.push(game.legal_moves[0])
    game.resign(0)
    for observer in (0, 1, 2):
        view = game.view(observer)
        assert view.is_over
        assert view.result == game.result
        assert not view.to_move
        assert list(view.legal_moves) == []
        assert pickle.loads(pickle.dumps(view)) == view
        assert "Seat 1 wins (resigned)" in str(view)
    assert (game.perft(0), game.perft(1)) == (1, 0)
    with pytest.raises(IllegalMoveError, match="ended early"):
        game.describe("D")
    assert repr(game.legal_moves) == "<no legal moves>"


def test_a_view_speaks_of_its_own_moves_only() -> None:
    game = Game.new(seed=7)
    other = game.view(1 - game.turn)
    for ask in (other.preview, other.describe):
        with pytest.raises(IllegalMoveError, match=f"seat {game.turn} is to move"):
            ask(game.legal_moves[0])
    with pytest.raises(IllegalMoveError):
        game.view(game.turn).describe("MB3")
    with pytest.raises(AttributeError):
        other.seat = 0  # type: ignore[misc]


def test_legal_moves_are_found_by_their_notation() -> None:
    moves = Game.new(seed=7).legal_moves
    assert moves.index(str(moves[5])) == moves.index(moves[5]) == 5
    assert (moves.count(str(moves[5])), moves.count("D")) == (1, 0)
    with pytest.raises(SintraError, match="D is not among"):
        moves.index("D")
    with pytest.raises(SintraError, match="not among"):
        moves.index(moves[5], 6)


def test_a_state_in_the_middle_of_a_move_has_no_moves() -> None:
    game = Game.new(seed=7)
    states = game.state
    engine.apply(states, 0, choices.unpack(game.legal_moves.paths[0])[0])
    between = Game(states)
    assert len(between.legal_moves) == 0
    with pytest.raises(IllegalMoveError, match="being made"):
        between.push("D")


ANY: Any = SimpleNamespace(Game=Game, Record=Record, Rules=Rules, View=View, deal=Game.deal)
"""The library, for those who do not look at types."""


@pytest.mark.parametrize(
    "ask",
    [
        lambda game: game.describe(None),
        lambda game: game.preview(5),
        lambda game: game.push(None),
        lambda game: game.board(2),
        lambda game: game.resign(5),
        lambda game: game.perft(1.5),
        lambda game: game.perft(-1),
        lambda game: game.view(0).sample(1 << 64),
        lambda game: game.view(0).sample(-5),
        lambda game: ANY.deal(new_deal(), [1, 2, 3, 4, 5]),
        lambda game: ANY.deal(new_deal(), "BYRKT"),
        lambda game: ANY.Record.of(game, ("Ana",)),
        lambda game: ANY.Record.of(game).perft(0, -1),
        lambda game: ANY.Game.new(goals=3.0),
        lambda game: ANY.Game.new(rules="first-game"),
        lambda game: ANY.Game.new(goals=4, rules={"goals": ["rows", "edge", "wilds"]}),
        lambda game: ANY.Rules(("Rows", "edge", "wilds")),
        lambda game: ANY.View.from_bytes("text"),
        lambda game: ANY.View.from_bytes(b"\x07" * 937),
        lambda game: ANY.View.from_bytes(b"\x00" + b"\x7f" * 936),
    ],
)
def test_whatever_cannot_be_used_is_a_sintra_error(ask: Any) -> None:
    with pytest.raises(SintraError):
        ask(Game.new(seed=7))


def test_rules_are_values_however_their_goals_are_named() -> None:
    named = Rules(["rows", "edge", "wilds"])  # type: ignore[arg-type]
    assert named == Rules((Goal.ROWS, Goal.EDGE, Goal.WILDS))
    assert hash(named) == hash(Rules((Goal.ROWS, Goal.EDGE, Goal.WILDS)))
    game = Game.new(seed=7)
    assert len({Record.of(game), Record.of(game)}) == 1
    assert hash(game.preview(game.legal_moves[0])) == hash(game.preview(game.legal_moves[0]))
