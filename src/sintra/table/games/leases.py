"""Who owns a game: of all processes at a database, one holds it in memory and writes its events.

A lease says who is asked. What is true of a game is in its log, to which the database lets only the owner write: a
process that was taken for dead, and lost its leases, can write nothing when it comes back.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import NamedTuple, Protocol


class Owner(NamedTuple):
    """The process that owns something, and the private address at which other processes reach it."""

    process: str
    address: str


class OwnedElsewhereError(Exception):
    """What is asked for belongs to another process, which can be asked for it."""

    def __init__(self, name: str, owner: Owner) -> None:
        super().__init__(f"{name} is owned by process {owner.process}")
        self.name = name
        self.owner = owner


class LeaseLostError(Exception):
    """An event was refused because another process owns the game."""


@dataclass(frozen=True, slots=True)
class LeaseEvents:
    """What a process does about leases: `lost`, it was taken for dead and owns nothing any more; `gone`, some other
    processes are."""

    lost: Callable[[], None]
    gone: Callable[[set[str]], None]


class Leases(Protocol):
    """What the processes at a database own. A call may raise StorageError while the database is away."""

    @property
    def token(self) -> str:
        """What processes at this database know, and nobody else."""
        ...

    @property
    def processes(self) -> int:
        """How many processes serve the table, as far as is known."""
        ...

    async def open(self, address: str, events: LeaseEvents) -> None:
        """Registers this process, which others reach at an address."""
        ...

    async def take(self, game: str) -> bool:
        """Makes this process the owner of a game, if nobody is or its owner is dead; False if there is no such game.
        OwnedElsewhereError says who else owns it."""
        ...

    async def take_review(self, key: str) -> None:
        """Makes this process the one that makes a review, as for a game."""
        ...

    def forget(self, name: str) -> None:
        """Forgets who else owns something: the database is asked again."""
        ...

    async def close(self) -> None:
        """Gives everything back."""
        ...


class SoleOwner:
    """The leases of a process that has its database to itself: it owns everything."""

    token = ""
    processes = 1

    async def open(self, address: str, events: LeaseEvents) -> None:
        """See `Leases`."""

    async def take(self, game: str) -> bool:
        """See `Leases`; whether there is such a game, its log tells."""
        return True

    async def take_review(self, key: str) -> None:
        """See `Leases`."""

    def forget(self, name: str) -> None:
        """See `Leases`."""

    async def close(self) -> None:
        """See `Leases`."""
