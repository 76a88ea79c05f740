"""The file of the table: today's tables in it, older ones brought along, and what is not ours left alone."""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import os
import shutil
import sqlite3
import stat
import sys
import threading
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from types import FrameType
from typing import Any

import pytest

from helpers import some
from sintra.cli import main
from sintra.records.record import Record
from sintra.table.games import database
from sintra.table.games.capabilities import hash_of
from sintra.table.games.database import APPLICATION, SCHEMA, open_database
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import FRIEND, INVITATION, LAPSED, LATE, StorageError, Stored
from table.local_table import LocalTable, Person, friends, shown
from table.storages import event, in_a_loop

FIRST_SCHEMA = """
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
PRAGMA user_version = 1;
"""
FOREIGN = {
    "plain": "CREATE TABLE notes (text)",
    "with our number": "CREATE TABLE notes (text); PRAGMA user_version = 1",
    "with today's number": f"CREATE TABLE notes (text); PRAGMA user_version = {SCHEMA}",
    "with tables called like ours": "CREATE TABLE events (what); CREATE TABLE secrets (what); PRAGMA user_version = 1",
    "with a mark": "CREATE TABLE notes (text); PRAGMA application_id = 1196444487",
    "with a mark and nothing else": "PRAGMA application_id = 1196444487",
    "with a number and nothing else": "PRAGMA user_version = 3",
    "with a view only": "CREATE VIEW one AS SELECT 1",
    "that writes ahead": "PRAGMA journal_mode = WAL; CREATE TABLE notes (text)",
}
PLACES = {"": "it is a folder"}
if os.name == "posix":
    PLACES |= {
        "pipe": "it is not a plain file",
        "letter.txt/table": "Not a directory",
        "round": "Too many levels of .+",
    }


def write(path: Path, script: str) -> None:
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(script)


def seen(folder: Path) -> dict[str, tuple[bytes, int, int]]:
    """All that lies in a folder, and how."""
    return {
        one.name: (one.read_bytes(), stat.S_IMODE(one.stat().st_mode), one.stat().st_mtime_ns)
        for one in folder.iterdir()
    }


def first_database(path: Path, events: dict[str, list[Stored]], secrets: list[tuple[str, str, bytes]]) -> None:
    """A file as it was written when schemas had the number 1."""
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript(f"PRAGMA journal_mode = WAL; {FIRST_SCHEMA}")
        for game, log in events.items():
            rows = [(game, one.seq, one.post, one.at, one.text) for one in log]
            db.executemany("INSERT INTO events (game, seq, post, at, act) VALUES (?, ?, ?, ?, ?)", rows)
        db.executemany("INSERT INTO secrets (game, role, hash) VALUES (?, ?, ?)", secrets)


def asked(db: sqlite3.Connection, question: str) -> Any:
    return db.execute(question).fetchall()


def assert_is_todays(path: Path) -> None:
    with contextlib.closing(open_database(str(path))) as db:
        assert asked(db, "PRAGMA application_id") == [(APPLICATION,)]
        assert asked(db, "PRAGMA user_version") == [(SCHEMA,)]
        assert asked(db, "PRAGMA journal_mode") == [("wal",)]
        assert asked(db, "PRAGMA integrity_check") == [("ok",)]
        with contextlib.closing(open_database(":memory:")) as new:
            tables = "SELECT type, name, sql FROM sqlite_master ORDER BY type, name"
            assert asked(db, tables) == asked(new, tables)


@pytest.mark.parametrize("script", FOREIGN.values(), ids=FOREIGN.keys())
def test_a_file_of_another_program_is_left_as_it_is(tmp_path: Path, script: str) -> None:
    path = tmp_path / "notes.sqlite"
    write(path, script)
    path.chmod(0o644)
    before = seen(tmp_path)
    with pytest.raises(StorageError, match="it belongs to another program; choose another file"):
        SqliteStorage(path)
    assert seen(tmp_path) == before


def test_a_file_that_another_program_has_open_is_left_as_it_is(tmp_path: Path) -> None:
    """Its tables lie in the log beside it; in the file itself there is nothing yet."""
    path = tmp_path / "notes.sqlite"
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.executescript("PRAGMA journal_mode = WAL; CREATE TABLE notes (text); INSERT INTO notes VALUES ('one')")
        before = {name: (data, mode) for name, (data, mode, _) in seen(tmp_path).items() if not name.endswith("-shm")}
        assert len(before) == 2
        with pytest.raises(StorageError, match="it belongs to another program"):
            SqliteStorage(path)
        after = {name: (data, mode) for name, (data, mode, _) in seen(tmp_path).items() if not name.endswith("-shm")}
        assert after == before
        db.execute("INSERT INTO notes VALUES ('two')")


