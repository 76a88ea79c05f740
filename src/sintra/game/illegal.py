"""Why a move is not legal: the reason in words, with the rule it breaks."""

from __future__ import annotations

from collections import Counter
from typing import Final

from sintra.components import PLATE_ROUNDS, Color, PlateKind
from sintra.errors import IllegalMoveError
from sintra.rules.state import Stage
from sintra.tabletop.moves import (
    DisplayPlate,
    Draw,
    EndTiling,
    HiddenReturn,
    KeepPlate,
    Look,
    MoonTake,
    Move,
    Pay,
    Place,
    ReturnPlate,
    SunTake,
    TakeChip,
    TakeTiles,
)
from sintra.tabletop.pieces import Board, Line, Space
from sintra.tabletop.tabletop import Tabletop

_ASKED: Final = {
    Stage.OPENING: ("an opening plate is to be laid (P)", "R2.6"),
    Stage.TURN: ("a turn is to be taken (P, D, S, M or C)", "R3"),
    Stage.DRAWING: ("plates are being drawn: only D or H can follow", "R3.1"),
    Stage.KEEPING: ("one of the drawn plates is to be laid (K)", "R3.1"),
    Stage.RETURNING: ("the other drawn plates are to be returned (<)", "R3.1"),
    Stage.TILING: ("phase 2 is on: lines are tiled (T, U or E)", "R4"),
    Stage.PAYING: ("a payment is begun: the same line must be completed first (U)", "R4.4"),
}
_ANSWERS: Final[dict[Stage, tuple[type[Move], ...]]] = {
    Stage.OPENING: (DisplayPlate,),
    Stage.TURN: (DisplayPlate, Draw, SunTake, MoonTake, TakeChip),
    Stage.DRAWING: (Draw, Look),
    Stage.KEEPING: (KeepPlate,),
    Stage.RETURNING: (ReturnPlate,),
    Stage.TILING: (Pay, Place, EndTiling),
    Stage.PAYING: (Pay,),
}


def why_illegal(table: Tabletop, move: Move) -> IllegalMoveError:
    """The error for a move that the engine refuses."""
    return refused(move, *_reason(table, move))


def refused(move: Move, reason: str, rule: str) -> IllegalMoveError:
    """The error for a move that is not legal for a reason, by a rule."""
    return IllegalMoveError(f"{move} is not legal: {reason}", rule)


def why_none(table: Tabletop) -> tuple[str, str] | None:
    """Why no move at all is legal at a table that still asks for one, and the rule."""
    if ended := table.ended_early:
        return f"the game ended early ({ended.reason})", "R6"
    if table.stage in (Stage.TURNING, Stage.STACKING):
        return "a move is being made: the engine finishes it", "R3"
    return None


def _reason(table: Tabletop, move: Move) -> tuple[str, str]:
    stage = table.stage
    if stage is Stage.OVER:
        return "the game is over", "R6"
    if stage is Stage.DEALING:
        return "the tiles of the round are not dealt yet", "R7.3"
    if isinstance(move, HiddenReturn):
        return "it hides which plate was returned", "R8"
    if not isinstance(move, _ANSWERS[stage]):
        return _ASKED[stage]
    match move:
        case DisplayPlate():
            return _display_reason(table, move)
        case Draw():
            return _draw_reason(table)
        case KeepPlate() | ReturnPlate():
            return _drawn_reason(table, move)
        case SunTake() | MoonTake():
            return _take_reason(table, move)
        case TakeChip():
            return _chip_reason(table, move)
        case Pay():
            return _pay_reason(table, move)
        case Place():
            return _place_reason(table, move)
        case _:
            return "a complete line ahead has an open space and must be placed first", "R4.2"


def _slot_reason(slot: str) -> str:
    return f"slot {slot} holds a plate already"


def _no_plate_now(table: Tabletop) -> tuple[str, str] | None:
    if table.stage is Stage.TURN and table.round > PLATE_ROUNDS:
        return "no plates are taken in round 5", "R3.1"
    if table.stage is Stage.TURN and table.board(table.turn).markers_left == 0:
        return "both markers are used: two plates were taken this round", "R3.1"
    return None


