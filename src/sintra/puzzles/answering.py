"""Whether somebody's moves solve a puzzle."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from sintra.puzzles.plans import plan_of
from sintra.puzzles.puzzle import Puzzle, PuzzleError
from sintra.puzzles.tilings import tiled_so_far

Outcome = Literal["right", "wrong", "unfinished"]


@dataclass(frozen=True, slots=True)
class Judgement:
    """The judgement of a try; values are in the puzzle's unit."""

    outcome: Outcome
    """Whether it is right."""
    value: float | None
    """The points of a tiling so far, or the value of the move; None for a wrong move that the puzzle does not name."""
    best: float
    """The value of the answer."""
    second: float
    """The value of the best other try."""
    reachable: float | None = None
    """The points that a tiling can still make."""
    ahead: tuple[str, ...] = ()
    """Moves that make these points."""


def judge(puzzle: Puzzle, moves: Sequence[str]) -> Judgement:
    """Judges the moves made so far, in the notation. A tiling is right if it makes the most points, in whatever way;
    elsewhere the one move decides. Moves that are not legal are refused with an `IllegalMoveError`."""
    if puzzle.kind == "tiling":
        tiled = tiled_so_far(puzzle.view, moves)
        outcome: Outcome = "unfinished"
        if tiled.is_done:
            outcome = "right" if tiled.points >= puzzle.best else "wrong"
        return Judgement(outcome, tiled.points, puzzle.best, puzzle.second, tiled.reachable, tiled.ahead)
    if not moves:
        return Judgement("unfinished", None, puzzle.best, puzzle.second)
    if len(moves) > 1:
        raise PuzzleError(f"one move is asked for, not {len(moves)}")
    move = puzzle.view.legal_moves.require(moves[0])
    if str(move) in puzzle.answer:
        return Judgement("right", puzzle.best, puzzle.best, puzzle.second)
    return Judgement("wrong", dict(puzzle.others).get(plan_of(move)), puzzle.best, puzzle.second)
