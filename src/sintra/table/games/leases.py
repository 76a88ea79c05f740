"""Leases: of all processes at a database, one owns a game, holds it in memory and writes its events.

A lease says which process is asked. The truth of a game is in its log, to which the database lets only the owner write:
a process that was considered dead, and lost its leases, can write nothing when it comes back.
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
    """Another process owns what is asked for; the request can be forwarded to it."""

    def __init__(self, name: str, owner: Owner) -> None:
        super().__init__(f"{name} is owned by process {owner.process}")
        self.name = name
        self.owner = owner


class LeaseLostError(Exception):
    """An event was refused because another process owns the game."""


@dataclass(frozen=True, slots=True)
class LeaseEvents:
    """What is called when leases are lost."""

    lost: Callable[[], None]
    """Others consider this process dead: it owns nothing any more."""
    gone: Callable[[set[str]], None]
    """These other processes have died."""


class Leases(Protocol):
    """What the processes at a database own. Calls raise StorageError while the database is away."""

    @property
    def token(self) -> str:
        """The secret by which the processes at this database recognise each other."""

    @property
    def processes(self) -> int:
        """How many processes were alive at the latest heartbeat."""

    async def open(self, address: str, events: LeaseEvents) -> None:
        """Registers this process, which others reach at an address."""

    async def take(self, game: str) -> bool:
        """Makes this process the owner of a game, unless a living process owns it (OwnedElsewhereError); False if there
        is no such game."""

    async def take_review(self, key: str) -> None:
        """Makes this process the owner of a review that is to be made; OwnedElsewhereError if another one is."""

    def forget(self, name: str) -> None:
        """Drops the cached owner of something: the database is asked again."""

    async def close(self) -> None:
        """Gives all leases back and deregisters this process."""


class SoleOwner:
    """The leases of the only process at a database: it owns everything."""

    token = ""
    processes = 1

    async def open(self, address: str, events: LeaseEvents) -> None:
        """See `Leases`."""

    async def take(self, game: str) -> bool:
        """See `Leases`; the caller finds out from the log whether there is such a game."""
        return True

    async def take_review(self, key: str) -> None:
        """See `Leases`."""

    def forget(self, name: str) -> None:
        """See `Leases`."""

    async def close(self) -> None:
        """See `Leases`."""
