"""What a player is: somebody who sees a view of their seat and answers with a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from sintra.errors import SintraError
from sintra.moves import Move
from sintra.view import View


class PlayerError(SintraError):
    """An unknown player, or a parameter it does not have."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left, in seconds, for a player who may want to think less when it runs out."""

    left: float
    increment: float = 0.0


@runtime_checkable
class Player(Protocol):
    """Chooses moves from views; the same view, seed and budget give the same move."""

    name: str

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The move to make in a position where this seat is to move."""
        ...

    def new_game(self, seed: int) -> None:
        """A game begins; whatever is random from here on follows from the seed."""
        ...


@dataclass(frozen=True, slots=True)
class Entry:
    """A kind of player in the registry."""

    name: str
    summary: str
    make: Callable[..., Player]
    parameters: dict[str, type]


_registry: dict[str, Entry] = {}


def register(name: str, summary: str, **parameters: type) -> Callable[[Callable[..., Player]], Callable[..., Player]]:
    """Adds a kind of player, with the names and types of its parameters, to the registry."""

    def add(make: Callable[..., Player]) -> Callable[..., Player]:
        _registry[name] = Entry(name, summary, make, parameters)
        return make

    return add


def entries() -> list[Entry]:
    """All kinds of players."""
    return list(_registry.values())


def player(text: str) -> Player:
    """A player from its name and parameters, like `random` or `search:sims=800,seed=7`."""
    name, _, rest = text.partition(":")
    if name not in _registry:
        raise PlayerError(f"unknown player {name!r}: there are {', '.join(sorted(_registry))}")
    entry = _registry[name]
    made = entry.make(**_parameters(entry, rest))
    made.name = text
    return made


def _parameters(entry: Entry, text: str) -> dict[str, Any]:
    found: dict[str, Any] = {}
    for part in filter(None, text.split(",")):
        key, equals, value = part.partition("=")
        if key not in entry.parameters or not equals:
            allowed = ", ".join(f"{known}=…" for known in entry.parameters) or "none"
            raise PlayerError(f"player {entry.name!r} has no parameter {part!r}: it takes {allowed}")
        kind = entry.parameters[key]
        try:
            found[key] = kind(value)
        except ValueError:
            raise PlayerError(f"{key}={value!r} of player {entry.name!r} must be of type {kind.__name__}") from None
    return found
