"""Why a move is not legal: the reason in words, with the rule it breaks."""

from __future__ import annotations

from collections import Counter
from typing import Final

from sintra.components import PLATE_ROUNDS, Color, PlateKind
from sintra.errors import Fault, IllegalMoveError, SintraError
from sintra.rules.state import Stage
from sintra.tabletop import moves
from sintra.tabletop.pieces import Board, Line, Space
from sintra.tabletop.tabletop import Tabletop

_ASKED: Final = {
    Stage.OPENING: (Fault("not_now.opening", choices="P"), "R2.6"),
    Stage.TURN: (Fault("not_now.turn", choices="P, D, S, M, C"), "R3"),
    Stage.DRAWING: (Fault("not_now.drawing", choices="D, H"), "R3.1"),
    Stage.KEEPING: (Fault("not_now.keeping", choices="K"), "R3.1"),
    Stage.RETURNING: (Fault("not_now.returning", choices="<"), "R3.1"),
    Stage.TILING: (Fault("not_now.tiling", choices="T, U, E"), "R4"),
    Stage.PAYING: (Fault("not_now.paying", choices="U"), "R4.4"),
}
"""Why a move of another kind is refused at each stage, and the rule."""
_ANSWERS: Final[dict[Stage, tuple[type[moves.Move], ...]]] = {
    Stage.OPENING: (moves.DisplayPlate,),
    Stage.TURN: (moves.DisplayPlate, moves.Draw, moves.SunTake, moves.MoonTake, moves.TakeChip),
    Stage.DRAWING: (moves.Draw, moves.Look),
    Stage.KEEPING: (moves.KeepPlate,),
    Stage.RETURNING: (moves.ReturnPlate,),
    Stage.TILING: (moves.Pay, moves.Place, moves.EndTiling),
    Stage.PAYING: (moves.Pay,),
}
"""The kinds of moves that each stage asks for."""


def why_illegal(table: Tabletop, move: moves.Move) -> IllegalMoveError:
    """The error for a move that the engine refuses."""
    return refused(move, *_reason(table, move))


def refused(move: moves.Move, reason: str | Fault, rule: str) -> IllegalMoveError:
    """The error for a move that is not legal for a reason, by a rule."""
    return IllegalMoveError(SintraError(Fault("at_token", move=move), reason), rule)


HALF_MADE: Final = (Stage.TURNING, Stage.STACKING)
"""Stages within a move."""


def why_none(table: Tabletop) -> tuple[str | Fault, str] | None:
    """Why no move at all is legal at a table that still asks for one, and the rule."""
    if ended := table.ended_early:
        return Fault("over.early", reason=ended.reason), "R6"
    if table.stage in HALF_MADE:
        return "a move is being made: the engine finishes it", "R3"
    return None


def _reason(table: Tabletop, move: moves.Move) -> tuple[Fault, str]:
    """Why a move is not legal, and the rule."""
    stage = table.stage
    if stage is Stage.OVER:
        return Fault("over"), "R6"
    if stage is Stage.DEALING:
        return Fault("not_dealt"), "R7.3"
    if isinstance(move, moves.HiddenReturn):
        return Fault("hidden"), "R8"
    if not isinstance(move, _ANSWERS[stage]):
        return _ASKED[stage]
    match move:
        case moves.DisplayPlate():
            return _display_reason(table, move)
        case moves.Draw():
            return _draw_reason(table)
        case moves.KeepPlate() | moves.ReturnPlate():
            return _drawn_reason(table, move)
        case moves.SunTake() | moves.MoonTake():
            return _take_reason(table, move)
        case moves.TakeChip():
            return _chip_reason(table, move)
        case moves.Pay():
            return _pay_reason(table, move)
        case moves.Place():
            return _place_reason(table, move)
        case _:
            return Fault("downward.ahead"), "R4.2"


def _slot_reason(slot: str) -> Fault:
    return Fault("slot_taken", slot=slot)


def _no_plate_now(table: Tabletop) -> tuple[Fault, str] | None:
    if table.stage is Stage.TURN and table.round > PLATE_ROUNDS:
        return Fault("no_plates_now"), "R3.1"
    if table.stage is Stage.TURN and table.board(table.turn).markers_left == 0:
        return Fault("no_marker"), "R3.1"
    return None


def _display_reason(table: Tabletop, move: moves.DisplayPlate) -> tuple[Fault, str]:
    rule = "R2.6" if table.stage is Stage.OPENING else "R3.1"
    if reason := _no_plate_now(table):
        return reason
    if move.plate not in table.display:
        shown = " ".join(plate.name for plate in table.display if plate) or "nothing"
        return Fault("not_on_display", plate=move.plate, shown=shown), rule
    return _slot_reason(move.slot), rule


