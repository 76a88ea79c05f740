"""Games in a SQLite file, or in memory."""

from __future__ import annotations

import asyncio
import contextlib
import sqlite3
import threading
from collections.abc import Awaitable, Callable, Sequence
from functools import partial
from pathlib import Path
from queue import SimpleQueue
from typing import Any, Final, NamedTuple, TypeVar

from sintra.table.games.database import (
    BUSY_TIMEOUT_S,
    MEMORY,
    SCHEMA,
    Durability,
    connect,
    database_fault,
    keep_start,
    open_database,
)
from sintra.table.games.leases import Leases, SoleOwner
from sintra.table.games.lock_file import LockFile
from sintra.table.games.storage import (
    ARRIVED,
    FRIEND,
    INVITATION,
    LAPSED,
    LATE,
    ConflictError,
    Secret,
    StorageError,
    Stored,
)

R = TypeVar("R")


class Waiting(NamedTuple):
    """Something to be written."""

    write: Callable[[], Any]
    done: asyncio.Future[Any]
    """What its caller waits for."""
    is_atomic: bool
    """Whether it is one statement, of which SQLite does all or nothing."""


_CHECKPOINT_S: Final = 3.0
"""Seconds between two checkpoints of the write-ahead log."""
_GROUP_S: Final = 0.02
"""Seconds from the beginning of a transaction that waits for the disk to that of the next one. Nobody notices them, and
moves that are written, answered and told together take less processor time than each on its own."""


