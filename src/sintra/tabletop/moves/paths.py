"""Translates moves to choices of the engine and back."""

from __future__ import annotations

from functools import lru_cache
from typing import Final

from sintra.components import CHIPS, FACTORY_LETTERS, LARGE, PLATES, SLOT_NAMES, Color, slot_index
from sintra.rules import choices
from sintra.rules.choices import BREAK
from sintra.rules.state import States, held
from sintra.tabletop.moves.move import Move
from sintra.tabletop.moves.plates import DisplayPlate, Draw, KeepPlate, LayPlate, Look, ReturnPlate
from sintra.tabletop.moves.takes import MoonTake, SunTake, TakeChip
from sintra.tabletop.moves.tiling import EndTiling, Pay, Place

NO_PATH: Final = 0
"""The path of a move that cannot be made; the engine refuses it."""
_COLORS: Final = tuple(Color)


def path_of(move: Move, states: States, i: int) -> int:
    """The packed path of choices that makes a move in a state. Whether it is legal is for the engine to say. A move
    that names other tiles or plates than there are has `NO_PATH`."""
    match move:
        case SunTake():
            return _sun_path(move, states, i)
        case MoonTake():
            return choices.pack_one(choices.moon(move.color, destination_for(move.line)))
        case Place():
            return choices.pack_one(choices.place(move.line - 1, move.column - 1))
        case LayPlate():
            if isinstance(move, KeepPlate) != bool(held(states).get("drawn", i)):
                return NO_PATH
            return choices.pack((choices.lay(move.plate.index, slot_index(move.slot)), choices.turn(move.turns)))
        case TakeChip():
            return choices.pack_one(choices.chip(FACTORY_LETTERS.index(move.factory)))
        case Pay():
            path = [] if held(states).get("pay_line", i) == move.line - 1 else [choices.pay(move.line - 1)]
            return choices.pack([*path, *(choices.spend(CHIPS.index(chip)) for chip in move.chips)])
        case EndTiling():
            return choices.pack_one(choices.END)
        case Draw():
            return choices.pack_one(choices.DRAW)
        case Look():
            return choices.pack_one(choices.LOOK)
        case ReturnPlate():
            return choices.pack_one(choices.give_back(move.plate.index))
    return NO_PATH


def _sun_path(move: SunTake, states: States, i: int) -> int:
    """R3.2: the take, then the order of the tiles left, if it names just these."""
    factory = FACTORY_LETTERS.index(move.factory)
    take = choices.pack_one(choices.sun(factory, move.color, destination_for(move.line)))
    if factory == LARGE:
        return take
    stacking, counts = _stacked(tuple(move.order))
    left = held(states).row("sun", factory, i)
    left[move.color] = 0
    return choices.joined(take, 1, stacking) if left == counts else NO_PATH


@lru_cache(maxsize=256)
def _stacked(order: tuple[Color, ...]) -> tuple[int, list[int]]:
    """The packed path that stacks tiles in an order, and how many there are of each colour."""
    return choices.pack_stack(order), [order.count(color) for color in _COLORS]


def _sun(states: States, i: int, factory: int) -> list[Color]:
    """The tiles on a factory's sun side, in the order of colours."""
    counts = held(states).get("sun", i)[factory]
    return [color for color in _COLORS for _ in range(counts[color])]


def destination_for(line: int | None) -> int:
    """The destination of a take to a line, or of one that breaks the tiles."""
    return BREAK if line is None else line - 1


def _line(destination: int) -> int | None:
    return None if destination == BREAK else destination + 1


def move_of(packed: int, states: States, i: int) -> Move:
    """The move that a packed path of choices makes in a state."""
    path = choices.unpack(packed)
    choice = path[0]
    match choices.kind_of(choice):
        case choices.SUN:
            return _sun_move(path, states, i)
        case choices.MOON:
            return MoonTake(_COLORS[choices.color_of(choice)], _line(choices.destination_of(choice)))
        case choices.LAY:
            plate, slot = choices.plate_and_slot(choice)
            kind = KeepPlate if held(states).get("drawn", i) else DisplayPlate
            (turns,) = choices.fields(path[1])
            return kind(PLATES[plate], SLOT_NAMES[slot], turns)
        case choices.PLACE:
            line, column = choices.line_and_column(choice)
            return Place(line + 1, column + 1)
        case choices.CHIP:
            (factory,) = choices.fields(choice)
            return TakeChip(FACTORY_LETTERS[factory])
        case choices.PAY:
            (line,) = choices.fields(choice)
            return _payment(line, path[1:])
        case choices.SPEND:
            return _payment(held(states).get("pay_line", i), path)
        case choices.RETURN:
            (plate,) = choices.fields(choice)
            return ReturnPlate(PLATES[plate])
        case choices.DRAW:
            return Draw()
        case choices.LOOK:
            return Look()
        case _:
            return EndTiling()


def _payment(line: int, spent: list[int]) -> Pay:
    faces = [face for choice in spent for face in choices.fields(choice)]
    return Pay(line + 1, tuple(CHIPS[face] for face in faces))


def _sun_move(path: list[int], states: States, i: int) -> SunTake:
    choice = path[0]
    factory, color = choices.factory_of(choice), _COLORS[choices.color_of(choice)]
    order: list[Color] = []
    if factory != LARGE:
        order = [_COLORS[tile] for stacked in path[1:] for tile in choices.fields(stacked)]
        left = [tile for tile in _sun(states, i, factory) if tile is not color]
        for tile in order:
            left.remove(tile)
        order += left
    return SunTake(FACTORY_LETTERS[factory], color, _line(choices.destination_of(choice)), tuple(order))
