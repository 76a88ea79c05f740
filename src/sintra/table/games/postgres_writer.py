"""How a process writes events to a PostgreSQL database: those that come at once, together."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from operator import attrgetter
from typing import Final, LiteralString, NamedTuple

from sintra.table.games.postgres_pool import PostgresPool
from sintra.table.games.storage import ConflictError, StorageAwayError, StorageError, Stored

_APPEND: Final[LiteralString] = (
    "SELECT sintra.append_all(%s, %s::text[], %s::integer[], %s::text[], %s::text[], %s::text[])"
)
_MOST: Final = 200
"""Events in one transaction."""


class _Waiting(NamedTuple):
    """An event that is to be written, and what will be known of it: nothing, or why it was not."""

    game: str
    event: Stored
    done: asyncio.Future[Exception | None]


class EventWriter:
    """Appends events. The other processes are told of an event in its own transaction, and transactions that tell
    something commit one after the other, each of which waits for the disk: so what comes meanwhile is one transaction,
    the next."""

    def __init__(self, pool: PostgresPool, sender: str) -> None:
        self._pool = pool
        self._sender = sender
        self._waiting: list[_Waiting] = []
        self._writing: asyncio.Task[None] | None = None

    async def append(self, game: str, event: Stored) -> None:
        """See `Storage`. If it is cancelled, it is done or not done when this returns."""
        one = _Waiting(game, event, asyncio.get_running_loop().create_future())
        self._waiting.append(one)
        if self._writing is None or self._writing.done():
            self._writing = asyncio.create_task(self._write())
        try:
            await asyncio.wait({one.done})
        except asyncio.CancelledError:
            if one in self._waiting:
                self._waiting.remove(one)
            else:
                await asyncio.wait({one.done})
            raise
        if failure := one.done.result():
            raise failure

    async def _write(self) -> None:
        """Writes all that waits, and what comes meanwhile, until nothing is left."""
        together: list[_Waiting] = []
        try:
            while self._waiting:
                together, self._waiting = self._waiting[:_MOST], self._waiting[_MOST:]
                await self._write_together(together)
        except BaseException:
            left, self._waiting = self._waiting, []
            for one in (*together, *left):
                one.done.cancel()
            raise

    async def _write_together(self, together: list[_Waiting]) -> None:
        """One transaction, in which an event whose place is taken is left out. One that cannot be kept at all fails
        alone. All processes write in the same order, so that no two can wait for each other."""
        together.sort(key=attrgetter("game", "event.seq"))
        failures: list[Exception | None]
        try:
            rows = [(one.game, *row_of(one.event)) for one in together]
            ((kept,),) = await self._pool.ask(_APPEND, self._sender, *in_columns(rows, 5))
            failures = [None if k in kept else ConflictError("its place is taken") for k in range(1, len(together) + 1)]
        except StorageAwayError as error:
            failures = [error] * len(together)
        except (StorageError, ConflictError) as error:
            if len(together) > 1:
                for one in together:
                    await self._write_together([one])
                return
            failures = [error]
        for one, failure in zip(together, failures, strict=True):
            one.done.set_result(failure)


def row_of(event: Stored) -> tuple[int, str | None, str, str]:
    """An event as it stands in the table, without its game."""
    return event.seq, event.post, event.at, event.act


def in_columns(rows: Iterable[tuple[object, ...]], width: int) -> list[list[object]]:
    """Rows as the functions of the database take them: each column is an array."""
    return [list(column) for column in zip(*rows, strict=True)] or [[] for _ in range(width)]
