"""Games in a PostgreSQL database, which several processes may serve at once."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Final, LiteralString, Self

from sintra.table.games.fingerprints import start_of
from sintra.table.games.leases import Leases
from sintra.table.games.postgres_leases import PostgresLeases
from sintra.table.games.postgres_pool import PostgresPool
from sintra.table.games.storage import ARRIVED, Secret, Stored

_PUT: Final[LiteralString] = (
    "SELECT sintra.add_game(%s, %s, %s, %s::integer[], %s::text[], %s::text[], %s::text[], %s::bytea[], %s::text[],"
    " %s::text[], %s, %s, %s, %s, %s)"
)
_GAMES: Final[LiteralString] = (
    "WITH RECURSIVE names (game) AS (SELECT min(game) FROM sintra.events WHERE game > %s UNION ALL"
    " SELECT (SELECT min(game) FROM sintra.events AS e WHERE e.game > names.game) FROM names WHERE game IS NOT NULL)"
    " SELECT game FROM names WHERE game IS NOT NULL LIMIT %s"
)
"""Selects the names of games after one, by index lookups: the log has many more rows than there are games."""
_PAGE_SIZE: Final = 10_000
"""Names of games that are read at a time."""
_NO_EVENT: Final = (None, None, None, None)


class PostgresStorage:
    """Games in a PostgreSQL database. Every call is one round trip and one transaction, whose commit is as durable as
    the server's `synchronous_commit` says."""

    def __init__(self, pool: PostgresPool) -> None:
        self._pool = pool
        self._leases = PostgresLeases(pool)

    @classmethod
    async def open(cls, address: str, may_be_empty: bool = True) -> Self:
        """The database at an address, with today's tables."""
        return cls(await PostgresPool.open(address, may_be_empty))

    async def append(self, game: str, event: Stored) -> None:
        """See `Storage`."""
        await self._pool.ask("SELECT sintra.append(%s, %s, %s, %s, %s, %s)", self._leases.id, game, *event)

    async def create(
        self,
        game: str,
        events: list[Stored],
        secrets: list[tuple[str, bytes]],
        follows: tuple[str, Stored] | None = None,
    ) -> None:
        """See `Storage`."""
        known = [Secret(secret_hash, role, "") for role, secret_hash in secrets]
        after = (None, *_NO_EVENT) if follows is None else (follows[0], *follows[1])
        await self._pool.ask(_PUT, self._leases.id, *_game(game, events, known), *after)

    async def events(self, game: str, start: int = 0, limit: int | None = None) -> list[Stored]:
        """See `Storage`."""
        rows = await self._pool.ask(
            "SELECT seq, post, at, act FROM sintra.events WHERE game = %s AND seq >= %s ORDER BY seq LIMIT %s",
            game,
            start,
            limit,
        )
        return [Stored(*row) for row in rows]

    async def games(self) -> list[str]:
        """See `Storage`."""
        found: list[str] = []
        while page := await self._pool.ask(_GAMES, found[-1] if found else "", _PAGE_SIZE):
            found += [row[0] for row in page]
        return found

    async def started_at(self, starts: list[bytes]) -> list[str]:
        """See `Storage`."""
        rows = await self._pool.ask(
            "SELECT game FROM sintra.starts WHERE start = ANY (%s::bytea[]) ORDER BY game", starts
        )
        return [row[0] for row in rows]

    async def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """See `Storage`."""
        await self._pool.ask(
            "INSERT INTO sintra.secrets (game, hash, role) VALUES (%s, %s, %s)", game, secret_hash, role
        )

    async def invite(self, game: str, secret_hash: bytes) -> bool:
        """See `Storage`."""
        return await self._is_done("SELECT sintra.invite(%s, %s)", game, secret_hash)

    async def arrive(self, game: str, invitation: bytes, secret_hash: bytes, name: str) -> bool:
        """See `Storage`."""
        return await self._is_done("SELECT sintra.arrive(%s, %s, %s, %s)", game, invitation, secret_hash, name)

    async def arrivals(self, game: str, hashes: list[bytes]) -> list[tuple[bytes, str]]:
        """See `Storage`."""
        rows = await self._pool.ask(
            "SELECT hash, name FROM unnest(%s::bytea[]) WITH ORDINALITY AS asked (hash, place)"
            " JOIN sintra.secrets USING (hash) WHERE game = %s AND role = %s ORDER BY place",
            hashes,
            game,
            ARRIVED,
        )
        return [(bytes(row[0]), row[1]) for row in rows]

    async def sit(self, game: str, secret_hash: bytes, event: Stored | None) -> bool:
        """See `Storage`."""
        row = _NO_EVENT if event is None else event
        sit: LiteralString = "SELECT sintra.sit(%s, %s, %s, %s, %s, %s, %s)"
        return await self._is_done(sit, self._leases.id, game, secret_hash, *row)

    async def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """See `Storage`."""
        rows = await self._pool.ask(
            "SELECT role FROM sintra.secrets WHERE game = %s AND hash = ANY (%s::bytea[])", game, hashes
        )
        return {row[0] for row in rows}

    async def secrets(self, game: str) -> list[Secret]:
        """See `Storage`."""
        rows = await self._pool.ask("SELECT hash, role, name FROM sintra.secrets WHERE game = %s ORDER BY hash", game)
        return [Secret(bytes(row[0]), row[1], row[2]) for row in rows]

    async def put(self, game: str, events: list[Stored], secrets: list[Secret]) -> None:
        """See `Storage`."""
        await self._pool.ask(_PUT, None, *_game(game, events, secrets), None, *_NO_EVENT)

    async def keep_review(self, key: str, record: str, review: str | None) -> None:
        """See `Storage`."""
        await self._pool.ask(
            "INSERT INTO sintra.reviews AS kept (key, record, review) VALUES (%s, %s, %s)"
            " ON CONFLICT (key) DO UPDATE SET review = coalesce(excluded.review, kept.review)",
            key,
            record,
            review,
        )

    async def kept_review(self, key: str) -> tuple[str, str | None] | None:
        """See `Storage`."""
        rows = await self._pool.ask("SELECT record, review FROM sintra.reviews WHERE key = %s", key)
        return (rows[0][0], rows[0][1]) if rows else None

    async def review_keys(self) -> list[str]:
        """See `Storage`."""
        return [row[0] for row in await self._pool.ask("SELECT key FROM sintra.reviews ORDER BY key")]

    async def _is_done(self, query: LiteralString, *values: object) -> bool:
        return bool((await self._pool.ask(query, *values))[0][0])

    async def check(self) -> bool:
        """See `Storage`."""
        return await self._pool.ask("SELECT current_setting('transaction_read_only')") == [("off",)]

    def leases(self) -> Leases:
        """See `Storage`."""
        return self._leases

    async def close(self) -> None:
        """See `Storage`."""
        await self._leases.close()
        await self._pool.close()


def _game(game: str, events: Sequence[Stored], secrets: Sequence[Secret]) -> list[object]:
    """A game as `add_game` takes it: each column is an array."""
    return [start_of(events), game, *_in_columns(events, 4), *_in_columns(secrets, 3)]


def _in_columns(rows: Iterable[tuple[object, ...]], width: int) -> list[list[object]]:
    """Rows as the functions of the database take them: each column is an array."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]
