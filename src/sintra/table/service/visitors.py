"""Who comes to a game: the roles that secrets give, and the seats of each."""

from __future__ import annotations

from functools import lru_cache
from typing import Final, NamedTuple

from sintra.table.games.room import Room
from sintra.table.shown.game import Watcher

SEATS_OF: Final[dict[str, dict[str, tuple[int, ...]]]] = {
    "computer": {"own": (0,)},
    "friend": {"own": (0,), "friend": (1,)},
    "screen": {"own": (0, 1)},
}
"""The seats of each role in each mode; `watch` has none."""
ROLES: Final = ("own", "friend", "watch")
"""The roles at a game; somebody with several acts in the name of the first."""


class Visitor(NamedTuple):
    """Somebody who asks for a game."""

    room: Room
    game: str
    """The game's name."""
    role: str
    """The role in whose name they act, of those that their secrets give them."""
    seats: tuple[int, ...]
    """The seats that they play."""
    watcher: Watcher
    """From where they look."""


@lru_cache(maxsize=16)
def role_of(roles: frozenset[str]) -> str:
    """The role in whose name somebody with these roles acts."""
    return next(role for role in ROLES if role in roles)


@lru_cache(maxsize=256)
def seats_of(mode: str, roles: frozenset[str]) -> tuple[int, ...]:
    """The seats that somebody with these roles plays."""
    return tuple(sorted({seat for role in roles for seat in SEATS_OF[mode].get(role, ())}))
