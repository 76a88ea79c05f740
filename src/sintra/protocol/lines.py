"""What both sides of the engine protocol share: its version, a view in one line, and what `go` can ask for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, fields
from typing import Final, Self

from sintra.errors import SintraError
from sintra.game.game import Game, View
from sintra.players.search import MAX_SIMULATIONS

VERSION: Final = 1
MAX_TIME: Final = 24 * 3600 * 1000
"""Milliseconds: a day."""


class ProtocolError(SintraError):
    """A line that cannot be obeyed."""


def in_one_line(view: View) -> str:
    """A view as text, as `position` takes it."""
    return "; ".join(view.position.splitlines())


def view_in(text: str) -> View:
    """The view that `position` is given, or what the seat to move sees of a whole position."""
    if any(part.partition(":")[0].strip() == "seat" for part in text.split(";")):
        return View.from_position(text)
    game = Game.from_position(text)
    return game.view(game.turn)


@dataclass(frozen=True, slots=True)
class Go:
    """How long to think: so many simulations, about so many milliseconds, or as usual; and `limit`, the
    milliseconds after which an answer comes too late."""

    sims: int | None = None
    movetime: int | None = None
    limit: int | None = None

    @classmethod
    def parse(cls, words: Sequence[str]) -> Self:
        """What follows the word `go`: names, each with a number."""
        most = {field.name: MAX_SIMULATIONS if field.name == "sims" else MAX_TIME for field in fields(cls)}
        found: dict[str, int] = {}
        for name, number in zip(words[::2], [*words[1::2], ""], strict=False):
            if name not in most:
                raise ProtocolError(f"go has no {name!r}: it takes {', '.join(most)}, each with a number")
            if name in found:
                raise ProtocolError(f"go says {name} twice")
            found[name] = whole(f"go {name}", number, 1, most[name])
        return cls(**found)

    def __str__(self) -> str:
        said = {field.name: getattr(self, field.name) for field in fields(self)}
        return " ".join(["go", *(f"{name} {number}" for name, number in said.items() if number is not None)])


def whole(what: str, text: str, low: int, high: int) -> int:
    """A whole number within bounds."""
    if text.isascii() and text.isdigit() and len(text) <= 20 and low <= int(text) <= high:
        return int(text)
    raise ProtocolError(f"{what} takes a whole number from {low} to {high}, not {text!r}")
