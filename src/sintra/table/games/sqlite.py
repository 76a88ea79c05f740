"""Games in a SQLite file, or in memory."""

from __future__ import annotations

import contextlib
import sqlite3
import threading
from pathlib import Path
from typing import Final

from sintra.table.games.commons import Alone, Commons
from sintra.table.games.database import MEMORY, open_database, transaction
from sintra.table.games.storage import ARRIVED, FRIEND, INVITATION, LAPSED, LATE, ConflictError, Stored

_TIDY_SECONDS: Final = 3.0


class SqliteStorage:
    """Games in a SQLite file. A write-ahead log without an fsync a move: what was answered survives
    the end of the process at any moment; a power cut can cost the last moves, never the file. A call takes
    microseconds and is done at once, in the loop's own thread: none of them waits."""

    def __init__(self, path: str | Path) -> None:
        """Opens the file, and makes it if it is not there; `:memory:` keeps nothing."""
        self.path = str(path)
        self._db = open_database(self.path)
        self._closing = threading.Event()
        self._tidier: threading.Thread | None = None
        if self.path != MEMORY:
            self._db.execute("PRAGMA wal_autocheckpoint = 0")
            self._tidier = threading.Thread(target=self._tidy, name="sintra storage", daemon=True)
            self._tidier.start()

    def _tidy(self) -> None:
        """Moves the write-ahead log into the file now and then. It waits for the disk, so that it is not
        for the service's own thread to do."""
        with contextlib.closing(sqlite3.connect(self.path, timeout=5.0)) as db:
            while not self._closing.wait(_TIDY_SECONDS):
                with contextlib.suppress(sqlite3.Error):
                    db.execute("PRAGMA wal_checkpoint(PASSIVE)").fetchall()

    async def append(self, game: str, event: Stored) -> None:
        """See `Storage`."""
        try:
            self._insert(game, event)
        except sqlite3.IntegrityError:
            raise ConflictError(f"event {event.seq} of the game, or its post id, is there already") from None

    def _insert(self, game: str, event: Stored) -> None:
        self._db.execute(
            "INSERT INTO events (game, seq, post, at, act) VALUES (?, ?, ?, ?, ?)",
            (game, event.seq, event.post, event.at, event.act),
        )

    async def create(
        self,
        game: str,
        events: list[Stored],
        secrets: list[tuple[str, bytes]],
        follows: tuple[str, Stored] | None = None,
    ) -> None:
        """See `Storage`."""
        try:
            with transaction(self._db):
                for event in events:
                    self._insert(game, event)
                if follows is not None:
                    self._insert(*follows)
                for role, secret_hash in secrets:
                    self._add_secret(game, role, secret_hash)
        except sqlite3.IntegrityError:
            raise ConflictError("there is such a game already, or the log of the one before has gone on") from None

    async def events(self, game: str, start: int = 0, most: int | None = None) -> list[Stored]:
        """See `Storage`."""
        rows = self._db.execute(
            "SELECT seq, post, at, act FROM events WHERE game = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (game, start, -1 if most is None else most),
        )
        return [Stored(*row) for row in rows]

    async def games(self) -> list[str]:
        """See `Storage`."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT game FROM events ORDER BY game")]

    async def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """See `Storage`."""
        self._add_secret(game, role, secret_hash)

    def _add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        self._db.execute("INSERT INTO secrets (game, role, hash) VALUES (?, ?, ?)", (game, role, secret_hash))

    async def invite(self, game: str, secret_hash: bytes) -> bool:
        """See `Storage`."""
        made = self._db.execute(
            "INSERT INTO secrets (game, hash, role) SELECT ?, ?, ?"
            " WHERE NOT EXISTS (SELECT 1 FROM secrets WHERE game = ? AND role = ?)",
            (game, secret_hash, INVITATION, game, FRIEND),
        )
        return made.rowcount == 1

    async def arrive(self, game: str, invitation: bytes, secret_hash: bytes, name: str) -> bool:
        """See `Storage`."""
        made = self._db.execute(
            "INSERT INTO secrets (game, hash, role, name) SELECT game, ?, ?, ? FROM secrets"
            " WHERE game = ? AND hash = ? AND role = ?"
            " AND NOT EXISTS (SELECT 1 FROM secrets WHERE game = ? AND role = ?)",
            (secret_hash, ARRIVED, name, game, invitation, INVITATION, game, FRIEND),
        )
        return made.rowcount == 1

    async def arrivals(self, game: str, hashes: list[bytes]) -> list[tuple[bytes, str]]:
        """See `Storage`."""
        select = "SELECT hash, name FROM secrets WHERE game = ? AND hash = ? AND role = ?"
        rows = (self._db.execute(select, (game, one, ARRIVED)).fetchone() for one in hashes)
        return [(bytes(row[0]), str(row[1])) for row in rows if row]

    async def sit(self, game: str, secret_hash: bytes, event: Stored | None) -> bool:
        """See `Storage`."""
        change = "UPDATE secrets SET role = ? WHERE game = ? AND role = ?"
        try:
            with transaction(self._db):
                seated = self._db.execute(f"{change} AND hash = ?", (FRIEND, game, ARRIVED, secret_hash)).rowcount == 1
                if seated:
                    self._db.execute(change, (LATE, game, ARRIVED))
                    self._db.execute(change, (LAPSED, game, INVITATION))
                    if event is not None:
                        self._insert(game, event)
        except sqlite3.IntegrityError:
            raise ConflictError("the log of the game has gone on") from None
        return seated

    async def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """See `Storage`."""
        found = set()
        for one in hashes:
            row = self._db.execute("SELECT role FROM secrets WHERE game = ? AND hash = ?", (game, one)).fetchone()
            if row:
                found.add(str(row[0]))
        return found

    async def keep_review(self, key: str, record: str, review: str | None) -> None:
        """See `Storage`."""
        self._db.execute(
            "INSERT INTO reviews (key, record, review) VALUES (?, ?, ?)"
            " ON CONFLICT (key) DO UPDATE SET review = coalesce(excluded.review, review)",
            (key, record, review),
        )

    async def kept_review(self, key: str) -> tuple[str, str | None] | None:
        """See `Storage`."""
        row = self._db.execute("SELECT record, review FROM reviews WHERE key = ?", (key,)).fetchone()
        return None if row is None else (str(row[0]), None if row[1] is None else str(row[1]))

    def commons(self) -> Commons:
        """Nothing: one process uses the file."""
        return Alone()

    async def close(self) -> None:
        """See `Storage`."""
        self._closing.set()
        if self._tidier is not None:
            self._tidier.join()
        self._db.close()
