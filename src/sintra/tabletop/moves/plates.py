"""Moves with dome plates (R2.6, R3.1): laid from the display, or drawn, looked at, kept and returned."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Final, Self

from sintra.components import PLATES, SLOT_NAMES, Plate, PlateKind, plate_index
from sintra.errors import NotationError
from sintra.tabletop.moves.move import Move, notation

TURNS: Final = 4
"""How many ways there are to turn a plate."""
_BY_NUMBER: Final = {plate.number: plate for plate in PLATES}
_LAID: Final = r"(?P<plate>[0-9]{2})@(?P<slot>[1-3][1-3])r(?P<turns>[0-3])"


def _check_plate(plate: object) -> None:
    if not isinstance(plate, Plate) or _BY_NUMBER.get(plate.number) != plate:
        raise NotationError(f"the plate of a move is one of PLATES, not {plate!r}")


class LayPlate(Move):
    """Lays a plate on a slot."""

    __slots__ = ()
    plate: Plate
    """The plate."""
    slot: str
    """The slot's row and column, like `23`."""
    turns: int
    """How many quarters the plate is turned clockwise."""

    def __post_init__(self) -> None:
        _check_plate(self.plate)
        if self.slot not in SLOT_NAMES:
            raise NotationError(f"a slot is its row and column, 11 to 33, not {self.slot!r}")
        if type(self.turns) is not int or not 0 <= self.turns < TURNS:
            raise NotationError(f"a plate is turned 0 to 3 times, not {self.turns!r}")

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(PLATES[plate_index(match["plate"])], match["slot"], int(match["turns"]))

    def __str__(self) -> str:
        return f"{self.letter}{self.plate.name}@{self.slot}r{self.turns}"

    @property
    def face(self) -> str:
        """The four spaces as they are laid, `TL TR BL BR`."""
        return self.plate.turned(self.turns)


@notation(f"P{_LAID}", "P07@23r1 (plate, slot row and column, quarter turns)")
@dataclass(frozen=True, slots=True, repr=False)
class DisplayPlate(LayPlate):
    """R2.6, R3.1: lays a plate from the display."""

    plate: Plate
    slot: str
    turns: int


@notation("D")
@dataclass(frozen=True, slots=True, repr=False)
class Draw(Move):
    """R3.1: draws a plate from the stack."""


@notation("H")
@dataclass(frozen=True, slots=True, repr=False)
class Look(Move):
    """R3.1: stops drawing and looks at the drawn plates."""


@notation(f"K{_LAID}", "K07@23r1 (plate, slot row and column, quarter turns)")
@dataclass(frozen=True, slots=True, repr=False)
class KeepPlate(LayPlate):
    """R3.1: keeps one of the drawn plates and lays it."""

    plate: Plate
    slot: str
    turns: int


@notation(r"<(?P<plate>[0-9]{2})", "<12 (plate)")
@dataclass(frozen=True, slots=True, repr=False)
class ReturnPlate(Move):
    """R3.1: puts one of the drawn plates under the stack."""

    plate: Plate

    def __post_init__(self) -> None:
        _check_plate(self.plate)

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(PLATES[plate_index(match["plate"])])

    def __str__(self) -> str:
        return f"<{self.plate.name}"

    def seen_by(self, observer: int, mover: int) -> Move:
        """R8: only the player who returns a plate knows which one."""
        return self if observer == mover else HiddenReturn(self.plate.kind)


@notation(r"<(?P<back>[*W])")
@dataclass(frozen=True, slots=True, repr=False)
class HiddenReturn(Move):
    """R8: the return of a plate of which only the back was seen, like `<*`. It can be told, but not made."""

    back: PlateKind

    def __post_init__(self) -> None:
        if not isinstance(self.back, PlateKind):
            raise NotationError(f"a returned plate shows its back, a PlateKind, not {self.back!r}")

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(PlateKind(match["back"]))

    def __str__(self) -> str:
        return f"<{self.back.value}"
