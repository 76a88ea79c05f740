"""Grades: which level finds a move, and the rating that follows."""

from __future__ import annotations

from itertools import pairwise

import pytest

from helpers import some
from sintra import View
from sintra.players.levels import LEVELS
from sintra.puzzles import load
from sintra.puzzles.grading import TRIES, grade_by_levels, level_of, rating_of
from sintra.puzzles.tilings import grade_of
from sintra.tabletop.moves import Move


def found_from(level: int) -> tuple[int, ...]:
    """What is found if this level and all above it always find it, and nobody else does."""
    return tuple(tries if number >= level else 0 for number, tries in enumerate(TRIES, start=1))


def test_a_puzzle_is_harder_the_later_it_is_found() -> None:
    ratings = [rating_of(found_from(level)) for level in range(1, len(LEVELS) + 1)]
    assert ratings == sorted(ratings)
    assert all(low < high for low, high in pairwise(ratings))
    for level, rating in zip(LEVELS[1:], ratings[1:], strict=True):
        assert abs(rating - level.elo) < 250, "beside the level that first finds it"


@pytest.mark.parametrize("number", range(1, len(LEVELS) + 1))
def test_the_level_is_the_lowest_from_which_on_all_find_it(number: int) -> None:
    assert level_of(found_from(number)) == number
    lucky = list(found_from(number))
    lucky[0] = TRIES[0]
    assert level_of(lucky) == (number if number > 2 else 1)


def test_more_finds_make_a_puzzle_easier() -> None:
    found = list(found_from(6))
    before = rating_of(found)
    found[3] += 3
    assert rating_of(found) < before


def test_levels_are_asked_with_different_dice_and_counted() -> None:
    puzzle = next(one for one in load() if one.kind == "win")
    asked: list[tuple[int, int]] = []
    wrong = next(move for move in puzzle.view.legal_moves if str(move) not in puzzle.answer)

    def ask(number: int, view: View, dice: int) -> Move:
        assert view == puzzle.view
        asked.append((number, dice))
        return Move.parse(puzzle.answer[0]) if number >= 9 or dice == 0 else wrong

    grade = grade_by_levels(puzzle, ask)
    assert grade
    assert grade.found == (1, 1, 1, 1, 1, 1, 1, 1, *TRIES[8:])
    assert grade.level == 9
    assert len(set(asked)) == len(asked) == sum(TRIES)
    assert grade_by_levels(puzzle, lambda number, view, dice: wrong) is None


def test_tilings_are_harder_with_more_boards_and_more_misses() -> None:
    assert grade_of(8, 1).rating < grade_of(16, 1).rating < grade_of(16, 2).rating < grade_of(400, 2).rating
    assert grade_of(6, 1).level < grade_of(400, 2).level <= len(LEVELS)


def test_the_grades_of_the_package_are_what_was_counted() -> None:
    for puzzle in some(puzzle for puzzle in load() if puzzle.kind != "tiling"):
        assert puzzle.grade.rating == rating_of(puzzle.grade.found)
        assert puzzle.grade.level == level_of(puzzle.grade.found)
        assert all(0 <= found <= tries for found, tries in zip(puzzle.grade.found, TRIES, strict=True))
