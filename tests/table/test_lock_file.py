"""An SQLite file belongs to one service: others are refused, and learn where it is."""

from __future__ import annotations

import asyncio
import errno
import os
import signal
import sqlite3
import subprocess
import sys
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from pathlib import Path

import pytest

from sintra.cli import main
from sintra.table.games import lock_file
from sintra.table.games.database import default_database
from sintra.table.games.lock_file import AlreadyRunningError, LockFile
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import StorageError
from table.served import Served

HERE = "http://localhost:1"
HOLDING = """import sys
from sintra.table.games.lock_file import LockFile
LockFile(*sys.argv[1:]).take()
print("taken", flush=True)
sys.stdin.read()
"""


@contextmanager
def another_service(database: Path, address: str = HERE) -> Iterator[None]:
    """Another process that has a file; at the end it is killed."""
    command = [sys.executable, "-c", HOLDING, str(database), address]
    with subprocess.Popen(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as process:
        assert process.stdout is not None
        assert process.stdout.readline() == b"taken\n"
        yield
        process.kill()


@pytest.fixture
def database(tmp_path: Path) -> Path:
    return tmp_path / "table.sqlite"


def beside(database: Path) -> list[str]:
    return sorted(path.name.removeprefix(database.name) for path in database.parent.iterdir())


def open_and_close(database: Path, served_at: str | None = HERE) -> None:
    asyncio.run(SqliteStorage(database, served_at=served_at).close())


def test_second_service_is_refused(database: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    with Served(database) as first:
        assert main(["serve", "--port", "0", "--database", str(database)]) == 2
        assert capsys.readouterr().err == (
            f"sintra serve: cannot use the database {database}: the table at {first.address} uses it already, and an "
            f"SQLite file belongs to one service; stop that one, or choose another file (--database)\n"
        )
        link = tmp_path / "link.sqlite"
        link.symlink_to(database)
        assert main(["serve", "--port", "0", "--database", str(link)]) == 2
        assert main(["tables", "check", str(database)]) == 0
        first.friends()
        first.kill(signal.SIGTERM)
        assert "-service" not in beside(database)


def test_table_that_is_open_already_is_shown(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA", "HOME"):
        monkeypatch.setenv(name, str(tmp_path))
    database = default_database()
    shown: list[str] = []

    def cannot(address: str) -> bool:
        shown.append(address)
        return False

    monkeypatch.setattr(webbrowser, "open", cannot)
    open_and_close(database)
    with another_service(database):
        assert main([]) == 0
        assert shown == [HERE]
        assert capsys.readouterr().out == (
            f"The table is open already, at {HERE}.\nNo browser could be opened: open this address in yours.\n"
        )
        assert main(["--no-browser"]) == 0
        assert shown == [HERE]
    with another_service(database, ""):
        assert main([]) == 2
        assert "another service uses it already" in capsys.readouterr().err


def test_nothing_is_changed_in_a_file_of_another_service(database: Path) -> None:
    """It may be of an older version, which would not know the new tables."""
    open_and_close(database)
    with closing(sqlite3.connect(database)) as db:
        db.execute("DROP TABLE starts")
        db.execute("DROP TABLE reviews")
        db.execute("PRAGMA user_version = 2")
    with another_service(database):
        before = database.read_bytes()
        with pytest.raises(AlreadyRunningError):
            SqliteStorage(database, served_at="elsewhere")
        assert database.read_bytes() == before
    open_and_close(database)
    assert database.read_bytes() != before


def test_killed_service_leaves_the_file_to_the_next(database: Path) -> None:
    open_and_close(database)
    with another_service(database, "a longer address than the next one's"):
        assert beside(database) == ["", "-service"]
    storage = SqliteStorage(database, served_at="next")
    assert Path(f"{database}-service").read_text() == "next"
    asyncio.run(storage.close())
    assert beside(database) == [""]


def test_file_that_cannot_be_used_has_nothing_beside_it(database: Path) -> None:
    database.write_text("somebody's notes, which are no database of anybody")
    with pytest.raises(StorageError, match="it is not a SQLite database"):
        SqliteStorage(database, served_at=HERE)
    assert beside(database) == [""]


def test_who_comes_while_another_goes_has_what_others_will_find(
    database: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its file is removed between opening and locking it; a lock on what nobody finds would keep nobody out."""
    lock = lock_file._lock
    removed: list[int] = []

    def late(file: int) -> None:
        if not removed:
            removed.append(file)
            os.unlink(f"{database}-service")
        lock(file)

    monkeypatch.setattr(lock_file, "_lock", late)
    taken = LockFile(str(database), HERE)
    taken.take()
    assert removed
    with pytest.raises(subprocess.CalledProcessError):
        subprocess.run([sys.executable, "-c", HOLDING, database, ""], check=True, capture_output=True)
    taken.release()


def test_where_nothing_can_be_locked_nobody_is_refused(database: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def cannot(file: int) -> None:
        raise OSError(errno.ENOLCK, "No locks available")

    monkeypatch.setattr(lock_file, "_lock", cannot)
    with another_service(database):
        open_and_close(database)
