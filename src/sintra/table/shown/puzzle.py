"""A puzzle as its solver is shown it: the question, what a hint says, and what explains the solution.

The question has nothing of the answer in it; hints and the explanation are made for those who ask, or have solved it.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final

from sintra.game.game import View
from sintra.puzzles import Puzzle
from sintra.review.forms import Sentence
from sintra.table.shown.game import sentences_shown, told_before
from sintra.table.shown.messages import Explained, LineMove, PuzzleBrief, PuzzleHint, PuzzleShown, Telling
from sintra.table.shown.study import line_told
from sintra.tabletop.moves import EndTiling, LayPlate, MoonTake, Move, Pay, Place, SunTake, TakeChip

_END: Final = str(EndTiling())


def brief_of_puzzle(puzzle: Puzzle) -> PuzzleBrief:
    """The puzzle as an entry of the list."""
    return PuzzleBrief(puzzle.id, puzzle.kind, puzzle.grade.rating, list(puzzle.themes))


def question_of(puzzle: Puzzle) -> PuzzleShown:
    """The question, without a word of the answer."""
    return PuzzleShown(
        puzzle.id,
        puzzle.kind,
        puzzle.grade.rating,
        puzzle.seat,
        puzzle.view.round,
        puzzle.position,
        puzzle.counts_goals,
    )


def about(view: View, token: str) -> PuzzleHint:
    """The hint that names the piece or line that a move is about, but not where it goes."""
    move, seat = Move.parse(token), view.seat
    if isinstance(move, SunTake):
        return PuzzleHint(Telling("puzzle.hint.sun", {"factory": move.factory}), [f"sun-{move.factory}"])
    if isinstance(move, MoonTake):
        return PuzzleHint(Telling("puzzle.hint.moon", {"color": move.color.letter}), [])
    if isinstance(move, TakeChip):
        return PuzzleHint(Telling("puzzle.hint.chip"), [f"chip-{move.factory}"])
    if isinstance(move, Pay):
        return PuzzleHint(Telling("puzzle.hint.pay", {"line": move.line}), [f"line-{seat}-{move.line}"])
    if isinstance(move, Place):
        return PuzzleHint(Telling("puzzle.hint.line", {"line": move.line}), [f"line-{seat}-{move.line}"])
    if isinstance(move, LayPlate):
        return PuzzleHint(Telling("puzzle.hint.plate"), [])
    return PuzzleHint(Telling("puzzle.hint.end" if isinstance(move, EndTiling) else "puzzle.hint.draw"), [])


def the_move(view: View, token: str) -> PuzzleHint:
    """The hint that names the move itself."""
    telling, places = told_before(view, token)
    return PuzzleHint(telling, places, token)


def explaining(puzzle: Puzzle, why: Sequence[Sentence] = ()) -> Generator[None, None, Explained]:
    """Writes the solution with its explanation, step by step; `why` says in sentences why it is better."""
    told = puzzle.explanation
    is_tiling = puzzle.kind == "tiling"
    right = puzzle.answer if is_tiling else puzzle.answer[:1]
    answer, line = yield from _both(puzzle, right, told.line)
    fails = told.natural_value is not None and told.natural_value < puzzle.best
    natural, refutation = (yield from _both(puzzle, told.natural, told.refutation)) if fails else ([], [])
    return Explained(
        answer,
        puzzle.best,
        line,
        told.sources,
        natural,
        told.natural_value if fails else None,
        told.natural_sources if fails else {},
        refutation,
        sentences_shown(why),
    )


def rivals_of(puzzle: Puzzle) -> tuple[str, ...]:
    """What the solution is held against: the natural try where it fails, or else the best of the others."""
    told = puzzle.explanation
    fails = told.natural_value is not None and told.natural_value < puzzle.best
    if puzzle.kind != "tiling":
        return told.natural[:1] if fails else tuple(token for token, _ in puzzle.others[:1])
    return tuple(str(move) for move in puzzle.view.legal_moves if str(move) != puzzle.answer[0])


def _both(
    puzzle: Puzzle, moves: Sequence[str], follow: Sequence[str]
) -> Generator[None, None, tuple[list[LineMove], list[LineMove]]]:
    """Some moves of the solver and what follows them; that a tiling ends goes without saying."""
    tokens = [token for token in moves if token != _END]
    told = yield from line_told(puzzle.view.sample(0), puzzle.seat, [*tokens, *follow])
    return told[: len(tokens)], told[len(tokens) :]
