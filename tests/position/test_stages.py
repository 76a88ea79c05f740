"""Positions as text at every stage that a game can stand at: each is read back as it was written."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

import soak
from helpers import ALL_RULES, TASTES, chip_list, plate_list, play_on, played, tile_counts
from random_positions import at_stage
from sintra import Game, PositionError, Rules, Stage
from sintra.components import CHIPS
from sintra.records.record import Record

seeds = st.integers(0, 2**62)
rule_sets = st.sampled_from(ALL_RULES)
tastes = st.sampled_from(sorted(TASTES))
HALF_MADE = {Stage.TURNING, Stage.STACKING}
"""Stages in the middle of a move: a game never stands there, so no text can describe them."""


def dealt_from_outside(record: Record) -> Iterator[Game]:
    """A recorded game whose tiles are given round by round: also the positions that wait for them."""
    faces = [chip.face for chip in CHIPS]
    plates = [int(name) - 1 for name in record.plates]
    game = Game.from_deal(record.rules, record.first, plates, [faces.index(face) for face in record.chips])
    moves = iter(record.moves)
    while True:
        yield game
        if game.awaits_deal:
            game.deal(record.tiles[game.round - 1])
        elif (token := next(moves, None)) is not None:
            game.push(token)
        else:
            return


def assert_reads_back(game: Game) -> None:
    """The text is read as the same position, and written as the same text; all observers know as much."""
    text = game.position
    again = Game.from_position(text)
    assert again.position == text
    assert again.position_key == game.position_key
    assert again == game or game.ended_early
    for observer in range(3):
        assert again.view(observer).to_bytes() == game.view(observer).to_bytes()
    sampled = game.view(game.ply % 3).sample(1)
    assert Game.from_position(sampled.position) == sampled


@given(seed=seeds, rules=rule_sets, taste=tastes)
@soak.examples(3)
def test_positions_are_read_back_at_every_ply(seed: int, rules: Rules, taste: str) -> None:
    stages = set()
    for game in dealt_from_outside(Record.of(played(seed, taste, rules))):
        stages.add(game.stage)
        assert_reads_back(game)
    assert stages >= {Stage.DEALING, Stage.OPENING, Stage.TURN, Stage.TILING, Stage.OVER}


@pytest.mark.parametrize("stage", [stage for stage in Stage if stage not in HALF_MADE])
def test_every_stage_has_a_position(stage: Stage) -> None:
    """A stage that is new must be readable, or be named as one in the middle of a move."""
    found = 0
    for seed in range(40):
        for game in dealt_from_outside(Record.of(played(seed, sorted(TASTES)[seed % 3]))):
            if game.stage is stage:
                assert_reads_back(game)
                found += 1
        if found > 10:
            return
    raise AssertionError(f"random play never reaches {stage.name}")


@pytest.mark.parametrize("stage", sorted(HALF_MADE))
def test_the_middle_of_a_move_is_no_position(stage: Stage) -> None:
    with pytest.raises(PositionError, match="stage"):
        Game.from_position(at_stage(stage).position)


@given(seed=seeds, taste=tastes)
@soak.examples(5)
def test_a_game_never_stands_in_the_middle_of_a_move(seed: int, taste: str) -> None:
    for game in play_on(Game.new(seed=seed), taste, Random(seed)):
        assert game.stage not in HALF_MADE


@given(seed=seeds, taste=tastes)
@soak.examples(5)
def test_a_game_that_ended_early_leaves_a_position(seed: int, taste: str) -> None:
    """A position tells how the table stands, not that somebody gave the game up."""
    game = played(seed, taste, most=seed % 120)
    if not game.is_over:
        game.resign(seed % 2)
    assert_reads_back(game)
    assert Game.from_position(game.position).ended_early is None


@pytest.mark.parametrize("round_no", [1, 2, 5])
def test_a_game_read_before_a_deal_goes_on_like_the_one_written(round_no: int) -> None:
    """Equal tiles are dealt, equal moves made, and the chips lie face down before and after."""
    record = Record.of(played(7, "chips"))
    games = dealt_from_outside(record)
    game = next(game for game in games if game.awaits_deal and game.round == round_no)
    again = Game.from_position(game.position)
    assert again.awaits_deal
    assert all(factory.chip_is_down for factory in again.factories[:4])
    tokens = record.moves[game.ply :]
    for other in (game, again):
        for token in ("", *tokens):
            if token:
                other.push(token)
            if other.awaits_deal:
                other.deal(record.tiles[other.round - 1])
    assert again == game
    assert again.is_over


def test_chips_lie_face_down_before_a_deal_if_nothing_else_is_said() -> None:
    game = Game.from_position("stage: dealing; round: 2")
    assert all(factory.chip_is_down for factory in game.factories[:4])
    assert_reads_back(game)
    game.reseed(1)
    assert game.stage is Stage.TURN
    assert_reads_back(game)
    assert tile_counts(game.state) == [13] * 5
    assert len(plate_list(game.state)) == 18
    assert len(chip_list(game.state)) == 16


def test_chips_that_are_gone_before_a_deal_lie_face_down() -> None:
    gone = "; ".join(f"factory {f}: sun - moon - chip gone" for f in range(1, 5))
    game = Game.from_position(f"stage: dealing; round: 2; {gone}")
    assert all(factory.chip_is_down for factory in game.factories[:4])
    assert_reads_back(game)


@pytest.mark.parametrize("rest", ["factory 1: sun - moon - chip up", "factory L: sun BYR moon -"])
def test_nothing_else_lies_on_the_factories_before_a_deal(rest: str) -> None:
    with pytest.raises(PositionError, match=r"R3\.10"):
        Game.from_position(f"stage: dealing; round: 2; {rest}")
