"""Where games are kept: an append-only log of events, hashes of the secrets that open seats, and reviews.

`Storage` is all that the table asks of a database. A call may wait, and others get their turn meanwhile.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, NamedTuple, Protocol

from sintra.errors import SintraError
from sintra.table.games.leases import Leases

FRIEND: Final = "friend"
"""The role of the one who sits at the friend's seat, on all their devices."""
INVITATION: Final = "invitation"
"""What the friend's link opens until somebody sits down: a place to come to, with a secret of one's own."""
ARRIVED: Final = "arrived"
"""What that secret opens: the seat, for the first who looks at the game or acts in it."""
LAPSED: Final = "lapsed"
"""What invitations are from then on: nothing but the news that somebody sat down."""
LATE: Final = "late"
"""What the secrets of those who came and did not sit down are from then on."""


class StorageError(SintraError):
    """A database that cannot be used, or not at this moment; `reason` is all that it said, for the log."""

    reason = ""


class StorageAwayError(StorageError):
    """A database that does not answer at the moment, or takes nothing: what was asked can be tried again."""


class ConflictError(Exception):
    """The event's place in the log, or its post id, is taken already."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as it lies in the log."""

    seq: int
    post: str | None
    """The name of the act that it was (`PlayerAct.post_name`), if a player's."""
    at: str
    text: str
    """The event as JSON."""


class Secret(NamedTuple):
    """What is known of a secret: its hash, the role that it opens, and the name that was said with it."""

    hash: bytes
    role: str
    name: str


class Storage(Protocol):
    """A log of events for each game, who may open what, and reviews of games. Calls that come at once, also those
    of several processes with one database, are done as if they came one after the other. One that fails or is
    cancelled has been done whole or not at all; which of them, only the database knows."""

    async def append(self, game: str, event: Stored) -> None:
        """Adds an event; when this returns, it survives a crash of the service. A place or a post id that is taken
        raises ConflictError and changes nothing; a game that another process owns, LeaseLostError."""
        ...

    async def create(
        self,
        game: str,
        events: list[Stored],
        secrets: list[tuple[str, bytes]],
        follows: tuple[str, Stored] | None = None,
    ) -> None:
        """Adds a new game with its first events and its roles' secret hashes, and if it `follows` a game, the event
        that tells so there, all or nothing; a place that is taken raises ConflictError."""
        ...

    async def events(self, game: str, start: int = 0, most: int | None = None) -> list[Stored]:
        """A game's events in order, from one on, at most so many; none when there is no such game."""
        ...

    async def games(self) -> list[str]:
        """All games there are."""
        ...

    async def started_at(self, starts: list[bytes]) -> list[str]:
        """The games that began with one of these starts (`fingerprints.start_of`)."""
        ...

    async def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """Another secret that opens a role of a game."""
        ...

    async def invite(self, game: str, secret_hash: bytes) -> bool:
        """Another invitation to a game; False if somebody sits at the friend's seat already."""
        ...

    async def arrive(self, game: str, invitation: bytes, secret_hash: bytes, name: str) -> bool:
        """Another secret for somebody who came by an invitation and said a name; False if it is none any more."""
        ...

    async def arrivals(self, game: str, hashes: list[bytes]) -> list[tuple[bytes, str]]:
        """Those of the secrets whose holders have come and could still sit down, and the names they said."""
        ...

    async def sit(self, game: str, secret_hash: bytes, event: Stored | None) -> bool:
        """Gives the friend's seat to somebody who has come, tells it in the log if there is something to
        tell, and closes every invitation and every other arrival, all or nothing; False if that place is
        closed already. An event that conflicts raises ConflictError and changes nothing."""
        ...

    async def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """The roles that secrets with these hashes open in a game."""
        ...

    async def secrets(self, game: str) -> list[Secret]:
        """All secrets of a game, by their hashes."""
        ...

    async def put(self, game: str, events: list[Stored], secrets: list[Secret]) -> None:
        """Adds a game as another storage has it, all or nothing; a place that is taken raises ConflictError."""
        ...

    async def keep_review(self, key: str, record: str, review: str | None) -> None:
        """Keeps what is reviewed under a key, and the review once there is one. A record stays as it was kept first,
        and a review is not lost by a call without one."""
        ...

    async def kept_review(self, key: str) -> tuple[str, str | None] | None:
        """The record under a key and its review, if it has one already; None when nothing is kept there."""
        ...

    async def review_keys(self) -> list[str]:
        """The keys under which something is kept, in order."""
        ...

    def leases(self) -> Leases:
        """Which games this process owns, of all that use this database."""
        ...

    async def check(self) -> bool:
        """Whether the database lets itself be written to; raises StorageError if it does not answer."""
        ...

    async def close(self) -> None:
        """Ends the use of the database."""
        ...
