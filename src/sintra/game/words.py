"""Moves in plain English words."""

from __future__ import annotations

from typing import Final

from sintra.components import Color
from sintra.game.preview import preview_of
from sintra.tabletop import moves
from sintra.tabletop.tabletop import Tabletop

_ROWS: Final = {"1": "top", "2": "middle", "3": "bottom"}
_COLUMNS: Final = {"1": "left", "2": "centre", "3": "right"}
_TURNS: Final = ("", ", turned once", ", turned twice", ", turned three times")


def slot_words(slot: str) -> str:
    """A dome slot, like `top left`."""
    return "centre" if slot == "22" else f"{_ROWS[slot[0]]} {_COLUMNS[slot[1]]}"


def tiles_words(count: int, color: Color) -> str:
    """Tiles of one colour, like `2 blue tiles`."""
    return f"{count} {color} tile{'s' if count != 1 else ''}"


def describe(table: Tabletop, move: moves.Move) -> str:
    """A legal move of this table as a sentence without a subject, like `Draws a plate ...`."""
    match move:
        case moves.DisplayPlate(plate, slot, turns):
            return f"Lays plate {plate} on the {slot_words(slot)} slot{_TURNS[turns]}"
        case moves.KeepPlate(plate, slot, turns):
            return f"Keeps plate {plate} and lays it on the {slot_words(slot)} slot{_TURNS[turns]}"
        case moves.Draw():
            cost = f" for {table.draw_cost} point" if table.draw_cost else " for nothing"
            return f"Draws a plate from the stack{cost}"
        case moves.Look():
            return "Stops drawing and looks at the plates"
        case moves.ReturnPlate(plate):
            return f"Returns plate {plate} under the stack"
        case moves.HiddenReturn(back):
            return f"Returns a {back} plate under the stack"
        case moves.SunTake() | moves.MoonTake():
            return _describe_take(table, move)
        case moves.TakeChip(factory):
            chip = table.factory(factory).chip
            return f"Takes the bonus chip {f'{chip} ' if chip else ''}of factory {factory}"
        case moves.Pay(line, chips):
            return f"Spends the chips {', '.join(map(str, chips))} for a missing tile of line {line}"
        case moves.Place(line, column):
            return f"Places the tile of line {line} in column {column}"
        case moves.EndTiling():
            return "Ends the tiling"
    raise AssertionError(f"there are no words for {move!r}")


def _describe_take(table: Tabletop, move: moves.TakeTiles) -> str:
    effect = preview_of(table._states, move)
    order: tuple[Color, ...] = ()
    source = "the moon sides"
    if isinstance(move, moves.SunTake):
        order = move.order
        is_large = table.factory(move.factory).is_large
        source = f"the sun side of {'the large factory' if is_large else f'factory {move.factory}'}"
    text = f"Takes {tiles_words(effect.taken, move.color)} from {source}"
    if move.line is None:
        text += " and breaks them" if effect.taken > 1 else " and breaks it"
    else:
        text += f" to line {move.line}"
        lost = effect.broken + effect.to_tower
        if lost:
            text += f", {lost} broken"
    if order:
        text += f"; stacks {', '.join(map(str, order))}{' (top)' if len(order) > 1 else ''}"
    if effect.takes_start_tile:
        text += "; takes the start tile"
    return text
