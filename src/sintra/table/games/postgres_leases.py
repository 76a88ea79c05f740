"""The leases of the processes at one PostgreSQL database.

A process is alive while a connection of its own holds its session lock and its heartbeats come. The server sees the
connection of a process that is killed end at once; one that hangs is known by its heartbeats.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import secrets
from typing import Any, Final, LiteralString

import psycopg
from psycopg import AsyncConnection

from sintra.table.base.lru_cache import LruCache
from sintra.table.games.leases import LeaseEvents, OwnedElsewhereError, Owner
from sintra.table.games.postgres_pool import PostgresPool
from sintra.table.games.storage import StorageAwayError, StorageError

_HEARTBEAT_S: Final = 1.0
"""Seconds between two heartbeats."""
_RETRY_DELAY_S: Final = 0.2
"""Seconds before another attempt to connect."""
_SESSION_TIMEOUT_S: Final = 7.0
"""Seconds after which a session that does not answer is closed; it may be this process that is busy."""
_REAP_HEARTBEATS: Final = 300
"""Heartbeats between two deletions of the leases of dead processes."""
_MAX_CACHED: Final = 20_000
"""How many owners of games and reviews are cached."""


class PostgresLeases:
    """See `Leases`. A process that others considered dead comes back under a new id, so that nothing that it began
    before is mistaken for what it does now."""

    def __init__(self, pool: PostgresPool) -> None:
        self.id = secrets.token_hex(8)
        self.token = ""
        self.processes = 1
        self._pool = pool
        self._address = ""
        self._events = LeaseEvents(lambda: None, lambda gone: None)
        self._session: AsyncConnection[Any] | None = None
        self._living: set[str] = set()
        self._elsewhere: LruCache[str, Owner] = LruCache(_MAX_CACHED)
        self._beating: asyncio.Task[None] | None = None

    # --- being alive ----------------------------------------------------------------------------

    async def open(self, address: str, events: LeaseEvents) -> None:
        """See `Leases`."""
        self._address = address
        self._events = events
        await self._connect()
        ((self.token,),) = await self._ask("SELECT sintra.register(%s, %s)", self.id, address)
        self._beating = asyncio.create_task(self._beat_on())

    async def _connect(self) -> None:
        """Opens a new session, which holds this process's lock."""
        self._session = await self._pool.address.connect()
        await self._ask("SELECT sintra.lock_process(%s)", self.id)

    async def _ask(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """The rows of a query in the session, which is closed if it does not answer."""
        assert self._session is not None
        try:
            async with asyncio.timeout(_SESSION_TIMEOUT_S):
                return await (await self._session.execute(query, values)).fetchall()
        except BaseException as error:
            await self._disconnect()
            if isinstance(error, psycopg.Error | TimeoutError):
                raise self._pool.address.away(error) from None
            raise

    async def _disconnect(self) -> None:
        session, self._session = self._session, None
        if session is not None:
            await session.close()

    async def _beat_on(self) -> None:
        for beats in itertools.count(1):
            await asyncio.sleep(_RETRY_DELAY_S if self._session is None else _HEARTBEAT_S)
            try:
                if self._session is None:
                    await self._connect()
                await self._beat()
                if beats % _REAP_HEARTBEATS == 0:
                    await self._pool.ask("SELECT sintra.reap()")
            except Exception:
                await self._disconnect()

    async def _beat(self) -> None:
        """Sends a heartbeat, and learns which other processes are alive."""
        ((is_known, living),) = await self._ask("SELECT * FROM sintra.heartbeat(%s)", self.id)
        if not is_known:
            await self._begin_anew()
        owners = {owner.process for owner in self._elsewhere.values()}
        gone = (self._living | owners) - {*living, self.id}
        self._living = set(living)
        self.processes = max(1, len(self._living))
        if gone:
            for name in [name for name, owner in self._elsewhere.items() if owner.process in gone]:
                del self._elsewhere[name]
            self._events.gone(gone)

    async def _begin_anew(self) -> None:
        """Registers this process under a new id after others considered it dead: it owns nothing. The leases that it
        takes before the new id is registered are lost as well: others may take them."""
        self._events.lost()
        new = secrets.token_hex(8)
        await self._ask("SELECT sintra.lock_process(%s)", new)
        ((self.token,),) = await self._ask("SELECT sintra.register(%s, %s)", new, self._address)
        self.id = new
        self._elsewhere.clear()
        self._events.lost()

    # --- owning ---------------------------------------------------------------------------------

    async def take(self, game: str) -> bool:
        """See `Leases`."""
        return await self._take(game, "SELECT * FROM sintra.take_game(%s, %s)")

    async def take_review(self, key: str) -> None:
        """See `Leases`."""
        await self._take(f"review {key}", "SELECT * FROM sintra.take_lease(%s, %s)")

    async def _take(self, name: str, query: LiteralString) -> bool:
        if name in self._elsewhere:
            raise OwnedElsewhereError(name, self._elsewhere[name])
        me = self.id
        ((process, address),) = await self._pool.ask(query, me, name)
        if process is None:
            return False
        if me != self.id:
            raise StorageAwayError("other processes considered this one dead")
        if process != me:
            owner = self._elsewhere[name] = Owner(process, address)
            raise OwnedElsewhereError(name, owner)
        return True

    def forget(self, name: str) -> None:
        """See `Leases`."""
        self._elsewhere.pop(name, None)

    async def close(self) -> None:
        """See `Leases`."""
        if self._beating is not None:
            self._beating.cancel()
            await asyncio.gather(self._beating, return_exceptions=True)
            self._beating = None
            with contextlib.suppress(StorageError):
                await self._pool.ask("SELECT sintra.deregister(%s)", self.id)
        await self._disconnect()
