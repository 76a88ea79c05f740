"""Where games are kept: an append-only log of events, and hashes of the secrets that open seats.

`Storage` is all that the table asks of a database; `SqliteStorage` keeps it in one file.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import sys
import threading
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Protocol

from sintra.errors import SintraError

SCHEMA: Final = 1
_TABLES: Final = """
CREATE TABLE events (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    post TEXT,
    at TEXT NOT NULL,
    act TEXT NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, post)
) WITHOUT ROWID;
CREATE TABLE secrets (
    game TEXT NOT NULL,
    role TEXT NOT NULL,
    hash BLOB NOT NULL,
    PRIMARY KEY (game, hash)
) WITHOUT ROWID;
CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END;
"""


_TIDY_SECONDS: Final = 3.0


class StorageError(SintraError):
    """A database that cannot be used."""


class ConflictError(Exception):
    """The event's place in the log, or its post id, is taken already."""


@dataclass(frozen=True, slots=True)
class Stored:
    """An event as it lies in the log: `post` is what its poster called it, `act` its JSON text."""

    seq: int
    post: str | None
    at: str
    act: str


class Storage(Protocol):
    """A log of events for each game, and who may open what."""

    def append(self, game: str, event: Stored) -> None:
        """Adds an event; when this returns, it survives a crash of the service. A place or a post id
        that is taken raises ConflictError and changes nothing."""
        ...

    def create(self, game: str, events: list[Stored], secrets: list[tuple[str, bytes]]) -> None:
        """Adds a new game with its first events and its roles' secret hashes, all or nothing."""
        ...

    def events(self, game: str, start: int = 0, most: int | None = None) -> list[Stored]:
        """A game's events in order, from one on, at most so many; none when there is no such game."""
        ...

    def games(self) -> list[str]:
        """All games there are."""
        ...

    def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """Another secret that opens a role of a game."""
        ...

    def change_role(self, game: str, role: str, to: str) -> None:
        """The secrets that opened one role of a game open another instead."""
        ...

    def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """The roles that secrets with these hashes open in a game."""
        ...

    def close(self) -> None:
        """Ends the use of the database."""
        ...


class SqliteStorage:
    """Games in a SQLite file. A write-ahead log without an fsync a move: what was answered survives
    the end of the process at any moment; a power cut can cost the last moves, never the file."""

    def __init__(self, path: str | Path) -> None:
        """Opens the file, and makes it if it is not there; `:memory:` keeps nothing."""
        self.path = str(path)
        try:
            if self.path != ":memory:":
                Path(self.path).parent.mkdir(parents=True, exist_ok=True)
                self._keep_private()
            self._db = sqlite3.connect(self.path, isolation_level=None, check_same_thread=False, timeout=5.0)
            self._db.execute("PRAGMA journal_mode = WAL")
            self._db.execute("PRAGMA synchronous = NORMAL")
            self._prepare()
        except (OSError, sqlite3.Error) as error:
            raise StorageError(f"cannot use the database {self.path}: {error}") from None
        self._closing = threading.Event()
        self._tidier: threading.Thread | None = None
        if self.path != ":memory:":
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

    def _keep_private(self) -> None:
        """Lets nobody else read the seeds: SQLite gives the files beside this one its permissions, but
        leaves those that are there already as they are."""
        with contextlib.suppress(FileExistsError):
            os.close(os.open(self.path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        if os.name == "posix":
            for path in (self.path, f"{self.path}-wal", f"{self.path}-shm"):
                if os.path.isfile(path):
                    os.chmod(path, 0o600)

    def _prepare(self) -> None:
        version = int(self._db.execute("PRAGMA user_version").fetchone()[0])
        if version == 0:
            self._db.executescript(f"BEGIN IMMEDIATE; {_TABLES} PRAGMA user_version = {SCHEMA}; COMMIT;")
        elif version != SCHEMA:
            raise StorageError(
                f"the database {self.path} has schema {version}, this version of Sintra knows {SCHEMA}: "
                f"use the Sintra that made it, or another file (--database)"
            )

    def append(self, game: str, event: Stored) -> None:
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

    def create(self, game: str, events: list[Stored], secrets: list[tuple[str, bytes]]) -> None:
        """See `Storage`."""
        self._db.execute("BEGIN IMMEDIATE")
        try:
            for event in events:
                self._insert(game, event)
            for role, secret_hash in secrets:
                self.add_secret(game, role, secret_hash)
        except sqlite3.IntegrityError:
            self._db.execute("ROLLBACK")
            raise ConflictError("there is such a game already") from None
        except BaseException:
            self._db.execute("ROLLBACK")
            raise
        self._db.execute("COMMIT")

    def events(self, game: str, start: int = 0, most: int | None = None) -> list[Stored]:
        """See `Storage`."""
        rows = self._db.execute(
            "SELECT seq, post, at, act FROM events WHERE game = ? AND seq >= ? ORDER BY seq LIMIT ?",
            (game, start, -1 if most is None else most),
        )
        return [Stored(*row) for row in rows]

    def games(self) -> list[str]:
        """See `Storage`."""
        return [row[0] for row in self._db.execute("SELECT DISTINCT game FROM events ORDER BY game")]

    def add_secret(self, game: str, role: str, secret_hash: bytes) -> None:
        """See `Storage`."""
        self._db.execute("INSERT INTO secrets (game, role, hash) VALUES (?, ?, ?)", (game, role, secret_hash))

    def change_role(self, game: str, role: str, to: str) -> None:
        """See `Storage`."""
        self._db.execute("UPDATE secrets SET role = ? WHERE game = ? AND role = ?", (to, game, role))

    def roles(self, game: str, hashes: list[bytes]) -> set[str]:
        """See `Storage`."""
        found = set()
        for one in hashes:
            row = self._db.execute("SELECT role FROM secrets WHERE game = ? AND hash = ?", (game, one)).fetchone()
            if row:
                found.add(str(row[0]))
        return found

    def close(self) -> None:
        """See `Storage`."""
        self._closing.set()
        if self._tidier is not None:
            self._tidier.join()
        self._db.close()


def default_database() -> Path:
    """`table.sqlite` in the user's data folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "sintra" / "table.sqlite"
