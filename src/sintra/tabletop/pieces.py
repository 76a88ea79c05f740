"""What lies on the table, as readable values that cannot be changed: factories, lines, boards."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from sintra.components import (
    CHIPS,
    GRID,
    LINES,
    SLOT_NAMES,
    Chip,
    Color,
    Plate,
    PlateKind,
)
from sintra.errors import SintraError


@dataclass(frozen=True, slots=True)
class Line:
    """R1.7: a pattern line; in phase 2 `is_placed` says that its tile is on the dome already."""

    number: int
    color: Color | None
    tiles: int
    is_placed: bool = False

    @property
    def room(self) -> int:
        """How many tiles still fit."""
        return self.number - self.tiles

    @property
    def is_complete(self) -> bool:
        """Whether it is full."""
        return self.room == 0

    def __str__(self) -> str:
        letter = self.color.letter if self.color is not None else "."
        return letter * self.tiles + "." * self.room


@dataclass(frozen=True, slots=True)
class LaidPlate:
    """A plate on a slot of a dome (its row and column, like `23`), turned by quarters."""

    plate: Plate
    slot: str
    turns: int

    @property
    def face(self) -> str:
        """The four spaces as laid, `TL TR BL BR`."""
        return self.plate.turned(self.turns)

    def __str__(self) -> str:
        return f"{self.slot}={self.plate.name}r{self.turns}"


class Space(NamedTuple):
    """A space of the dome: what it shows, a colour or `SPECIAL` or `WILD` (None without a plate), and
    the tile on it, a colour or `SPECIAL` (None if it is empty)."""

    shows: Color | PlateKind | None
    tile: Color | PlateKind | None

    @property
    def is_empty(self) -> bool:
        """Whether no tile lies on it."""
        return self.tile is None


@dataclass(frozen=True, slots=True)
class Factory:
    """R1.3: a factory. On a small one `moon` is the stack, bottom first; on the large one the
    tiles lie side by side."""

    name: str
    sun: tuple[Color, ...]
    moon: tuple[Color, ...]
    chip: Chip | None = None
    chip_is_down: bool = False
    has_start_tile: bool = False

    @property
    def is_large(self) -> bool:
        """Whether it is the large factory."""
        return self.name == "L"

    @property
    def is_empty(self) -> bool:
        """Whether no tile is left on it."""
        return not self.sun and not self.moon


@dataclass(frozen=True, slots=True)
class Board:
    """R1.7: what one player has before them."""

    seat: int
    score: int
    lines: tuple[Line, ...]
    dome: tuple[tuple[Space, ...], ...]
    plates: tuple[LaidPlate | None, ...]
    broken: tuple[Color, ...]
    has_start_tile: bool
    chips: tuple[Chip, ...]
    chips_spent: tuple[Chip, ...]
    markers_left: int
    chips_left: int

    def line(self, number: int) -> Line:
        """The line with this number, 1 to 6."""
        return self.lines[_place(number, LINES, "line")]

    def space(self, row: int, column: int) -> Space:
        """The space of the dome in this row and column, 1 to 6."""
        return self.dome[_place(row, GRID, "row")][_place(column, GRID, "column")]

    def plate(self, slot: str) -> LaidPlate | None:
        """The plate on a slot, named by its row and column, `11` to `33`."""
        if slot not in SLOT_NAMES:
            raise SintraError(f"there is no slot {slot!r}: slots are 11 to 33")
        return self.plates[SLOT_NAMES.index(slot)]

    @property
    def tiles_placed(self) -> int:
        """How many spaces of the dome hold tiles."""
        return sum(not space.is_empty for row in self.dome for space in row)


def _place(number: int, most: int, what: str) -> int:
    """The place of a number that counts from 1."""
    if number not in range(1, most + 1):
        raise SintraError(f"there is no {what} {number!r}: it is 1 to {most}")
    return number - 1


class PilePlace(NamedTuple):
    """A place of the stack: the plates that could lie there, one if it is known."""

    candidates: tuple[Plate, ...]

    @property
    def plate(self) -> Plate | None:
        """The plate, where it is known."""
        return self.candidates[0] if len(self.candidates) == 1 else None

    @property
    def kind(self) -> PlateKind | None:
        """What the back shows, where that is known."""
        kinds = {plate.kind for plate in self.candidates}
        return kinds.pop() if len(kinds) == 1 else None


def tiles_of(counts: np.ndarray) -> tuple[Color, ...]:
    """Counts per colour as a tuple of tiles."""
    return tuple(color for color in Color for _ in range(counts[color]))


def chips_of(counts: np.ndarray) -> tuple[Chip, ...]:
    """Counts per face as a tuple of chips."""
    return tuple(chip for chip, count in zip(CHIPS, counts.tolist(), strict=True) for _ in range(count))
