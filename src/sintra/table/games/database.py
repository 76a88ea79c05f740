"""The SQLite file that games are kept in: whose it is, its tables, and how an older one becomes today's.

A file of another program is refused before anything is written to it: SQLite's `application_id` says
whose a database is.
"""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Final, Literal

from sintra.table.games.fingerprints import start_of
from sintra.table.games.lock_file import LockFile
from sintra.table.games.storage import StorageError, Stored

SCHEMA: Final = 4
"""The number of today's schema."""
APPLICATION: Final = 0x534E5452
"""`SNTR`, the `application_id` of our databases."""
MEMORY: Final = ":memory:"
BUSY_TIMEOUT_S: Final = 5.0
"""Seconds to wait for another process that writes."""
Durability = Literal["full", "normal"]
"""What an answered act survives: `full`, also a power cut; `normal`, the end of the process."""

_EVENTS: Final = """CREATE TABLE events (
    game TEXT NOT NULL,
    seq INTEGER NOT NULL CHECK (seq >= 0),
    post TEXT,
    at TEXT NOT NULL,
    act TEXT NOT NULL,
    PRIMARY KEY (game, seq),
    UNIQUE (game, post)
) WITHOUT ROWID"""
_SECRETS: Final = """CREATE TABLE secrets (
    game TEXT NOT NULL,
    hash BLOB NOT NULL,
    role TEXT NOT NULL,
    name TEXT NOT NULL DEFAULT '',
    PRIMARY KEY (game, hash)
) WITHOUT ROWID"""
_REVIEWS: Final = "CREATE TABLE reviews (key TEXT NOT NULL PRIMARY KEY, record TEXT NOT NULL, review TEXT)"
_STARTS: Final = (
    "CREATE TABLE starts (game TEXT NOT NULL PRIMARY KEY, start BLOB NOT NULL) WITHOUT ROWID",
    "CREATE INDEX starts_start ON starts (start)",
)
_TABLES: Final = (
    _EVENTS,
    _SECRETS,
    _REVIEWS,
    *_STARTS,
    "CREATE TRIGGER events_stay BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
    "CREATE TRIGGER events_last BEFORE DELETE ON events BEGIN SELECT RAISE(ABORT, 'the log is append-only'); END",
)
"""The columns of a key come first, in its order, as a table without row ids stores them: SQLite 3.40 checks
the integrity of other columns at the place of their declaration."""
_FIRST_COLUMNS: Final = {"events": ["game", "seq", "post", "at", "act"], "secrets": ["game", "role", "hash"]}
"""The tables of schema 1, which had no mark."""
_FROM_FIRST: Final = (
    "ALTER TABLE secrets RENAME TO first_secrets",
    _SECRETS,
    """INSERT INTO secrets (game, hash, role) SELECT game, hash, CASE
        WHEN role = 'friend' AND game IN (SELECT game FROM first_secrets WHERE role = 'invitation')
            AND game NOT IN (SELECT game FROM first_secrets WHERE role = 'lapsed') THEN 'arrived'
        ELSE role END FROM first_secrets""",
    "DROP TABLE first_secrets",
    _REVIEWS,
    *_STARTS,
)
"""An invitation lapsed at the friend's first look: while it has not, all who came by it have not sat down."""
_CHANGES: Final = {0: _TABLES, 1: _FROM_FIRST, 2: (_REVIEWS, *_STARTS), 3: _STARTS}
"""The migration from each earlier schema to today's; 0 is a database without tables."""


def open_database(
    path: str, durability: Durability = "full", lock: LockFile | None = None, writes_ahead: bool = True
) -> sqlite3.Connection:
    """The database in a file, with today's tables; it is made if it is not there. Nothing in it is changed before the
    lock is taken, if there is one. Unless it `writes_ahead`, all of it is in the one file after each commit."""
    try:
        if path != MEMORY:
            _refuse_strangers(path)
            _keep_private(path)
        if lock is not None:
            lock.take()
        db = connect(path)
        try:
            _prepare(db, path, writes_ahead)
            db.execute(f"PRAGMA synchronous = {durability}")
            db.execute("PRAGMA fullfsync = ON")  # macOS has a weaker kind, which a power cut does not survive
        except BaseException:
            db.close()
            raise
    except (OSError, sqlite3.Error) as error:
        raise _unusable(path, error) from None
    return db


def connect(path: str) -> sqlite3.Connection:
    """A connection that begins no transactions by itself, for any thread."""
    return sqlite3.connect(path, isolation_level=None, check_same_thread=False, timeout=BUSY_TIMEOUT_S)


def database_fault(error: sqlite3.Error) -> StorageError:
    """Why a database that is open cannot be used now; SQLite's words hold no values."""
    return StorageError(f"the database cannot be used: {error}")


@contextlib.contextmanager
def transaction(db: sqlite3.Connection, how: str = "IMMEDIATE") -> Iterator[None]:
    """A transaction: everything within is written or nothing is, and nobody else writes in between; if `DEFERRED`, all
    reads see one moment."""
    db.execute(f"BEGIN {how}")
    try:
        yield
        db.execute("COMMIT")
    except BaseException:
        if db.in_transaction:
            db.execute("ROLLBACK")
        raise


def default_database() -> Path:
    """`table.sqlite` in the user's data folder."""
    if sys.platform == "win32":
        base = Path(os.environ.get("LOCALAPPDATA") or Path.home() / "AppData" / "Local")
    elif sys.platform == "darwin":
        base = Path.home() / "Library" / "Application Support"
    else:
        base = Path(os.environ.get("XDG_DATA_HOME") or Path.home() / ".local" / "share")
    return base / "sintra" / "table.sqlite"


