"""R2: how a game is set up."""

from __future__ import annotations

from collections import Counter

import pytest

from sintra import Game, Goal, PositionError, Rules, RulesError, SintraError, Stage
from sintra.components import FIRST_GAME
from sintra.rules.rule_options import RULE_OPTIONS
from sintra.tabletop.ruleset import RuleOptions

from .helpers import amounts, at, display, first_letters, legal, letters, names, new_deal, play, refused

TILES = ("BYRKT", "BBYK", "RRTT", "YKBT", "BRYK")


def dealt(first: int = 0) -> Game:
    """A game whose first tiles lie on the factories: plates 01 02 03 open, 04 on top of the stack."""
    game = new_deal(first)
    game.deal(TILES)
    return game


def test_r2_1_the_default_is_three_goals_at_random() -> None:
    games = [Game.new(seed=seed) for seed in range(120)]
    assert {len(game.goals) for game in games} == {3}
    assert {goal for game in games for goal in game.goals} == set(Goal)


def test_r2_1_random_goals_are_on_different_tiles() -> None:
    for how_many in (3, 4):
        for seed in range(60):
            goals = Game.new(seed=seed, goals=how_many).goals
            assert len({goal.tile for goal in goals}) == how_many


def test_r2_1_four_goals_are_possible() -> None:
    assert len(Game.new(seed=1, goals=4).goals) == 4
    game = Game.new(seed=1, goals=["rows", "columns", "diagonals", "wilds"])
    assert list(map(str, game.goals)) == ["rows", "columns", "diagonals", "wilds"]


@pytest.mark.parametrize("goals", [["rows", "edge"], ["rows"], []])
def test_r2_1_fewer_than_three_goals_are_refused(goals: list[str]) -> None:
    with pytest.raises(RulesError, match=r"3 or 4 goals.*R2\.1"):
        Game.new(seed=1, goals=goals)


def test_r2_1_two_goals_at_random_are_refused() -> None:
    with pytest.raises(SintraError, match=r"R2\.1"):
        Game.new(seed=1, goals=2)


def test_r2_1_both_sides_of_one_tile_are_refused() -> None:
    with pytest.raises(RulesError, match=r"columns and edge.*R2\.1"):
        Game.new(seed=1, goals=["rows", "columns", "edge"])


def test_r2_1_the_set_for_the_first_game() -> None:
    assert list(map(str, Game.new(seed=1, goals="first-game").goals)) == ["rows", "edge", "wilds"]
    assert Rules(FIRST_GAME).to_dict()["goals"] == ["rows", "edge", "wilds"]


def test_r2_1_the_rule_options_have_their_defaults() -> None:
    """R3.1 `draw_at_zero` and R6.1 `special_is_color`."""
    rules = Game.new(seed=1).rules
    assert (rules.draw_at_zero, rules.special_is_color) == ("forced", True)
    assert RuleOptions().to_dict() == {option.name: option.default for option in RULE_OPTIONS}


def test_r2_2_three_plates_lie_open_and_fifteen_form_the_stack() -> None:
    game = Game.new(seed=5)
    assert len([plate for plate in game.display if plate]) == 3
    assert game.stack_size == 15
    everything = [plate.name for plate in game.display if plate] + names(game.stack).split()
    assert sorted(everything) == [f"{n:02d}" for n in range(1, 19)]


def test_r2_2_the_plates_are_shuffled() -> None:
    assert len({names(Game.new(seed=seed).stack) for seed in range(20)}) == 20


def test_r2_3_the_large_factory_gets_five_tiles_and_each_small_one_four() -> None:
    for seed in range(30):
        game = Game.new(seed=seed)
        assert [len(factory.sun) for factory in game.factories] == [4, 4, 4, 4, 5]
        assert all(not factory.moon for factory in game.factories)
        assert sum(game.bag.values()) == 65 - 21


def test_r2_3_the_start_tile_lies_on_the_large_factory() -> None:
    game = Game.new(seed=5)
    assert [factory.has_start_tile for factory in game.factories] == [False, False, False, False, True]
    assert game.start_tile is None


