"""What puzzles are about: themes that follow from their answers."""

from __future__ import annotations

import json
from collections import Counter
from dataclasses import replace

import pytest

from helpers import some
from sintra.components import PlateKind
from sintra.puzzles import THEMES, Puzzle, load
from sintra.puzzles.plans import plan_of
from sintra.puzzles.themes import COLUMN, themes_of
from sintra.tabletop.moves import LayPlate, Move, Pay, Place, SunTake, TakeChip, TakeTiles


def about(theme: str, kind: str = "") -> list[Puzzle]:
    return [one for one in load() if theme in one.themes and kind in ("", one.kind)]


def moves_of(puzzle: Puzzle) -> list[Move]:
    right = puzzle.answer if puzzle.kind == "tiling" else puzzle.answer[:1]
    return [Move.parse(token) for token in right]


def test_the_package_has_puzzles_of_every_theme() -> None:
    counts = Counter(theme for puzzle in load() for theme in puzzle.themes)
    assert set(counts) == set(THEMES)
    assert min(counts.values()) >= 30


@pytest.mark.parametrize("theme", THEMES)
def test_packaged_themes_are_those_of_the_answers(theme: str) -> None:
    for puzzle in some(about(theme)[:4]):
        assert themes_of(puzzle) == puzzle.themes


@pytest.mark.long
def test_all_packaged_themes_are_those_of_the_answers() -> None:
    for puzzle in some(load()):
        assert themes_of(puzzle) == puzzle.themes


def test_chips_are_taken_or_spent() -> None:
    for puzzle in some(about("chips")):
        assert any(isinstance(move, Pay | TakeChip) for move in moves_of(puzzle))


def test_tiles_are_broken_on_purpose() -> None:
    for puzzle in some(about("break")[:10]):
        (move,) = moves_of(puzzle)
        assert isinstance(move, TakeTiles)
        seen = puzzle.view.preview(move)
        assert seen.broken + seen.to_tower > 0


def test_a_stack_has_orders_that_are_wrong() -> None:
    for puzzle in some(about("stack")[:10]):
        (move,) = moves_of(puzzle)
        assert isinstance(move, SunTake)
        ways = [one for one in puzzle.view.legal_moves if plan_of(one) == plan_of(move)]
        assert len(ways) > len(puzzle.answer)


def test_a_special_plate_is_filled_or_laid() -> None:
    for puzzle in some(about("special")[:10]):
        game = puzzle.view.sample(0)
        found = False
        for move in moves_of(puzzle):
            if isinstance(move, LayPlate):
                found |= move.plate.kind is PlateKind.SPECIAL
            elif isinstance(move, Place):
                found |= game.preview(move).special is not None
            game.push(move)
        assert found


def test_a_line_is_filled() -> None:
    for puzzle in some(about("line")[:10]):
        (move,) = moves_of(puzzle)
        assert isinstance(move, TakeTiles)
        assert puzzle.view.preview(move).completes_line


def test_the_opponent_waits_for_the_colour_that_is_taken() -> None:
    for puzzle in some(about("needs")[:10]):
        (move,) = moves_of(puzzle)
        assert isinstance(move, TakeTiles)
        lines = puzzle.view.board(1 - puzzle.seat).lines
        assert move.color in {line.color for line in lines if line.tiles < line.number}


def test_the_last_tiles_break_for_the_opponent() -> None:
    for puzzle in some(about("last")[:10]):
        game = puzzle.view.sample(0)
        rival = 1 - puzzle.seat
        broken = 0
        game.push(puzzle.answer[0])
        for token in puzzle.explanation.line:
            move = Move.parse(token)
            if game.turn == rival and isinstance(move, TakeTiles):
                seen = game.preview(move)
                broken += seen.broken + seen.to_tower
            game.push(move)
        assert broken


def test_a_column_is_tall() -> None:
    for puzzle in some(about("column")[:10]):
        game = puzzle.view.sample(0)
        for move in moves_of(puzzle):
            game.push(move)
        dome = game.board(puzzle.seat).dome
        columns = ("".join("x" if row[c].tile is not None else " " for row in dome) for c in range(len(dome)))
        assert any("x" * COLUMN in column for column in columns)


def test_themes_are_read_as_they_were_written_and_may_be_missing() -> None:
    puzzle = about("chips")[0]
    assert Puzzle.loads(puzzle.dumps()).themes == puzzle.themes
    plain = replace(puzzle, themes=())
    assert "themes" not in json.loads(plain.dumps())
    assert Puzzle.loads(plain.dumps()) == plain