def _draw_reason(table: Tabletop) -> tuple[Fault, str]:
    if reason := _no_plate_now(table):
        return reason
    if table.stack_size == 0:
        return Fault("stack_empty"), "R3.1"
    return Fault("no_point"), "R3.1"


def _drawn_reason(table: Tabletop, move: moves.KeepPlate | moves.ReturnPlate) -> tuple[Fault, str]:
    if isinstance(move, moves.KeepPlate) and table.board(table.turn).plate(move.slot) is not None:
        return _slot_reason(move.slot), "R3.1"
    return Fault("not_drawn", plate=move.plate), "R3.1"


def _take_reason(table: Tabletop, move: moves.TakeTiles) -> tuple[Fault, str]:
    if isinstance(move, moves.SunTake):
        sun = table.factory(move.factory).sun
        if move.color not in sun:
            return Fault("no_sun_tile", color=move.color, factory=move.factory), "R3.2"
        if not move.fits(sun):
            left = "".join(tile.letter for tile in sun if tile is not move.color)
            return Fault("stack_order", left=left) if left else Fault("stack_order.none", left="-"), "R3.2"
    elif not any(move.color in (f.moon if f.is_large else f.moon[-1:]) for f in table.factories):
        return Fault("no_moon_tile", color=move.color), "R3.3"
    assert move.line is not None, "tiles that are there can always be broken"
    line = table.board(table.turn).line(move.line)
    if line.is_complete:
        return Fault("line_full", line=line.number), "R3.5"
    return Fault("line_holds", line=line.number, color=line.color), "R3.5"


def _chip_reason(table: Tabletop, move: moves.TakeChip) -> tuple[Fault, str]:
    if table.board(table.turn).chips_left == 0:
        return Fault("chips_taken"), "R3.4"
    if table.factory(move.factory).chip_is_down:
        return Fault("chip_down", factory=move.factory), "R3.8"
    return Fault("chip_gone", factory=move.factory), "R3.4"


def _pay_reason(table: Tabletop, move: moves.Pay) -> tuple[Fault, str]:
    if table.stage is Stage.PAYING and table.paid_line != move.line:
        return Fault("line_first.paid", line=table.paid_line), "R4.4"
    board = table.board(table.turn)
    line = board.line(move.line)
    if line.tiles == 0 or line.color is None:
        return Fault("pay.no_tile", line=line.number), "R4.4"
    if line.is_complete or line.is_placed:
        return Fault("pay.no_need", line=line.number), "R4.4"
    if any(board.chips.count(chip) < n for chip, n in Counter(move.chips).items()):
        return Fault("pay_missing"), "R4.4"
    showing = sum(chip.shows(line.color) for chip in move.chips)
    if (len(move.chips) == 2 and showing < 2) or (len(move.chips) == 3 and showing > 1):
        return Fault("pay_cost", color=line.color), "R4.4"
    if not _has_open_space(board, line.number, line.color):
        return Fault("pay.no_space", line=line.number), "R4.4"
    ahead = next((one for one in board.lines[: line.number - 1] if _is_compulsory(board, one)), None)
    if ahead is not None:
        return Fault("line_first.complete", line=ahead.number), "R4.2"
    return Fault("pay.other", line=line.number), "R4.4"


def _is_compulsory(board: Board, line: Line) -> bool:
    """R4.2: a complete line with an open space that is not placed yet."""
    if line.color is None or not line.is_complete or line.is_placed:
        return False
    return _has_open_space(board, line.number, line.color)


def _has_open_space(board: Board, row: int, color: Color) -> bool:
    return any(_is_open(space, color) for space in board.dome[row - 1])


def _is_open(space: Space, color: Color) -> bool:
    """R4.1: whether a tile of the colour may be placed there."""
    return space.is_empty and space.shows in (color, PlateKind.WILD)


def _place_reason(table: Tabletop, move: moves.Place) -> tuple[Fault, str]:
    board = table.board(table.turn)
    line = board.line(move.line)
    if line.is_placed:
        return Fault("placed", line=line.number), "R4.2"
    if line.color is not None and not _is_open(board.space(move.line, move.column), line.color):
        return Fault("no_space", column=move.column, row=line.number, color=line.color), "R4.1"
    if table.paid_line is not None and table.paid_line != line.number:
        return Fault("line_first.place", line=table.paid_line), "R4.4"
    if not line.is_complete:
        return Fault("incomplete", line=line.number), "R4.2"
    return Fault("downward"), "R4.1"
