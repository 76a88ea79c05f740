"""What a player is: somebody who sees a view of their seat and answers with a move."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import wraps
from typing import Any, Final, Protocol, runtime_checkable

from sintra.components import SPECTATOR
from sintra.errors import SintraError
from sintra.game.game import View
from sintra.game.illegal import why_none
from sintra.game.seeds import derive
from sintra.rules.state import Stage
from sintra.tabletop.moves import Move

_CHECKED: Final = "_checks_the_turn"


class PlayerError(SintraError):
    """An unknown player, or a parameter it does not have."""


class NotToMoveError(SintraError):
    """A player is asked for a move from a view of somebody who is not to move."""


def require_turn(view: View) -> None:
    """Refuses a view from which no decision can be made."""
    if view.to_move and not why_none(view):
        return
    who = "a spectator" if view.seat == SPECTATOR else f"seat {view.seat}"
    if view.is_over:
        why = "the game is over"
    elif view.stage is Stage.DEALING:
        why = "the tiles of the next round are to be dealt first"
    elif view.to_move:
        why = "a move is being made"
    else:
        why = f"seat {view.turn} is"
    raise NotToMoveError(f"{who} is not to move: {why}")


_HURRY: Final = ((20.0, 1.0), (10.0, 0.5), (5.0, 0.25), (2.5, 0.125))
"""Seconds left, each with the share of its budget that a player takes if it has at least so many."""
MIN_SHARE: Final = 0.05
"""The share of a player with less time than any of these."""


@dataclass(frozen=True, slots=True)
class Clock:
    """Time left, in seconds, for a player who may want to think less when it runs out; `increment` comes with every
    turn that is done."""

    left: float
    increment: float = 0.0

    @property
    def share(self) -> float:
        """The share of a budget to think with, in a few steps, so that moves do not hang on milliseconds. A turn that
        takes its time gets two increments back before it matters, if there is time left to get there."""
        spare = min(self.left + 2 * self.increment, 8 * self.left)
        return next((share for seconds, share in _HURRY if spare >= seconds), MIN_SHARE)


@runtime_checkable
class Player(Protocol):
    """Chooses moves from views; the same view, seed and budget give the same move."""

    name: str

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The move to make in a position where this seat is to move; any other view is refused
        before a registered player gets it."""
        ...

    def new_game(self, seed: int) -> None:
        """Begins a game; whatever is random from here on follows from the seed."""
        ...


class Seeded:
    """The base of players with dice, which follow from the player's seed, the game's, and the view."""

    def __init__(self, name: str, seed: int) -> None:
        self.name = name
        self._seed = seed
        self._game = 0

    def new_game(self, seed: int) -> None:
        """Begins a game with other dice."""
        self._game = seed

    def seed_for(self, view: View) -> int:
        """The seed of all that is random about the move in a view."""
        return derive(self._seed, self._game, view.key)


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
        if isinstance(make, type):
            _have_turns_checked(make)
        _registry[name] = Entry(name, summary, make, parameters)
        return make

    return add


def _have_turns_checked(made: Any) -> None:
    """Makes `choose` of a class of players, or of one player that has its own, refuse views in which there is nothing
    to decide."""
    choose = made.choose
    if getattr(choose, _CHECKED, False):
        return
    if isinstance(made, type):

        @wraps(choose)
        def checked(self: Any, view: View, *more: Any, **named: Any) -> Any:
            require_turn(view)
            return choose(self, view, *more, **named)

    else:

        @wraps(choose)
        def checked(view: View, *more: Any, **named: Any) -> Any:
            require_turn(view)
            return choose(view, *more, **named)

    setattr(checked, _CHECKED, True)
    made.choose = checked


def entries() -> list[Entry]:
    """All entries of the registry."""
    return list(_registry.values())


def player(text: str) -> Player:
    """A player from its name and parameters, like `random` or `search:sims=800,seed=7`."""
    name, _, rest = text.partition(":")
    if name not in _registry:
        raise PlayerError(f"unknown player {name!r}: there are {', '.join(sorted(_registry))}")
    entry = _registry[name]
    made = entry.make(**_parameters(entry, rest))
    _have_turns_checked(made if "choose" in getattr(made, "__dict__", ()) else type(made))
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