def _display_reason(table: Tabletop, move: DisplayPlate) -> tuple[str, str]:
    rule = "R2.6" if table.stage is Stage.OPENING else "R3.1"
    if reason := _no_plate_now(table):
        return reason
    if move.plate not in table.display:
        shown = " ".join(plate.name for plate in table.display if plate) or "nothing"
        return f"plate {move.plate} is not on the display, which shows {shown}", rule
    return _slot_reason(move.slot), rule


def _draw_reason(table: Tabletop) -> tuple[str, str]:
    if reason := _no_plate_now(table):
        return reason
    if table.stack_size == 0:
        return "the stack is empty", "R3.1"
    return "a draw costs a point, and there is none left", "R3.1"


def _drawn_reason(table: Tabletop, move: KeepPlate | ReturnPlate) -> tuple[str, str]:
    if isinstance(move, KeepPlate) and table.board(table.turn).plate(move.slot) is not None:
        return _slot_reason(move.slot), "R3.1"
    return f"plate {move.plate} is not among the drawn ones", "R3.1"


def _take_reason(table: Tabletop, move: TakeTiles) -> tuple[str, str]:
    if isinstance(move, SunTake):
        sun = table.factory(move.factory).sun
        if move.color not in sun:
            return f"no {move.color} tile is on the sun side of factory {move.factory}", "R3.2"
        if not move.fits(sun):
            left = "".join(tile.letter for tile in sun if tile is not move.color)
            return f"its order must name the tiles left, {left}" if left else "no tile is left to stack", "R3.2"
    elif not any(move.color in (f.moon if f.is_large else f.moon[-1:]) for f in table.factories):
        return f"no {move.color} tile lies uncovered on a moon side", "R3.3"
    assert move.line is not None, "tiles that are there can always be broken"
    line = table.board(table.turn).line(move.line)
    if line.is_complete:
        return f"line {line.number} is full", "R3.5"
    return f"line {line.number} holds {line.color}", "R3.5"


def _chip_reason(table: Tabletop, move: TakeChip) -> tuple[str, str]:
    if table.board(table.turn).chips_left == 0:
        return "two chips were taken this round", "R3.4"
    if table.factory(move.factory).chip_is_down:
        return f"the chip of factory {move.factory} is not turned up yet", "R3.8"
    return f"the chip of factory {move.factory} is gone", "R3.4"


def _pay_reason(table: Tabletop, move: Pay) -> tuple[str, str]:
    if table.stage is Stage.PAYING and table.paid_line != move.line:
        return f"line {table.paid_line} is being paid for and must be completed first", "R4.4"
    board = table.board(table.turn)
    line = board.line(move.line)
    if line.tiles == 0 or line.color is None:
        return f"line {line.number} holds no tile", "R4.4"
    if line.is_complete or line.is_placed:
        return f"line {line.number} needs no chips", "R4.4"
    if any(board.chips.count(chip) < n for chip, n in Counter(move.chips).items()):
        return "not all of these chips are there, unused", "R4.4"
    showing = sum(chip.shows(line.color) for chip in move.chips)
    if (len(move.chips) == 2 and showing < 2) or (len(move.chips) == 3 and showing > 1):
        return f"a missing tile costs 2 chips that show {line.color}, or any 3 of which at most one does", "R4.4"
    if not _has_open_space(board, line.number, line.color):
        return f"line {line.number} has no open space", "R4.4"
    ahead = next((one for one in board.lines[: line.number - 1] if _is_compulsory(board, one)), None)
    if ahead is not None:
        return f"line {ahead.number} is complete with an open space and must be placed first", "R4.2"
    return f"line {line.number} could not be completed so, or the walk has passed it", "R4.4"


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


def _place_reason(table: Tabletop, move: Place) -> tuple[str, str]:
    board = table.board(table.turn)
    line = board.line(move.line)
    if line.is_placed:
        return f"line {line.number} is placed already", "R4.2"
    if line.color is not None and not _is_open(board.space(move.line, move.column), line.color):
        return f"column {move.column} of row {line.number} is no open space for {line.color}", "R4.1"
    if table.paid_line is not None and table.paid_line != line.number:
        return f"line {table.paid_line} is paid for and must be placed first", "R4.4"
    if not line.is_complete:
        return f"line {line.number} is not complete", "R4.2"
    return "lines go strictly from top to bottom", "R4.1"
