"""How hard a move is to find: by which of the levels find it, as a rating on their ladder."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from functools import cache
from typing import Final

from sintra.game.game import View
from sintra.players.levels import LEVELS, LevelPlayer
from sintra.puzzles.puzzle import Grade, Puzzle
from sintra.tabletop.moves import Move

TRIES: Final = (8, 8, 8, 8, 8, 8, 6, 6, 4, 2, 1)
"""How often each level is asked, every time with other dice."""
RELIABLY: Final = 0.75
"""A level that finds the answer in this share of its tries finds it reliably."""
MIDDLE: Final = 1500.0
"""Where a rating lies that nothing is known of: it counts as one try found and one missed."""
MIN_RATING: Final = 400.0
MAX_RATING: Final = 2900.0
STEP: Final = 400.0
"""The Elo points that stand for ten times the odds on the ladder."""


@cache
def _level(number: int) -> LevelPlayer:
    return LevelPlayer(str(number))


def _asked(number: int, view: View, dice: int) -> Move:
    level = _level(number)
    level.new_game(dice)
    return level.choose(view)


def grade_by_levels(puzzle: Puzzle, ask: Callable[[int, View, int], Move] = _asked) -> Grade | None:
    """Lets all levels try; None if the strongest does not find the answer either."""
    found = tuple(
        sum(str(ask(level.number, puzzle.view, dice)) in puzzle.answer for dice in range(tries))
        for level, tries in zip(LEVELS, TRIES, strict=True)
    )
    if not found[-1]:
        return None
    return Grade(rating_of(found), level_of(found), found)


def level_of(found: Sequence[int]) -> int:
    """The lowest level that finds the answer reliably, as do all above it."""
    lowest = len(LEVELS)
    for level in reversed(LEVELS):
        if found[level.number - 1] < RELIABLY * TRIES[level.number - 1]:
            break
        lowest = level.number
    return lowest


def rating_of(found: Sequence[int]) -> int:
    """The rating at which so many finds are expected of the levels, if a puzzle is an opponent on their ladder."""
    low, high = MIN_RATING, MAX_RATING
    while high - low > 0.5:
        middle = (low + high) / 2
        expected = 2 * _chance(MIDDLE, middle)
        expected += sum(tries * _chance(level.elo, middle) for level, tries in zip(LEVELS, TRIES, strict=True))
        if expected > sum(found) + 1:
            low = middle
        else:
            high = middle
    return round(low)


def _chance(elo: float, rating: float) -> float:
    """How often somebody of this strength finds a puzzle of this rating."""
    return float(1 / (1 + 10 ** ((rating - elo) / STEP)))
