"""Where every piece lies in the picture of a table: what draws it and what points at it ask here."""

from __future__ import annotations

from typing import Final, NamedTuple

from sintra.components import Color
from sintra.tabletop.pieces import Board, Factory

WIDTH: Final = 1280
HEIGHT: Final = 800
PLATES_AT: Final = (838, 70)
TOWER_AT: Final = (1030, 712)
BOARD_WIDTH: Final = 612
BOARD_HEIGHT: Final = 382
CELL: Final = 44
_GAP: Final = 6
_DOME_AT: Final = (312, 24)
_BELONGINGS_AT: Final = (26, 315)
_STACK_SHOWN: Final = 6


class Spot(NamedTuple):
    """A square: its upper left corner and its side."""

    x: float
    y: float
    size: float

    @property
    def center(self) -> tuple[float, float]:
        """The middle of the square."""
        return self.x + self.size / 2, self.y + self.size / 2

    def moved(self, x: float, y: float) -> Spot:
        """Returns the spot as it lies from an origin that is so far up and to the left."""
        return Spot(self.x + x, self.y + y, self.size)


def factory_at(factory: Factory) -> tuple[float, float]:
    """The corner of a factory."""
    return 20 + 144 * "1234L".index(factory.name), 70


def factory_width(factory: Factory) -> float:
    """Returns the width of a factory: the large one is wider."""
    return 230 if factory.is_large else 134


def board_at(seat: int) -> tuple[float, float]:
    """The corner of a board."""
    return 20 + 628 * seat, 318


def sun_spots(factory: Factory) -> list[Spot]:
    """The tiles of the sun side, in two rows, seen from the factory's corner."""
    width, tiles = factory_width(factory), len(factory.sun)
    upper = (tiles + 1) // 2
    top = 40 if tiles == 1 else 15
    return [
        Spot((width - 54 * row) / 2 + 54 * k + 3, top + 54 * r, 48)
        for r, row in enumerate((upper, tiles - upper))
        for k in range(row)
    ]


def moon_spots(factory: Factory) -> list[Spot]:
    """The tiles of the moon side: a stack that rises from left to right, or side by side on the large factory."""
    tiles = len(factory.moon)
    if not factory.is_large:
        return [Spot(30 + 26 * k, 184 - 17 * k, 44) for k in range(tiles)]
    left = 68 if factory.has_start_tile else 115 - 20 * tiles
    return [Spot(left + 40 * k, 170, 37) for k in range(tiles)]


def chip_spot(factory: Factory) -> Spot:
    """The chip of a small factory, below the stack if there is one."""
    return Spot(6, 188, 40) if factory.moon else Spot(37, 160, 60)


START_SPOT: Final = Spot(10, 160, 56)
"""The start tile on the large factory."""


NO_STACK_SPOT: Final = Spot(332, 36, 78)
"""Where the stack was."""


def display_spot(place: int) -> Spot:
    """A plate of the display, seen from the corner of the plates."""
    return Spot(12 + 106 * place, 28, 98)


def stack_spots(plates: int) -> list[Spot]:
    """The backs of the stack, the top one last."""
    return [Spot(332 + 1.5 * k, 50 - 3 * k, 74) for k in range(min(plates, _STACK_SHOWN))]


def stack_bottom(plates: int) -> Spot:
    """Where a plate goes under the stack, or lies alone."""
    return next(iter(stack_spots(plates)), NO_STACK_SPOT)


def hand_spot(place: int, drawn: int) -> Spot:
    """One of so many drawn plates."""
    return Spot(60 + min(44, 350 / drawn) * place, 151, 42)


def known_spot(place: int, with_hand: bool) -> Spot:
    """A place of the stack in the row that shows what is known of it, from the top."""
    return Spot(60 + 23.5 * place, 198 if with_hand else 180, 22)


def tower_spot(color: Color) -> Spot:
    """The tile that stands for a colour in the tower, seen from the tower's corner."""
    return Spot(12 + 43 * color, 36, 21)


def row_offset(row: int) -> float:
    """Where a row or column of the dome begins; between plates there is a gap."""
    return CELL * row + _GAP * (row // 2)


def line_spot(line: int, place: int) -> Spot:
    """A place of a line, from the right, seen from the board's corner; lines count from 1, places from 0."""
    return Spot(295 - CELL * (place + 1), 25 + row_offset(line - 1), 42)


def space_spot(row: int, column: int) -> Spot:
    """A space of the dome, counted from 1."""
    return Spot(_DOME_AT[0] + row_offset(column - 1) + 1, _DOME_AT[1] + row_offset(row - 1) + 1, 42)


def slot_spot(slot: int) -> Spot:
    """A slot for a plate, counted from 0."""
    x, y = (row_offset(2 * k) - 1 for k in (slot % 3, slot // 3))
    return Spot(_DOME_AT[0] + x, _DOME_AT[1] + y, 2 * CELL + 2)


def broken_spot(place: int) -> Spot:
    """A place for a broken tile."""
    return Spot(42 * place - 1, 13, 40).moved(*_BELONGINGS_AT)


TAKEN_START_SPOT: Final = Spot(171, 11, 44).moved(*_BELONGINGS_AT)
"""The start tile on a board."""


def stored_spot(place: int, chips: int) -> Spot:
    """One of so many chips of a board, those in store first, then those spent."""
    step = min(42, 340 / max(1, chips))
    return Spot(232 + step * place, 34 - step / 2, step - 3).moved(*_BELONGINGS_AT)


def chips_of_board(board: Board) -> int:
    """How many chips lie on a board, spent ones too."""
    return len(board.chips) + len(board.chips_spent)
