"""Connections to a PostgreSQL server: how an address is read, what is said when the server cannot be used, and how a
call is made that neither waits for long nor leaves it open what became of it."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import re
import select
from collections.abc import AsyncIterator, Sequence
from typing import Any, Final, LiteralString, Self

import psycopg
from psycopg import AsyncConnection, errors, pq
from psycopg.conninfo import conninfo_to_dict

from sintra.table.games.leases import LeaseLostError
from sintra.table.games.postgres_schema import LEASE_LOST, prepare_schema
from sintra.table.games.storage import ConflictError, StorageAwayError, StorageError

CALL_TIMEOUT_S: Final = 4.0
"""Seconds after which a server that has not answered counts as away."""
_MAX_CONNECTIONS: Final = 8
"""Connections of a process, besides the one that holds its lock."""
_CONNECTION_DEFAULTS: Final = {
    "connect_timeout": 3,
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    "fallback_application_name": "sintra",
}
"""What holds where the address says nothing else: a server that is gone is noticed within seconds."""
_RIGHT: Final = "postgresql://USER:PASSWORD@HOST:PORT/DATABASE"
_HINTS: Final = (
    ("could not translate host name|resolve host", "no such host is known; check the name after the @"),
    ("password authentication failed", "the user or the password is wrong"),
    ("no password supplied", "it wants a password: in ~/.pgpass, in PGPASSWORD, or postgresql://USER:PASSWORD@..."),
    ("role .* does not exist", "there is no such user; the one who runs the server makes it (createuser NAME)"),
    ("database .* does not exist", "there is no such database; make it first (createdb NAME)"),
    ("no pg_hba.conf entry|not permitted to log in", "the server does not let this user in from here"),
    ("Connection refused|No such file or directory", "nobody answers there; is the server running?"),
    ("timeout expired|timed out", "nobody answers there; check the host and the port"),
    (
        "too many (clients|connections)|remaining connection slots",
        "the server has no connection left; raise its max_connections",
    ),
    ("starting up|shutting down|not yet accepting", "the server is starting or stopping; try again in a moment"),
)
"""What the words of libpq and of servers that speak English mean; others are passed on as they are."""

logging.getLogger("psycopg").addHandler(logging.NullHandler())


class Address:
    """Where a database is, and how it may be named: never with its password."""

    def __init__(self, text: str) -> None:
        try:
            self.parameters: dict[str, Any] = conninfo_to_dict(text)
        except psycopg.Error:
            raise _unreadable() from None
        host, port, name, user = (str(self.parameters.get(key) or "") for key in ("host", "port", "dbname", "user"))
        if "@" in host + name or not re.fullmatch(r"[0-9,]*", port):
            raise _unreadable()
        self.where = f"{host or 'localhost'}{port and f':{port}'}/{name or user}"

    async def connect(self) -> AsyncConnection[Any]:
        """A connection of its own, on which each statement is a transaction and sees all that was written before it,
        whatever the server's default is: what waits for a lock must see what its holder did."""
        try:
            db = await AsyncConnection.connect(**self.arguments())
            try:
                await db.execute("SET default_transaction_isolation TO 'read committed'")
            except BaseException:
                await db.close()
                raise
        except psycopg.Error as error:
            raise self.away(error) from None
        return db

    def arguments(self) -> dict[str, Any]:
        """The arguments for connecting."""
        return _CONNECTION_DEFAULTS | self.parameters | {"autocommit": True, "prepare_threshold": 0}

    def away(self, error: BaseException) -> StorageAwayError:
        """The error for a server that does not answer, or a database that cannot be written."""
        away = StorageAwayError(f"cannot use the database at {self.where}: {words_of(error)}")
        away.reason = " ".join(str(error).split())
        return away


def _unreadable() -> StorageError:
    """The error for an unreadable address. It does not quote it: what looks like a host or a port may be part of the
    password."""
    return StorageError(
        f"the address of the database cannot be read: it must be {_RIGHT}, "
        f"with %40 for an @ in the password, %2F for a / and %3A for a :"
    )


def words_of(error: BaseException) -> str:
    """An error as one line of text."""
    match error:
        case TimeoutError():
            return "it does not answer"
        case errors.ReadOnlySqlTransaction():
            return "it is read-only at the moment"
        case errors.DiskFull():
            return "its disk is full"
        case errors.InsufficientPrivilege():
            return f"{_last_line(error)}; its user must be allowed to make and use a schema in it"
    said = str(error)
    hint = next((hint for pattern, hint in _HINTS if re.search(pattern, said)), None)
    return hint or _last_line(error)


