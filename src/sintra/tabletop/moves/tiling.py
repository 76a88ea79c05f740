"""Moves of phase 2 (R4): chips are spent, tiles are placed, the tiling ends."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Self

from sintra.components import CHIPS, GRID, LINES, Chip, chip_index
from sintra.errors import Fault, NotationError
from sintra.tabletop.moves.move import Move, is_number, notation


def _check_line(line: object) -> None:
    if not is_number(line, LINES):
        raise NotationError(f"a line is 1 to {LINES}, not {line!r}")


@notation(r"U(?P<line>[1-6]):(?P<chips>..(?:,..){1,2})", "U3:T-,TY (line, 2 or 3 chips)")
@dataclass(frozen=True, slots=True, repr=False)
class Pay(Move):
    """R4.4: spends chips for one missing tile of a line."""

    line: int
    """The line, 1 to 6."""
    chips: tuple[Chip, ...]
    """The two or three chips, in the order of R1.5."""

    def __post_init__(self) -> None:
        _check_line(self.line)
        if len(self.chips) not in (2, 3) or not all(chip in CHIPS for chip in self.chips):
            raise NotationError("a missing tile is paid for with 2 or 3 chips (R4.4)")
        in_order = sorted(self.chips, key=CHIPS.index)
        if in_order != list(self.chips):
            raise NotationError(Fault("chip_order", right=",".join(map(str, in_order))))

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(int(match["line"]), tuple(CHIPS[chip_index(face)] for face in match["chips"].split(",")))

    def __str__(self) -> str:
        return f"U{self.line}:{','.join(chip.face for chip in self.chips)}"


@notation(r"T(?P<line>[1-6])(?P<column>[1-6])", "T35 (line, column)")
@dataclass(frozen=True, slots=True, repr=False)
class Place(Move):
    """R4.2: places the tile of a line on the dome."""

    line: int
    """The line, 1 to 6."""
    column: int
    """The column of the dome, 1 to 6."""

    def __post_init__(self) -> None:
        _check_line(self.line)
        if not is_number(self.column, GRID):
            raise NotationError(f"a column is 1 to {GRID}, not {self.column!r}")

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(int(match["line"]), int(match["column"]))

    def __str__(self) -> str:
        return f"T{self.line}{self.column}"


@notation("E")
@dataclass(frozen=True, slots=True, repr=False)
class EndTiling(Move):
    """R4: ends this player's tiling of the round."""
