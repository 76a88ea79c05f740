"""Where a position stands, in one line of words: what both drawings write above the table."""

from __future__ import annotations

from sintra.components import PLATE_ROUNDS, ROUNDS
from sintra.rules.state import Stage
from sintra.tabletop.tabletop import Tabletop

_PHASES = {1: "taking turns", 2: "tiling and scoring", 3: "next round"}
_ASKS = {
    Stage.OPENING: "lays an opening plate",
    Stage.DRAWING: "draws another plate, or stops and looks",
    Stage.KEEPING: "keeps and lays one of the drawn plates",
    Stage.RETURNING: "returns a drawn plate under the stack",
    Stage.TURNING: "turns the plate",
    Stage.STACKING: "stacks the tiles left over",
    Stage.TILING: "places tiles, spends chips, or ends",
    Stage.PAYING: "spends chips to complete a line",
}


def round_words(table: Tabletop) -> str:
    """Round and phase, like `Round 2 of 5 · phase 1, taking turns`."""
    head = f"Round {table.round} of {ROUNDS}"
    if table.is_over:
        return head
    if table.stage is Stage.OPENING:
        return f"{head} · opening plates"
    return f"{head} · phase {table.phase}, {_PHASES[table.phase]}"


def asked_words(table: Tabletop) -> str:
    """Whose decision it is and what is asked, or how the game ended."""
    if table.is_over:
        result = table.result
        assert result is not None
        return f"Seat {result.winner} wins" + (f" ({result.reason})" if result.reason else "")
    if table.stage is Stage.DEALING:
        return f"The tiles of round {table.round} are to be dealt"
    asks = f"takes {_takes(table)}" if table.stage is Stage.TURN else _ASKS[table.stage]
    return f"Seat {table.turn} {asks}"


def winning_seat(table: Tabletop) -> int | None:
    """The seat that has won, or None while the game goes on."""
    result = table.result
    return result.winner if result else None


def mover(table: Tabletop) -> int | None:
    """The seat that decides now, or None when nobody does."""
    return None if table.is_over or table.stage is Stage.DEALING else table.turn


def total_with_goals(table: Tabletop, seat: int) -> int:
    """R6.2: the score if the goals were counted now; at the end they are in it already."""
    if table.stage is Stage.OVER:
        return table.scores[seat]
    return max(0, table.scores[seat] + sum(table.goal_points[seat]))


def _takes(table: Tabletop) -> str:
    """What a turn can take, like `a plate, tiles or a chip`."""
    board = table.board(table.turn)
    things = [
        ("a plate", table.round <= PLATE_ROUNDS and board.markers_left > 0),
        ("tiles", not all(factory.is_empty for factory in table.factories)),
        ("a chip", board.chips_left > 0 and any(factory.chip for factory in table.factories)),
    ]
    possible = [thing for thing, there in things if there]
    return " or ".join([", ".join(possible[:-1]), *possible[-1:]] if len(possible) > 1 else possible)
