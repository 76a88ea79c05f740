"""What lies on the table, as readable values that cannot be changed: factories, lines, boards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import NamedTuple

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
    """R1.7: a pattern line."""

    number: int
    """1 to 6, which is also how many tiles fit."""
    color: Color | None
    """The colour of its tiles; None if it is empty."""
    tiles: int
    """How many tiles it holds."""
    is_placed: bool = False
    """In phase 2, whether its tile is on the dome already."""

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
    """A plate on a slot of a dome."""

    plate: Plate
    """The plate."""
    slot: str
    """The slot's row and column, like `23`."""
    turns: int
    """How many quarters it is turned clockwise."""

    @property
    def face(self) -> str:
        """The four spaces as laid, `TL TR BL BR`."""
        return self.plate.turned(self.turns)

    def __str__(self) -> str:
        return f"{self.slot}={self.plate.name}r{self.turns}"


class Space(NamedTuple):
    """A space of the dome."""

    shows: Color | PlateKind | None
    """A colour, `SPECIAL` or `WILD`; None without a plate."""
    tile: Color | PlateKind | None
    """The tile on it, a colour or `SPECIAL`; None if it is empty."""

    @property
    def is_empty(self) -> bool:
        """Whether no tile lies on it."""
        return self.tile is None


@dataclass(frozen=True, slots=True)
class Factory:
    """R1.3: a factory."""

    name: str
    """1 to 4, or L for the large one."""
    sun: tuple[Color, ...]
    """The tiles on its sun side."""
    moon: tuple[Color, ...]
    """The tiles on its moon side: a stack, bottom first, or on the large one side by side."""
    chip: Chip | None = None
    """The chip that lies face up."""
    chip_is_down: bool = False
    """Whether a chip lies face down."""
    has_start_tile: bool = False
    """Whether the start tile lies here, on the large factory."""

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
    """Whose board it is."""
    score: int
    """The points so far."""
    lines: tuple[Line, ...]
    """The six lines, from the top."""
    dome: tuple[tuple[Space, ...], ...]
    """The spaces of the dome, row by row."""
    plates: tuple[LaidPlate | None, ...]
    """The plate on each slot, row by row."""
    broken: tuple[Color, ...]
    """The broken tiles."""
    has_start_tile: bool
    """Whether the player holds the start tile."""
    chips: tuple[Chip, ...]
    """The unused chips."""
    chips_spent: tuple[Chip, ...]
    """The chips spent."""
    markers_left: int
    """How many plates the player may still take this round (R3.1)."""
    chips_left: int
    """How many chips the player may still take this round (R3.4)."""

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
    """A place of hand or stack."""

    candidates: tuple[Plate, ...]
    """The plates that could lie there; one if it is known."""

    @property
    def plate(self) -> Plate | None:
        """The plate, where it is known."""
        return self.candidates[0] if len(self.candidates) == 1 else None

    @property
    def kind(self) -> PlateKind | None:
        """What the back shows, where that is known."""
        kinds = {plate.kind for plate in self.candidates}
        return kinds.pop() if len(kinds) == 1 else None


def tiles_of(counts: Sequence[int]) -> tuple[Color, ...]:
    """Counts per colour as a tuple of tiles."""
    return tuple(color for color in Color for _ in range(counts[color]))


def chips_of(counts: Sequence[int]) -> tuple[Chip, ...]:
    """Counts per face as a tuple of chips."""
    return tuple(chip for chip, count in zip(CHIPS, counts, strict=True) for _ in range(count))
