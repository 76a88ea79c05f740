"""Moves that take tiles and chips from the factories (R3.2 to R3.4)."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Self

from sintra.components import COLOR_LETTERS, FACTORY_LETTERS, LARGE, LINES, SMALL_FACTORIES, SMALL_FILL, Color
from sintra.errors import Fault, NotationError
from sintra.tabletop.moves.move import Move, is_number, notation

LARGE_NAME: Final = FACTORY_LETTERS[LARGE]
"""The name of the large factory."""
_FACTORIES: Final = tuple(FACTORY_LETTERS)
_SMALL: Final = _FACTORIES[:SMALL_FACTORIES]
_COLOR: Final = f"[{COLOR_LETTERS}]"
_TO: Final = rf"(?P<color>{_COLOR})(?P<to>[1-6x])"


class TakeTiles(Move):
    """Takes all tiles of a colour."""

    __slots__ = ()
    color: Color
    """The colour taken."""
    line: int | None
    """The line that the tiles go to, 1 to 6; None breaks them."""

    def __post_init__(self) -> None:
        if not isinstance(self.color, Color):
            raise NotationError(f"the colour of a take is a Color, not {self.color!r}")
        if self.line is not None and not is_number(self.line, LINES):
            raise NotationError(f"the line of a take is 1 to {LINES}, or None to break the tiles, not {self.line!r}")

    def _written(self) -> str:
        """Colour and destination."""
        return f"{self.color.letter}{'x' if self.line is None else self.line}"


def _color_and_line(match: re.Match[str]) -> tuple[Color, int | None]:
    return Color.from_letter(match["color"]), None if match["to"] == "x" else int(match["to"])


@notation(
    rf"S(?P<factory>[1-4L]){_TO}(?::(?P<order>{_COLOR}{{1,3}}))?",
    "S1B3:RYK or SLB3 (factory, colour, line or x, and for a small factory the tiles left, bottom first)",
)
@dataclass(frozen=True, slots=True, repr=False)
class SunTake(TakeTiles):
    """R3.2: takes from the sun side of a factory."""

    factory: str
    """The factory's name."""
    color: Color
    line: int | None
    order: tuple[Color, ...] = ()
    """How the tiles left on a small factory are stacked, bottom first."""

    def __post_init__(self) -> None:
        TakeTiles.__post_init__(self)
        if self.factory not in _FACTORIES:
            raise NotationError(f"a factory is one of {' '.join(_FACTORIES)}, not {self.factory!r}")
        if not self.order:
            return
        if self.factory == LARGE_NAME:
            raise NotationError(Fault("order_large"))
        if len(self.order) >= SMALL_FILL or not all(isinstance(tile, Color) for tile in self.order):
            raise NotationError("an order names the 1 to 3 tiles left on a small factory (R3.2)")
        if self.color in self.order:
            raise NotationError(Fault("order_taken", color=self.color))

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(match["factory"], *_color_and_line(match), tuple(map(Color.from_letter, match["order"] or "")))

    def __str__(self) -> str:
        order = f":{''.join(tile.letter for tile in self.order)}" if self.order else ""
        return f"S{self.factory}{self._written()}{order}"

    def fits(self, sun: Sequence[Color]) -> bool:
        """R3.2: whether the order names exactly the tiles left of these, if they lie on a small factory."""
        left = sorted(tile for tile in sun if tile != self.color)
        return self.factory == LARGE_NAME or sorted(self.order) == left


@notation(f"M{_TO}", "MB3 (colour, line or x)")
@dataclass(frozen=True, slots=True, repr=False)
class MoonTake(TakeTiles):
    """R3.3: takes from the moon sides."""

    color: Color
    line: int | None

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(*_color_and_line(match))

    def __str__(self) -> str:
        return f"M{self._written()}"


@notation(r"C(?P<factory>[1-4])", "C2 (small factory)")
@dataclass(frozen=True, slots=True, repr=False)
class TakeChip(Move):
    """R3.4: takes the chip of a small factory."""

    factory: str
    """The factory's name."""

    def __post_init__(self) -> None:
        if self.factory not in _SMALL:
            raise NotationError(f"chips lie on the factories {' '.join(_SMALL)}, not on {self.factory!r}")

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        return cls(match["factory"])

    def __str__(self) -> str:
        return f"C{self.factory}"
