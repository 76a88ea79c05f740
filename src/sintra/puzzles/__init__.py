"""Puzzles: positions with one answer, found in self-play, proved and graded."""

from sintra.puzzles.answering import Judgement, Outcome, judge
from sintra.puzzles.collection import load, of_the_day, read_puzzles
from sintra.puzzles.making import make, make_from_game, prove
from sintra.puzzles.puzzle import KINDS, THEMES, Explanation, Grade, Kind, Puzzle, PuzzleError, Theme

__all__ = [
    "KINDS",
    "THEMES",
    "Explanation",
    "Grade",
    "Judgement",
    "Kind",
    "Outcome",
    "Puzzle",
    "PuzzleError",
    "Theme",
    "judge",
    "load",
    "make",
    "make_from_game",
    "of_the_day",
    "prove",
    "read_puzzles",
]
