"""New games (R2): seeds, goals, options, and deals from outside."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import combinations
from random import Random
from typing import Any

import pytest

from game.deals import RULES, TILES, new_deal
from helpers import ALL_CHIP_LIST, ALL_PLATE_LIST, play_on, played, tile_counts
from sintra import CHIPS, Game, Goal, Rules, RulesError, SintraError, Stage
from sintra.components import FIRST_GAME
from sintra.records.record import Record


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
    assert Record.of(game).check() == game
    for _ in range(3):
        game.pop()
    for _ in play_on(game, "uniform", Random(4)):
        pass
    assert game.is_over, "it goes on dealing itself after moves were taken back"


def test_rules_are_values_however_their_goals_are_named() -> None:
    named = Rules(["rows", "edge", "wilds"])
    assert named == Rules("rows, edge, wilds") == Rules(goals="first-game")
    assert named == Rules((Goal.ROWS, Goal.EDGE, Goal.WILDS))
    assert hash(named) == hash(Rules((Goal.ROWS, Goal.EDGE, Goal.WILDS)))
    game = Game.new(seed=7)
    assert len({Record.of(game), Record.of(game)}) == 1
    assert hash(game.preview(game.legal_moves[0])) == hash(game.preview(game.legal_moves[0]))