def _unusable(path: str, reason: object) -> StorageError:
    words = reason.strerror if isinstance(reason, OSError) and reason.strerror else reason
    return StorageError(f"cannot use the database {path}: {words}")


def _refuse_strangers(path: str) -> None:
    """Looks at a file without changing it, or a file beside it, and raises StorageError if it is not ours. If it has
    become another one meanwhile, because another process makes its tables or leaves it, it is looked at again."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        seen = _seen(path)
        try:
            _refuse_stranger(path, *seen)
        except (sqlite3.Error, StorageError):
            if _seen(path) == seen or time.monotonic() > until:
                raise
        else:
            return


def _seen(path: str) -> tuple[bytes, int]:
    """The head of a file, and how long the log beside it is; nothing if there is none."""
    try:
        mode = os.stat(path).st_mode
        if not stat.S_ISREG(mode):
            raise _unusable(path, "it is a folder" if stat.S_ISDIR(mode) else "it is not a plain file")
        with open(path, "rb") as file:
            head = file.read(100)
    except FileNotFoundError:
        head = b""
    beside, log = f"{os.path.realpath(path)}-wal", 0
    with contextlib.suppress(FileNotFoundError):
        log = os.path.getsize(beside) if os.path.isfile(beside) else 0
    return head, log


def _refuse_stranger(path: str, head: bytes, log: int) -> None:
    """Raises StorageError if a file with such a head, and such a log beside it, is not ours."""
    if not head:
        return
    if not head.startswith(b"SQLite format 3\0") or len(head) < 100:
        raise _unusable(path, "it is not a SQLite database")
    mark = int.from_bytes(head[68:72], "big")
    if mark == APPLICATION:
        return
    if mark != 0:
        raise _foreign(path)
    writes_ahead = head[18] == 2
    how = "immutable=1" if writes_ahead and not log else "mode=ro"
    uri = f"{Path(path).absolute().as_uri()}?{how}"
    with contextlib.closing(sqlite3.connect(uri, isolation_level=None, uri=True, timeout=BUSY_TIMEOUT_S)) as db:
        _schema_now(db, path)


def _foreign(path: str) -> StorageError:
    return _unusable(path, "it belongs to another program; choose another file (--database)")


def _schema(db: sqlite3.Connection, path: str) -> int:
    """The number of a database's tables, 0 if it has none; those that are not ours or are unknown are refused."""
    mark, version = (int(db.execute(f"PRAGMA {name}").fetchone()[0]) for name in ("application_id", "user_version"))
    if mark == APPLICATION:
        if not 1 <= version <= SCHEMA:
            raise StorageError(
                f"the database {path} has schema {version}, this version of Sintra knows {SCHEMA}: "
                f"use the newer one that was used with it, or another file (--database)"
            )
        return version
    if mark == version == 0 and db.execute("SELECT count(*) FROM sqlite_master").fetchone()[0] == 0:
        return 0
    columns = {table: [row[1] for row in db.execute(f"PRAGMA table_info({table})")] for table in _FIRST_COLUMNS}
    if mark != 0 or version != 1 or columns != _FIRST_COLUMNS:
        raise _foreign(path)
    return version


def _schema_now(db: sqlite3.Connection, path: str) -> int:
    """The number of a database's tables (`_schema`), which another process may be making just now."""
    with transaction(db, "DEFERRED"):
        return _schema(db, path)


def _keep_private(path: str) -> None:
    """Lets nobody else read the seeds: SQLite gives the files beside this one its permissions, but
    leaves those that are there already as they are."""
    real = os.path.realpath(path)
    Path(real).parent.mkdir(parents=True, exist_ok=True)
    with contextlib.suppress(FileExistsError):
        os.close(os.open(real, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
    if os.name == "posix":
        for one in (real, f"{real}-wal", f"{real}-shm"):
            if os.path.isfile(one):
                with contextlib.suppress(FileNotFoundError):
                    os.chmod(one, 0o600)


def _prepare(db: sqlite3.Connection, path: str, writes_ahead: bool) -> None:
    """Makes the tables, or migrates older ones. Of several processes that start at once, one does."""
    version = _schema_now(db, path)
    if writes_ahead:
        _write_ahead(db)
    else:
        db.execute("PRAGMA journal_mode = MEMORY")
    if version == SCHEMA:
        return
    with transaction(db):
        version = _schema(db, path)
        if version < SCHEMA:
            for statement in _CHANGES[version]:
                db.execute(statement)
            for game, *first in db.execute("SELECT game, seq, post, at, act FROM events WHERE seq = 0").fetchall():
                keep_start(db, game, [Stored(*first)])
            db.execute(f"PRAGMA application_id = {APPLICATION}")
            db.execute(f"PRAGMA user_version = {SCHEMA}")


def keep_start(db: sqlite3.Connection, game: str, events: Sequence[Stored]) -> None:
    """Keeps how a new game begins, so that it is found by that."""
    if start := start_of(events):
        db.execute("INSERT INTO starts (game, start) VALUES (?, ?)", (game, start))


def _write_ahead(db: sqlite3.Connection) -> None:
    """Turns the write-ahead log on. SQLite does not wait for others who do the same at this moment."""
    until = time.monotonic() + BUSY_TIMEOUT_S
    while True:
        try:
            db.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(0.01)
        else:
            return