def test_r2_3_the_tiles_come_from_the_bag() -> None:
    game = dealt()
    assert letters(game.factories[4].sun) == "BYRKT"
    assert letters(game.factories[1].sun) == "RRTT"
    dealt_tiles = Counter("".join(TILES))
    assert amounts(game.bag) == " ".join(f"{color}{13 - dealt_tiles[color]}" for color in "BYRKT")


@pytest.mark.parametrize("tiles", [("BYRK", *TILES[1:]), (*TILES[:4], "BRY"), (*TILES[:4], "BRYKT")])
def test_r2_3_a_deal_fills_every_factory(tiles: tuple[str, ...]) -> None:
    game = new_deal()
    with pytest.raises(SintraError, match=r"R7\.3"):
        game.deal(tiles)
    assert game.awaits_deal


@pytest.mark.parametrize("factory", ["1: sun BYRKT moon - chip down", "L: sun BYRKTB moon -", "L: sun - moon BYRKT"])
def test_r2_3_a_position_cannot_have_more_tiles_on_a_factory(factory: str) -> None:
    """R3.2: on the large moon side at most four are left."""
    with pytest.raises(PositionError):
        at(f"factory {factory}")


def test_r2_4_five_tiles_of_one_colour_cannot_be_dealt_to_the_large_factory() -> None:
    game = new_deal()
    with pytest.raises(SintraError, match=r"large factory.*R2\.4"):
        game.deal(("KKKKK", *TILES[1:]))
    assert game.awaits_deal


def test_r2_4_a_small_factory_may_hold_one_colour() -> None:
    game = new_deal()
    game.deal((TILES[0], "KKKK", *TILES[2:]))
    assert letters(game.factories[0].sun) == "KKKK"


def test_r2_5_one_chip_lies_face_down_on_each_small_factory() -> None:
    game = Game.new(seed=5)
    assert [factory.chip_is_down for factory in game.factories] == [True, True, True, True, False]
    assert [factory.chip for factory in game.factories] == [None] * 5


def test_r2_5_the_chips_are_shuffled() -> None:
    assert len({Game.new(seed=seed).deal_so_far.chips for seed in range(20)}) == 20


def test_r2_6_the_start_player_is_chosen_at_random() -> None:
    assert {Game.new(seed=seed).first for seed in range(30)} == {0, 1}


@pytest.mark.parametrize("first", [0, 1])
def test_r2_6_the_other_player_lays_the_first_plate_and_the_start_player_the_second(first: int) -> None:
    game = dealt(first)
    assert (game.stage, game.turn) == (Stage.OPENING, 1 - first)
    game.push("P02@22r0")
    assert (game.stage, game.turn) == (Stage.OPENING, first)
    game.push("P01@11r0")
    assert (game.stage, game.turn) == (Stage.TURN, first)


def test_r2_6_every_open_plate_slot_and_rotation_can_be_chosen() -> None:
    game = dealt()
    slots = [f"{row}{column}" for row in (1, 2, 3) for column in (1, 2, 3)]
    assert legal(game) == {
        f"P{plate}@{slot}r{turns}" for plate in ("01", "02", "03") for slot in slots for turns in range(4)
    }


def test_r2_6_the_display_is_refilled_at_once_both_times() -> None:
    game = dealt()
    game.push("P02@22r0")
    assert (display(game), game.stack_size) == ("01 04 03", 14)
    game.push("P04@11r0")
    assert (display(game), game.stack_size) == ("01 05 03", 13)


def test_r2_6_opening_plates_cost_no_marker_and_no_point() -> None:
    game = play(dealt(), "P02@22r0 P01@11r0")
    assert [board.markers_left for board in game.boards] == [2, 2]
    assert game.scores == (5, 5)


def test_r2_6_an_opening_plate_cannot_be_drawn_from_the_stack() -> None:
    game = dealt()
    assert first_letters(game) == {"P"}
    assert refused(game, "D") == "R2.6"
    assert refused(game, "S1B3:YK") == "R2.6"


def test_r2_6_a_plate_of_the_stack_cannot_be_laid() -> None:
    assert refused(dealt(), "P04@22r0") in ("R2.6", "R3.1")
