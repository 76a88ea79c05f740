"""What a puzzle is about, by the moves that solve it: themes to choose puzzles by.

They say something of the answer, so a question is asked without them.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sintra.components import GRID, PlateKind
from sintra.game.game import Game
from sintra.puzzles.plans import plan_of
from sintra.puzzles.puzzle import THEMES, Puzzle, Theme
from sintra.tabletop.moves import LayPlate, Move, Pay, Place, SunTake, TakeChip, TakeTiles

COLUMN: Final = 5
"""From how many tiles under each other on a puzzle is about a column."""


def themes_of(puzzle: Puzzle) -> tuple[Theme, ...]:
    """The themes of a puzzle, in the order of `THEMES`."""
    moves = [Move.parse(token) for token in _answer(puzzle)]
    found = set(_of_moves(puzzle, moves))
    if puzzle.kind != "tiling":
        if _hangs_on_order(puzzle):
            found.add("stack")
        if _breaks_in(puzzle, puzzle.explanation.line):
            found.add("last")
    return tuple(theme for theme in THEMES if theme in found)


def _answer(puzzle: Puzzle) -> tuple[str, ...]:
    """The moves of the answer: a whole tiling, or the one move, in any of its ways."""
    return puzzle.answer if puzzle.kind == "tiling" else puzzle.answer[:1]


def _of_moves(puzzle: Puzzle, moves: Iterable[Move]) -> Iterable[Theme]:
    """The themes of moves that are made one after the other."""
    game = puzzle.view.sample(0)
    for move in moves:
        match move:
            case Pay() | TakeChip():
                yield "chips"
            case LayPlate() if move.plate.kind is PlateKind.SPECIAL:
                yield "special"
            case TakeTiles():
                seen = game.preview(move)
                if seen.broken or seen.to_tower:
                    yield "break"
                if seen.completes_line:
                    yield "line"
                rival = game.board(1 - puzzle.seat)
                if any(line.color == move.color and line.room for line in rival.lines):
                    yield "needs"
            case Place() if game.preview(move).special is not None:
                yield "special"
        game.push(move)
        if isinstance(move, Place) and _column_through(game, puzzle.seat, move) >= COLUMN:
            yield "column"


def _column_through(game: Game, seat: int, move: Place) -> int:
    """R5: how many tiles stand under each other with the one just placed."""
    tiles = [row[move.column - 1].tile is not None for row in game.board(seat).dome]
    row = move.line - 1
    first = last = row
    while first > 0 and tiles[first - 1]:
        first -= 1
    while last < GRID - 1 and tiles[last + 1]:
        last += 1
    return last - first + 1


def _breaks_in(puzzle: Puzzle, line: Iterable[str]) -> bool:
    """R3.6: whether the opponent breaks tiles in the line of best play that follows the answer."""
    game = puzzle.view.sample(0)
    game.push(puzzle.answer[0])
    for token in line:
        move = Move.parse(token)
        if isinstance(move, TakeTiles) and game.turn != puzzle.seat:
            seen = game.preview(move)
            if seen.broken or seen.to_tower:
                return True
        game.push(move)
    return False


def _hangs_on_order(puzzle: Puzzle) -> bool:
    """R3.2: whether another order of the stack that is left behind would be wrong."""
    move = Move.parse(puzzle.answer[0])
    if not isinstance(move, SunTake) or len(set(move.order)) < 2:
        return False
    ways = [one for one in puzzle.view.legal_moves if plan_of(one) == plan_of(move)]
    return len(ways) > len(puzzle.answer)