class SqliteStorage:
    """Games in a SQLite file with a write-ahead log: what was answered survives the end of the process at any
    moment, and with `full` durability a power cut, too; with `normal` that can cost the last moves, never the file.

    A call takes microseconds and is done at once, in the loop's own thread. What has to be waited for is done by a
    thread apart, and what comes meanwhile is the next transaction: with `full` durability a commit waits for the disk,
    and while another program writes to the file, a transaction waits until it can begin."""

    def __init__(
        self,
        path: str | Path,
        durability: Durability = "full",
        served_at: str | None = None,
        keep: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        """Opens the file, and makes it if it is not there; `:memory:` keeps nothing. A service, which says where it is
        `served_at`, has the file for itself. Where files are memory and there are no threads, `keep` is awaited after
        each commit, before what was written is answered; an OSError of it means that nothing can be kept now."""
        self.path = str(path)
        self._lock = None if served_at is None or self.path == MEMORY else LockFile(self.path, served_at)
        try:
            self._db = open_database(self.path, durability, self._lock, writes_ahead=keep is None)
        except BaseException:
            self._release()
            raise
        self._looking = self._db
        self._closing = threading.Event()
        self._threads: list[threading.Thread] = []
        self._keep = keep
        self._keeping: asyncio.Task[None] | None = None
        on_disk = self.path != MEMORY and keep is None
        self._commits_apart = durability == "full" and on_disk
        self._queue: SimpleQueue[tuple[asyncio.AbstractEventLoop, list[Waiting], list[Any] | None] | None] = (
            SimpleQueue()
        )
        self._waiting: list[Waiting] = []
        self._is_writing = False
        """Whether a transaction is under way, or waits until it may begin."""
        self._begins_at = 0.0
        """The time of the loop at which the next transaction that waits for the disk may begin."""
        self._is_refusing = False
        if on_disk:
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            self._wait_when_locked(0)
            self._looking = connect(self.path)
            self._start(self._checkpoint, "sintra storage")
            self._start(self._commit_queued, "sintra commit")

    def _start(self, work: Callable[[], None], name: str) -> None:
        self._threads.append(threading.Thread(target=work, name=name, daemon=True))
        self._threads[-1].start()

    def _checkpoint(self) -> None:
        """Moves the write-ahead log into the file now and then, in a thread of its own: it waits for the disk."""
        with contextlib.closing(connect(self.path)) as db:
            while not self._closing.wait(_CHECKPOINT_S):
                with contextlib.suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    # --- how something is written and read ------------------------------------------------------

    async def _write(self, work: Callable[[], R], *, is_atomic: bool = False) -> R:
        """Has something written, whole or not at all; it is committed when this returns."""
        done: asyncio.Future[R] = asyncio.get_running_loop().create_future()
        self._waiting.append(Waiting(work, done, is_atomic))
        if not self._is_writing:
            self._write_waiting()
        return await done

    def _write_waiting(self) -> None:
        """Writes all that waits in one transaction; what comes until it is committed is the next one, and so is what
        comes within `_GROUP_S` if it has to wait for the disk."""
        loop = asyncio.get_running_loop()
        self._is_writing = False
        while self._waiting and not self._is_writing:
            if self._commits_apart and loop.time() < self._begins_at:
                self._is_writing = True
                loop.call_at(self._begins_at, self._write_waiting)
                return
            self._begins_at = loop.time() + _GROUP_S
            together, self._waiting = self._waiting, []
            answers = self._begin(together)
            if answers is None or self._commits_apart:
                self._is_writing = True
                self._queue.put((loop, together, answers))
            elif self._keep is not None:
                self._is_writing = True
                self._keeping = asyncio.create_task(self._keep_written(self._keep, together, self._commit(answers)))
            else:
                _resolve(together, self._commit(answers))

    def _commit_queued(self) -> None:
        """Commits one transaction after the other, in a thread of its own, since a commit waits for the disk; begins
        those for which the file was locked."""
        while (queued := self._queue.get()) is not None:
            loop, together, answers = queued
            if answers is None:
                answers = self._begin_when_free(together)
            loop.call_soon_threadsafe(self._on_written, together, self._commit(answers))

    async def _keep_written(
        self, keep: Callable[[], Awaitable[None]], together: list[Waiting], answers: list[Any]
    ) -> None:
        """Has a commit kept before it is answered. What cannot be kept now stands in the file all the same, and is kept
        with the next commit."""
        try:
            await keep()
        except OSError as error:
            self._is_refusing = True
            answers = [StorageError(f"the browser keeps nothing: {error}")] * len(together)
        self._on_written(together, answers)

    def _on_written(self, together: list[Waiting], answers: list[Any]) -> None:
        _resolve(together, answers)
        self._write_waiting()

    def _begin_when_free(self, together: list[Waiting]) -> list[Any]:
        """Does as `_begin` when no other program writes to the file any more; fails if that takes too long."""
        try:
            self._wait_when_locked(BUSY_TIMEOUT_S)
            self._db.execute("BEGIN IMMEDIATE")
        except Exception as error:
            return self._refuse(together, error)
        finally:
            self._wait_when_locked(0)
        return self._do_all(together)

    def _wait_when_locked(self, seconds: float) -> None:
        """Sets for how long a statement waits while another program writes to the file."""
        self._db.execute(f"PRAGMA busy_timeout = {1000 * seconds:.0f}")

    def _begin(self, together: list[Waiting]) -> list[Any] | None:
        """Does all pieces of work in one transaction; None, and nothing is done, if a thread has to wait for another
        program that writes to the file."""
        try:
            self._db.execute("BEGIN IMMEDIATE")
        except Exception as error:
            is_locked = getattr(error, "sqlite_errorcode", 0) & 0xFF == sqlite3.SQLITE_BUSY
            return None if is_locked and self._threads else self._refuse(together, error)
        return self._do_all(together)

    def _do_all(self, together: list[Waiting]) -> list[Any]:
        """Does all pieces of work in the transaction, each whole or not at all: what came of each, or that there is a
        conflict. A failure that ends the transaction is everybody's."""
        try:
            return [self._do(one) for one in together]
        except Exception as error:
            return self._refuse(together, error)

    def _do(self, one: Waiting) -> Any:
        """Does one piece of work, whole or not at all; returns what came of it, or that there is a conflict."""
        if not one.is_atomic:
            self._db.execute("SAVEPOINT work")
        try:
            return one.write()
        except sqlite3.IntegrityError as error:
            if not one.is_atomic:
                self._db.execute("ROLLBACK TO work")
            return _fault(error)

    def _commit(self, answers: list[Any]) -> list[Any]:
        """Commits what was done, if it was: what came of each piece of work then. In one call, so that the thread that
        does it lets the interpreter go once."""
        try:
            self._db.commit()
        except sqlite3.Error as error:
            return self._refuse(answers, error)
        if any(not isinstance(answer, Exception) for answer in answers):
            self._is_refusing = False
        return answers

    def _refuse(self, answers: Sequence[Any], error: Exception) -> list[Any]:
        """Undoes everything, since it failed: the error is everybody's answer."""
        self._is_refusing = True
        with contextlib.suppress(sqlite3.Error):
            self._db.rollback()
        return [_fault(error)] * len(answers)

    def _look(self, question: str, *values: Any) -> list[Any]:
        """The rows that answer a question; only what is committed is seen."""
        try:
            return self._looking.execute(question, values).fetchall()
        except sqlite3.Error as error:
            raise _fault(error) from None

    # --- what is written and read ---------------------------------------------------------------

    async def append(self, game: str, event: Stored) -> None:
        """See `Storage`."""
        await self._write(partial(self._insert, game, event), is_atomic=True)

    def _insert(self, game: str, event: Stored) -> None:
        self._db.execute(
            "INSERT INTO events (game, seq, post, at, act) VALUES (?, ?, ?, ?, ?)",
            (game, *event),
        )

    async def create(
        self,
        game: str,
        events: list[Stored],
        secrets: list[tuple[str, bytes]],
        follows: tuple[str, Stored] | None = None,
    ) -> None:
        """See `Storage`."""
        known = [Secret(secret_hash, role, "") for role, secret_hash in secrets]
        await self._write(lambda: self._add_game(game, events, known, follows))

    def _add_game(
        self, game: str, events: list[Stored], secrets: list[Secret], follows: tuple[str, Stored] | None = None
    ) -> None:
        add = "INSERT INTO secrets (game, hash, role, name) VALUES (?, ?, ?, ?)"
        for event in events:
            self._insert(game, event)
        keep_start(self._db, game, events)
        if follows is not None:
            self._insert(*follows)
        self._db.executemany(add, [(game, *secret) for secret in secrets])

    async def events(self, game: str, start: int = 0, limit: int | None = None) -> list[Stored]:
        """See `Storage`."""
        rows = self._look(
            "SELECT seq, post, at, act FROM events WHERE game = ? AND seq >= ? ORDER BY seq LIMIT ?",
            game,
            start,
            -1 if limit is None else limit,
        )
        return [Stored(*row) for row in rows]

    async def games(self) -> list[str]:
        """See `Storage`."""
        return [row[0] for row in self._look("SELECT DISTINCT game FROM events ORDER BY game")]

    async def started_at(self, starts: list[bytes]) -> list[str]:
        """See `Storage`."""
        select = "SELECT game FROM starts WHERE start = ? ORDER BY game"
        return [row[0] for start in starts for row in self._look(select, start)]

    async def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """See `Storage`."""
        add = "INSERT INTO secrets (game, role, hash) VALUES (?, ?, ?)"
        await self._write(lambda: self._db.execute(add, (game, role, secret_hash)))

    async def invite(self, game: str, secret_hash: bytes) -> bool:
        """See `Storage`."""
        insert = (
            "INSERT INTO secrets (game, hash, role) SELECT ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM secrets WHERE game = ? AND role = ?)"
        )
        values = (game, secret_hash, INVITATION, game, FRIEND)
        return await self._write(lambda: self._db.execute(insert, values).rowcount == 1)

    async def arrive(self, game: str, invitation: bytes, secret_hash: bytes, name: str) -> bool:
        """See `Storage`."""
        insert = (
            "INSERT INTO secrets (game, hash, role, name) SELECT game, ?, ?, ? FROM secrets"
            " WHERE game = ? AND hash = ? AND role = ?"
            " AND NOT EXISTS (SELECT 1 FROM secrets WHERE game = ? AND role = ?)"
        )
        values = (secret_hash, ARRIVED, name, game, invitation, INVITATION, game, FRIEND)
        return await self._write(lambda: self._db.execute(insert, values).rowcount == 1)

    async def arrivals(self, game: str, hashes: list[bytes]) -> list[tuple[bytes, str]]:
        """See `Storage`."""
        select = "SELECT hash, name FROM secrets WHERE game = ? AND hash = ? AND role = ?"
        rows = (row for one in hashes for row in self._look(select, game, one, ARRIVED))
        return [(bytes(row[0]), str(row[1])) for row in rows]

    async def sit(self, game: str, secret_hash: bytes, event: Stored | None) -> bool:
        """See `Storage`."""
        change = "UPDATE secrets SET role = ? WHERE game = ? AND role = ?"

        def work() -> bool:
            seated = self._db.execute(f"{change} AND hash = ?", (FRIEND, game, ARRIVED, secret_hash)).rowcount == 1
            if seated:
                self._db.execute(change, (LATE, game, ARRIVED))
                self._db.execute(change, (LAPSED, game, INVITATION))
                if event is not None:
                    self._insert(game, event)
            return seated

        return await self._write(work)

    async def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """See `Storage`."""
        select = "SELECT role FROM secrets WHERE game = ? AND hash = ?"
        return {str(row[0]) for one in hashes for row in self._look(select, game, one)}

    async def secrets(self, game: str) -> list[Secret]:
        """See `Storage`."""
        rows = self._look("SELECT hash, role, name FROM secrets WHERE game = ? ORDER BY hash", game)
        return [Secret(bytes(row[0]), str(row[1]), str(row[2])) for row in rows]

    async def put(self, game: str, events: list[Stored], secrets: list[Secret]) -> None:
        """See `Storage`."""
        await self._write(lambda: self._add_game(game, events, secrets))

    async def keep_review(self, key: str, record: str, review: str | None) -> None:
        """See `Storage`."""
        keep = (
            "INSERT INTO reviews (key, record, review) VALUES (?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET review = coalesce(excluded.review, review)"
        )
        await self._write(lambda: self._db.execute(keep, (key, record, review)))

    async def kept_review(self, key: str) -> tuple[str, str | None] | None:
        """See `Storage`."""
        for record, review in self._look("SELECT record, review FROM reviews WHERE key = ?", key):
            return str(record), None if review is None else str(review)
        return None

    async def review_keys(self) -> list[str]:
        """See `Storage`."""
        return [row[0] for row in self._look("SELECT key FROM reviews ORDER BY key")]

    async def check(self) -> bool:
        """See `Storage`; after a write that failed, another one is tried."""
        self._look("SELECT 1 FROM events LIMIT 1")
        if self._is_refusing:
            with contextlib.suppress(StorageError):
                await self._write(lambda: self._db.execute(f"PRAGMA user_version = {SCHEMA}"))
        return not self._is_refusing

    def leases(self) -> Leases:
        """See `Storage`; one process uses the file, and owns all games."""
        return SoleOwner()

    async def close(self) -> None:
        """See `Storage`."""
        self._closing.set()
        while self._is_writing:
            with contextlib.suppress(StorageError):
                await self._write(lambda: None)
        self._queue.put(None)
        for thread in self._threads:
            thread.join()
        for db in (self._looking, self._db):
            db.close()
        self._release()

    def _release(self) -> None:
        if self._lock is not None:
            self._lock.release()


def _resolve(together: list[Waiting], answers: list[Any]) -> None:
    """Resolves the futures of all who still wait with what came of their work."""
    for one, answer in zip(together, answers, strict=True):
        if one.done.done():
            continue
        if isinstance(answer, Exception):
            one.done.set_exception(answer)
        else:
            one.done.set_result(answer)


def _fault(error: Exception) -> Exception:
    """The error of a storage for an error of SQLite; mistakes in our own statements stay what they are."""
    if isinstance(error, sqlite3.IntegrityError):
        return ConflictError("what should be added is there already")
    if not isinstance(error, sqlite3.Error) or isinstance(error, sqlite3.ProgrammingError):
        return error
    return database_fault(error)
