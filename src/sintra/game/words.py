"""Moves in plain English words."""

from __future__ import annotations

from sintra.components import PLATES, SMALL_FACTORIES, Color
from sintra.game.preview import preview_of
from sintra.tabletop.moves import Move, MoveKind
from sintra.tabletop.tabletop import Tabletop

_ROWS = ("top", "middle", "bottom")
_COLUMNS = ("left", "centre", "right")
_TURNS = ("", ", turned once", ", turned twice", ", turned three times")


def slot_words(slot: int) -> str:
    """A dome slot, like `top left`."""
    row, column = divmod(slot, 3)
    return "centre" if slot == 4 else f"{_ROWS[row]} {_COLUMNS[column]}"


def tiles_words(count: int, color: Color) -> str:
    """Tiles of one colour, like `2 blue tiles`."""
    return f"{count} {color} tile{'s' if count != 1 else ''}"


def describe(table: Tabletop, move: Move) -> str:
    """A legal move of this table as a sentence without a subject, like `Draws a plate ...`."""
    match move.kind:
        case MoveKind.DISPLAY_PLATE | MoveKind.KEEP_PLATE:
            assert move.plate is not None and move.slot is not None and move.turns is not None
            verb = "Keeps" if move.kind is MoveKind.KEEP_PLATE else "Lays"
            then = " and lays it" if move.kind is MoveKind.KEEP_PLATE else ""
            where = f"on the {slot_words(move.slot)} slot{_TURNS[move.turns]}"
            return f"{verb} plate {PLATES[move.plate].name}{then} {where}"
        case MoveKind.DRAW:
            cost = f" for {table.draw_cost} point" if table.draw_cost else " for nothing"
            return f"Draws a plate from the stack{cost}"
        case MoveKind.LOOK:
            return "Stops drawing and looks at the plates"
        case MoveKind.RETURN_PLATE:
            name = f"plate {PLATES[move.plate].name}" if move.plate is not None else f"a {move.back} plate"
            return f"Returns {name} under the stack"
        case MoveKind.SUN | MoveKind.MOON:
            return _describe_take(table, move)
        case MoveKind.CHIP:
            assert move.factory is not None
            return f"Takes the bonus chip {_chip_face(table, move.factory)}of factory {move.factory + 1}"
        case MoveKind.PAY:
            assert move.line is not None
            chips = ", ".join(chip.face for chip in move.chips)
            return f"Spends the chips {chips} for a missing tile of line {move.line + 1}"
        case MoveKind.PLACE:
            assert move.line is not None and move.column is not None
            return f"Places the tile of line {move.line + 1} in column {move.column + 1}"
        case MoveKind.END:
            return "Ends the tiling"


def _chip_face(table: Tabletop, factory: int) -> str:
    chip = table.factories[factory].chip if factory < SMALL_FACTORIES else None
    return f"{chip.face} " if chip else ""


def _describe_take(table: Tabletop, move: Move) -> str:
    assert move.color is not None
    effect = preview_of(table._states, move)
    if move.kind is MoveKind.SUN:
        assert move.factory is not None
        name = table.factories[move.factory].name
        source = "the sun side of the large factory" if name == "L" else f"the sun side of factory {name}"
    else:
        source = "the moon sides"
    text = f"Takes {tiles_words(effect.taken, move.color)} from {source}"
    if move.line is None:
        text += " and breaks them" if effect.taken > 1 else " and breaks it"
    else:
        text += f" to line {move.line + 1}"
        lost = effect.broken + effect.to_tower
        if lost:
            text += f", {lost} broken"
    if move.order:
        text += f"; stacks {', '.join(map(str, move.order))}{' (top)' if len(move.order) > 1 else ''}"
    if effect.takes_start_tile:
        text += "; takes the start tile"
    return text