def _last_line(error: BaseException) -> str:
    said = getattr(getattr(error, "diag", None), "message_primary", None) or str(error)
    lines = [line.strip() for line in str(said).splitlines() if line.strip() and not line.startswith("Multiple")]
    return re.sub(r"^.*(?:FATAL|ERROR):\s*", "", lines[-1]) if lines else "the connection was lost"


class PostgresPool:
    """Connections of one process to one database. They are made when they are needed, and whether one still works is
    seen before it is used: so a server that is back is back at once, and one that is away is not waited for."""

    def __init__(self, address: Address) -> None:
        self.address = address
        self._idle: list[AsyncConnection[Any]] = []
        self._places = asyncio.Semaphore(_MAX_CONNECTIONS)
        self._calls: set[asyncio.Task[Any]] = set()
        self._is_closed = False

    @classmethod
    async def open(cls, text: str, may_be_empty: bool = True) -> Self:
        """Connects to the database and makes its tables if need be. What is wrong with the address is found here."""
        pool = cls(Address(text))
        db = await pool.address.connect()
        try:
            await prepare_schema(db, pool.address.where, may_be_empty)
        except BaseException as error:
            await db.close()
            if isinstance(error, psycopg.Error):
                raise pool.address.away(error) from None
            raise
        pool._idle.append(db)
        return pool

    async def ask(self, query: LiteralString, *values: object) -> list[tuple[Any, ...]]:
        """The rows of one statement, which is a transaction of its own. If it is cancelled, it is done or not done
        when this returns."""
        call = asyncio.create_task(self._ask(query, values))
        self._calls.add(call)
        call.add_done_callback(self._forget)
        try:
            done, _ = await asyncio.wait({call}, timeout=CALL_TIMEOUT_S)
        except asyncio.CancelledError:
            await asyncio.wait({call}, timeout=CALL_TIMEOUT_S)
            call.cancel()
            raise
        if done:
            return call.result()
        call.cancel()
        raise self.address.away(TimeoutError())

    def _forget(self, call: asyncio.Task[Any]) -> None:
        self._calls.discard(call)
        if not call.cancelled():
            call.exception()

    async def _ask(self, query: LiteralString, values: Sequence[object]) -> list[tuple[Any, ...]]:
        async with self._connection() as db:
            cursor = await db.execute(query, values)
            return await cursor.fetchall() if cursor.description else []

    @contextlib.asynccontextmanager
    async def _connection(self) -> AsyncIterator[AsyncConnection[Any]]:
        """A connection that works; StorageError if there is none."""
        async with self._places:
            db = await self._working()
            try:
                yield db
            except psycopg.IntegrityError as error:
                raise ConflictError(_last_line(error)) from None
            except psycopg.DataError as error:
                where = self.address.where
                raise StorageError(f"the database at {where} cannot keep this: {_last_line(error)}") from None
            except psycopg.Error as error:
                if error.sqlstate == LEASE_LOST:
                    raise LeaseLostError(_last_line(error)) from None
                raise self.address.away(error) from None
            finally:
                if self._is_closed or db.info.transaction_status != pq.TransactionStatus.IDLE:
                    await db.close()
                else:
                    self._idle.append(db)

    async def _working(self) -> AsyncConnection[Any]:
        """The connection that was used last, unless the server has ended it, or a new one."""
        while self._idle:
            db = self._idle.pop()
            if not is_lost(db):
                return db
            await db.close()
        if self._is_closed:
            raise StorageAwayError(f"the use of the database at {self.address.where} has ended")
        return await self.address.connect()

    async def close(self) -> None:
        """Waits for the calls that are being made, and ends all connections."""
        self._is_closed = True
        if self._calls:
            await asyncio.wait(self._calls, timeout=CALL_TIMEOUT_S)
        for call in self._calls:
            call.cancel()
        while self._idle:
            await self._idle.pop().close()


def is_lost(db: AsyncConnection[Any]) -> bool:
    """Whether the server has ended a connection that nobody used: it is asked for nothing, the end is there to read."""
    try:
        for _ in range(2):
            if db.closed or not _has_news(db.pgconn.socket):
                break
            db.pgconn.consume_input()
    except psycopg.Error:
        return True
    return db.closed or db.pgconn.status == pq.ConnStatus.BAD


def _has_news(socket: int) -> bool:
    """Whether there is something to read on the connection."""
    if hasattr(select, "poll"):
        waiting = select.poll()
        waiting.register(socket, select.POLLIN)
        return bool(waiting.poll(0))
    return bool(select.select([socket], [], [], 0)[0])