@pytest.mark.parametrize("text", [b"words " * 100, b"words", b"SQLite format 3\0", b"\0" * 4096])
def test_a_file_that_is_no_database_is_left_as_it_is(tmp_path: Path, text: bytes) -> None:
    path = tmp_path / "letter.txt"
    path.write_bytes(text)
    path.chmod(0o644)
    before = seen(tmp_path)
    with pytest.raises(StorageError, match="it is not a SQLite database"):
        SqliteStorage(path)
    assert seen(tmp_path) == before


@in_a_loop
async def test_a_damaged_database_is_told_in_a_line(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    await SqliteStorage(path).close()
    path.write_bytes(path.read_bytes()[:100] + b"?" * 8000)
    with pytest.raises(StorageError, match=r"^cannot use the database [^\n]+$"):
        SqliteStorage(path)


@pytest.mark.parametrize("place", PLACES)
def test_what_is_no_file_is_told_in_a_line(tmp_path: Path, place: str, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "letter.txt").write_text("words")
    if os.name == "posix":
        os.mkfifo(tmp_path / "pipe")
        (tmp_path / "round").symlink_to(tmp_path / "round")
    path = tmp_path / place
    with pytest.raises(StorageError, match=f"^cannot use the database [^\n]+: {PLACES[place]}$"):
        SqliteStorage(path)
    assert main(["serve", "--port", "0", "--database", str(path)]) == 2
    assert capsys.readouterr().err.count("\n") == 1


def test_the_command_refuses_a_file_of_another_program(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "notes.sqlite"
    write(path, FOREIGN["plain"])
    before = seen(tmp_path)
    assert main(["serve", "--port", "0", "--database", str(path)]) != 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "belongs to another program" in said.err
    assert seen(tmp_path) == before


@pytest.mark.parametrize("script", ["", "PRAGMA journal_mode = WAL", "VACUUM"])
@in_a_loop
async def test_a_file_with_nothing_in_it_will_do(tmp_path: Path, script: str) -> None:
    path = tmp_path / "table.sqlite"
    path.touch()
    write(path, script)
    storage = SqliteStorage(path)
    await storage.append("a", event(0))
    await storage.close()
    assert_is_todays(path)


@in_a_loop
async def test_a_link_leads_to_a_private_file(tmp_path: Path) -> None:
    others = 0o077 if os.name == "posix" else 0
    (tmp_path / "link").symlink_to(tmp_path / "disk" / "table.sqlite")
    storage = SqliteStorage(tmp_path / "link")
    await storage.append("a", event(0))
    files = list((tmp_path / "disk").iterdir())
    assert len(files) == 3
    assert all(one.stat().st_mode & others == 0 for one in files)
    await storage.close()


@in_a_loop
async def test_what_a_killed_service_has_left_is_ours(tmp_path: Path) -> None:
    """Everything, also whose file it is, lies in the log beside the file still."""
    path, copy = tmp_path / "table.sqlite", tmp_path / "copy.sqlite"
    storage = SqliteStorage(path)
    await storage.append("a", event(0, "post"))
    for end in ("", "-wal"):
        shutil.copy(f"{path}{end}", f"{copy}{end}")
    await storage.close()
    assert copy.read_bytes()[68:72] == bytes(4)
    again = SqliteStorage(copy)
    assert await again.events("a") == [event(0, "post")]
    await again.close()


@in_a_loop
async def test_tables_are_declared_as_they_are_stored(tmp_path: Path) -> None:
    """SQLite 3.40 finds NULLs in sound tables without row ids whose keys do not come first."""
    path = tmp_path / "table.sqlite"
    storage = SqliteStorage(path)
    await storage.create("a", [event(0), event(1, "post")], [("own", b"1" * 32), ("watch", b"2" * 32)])
    await storage.invite("a", b"3" * 32)
    await storage.close()
    assert_is_todays(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        for (table,) in some(asked(db, "SELECT name FROM sqlite_master WHERE type = 'table'")):
            keys = [row[5] for row in asked(db, f"PRAGMA table_info({table})")]
            length = sum(place > 0 for place in keys)
            assert keys[:length] == list(range(1, length + 1)), table


@in_a_loop
async def test_an_older_file_becomes_todays(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    log = {"a": [event(0), event(1, "post")], "b": [event(0)], "c": [event(0)]}
    secrets = [
        *(("a", role, role.encode()) for role in ("own", "watch", INVITATION)),
        ("b", INVITATION, b"link"),
        ("b", FRIEND, b"1"),
        ("b", FRIEND, b"2"),
        ("c", LAPSED, b"link"),
        ("c", FRIEND, b"1"),
        ("c", FRIEND, b"2"),
    ]
    first_database(path, log, secrets)
    storage = SqliteStorage(path)
    assert {game: await storage.events(game) for game in await storage.games()} == log
    assert [await storage.roles("a", [role.encode()]) for role in ("own", INVITATION)] == [{"own"}, {INVITATION}]
    assert await storage.arrivals("b", [b"1", b"2"]) == [(b"1", ""), (b"2", "")], "nobody has looked: nobody sits"
    assert await storage.sit("b", b"2", None)
    assert [await storage.roles("b", [one]) for one in (b"1", b"2", b"link")] == [{LATE}, {FRIEND}, {LAPSED}]
    assert await storage.roles("c", [b"1"]) == await storage.roles("c", [b"2"]) == {FRIEND}, "devices of one who sits"
    with pytest.raises(sqlite3.IntegrityError, match="append-only"):
        storage._db.execute("DELETE FROM events")
    await storage.close()
    assert_is_todays(path)


@in_a_loop
async def test_a_file_without_reviews_becomes_todays(tmp_path: Path) -> None:
    """As it was written when schemas had the number 2."""
    path = tmp_path / "table.sqlite"
    storage = SqliteStorage(path)
    await storage.create("a", [event(0), event(1)], [("own", b"1")])
    await storage.close()
    write(path, "DROP TABLE reviews; DROP TABLE starts; PRAGMA user_version = 2")
    storage = SqliteStorage(path)
    await storage.keep_review("key", "record", None)
    assert await storage.events("a") == [event(0), event(1)]
    await storage.close()
    assert_is_todays(path)


def test_games_of_an_older_file_are_found_by_their_starts(tmp_path: Path) -> None:
    """As it was written when schemas had the number 3: a game that goes on is not reviewed."""
    path = tmp_path / "table.sqlite"
    with LocalTable(path) as local:
        game, ann, ben, _ = friends(local)
        local.play(game, {0: ann, 1: ben}, most=3)
        played = local.room(game).game.copy()
    write(path, "INSERT INTO events VALUES ('b', 0, NULL, 'now', '{}'); DROP TABLE starts; PRAGMA user_version = 3")
    played.resign(0)
    with LocalTable(path) as local:
        record = Record.of(played).dumps()
        assert local.person().refused("POST", "/reviews", {"record": record}) == (409, "no_review_yet")
    assert_is_todays(path)


def test_games_of_an_older_file_go_on(tmp_path: Path) -> None:
    """The friend's devices, a place that nobody has taken yet, and a table that waits."""
    with LocalTable() as old:
        game, ann, _, _ = friends(old)
        open_game = friends(old)[0]
        waiting = ann.create("friend")["game"]
        log = {one: old.log(one) for one in (game, open_game, waiting)}
    secrets = [
        (game, "own", "o" * 43),
        (game, LAPSED, "i" * 43),
        (game, FRIEND, "a" * 43),
        (game, FRIEND, "b" * 43),
        (open_game, INVITATION, "i" * 43),
        (open_game, FRIEND, "a" * 43),
        (open_game, FRIEND, "b" * 43),
        (waiting, INVITATION, "i" * 43),
    ]
    path = tmp_path / "table.sqlite"
    first_database(path, log, [(one, role, hash_of(secret)) for one, role, secret in secrets])
    with LocalTable(path) as local:

        def holder(of: str, secret: str) -> Person:
            person = local.person()
            person.http.cookies.set("sintra-friend", secret, path=f"/api/games/{of}")
            return person

        for letter in "ab":
            assert shown(holder(game, letter * 43), game).you == [1]
        stranger = local.person()
        body = {"secret": "i" * 43, "name": "Eve"}
        assert stranger.refused("POST", f"/games/{game}/enter", body) == (410, "link_used")
        found = shown(holder(open_game, "b" * 43), open_game)
        assert (found.you, found.players[1].name) == ([1], "Ben")
        assert holder(open_game, "a" * 43).refused("GET", f"/games/{open_game}") == (410, "seat_taken")
        assert stranger.post(f"/games/{waiting}/enter", body)["you"] == [1]
        assert shown(stranger, waiting).players[1].name == "Eve"


@in_a_loop
async def test_a_change_that_fails_leaves_the_older_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "table.sqlite"
    first_database(path, {"a": [event(0)]}, [("a", "own", b"1")])
    fails = (*database._FROM_FIRST, "INSERT INTO nowhere VALUES (1)")
    monkeypatch.setattr(database, "_CHANGES", {1: fails})
    with pytest.raises(StorageError, match="nowhere"):
        SqliteStorage(path)
    with contextlib.closing(sqlite3.connect(path)) as db:
        assert asked(db, "PRAGMA user_version") == [(1,)]
        assert asked(db, "SELECT game, role, hash FROM secrets") == [("a", "own", b"1")]
    monkeypatch.undo()
    await SqliteStorage(path).close()
    assert_is_todays(path)


@in_a_loop
async def test_a_newer_file_is_refused_and_left(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    await SqliteStorage(path).close()
    write(path, f"PRAGMA user_version = {SCHEMA + 1}")
    before = path.read_bytes()
    with pytest.raises(StorageError, match=f"has schema {SCHEMA + 1}, this version of Sintra knows {SCHEMA}"):
        SqliteStorage(path)
    assert path.read_bytes() == before


@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
def test_services_that_start_at_once_share_a_file(tmp_path: Path, older: bool) -> None:
    """Connections of one process lock each other out as those of several do."""
    count = 6
    for turn in range(5):
        path = tmp_path / f"{turn}.sqlite"
        if older:
            first_database(path, {"a": [event(0)]}, [("a", "own", b"1")])
        ready = threading.Barrier(count)

        async def write_one(k: int, path: Path = path) -> bool:
            storage = SqliteStorage(path)
            await storage.append(f"game {k}", event(0))
            roles = await storage.roles("a", [b"1"])
            await storage.close()
            return roles == ({"own"} if older else set())

        def start(k: int, ready: threading.Barrier = ready) -> bool:
            ready.wait()
            return asyncio.run(write_one(k))

        async def written(path: Path = path) -> list[str]:
            storage = SqliteStorage(path)
            games = await storage.games()
            await storage.close()
            return games

        with ThreadPoolExecutor(count) as pool:
            assert all(pool.map(start, range(count)))
        assert_is_todays(path)
        assert asyncio.run(written()) == ["a"] * older + [f"game {k}" for k in range(count)]


@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
def test_a_file_is_not_judged_by_two_moments(tmp_path: Path, older: bool) -> None:
    """Another service makes its tables while this one asks the file whose it is."""
    path = tmp_path / "table.sqlite"
    if older:
        first_database(path, {}, [])
    else:
        write(path, "PRAGMA journal_mode = WAL")
    with contextlib.closing(sqlite3.connect(path, isolation_level=None)) as db:
        db.set_trace_callback(lambda text: open_database(str(path)).close() if "user_version" in text else None)
        assert database._schema_now(db, str(path)) == int(older)
        assert database._schema_now(db, str(path)) == SCHEMA


@contextlib.contextmanager
def interrupted(line: int, do: Callable[[], None]) -> Iterator[Callable[[], bool]]:
    """Something is done before the line with this number of all that are run in the module of the database; whether it
    has come to that."""
    left = line

    def trace(frame: FrameType, what: str, _: object) -> Any:
        nonlocal left
        if frame.f_code.co_filename != database.__file__:
            return None
        if what == "line":
            left -= 1
            if left == -1:
                do()
        return trace

    before = sys.gettrace()
    sys.settrace(trace)
    try:
        yield lambda: left < 0
    finally:
        sys.settrace(before)


@pytest.mark.parametrize("older", [False, True], ids=["new", "older"])
@pytest.mark.parametrize("how", ["comes and goes", "comes", "leaves"])
def test_another_may_come_and_leave_at_any_moment(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, how: str, older: bool
) -> None:
    """The last who leaves takes along what lies beside the file. One who comes while the file is locked would wait."""
    for line in itertools.count():
        path = tmp_path / f"{line}.sqlite"
        if older:
            first_database(path, {"a": [event(0)]}, [("a", "own", b"1")])
        with contextlib.ExitStack() as others:
            if how == "leaves":
                others.callback(open_database(str(path)).close)

            def come(path: Path = path, others: contextlib.ExitStack = others) -> None:
                with monkeypatch.context() as hasty:
                    hasty.setattr(database, "BUSY_TIMEOUT_S", 0.0)
                    with contextlib.suppress(StorageError):
                        others.callback(open_database(str(path)).close)
                if how == "comes and goes":
                    others.close()

            with interrupted(line, others.close if how == "leaves" else come) as was_interrupted:
                open_database(str(path)).close()
        assert_is_todays(path)
        if not was_interrupted():
            break
    assert line > 50
