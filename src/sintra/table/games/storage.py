"""Where games are kept: an append-only log of events, hashes of the secrets that open seats, and reviews.

`Storage` is all that the table asks of a database. Its calls are coroutines: other requests run while one waits.
"""

from __future__ import annotations

from typing import Final, NamedTuple, Protocol

from sintra.errors import SintraError
from sintra.table.games.leases import Leases

FRIEND: Final = "friend"
"""The role of the player at the friend's seat, on all their devices."""
INVITATION: Final = "invitation"
"""The role of the secret in the friend's link, until somebody sits down: it lets anybody in who says a name."""
ARRIVED: Final = "arrived"
"""The role of the secrets that such guests get: the first who looks at the game or acts in it sits down."""
LAPSED: Final = "lapsed"
"""The role of an invitation after somebody sat down: it opens nothing any more."""
LATE: Final = "late"
"""The role of the other guests' secrets after somebody sat down."""


class StorageError(SintraError):
    """The database cannot be used, or not at this moment; `reason` is its own message, for the access log."""

    reason = ""


class StorageAwayError(StorageError):
    """The database does not answer at the moment, or is read-only: the call can be repeated."""


class ConflictError(Exception):
    """An event was refused because its number, or the name of its act, is in the log already."""


class Stored(NamedTuple):
    """An event as it lies in the log: the columns of its row, after the game's name."""

    seq: int
    post: str | None
    """The name of the player's act that it was (`PlayerAct.post_name`), if it was one."""
    at: str
    text: str
    """The event as JSON."""


class Secret(NamedTuple):
    """What is known of a secret: its hash, the role that it opens, and the name that was said with it."""

    hash: bytes
    role: str
    name: str


class Storage(Protocol):
    """A log of events for each game, the secrets of its seats, and reviews of games. Concurrent calls, also those of
    several processes at one database, are serialized. A call that fails or is cancelled has been done whole or not at
    all; which of them, only the database knows."""

    async def append(self, game: str, event: Stored) -> None:
        """Appends an event to the log of a game; when this returns, it survives a crash of the service. ConflictError
        if the number or the name is taken, LeaseLostError if another process owns the game; then nothing changed."""

    async def create(
        self,
        game: str,
        events: list[Stored],
        secrets: list[tuple[str, bytes]],
        follows: tuple[str, Stored] | None = None,
    ) -> None:
        """Adds a new game with its first events and the hashes of its roles' secrets, and if it `follows` a game, the
        event that says so in the other log, all or nothing; ConflictError if one of them is there already."""

    async def events(self, game: str, start: int = 0, limit: int | None = None) -> list[Stored]:
        """The events of a game in order, from number `start` on; an empty list if there is no such game."""

    async def games(self) -> list[str]:
        """The names of all games."""

    async def started_at(self, starts: list[bytes]) -> list[str]:
        """The games that began with one of these starts (`fingerprints.start_of`)."""

    async def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """Adds a secret that opens a role at a game."""

    async def invite(self, game: str, secret_hash: bytes) -> bool:
        """Adds an invitation to a game; False if somebody sits at the friend's seat already."""

    async def arrive(self, game: str, invitation: bytes, secret_hash: bytes, name: str) -> bool:
        """Adds a secret for a guest who came by an invitation and said a name; False if the invitation has lapsed."""

    async def arrivals(self, game: str, hashes: list[bytes]) -> list[tuple[bytes, str]]:
        """Those of the secrets whose guests could still sit down, and the names that they said."""

    async def sit(self, game: str, secret_hash: bytes, event: Stored | None) -> bool:
        """Gives the friend's seat to a guest, appends the event if there is one, and closes all invitations and the
        secrets of all other guests, all or nothing; False if the guest's secret is closed already. ConflictError if the
        event's number is taken; then nothing changed."""

    async def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """The roles that secrets with these hashes open in a game."""

    async def secrets(self, game: str) -> list[Secret]:
        """All secrets of a game, in the order of their hashes."""

    async def put(self, game: str, events: list[Stored], secrets: list[Secret]) -> None:
        """Adds a game as another storage has it, all or nothing; ConflictError if it is there already."""

    async def keep_review(self, key: str, record: str, review: str | None) -> None:
        """Stores a record under a key, and its review once there is one. A record that is there already stays as it is,
        and so does a review if none is given."""

    async def kept_review(self, key: str) -> tuple[str, str | None] | None:
        """The record under a key, and its review if there is one; None if nothing is stored under the key."""

    async def review_keys(self) -> list[str]:
        """All keys of records and reviews, in order."""

    def leases(self) -> Leases:
        """The leases of this process: which games it owns."""

    async def check(self) -> bool:
        """Whether the database can be written to; StorageError if it does not answer."""

    async def close(self) -> None:
        """Closes the connections to the database."""
