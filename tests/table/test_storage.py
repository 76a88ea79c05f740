"""The storage: nothing is lost, doubled or changed, also when the service is killed."""

from __future__ import annotations

import asyncio
import contextlib
import os
import re
import resource
import signal
import sqlite3
import sys
import threading
from pathlib import Path
from typing import Any

import pytest

import soak
from sintra.cli import main
from sintra.table.games.database import MEMORY, SCHEMA, Durability, connect, default_database
from sintra.table.games.fingerprints import start_of
from sintra.table.games.opening import open_storage
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import (
    ARRIVED,
    FRIEND,
    INVITATION,
    LAPSED,
    LATE,
    ConflictError,
    Secret,
    Storage,
    StorageError,
    Stored,
)
from table.served import TIMEOUT_S, Served
from table.storages import Backend, event, in_a_loop
from table.test_moving import played


@pytest.fixture(
    params=[*(f"{kind}{how}" for kind in ("file", "memory", "postgres") for how in ("", ", waited for")), "hasty file"]
)
def backend(request: pytest.FixtureRequest, tmp_path: Path) -> Backend:
    """Every storage there is, as it is and as one that waits."""
    kind, _, waits = request.param.partition(", ")
    if kind == "postgres":
        address = request.getfixturevalue("postgres").new_database()
    else:
        address = MEMORY if kind == "memory" else str(tmp_path / "deep" / "table.sqlite")
    return Backend(address, bool(waits), "normal" if kind == "hasty file" else "full")


# --- what every storage does --------------------------------------------------------------------


@in_a_loop
async def test_events_come_back_in_order(backend: Backend) -> None:
    storage = await backend.open()
    await storage.create("a", [event(0)], [("own", b"1")])
    for seq in range(1, 20):
        await storage.append("a", event(seq, f"post {seq}", f'{{"kind":"\N{GREEK SMALL LETTER ALPHA} {seq}"}}'))
    await storage.append("b", event(0))
    again = await backend.reopen()
    log = await again.events("a")
    assert log == [
        event(0),
        *(event(seq, f"post {seq}", f'{{"kind":"\N{GREEK SMALL LETTER ALPHA} {seq}"}}') for seq in range(1, 20)),
    ]
    assert await again.events("nowhere") == []
    assert await again.games() == ["a", "b"]
    assert await again.roles("a", [b"1"]) == {"own"}


@in_a_loop
async def test_a_log_is_read_page_by_page(backend: Backend) -> None:
    storage = await backend.open()
    await storage.create("a", [event(seq) for seq in range(10)], [])
    await storage.create("b", [event(0)], [])
    pages = [await storage.events("a", start, 4) for start in (0, 4, 8, 10)]
    assert [[one.seq for one in page] for page in pages] == [[0, 1, 2, 3], [4, 5, 6, 7], [8, 9], []]
    assert [one.seq for one in await storage.events("a", 7)] == [7, 8, 9]
    assert await storage.events("a", 0, 0) == []


@in_a_loop
async def test_places_and_posts_are_unique(backend: Backend) -> None:
    """A log only grows: what is there is neither changed nor replaced."""
    here, there = await backend.open(), await backend.open()
    await here.append("a", event(0, "first", "1"))
    for taken in (event(0, "second", "2"), event(0, None, "2"), event(0, "first", "2"), event(1, "first", "2")):
        for storage in (here, there):
            with pytest.raises(ConflictError):
                await storage.append("a", taken)
            assert await storage.events("a") == [event(0, "first", "1")]
    await there.append("a", event(1))
    await here.append("a", event(2))
    await here.append("b", event(0, "first"))
    for storage in (here, there):
        assert [one.seq for one in await storage.events("a")] == [0, 1, 2]


@in_a_loop
async def test_a_game_is_made_whole_or_not_at_all(backend: Backend) -> None:
    storage = await backend.open()
    await storage.append("a", event(0))
    with pytest.raises(ConflictError):
        await storage.create("a", [event(0)], [("own", b"1")])
    with pytest.raises(ConflictError):
        await storage.create("a", [event(1), event(0)], [("own", b"1")])
    with pytest.raises(ConflictError):
        await storage.create("c", [event(0), event(0)], [("own", b"1")])
    with pytest.raises(ConflictError):
        await storage.create("c", [event(0, "post"), event(1, "post")], [("own", b"1")])
    assert await storage.games() == ["a"]
    assert await storage.events("a") == [event(0)]
    for game in "ac":
        assert await storage.roles(game, [b"1"]) == set()
    await storage.create("c", [event(0), event(1, "post")], [("own", b"1")])
    assert len(await storage.events("c")) == 2


@in_a_loop
async def test_secrets_open_roles_of_their_game_only(backend: Backend) -> None:
    storage = await backend.open()
    await storage.create("a", [event(0)], [("own", b"1"), ("watch", b"2")])
    await storage.create("b", [event(0)], [("own", b"3")])
    await storage.add_secret("b", "friend", b"4")
    assert await storage.roles("a", [b"1", b"3"]) == {"own"}
    assert await storage.roles("b", [b"3", b"4", b"9"]) == {"own", "friend"}
    assert await storage.roles("a", []) == set()
    assert await storage.roles("nowhere", [b"1"]) == set()


async def role_of(storage: Storage, secret_hash: bytes) -> str:
    (role,) = await storage.roles("a", [secret_hash])
    return role


@in_a_loop
async def test_one_of_two_sits_down(backend: Backend) -> None:
    """Two users of one database, in any order: whoever is first closes everything else, for both."""
    here, there = await backend.open(), await backend.open()
    await here.create("a", [event(0)], [("own", b"own"), (INVITATION, b"link")])
    assert await there.invite("a", b"other link")
    assert await here.arrive("a", b"link", b"1", "Ben")
    assert await there.arrive("a", b"other link", b"2", "Eve")
    assert not await there.arrive("a", b"own", b"3", "Eve"), "only an invitation lets somebody come"
    assert await here.arrivals("a", [b"2", b"1", b"own"]) == [(b"2", "Eve"), (b"1", "Ben")]
    assert await there.sit("a", b"2", event(1))
    assert not await here.sit("a", b"1", event(2))
    assert not await here.sit("a", b"own", None)
    assert await here.events("a") == [event(0), event(1)]
    assert not await here.arrive("a", b"link", b"4", "Dan")
    assert not await here.invite("a", b"one more")
    roles = [await role_of(here, one) for one in (b"1", b"2", b"link", b"other link", b"own")]
    assert roles == [LATE, FRIEND, LAPSED, LAPSED, "own"]
    assert await here.arrivals("a", [b"1", b"2"]) == []


@in_a_loop
async def test_an_invitation_is_for_its_game(backend: Backend) -> None:
    storage = await backend.open()
    for game in "ab":
        await storage.create(game, [event(0)], [(INVITATION, game.encode())])
    assert not await storage.arrive("a", b"b", b"1", "Ben")
    assert await storage.arrive("a", b"a", b"1", "Ben")
    assert not await storage.sit("b", b"1", None)
    assert await storage.arrivals("b", [b"1"]) == []
    assert await storage.sit("a", b"1", None)
    assert await storage.invite("b", b"more"), "somebody sits there, not here"
    assert await storage.arrive("b", b"b", b"1", "Eve"), "the other game's invitation is as it was"
    assert await storage.events("a") == [event(0)], "there was nothing to tell"


@in_a_loop
async def test_a_seat_is_taken_whole_or_not_at_all(backend: Backend) -> None:
    storage = await backend.open()
    await storage.create("a", [event(0), event(1, "post")], [(INVITATION, b"link")])
    for secret_hash in (b"1", b"2"):
        assert await storage.arrive("a", b"link", secret_hash, "Ben")
    for taken in (event(1), event(2, "post")):
        with pytest.raises(ConflictError):
            await storage.sit("a", b"1", taken)
        roles = [await role_of(storage, one) for one in (b"1", b"2", b"link")]
        assert roles == [ARRIVED, ARRIVED, INVITATION]
    assert len(await storage.events("a")) == 2
    assert await storage.sit("a", b"1", event(2))
    assert not await storage.sit("a", b"1", event(3)), "once is enough"
    assert len(await storage.events("a")) == 3


@in_a_loop
async def test_of_many_who_write_at_once_one_is_first(backend: Backend) -> None:
    users = [await backend.open() for _ in range(4)]
    await users[0].create("a", [event(0)], [])

    async def write(storage: Storage, what: Stored) -> bool:
        try:
            await storage.append("a", what)
        except ConflictError:
            return False
        return True

    same_place = await asyncio.gather(*(write(one, event(1, None, str(k))) for k, one in enumerate(users)))
    assert same_place.count(True) == 1
    assert await users[0].events("a", 1) == [event(1, None, str(same_place.index(True)))]
    same_post = await asyncio.gather(*(write(one, event(2 + k, "post")) for k, one in enumerate(users)))
    assert same_post.count(True) == 1
    assert [one.seq for one in await users[-1].events("a", 2)] == [2 + same_post.index(True)]


@in_a_loop
async def test_of_many_who_come_at_once_one_sits_down(backend: Backend) -> None:
    """However comings, sittings and invitations mix, they are as if one came after the other."""
    users = [await backend.open() for _ in range(4)]
    await users[0].create("a", [event(0)], [(INVITATION, b"link")])
    coming = [b"come %d" % k for k in range(8)]
    inviting = [b"invite %d" % k for k in range(8)]
    for secret_hash in coming[:4]:
        assert await users[0].arrive("a", b"link", secret_hash, "Ben")

    async def come(storage: Storage, secret_hash: bytes) -> bool:
        return await storage.arrive("a", b"link", secret_hash, "Eve") and await storage.sit("a", secret_hash, None)

    seated = await asyncio.gather(
        *(users[k].sit("a", coming[k], event(1)) for k in range(4)),
        *(come(users[k], coming[4 + k]) for k in range(4)),
        *(users[k % 4].invite("a", inviting[k]) for k in range(8)),
    )
    assert seated[:8].count(True) == 1
    secrets = (*coming, *inviting, b"link")
    left = [role for one in secrets for role in await users[0].roles("a", [one])]
    assert left.count(FRIEND) == 1
    assert set(left) <= {FRIEND, LATE, LAPSED}, "no place is open any more"


@in_a_loop
async def test_reviews_are_kept(backend: Backend) -> None:
    """What is reviewed stays as it came first, and no review is lost again."""
    here, there = await backend.open(), await backend.open()
    assert await here.kept_review("a") is None
    await here.keep_review("a", "record", None)
    assert await there.kept_review("a") == ("record", None)
    await there.keep_review("a", "another", "review")
    for storage in (here, there):
        assert await storage.kept_review("a") == ("record", "review")
    await here.keep_review("a", "record", None)
    await here.keep_review("b", "record \N{GREEK SMALL LETTER ALPHA}", "at once")
    again = await backend.reopen()
    assert await again.kept_review("a") == ("record", "review")
    assert await again.kept_review("b") == ("record \N{GREEK SMALL LETTER ALPHA}", "at once")
    await again.keep_review("a", "record", "a better one")
    assert await again.kept_review("a") == ("record", "a better one")
    assert await again.games() == []


@in_a_loop
async def test_a_game_is_put_as_it_was(backend: Backend) -> None:
    """With everything that another storage knows of it, whole or not at all."""
    storage = await backend.open()
    await storage.create("a", [event(0)], [("own", b"\xff\x00"), (INVITATION, b"link")])
    assert await storage.arrive("a", b"link", b"\x01", "Ben \N{GREEK SMALL LETTER ALPHA}")
    await storage.append("a", event(1, "post", "{} "))
    log, known = await storage.events("a"), await storage.secrets("a")
    assert known == [
        Secret(b"\x01", ARRIVED, "Ben \N{GREEK SMALL LETTER ALPHA}"),
        Secret(b"link", INVITATION, ""),
        Secret(b"\xff\x00", "own", ""),
    ]
    await storage.put("b", log, known)
    assert (await storage.events("b"), await storage.secrets("b")) == (log, known)
    assert await storage.sit("b", b"\x01", event(2))
    with pytest.raises(ConflictError):
        await storage.put("a", [event(2), event(1)], [])
    with pytest.raises(ConflictError):
        await storage.put("c", [event(0)], known * 2)
    assert await storage.games() == ["a", "b"]
    assert await storage.secrets("c") == []
    for key in ("\N{GREEK SMALL LETTER ALPHA}", "b", "B"):
        await storage.keep_review(key, "record", None)
    assert await storage.review_keys() == ["B", "b", "\N{GREEK SMALL LETTER ALPHA}"]


@in_a_loop
async def test_games_are_found_by_their_starts(backend: Backend) -> None:
    """Also those that follow another one, or come from another storage."""
    here, there = await backend.open(), await backend.open()
    logs = {name: played(seed, 2) for name, seed in (("a", 1), ("b", 2), ("c", 1))}
    starts = [start for log in logs.values() if (start := start_of(log))]
    assert len(starts) == 3
    await here.create("a", logs["a"], [])
    await here.create("b", logs["b"], [], ("a", event(3)))
    await here.put("c", logs["c"], [])
    await here.create("unreadable", [event(0)], [])
    for storage in (here, there):
        assert sorted(await storage.started_at(starts[:1])) == ["a", "c"]
        assert await storage.started_at([b"none", starts[1]]) == ["b"]
        assert await storage.started_at([]) == []
    with pytest.raises(ConflictError):
        await here.create("b", logs["a"], [])
    assert await there.started_at([starts[1]]) == ["b"]


@in_a_loop
async def test_a_database_that_answers_is_well(backend: Backend) -> None:
    storage = await backend.open()
    assert await storage.check()
    await storage.append("a", event(0))
    assert await storage.check()


# --- which storage an address opens -------------------------------------------------------------


@pytest.mark.parametrize(
    "address", ["mysql://ann:hunter2@localhost/games", "file:///tmp/table.sqlite", "mongodb+srv://somewhere"]
)
def test_an_address_of_no_known_kind_is_refused(
    address: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    """It does not become a folder, and its password is not told."""
    monkeypatch.chdir(tmp_path)
    assert main(["serve", "--port", "0", "--database", address]) == 2
    said = capsys.readouterr()
    scheme = address.partition(":")[0]
    assert said.out == ""
    assert said.err == (
        f"sintra serve: cannot use a database at {scheme}://: "
        "games are kept in a SQLite file, or in PostgreSQL; name one (--database FILE or postgresql://...)\n"
    )
    assert list(tmp_path.iterdir()) == []


@in_a_loop
async def test_everything_else_is_a_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr("sintra.table.games.opening.default_database", lambda: tmp_path / "default")
    for address, path in (("a", "a"), (tmp_path / "b", "b"), ("c//d", "c/d"), (None, "default")):
        await (await open_storage(address)).close()
        assert (tmp_path / path).is_file()


# --- SQLite -------------------------------------------------------------------------------------


@pytest.mark.parametrize(("durability", "level"), [("full", 2), ("normal", 1)])
@in_a_loop
async def test_durability_is_sqlites(tmp_path: Path, durability: Durability, level: int) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite", durability)
    assert storage._db.execute("PRAGMA synchronous").fetchone() == (level,)
    await storage.close()


class SlowDisk(SqliteStorage):
    """A storage that waits before its first commit until it may go on, and says that it has `begun` to."""

    def __init__(self, path: Path) -> None:
        super().__init__(path)
        self.may_go_on = threading.Event()
        self.begun = threading.Semaphore(0)
        self.transactions = 0

    def _commit(self, answers: list[Any]) -> list[Any]:
        self.transactions += 1
        if self.transactions == 1:
            self.begun.release()
            self.may_go_on.wait()
        return super()._commit(answers)


@in_a_loop
async def test_nobody_waits_for_the_disk_but_who_writes(tmp_path: Path) -> None:
    """What comes while a commit waits is one more commit, in which each piece is done whole or not at all."""
    storage = SlowDisk(tmp_path / "table.sqlite")
    first = asyncio.create_task(storage.create("a", [event(0)], []))
    await asyncio.to_thread(storage.begun.acquire)
    assert await storage.events("a") == [], "what can still be lost is not told"
    others = [
        storage.append("a", event(1, "post")),
        storage.append("a", event(2, "post")),
        storage.create("b", [event(0), event(0)], [("own", b"1")]),
        storage.create("c", [event(0)], [(INVITATION, b"1")]),
        storage.arrive("c", b"1", b"2", "Ben"),
        storage.append("a", event(2)),
    ]
    together = asyncio.gather(*others, return_exceptions=True)
    await asyncio.sleep(0)
    assert not first.done()
    storage.may_go_on.set()
    await first
    found = [type(one) if isinstance(one, Exception) else one for one in await together]
    assert found == [None, ConflictError, ConflictError, None, True, None]
    assert storage.transactions == 2
    assert [one.seq for one in await storage.events("a")] == [0, 1, 2]
    assert await storage.games() == ["a", "c"]
    assert await storage.roles("b", [b"1"]) == set()
    await storage.close()


@in_a_loop
async def test_what_comes_soon_after_a_transaction_shares_the_next_one(tmp_path: Path) -> None:
    storage = SlowDisk(tmp_path / "table.sqlite")
    storage.may_go_on.set()
    await storage.create("a", [event(0)], [])
    storage._begins_at = asyncio.get_running_loop().time() + TIMEOUT_S
    writing = [asyncio.create_task(storage.append("a", event(seq))) for seq in (1, 2, 3)]
    await asyncio.sleep(0)
    assert [one.seq for one in await storage.events("a")] == [0]
    assert storage.transactions == 1
    storage._begins_at = 0.0
    storage._write_waiting()
    await asyncio.gather(*writing)
    assert [one.seq for one in await storage.events("a")] == [0, 1, 2, 3]
    assert storage.transactions == 2
    await storage.close()


@pytest.mark.parametrize("durability", ["full", "normal"])
@in_a_loop
async def test_nobody_waits_for_another_program_but_who_writes(
    tmp_path: Path, durability: Durability, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sintra.table.games.sqlite._GROUP_S", 0.0)
    storage = SqliteStorage(tmp_path / "table.sqlite", durability)
    await storage.create("a", [event(0)], [])
    with contextlib.closing(connect(storage.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        writing = asyncio.create_task(storage.append("a", event(1)))
        await asyncio.sleep(0)
        assert [one.seq for one in await storage.events("a")] == [0]
        assert not writing.done()
        other.execute("COMMIT")
    await writing
    assert [one.seq for one in await storage.events("a")] == [0, 1]
    await storage.close()


@in_a_loop
async def test_a_write_fails_when_another_program_writes_for_too_long(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sintra.table.games.sqlite.BUSY_TIMEOUT_S", 0.01)
    storage = SqliteStorage(tmp_path / "table.sqlite")
    with contextlib.closing(connect(storage.path)) as other:
        other.execute("BEGIN IMMEDIATE")
        with pytest.raises(StorageError, match="database is locked"):
            await storage.create("a", [event(0)], [])
        assert await storage.games() == []
    await storage.create("a", [event(0)], [])
    assert await storage.games() == ["a"]
    await storage.close()


@in_a_loop
async def test_who_goes_away_while_the_disk_is_slow_leaves_a_whole_log(tmp_path: Path) -> None:
    storage = SlowDisk(tmp_path / "table.sqlite")
    tasks = [asyncio.create_task(storage.create("a", [event(0)], []))]
    await asyncio.to_thread(storage.begun.acquire)
    tasks += [asyncio.create_task(storage.append("a", event(seq))) for seq in (1, 2)]
    await asyncio.sleep(0)
    for task in tasks[:2]:
        task.cancel()
    storage.may_go_on.set()
    await tasks[2]
    assert [one.seq for one in await storage.events("a")] == [0, 1, 2]
    await storage.close()


@pytest.mark.parametrize("durability", ["full", "normal"])
@in_a_loop
async def test_a_full_database_takes_nothing_and_goes_on_when_there_is_room(
    tmp_path: Path, durability: Durability
) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite", durability)
    await storage.append("a", event(0))
    storage._db.execute("PRAGMA max_page_count = 1")
    long = "x" * 100_000
    coming = [storage.append("a", event(1)), storage.append("b", event(0, None, long)), storage.append("c", event(0))]
    found = await asyncio.gather(*coming, return_exceptions=True)
    assert isinstance(found[1], StorageError)
    assert str(found[1]) == "the database cannot be used: database or disk is full"
    for one, game, log in zip(found, "abc", ([event(0), event(1)], [], [event(0)]), strict=True):
        assert await storage.events(game) == (log if one is None else log[:-1]), "done, or refused"
    storage._db.execute("PRAGMA max_page_count = 1000000")
    await storage.append("b", event(0, None, long))
    assert await storage.events("b") == [event(0, None, long)]
    await storage.close()


@in_a_loop
async def test_a_database_that_has_lost_its_tables_does_not_answer(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    storage = SqliteStorage(path)
    with contextlib.closing(sqlite3.connect(path)) as other:
        other.execute("DROP TABLE events")
    for call in (storage.check(), storage.append("a", event(0))):
        with pytest.raises(StorageError, match="the database cannot be used: no such table"):
            await call
    await storage.close()


@in_a_loop
async def test_log_cannot_be_changed(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite")
    await storage.append("a", event(0))
    for change in ("UPDATE events SET act = ''", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            storage._db.execute(change)
    await storage.close()


@in_a_loop
async def test_other_schemas_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    storage = SqliteStorage(path)
    storage._db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    await storage.close()
    with pytest.raises(StorageError, match=f"has schema {SCHEMA + 1}, this version of Sintra knows {SCHEMA}"):
        SqliteStorage(path)
    path.write_text("no database at all, but long enough to be looked at as one " * 20)
    with pytest.raises(StorageError, match="cannot use the database"):
        SqliteStorage(path)
    with pytest.raises(StorageError, match="cannot use the database"):
        SqliteStorage(tmp_path)


@in_a_loop
async def test_files_are_private(tmp_path: Path) -> None:
    """The seeds of games lie in the log beside the database too. Modes tell of others on POSIX only."""
    others = 0o077 if os.name == "posix" else 0
    path = tmp_path / "table.sqlite"
    opened = []
    for was_open in (False, True):
        if was_open:
            for one in tmp_path.iterdir():
                one.chmod(0o644)
        opened.append(SqliteStorage(path))
        await opened[-1].append("a", event(int(was_open)))
        files = list(tmp_path.iterdir())
        assert len(files) == 3
        assert all(one.stat().st_mode & others == 0 for one in files)
    for storage in opened:
        await storage.close()
    folder = tmp_path / "folder"
    folder.mkdir(0o755)
    mode = folder.stat().st_mode
    with pytest.raises(StorageError):
        SqliteStorage(folder)
    assert folder.stat().st_mode == mode


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/sintra/table.sqlite"),
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/share/sintra/table.sqlite"),
        ("darwin", {"HOME": "/Users/ann"}, "/Users/ann/Library/Application Support/sintra/table.sqlite"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/sintra/table.sqlite"),
    ],
)
def test_default_place(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert default_database() == Path(expected)


@pytest.mark.long
@pytest.mark.soak
def test_killed_service_resumes_exactly(tmp_path: Path) -> None:
    """Kill -9 after every few answered moves: no answered move is lost, none is doubled."""
    path = tmp_path / "table.sqlite"
    with Served(path) as served:
        game, ann, ben = served.friends()
        answered: list[int] = []
        for k in range(soak.pick(20, 130)):
            if k % 13 == 7:
                before = [person.get(f"/api/games/{game}").json() for person in (ann, ben)]
                served.kill(signal.SIGKILL)
                served.start()
                after = [person.get(f"/api/games/{game}").json() for person in (ann, ben)]
                assert after == before
                repeated = served.last_post
                assert served.repeat(repeated) == answered[-1]
            answered.append(served.play_one(game, ann, ben))
        log = ann.get(f"/api/games/{game}").json()["log"]
        assert [one["seq"] for one in log] == list(range(len(log)))
        assert [one["seq"] for one in log if one["kind"] == "move"] == answered


@pytest.mark.long
def test_computer_goes_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with Served(path) as served:
        ann = served.person()
        made = ann.post(
            "/api/games", json={"mode": "computer", "names": ["Ann"], "opponent": "level:n=11", "first": "me"}
        ).json()
        served.kill(signal.SIGKILL)
        served.start()
        shown = served.wait_for(ann, made["game"], lambda one: one["seq"] > 0)
        assert shown["log"][1]["kind"] == "move"
        served.kill(signal.SIGTERM)
        assert served.code == 0
        assert "Traceback" not in served.errors


def test_a_full_disk_under_the_database_is_told_and_costs_nothing(tmp_path: Path) -> None:
    """No file of the process may grow for a while: that is a full disk."""
    unlimited = (resource.RLIM_INFINITY, resource.RLIM_INFINITY)
    with Served(tmp_path / "table.sqlite") as served:
        game, ann, ben = served.friends()
        first = served.play_one(game, ann, ben)
        before, _ = (person.get(f"/api/games/{game}").json() for person in (ann, ben))
        resource.prlimit(served.pid, resource.RLIMIT_FSIZE, (100, resource.RLIM_INFINITY))
        with pytest.raises(AssertionError, match="failed"):
            served.play_one(game, ann, ben)
        assert served.last_post is not None
        refused = served.last_post[0].post(served.last_post[1], json=served.last_post[2])
        assert (refused.status_code, refused.json()["code"]) == (503, "failed")
        assert int(refused.headers["retry-after"]) > 0
        made = ann.post("/api/games", json={"mode": "computer", "names": ["Ann"]})
        assert (made.status_code, made.json()["code"]) == (503, "failed")
        assert ann.get(f"/api/games/{game}").json() == before, "who looks is answered"
        assert ann.get("/api/health").json()["database"] == "read_only"
        resource.prlimit(served.pid, resource.RLIMIT_FSIZE, unlimited)
        assert ann.get("/api/health").json()["database"] == "ok"
        assert served.repeat(served.last_post) == first + 1
        log = ann.get(f"/api/games/{game}").json()["log"]
        assert [one["seq"] for one in log] == list(range(first + 2))
        failures = re.findall(r"sintra_database_errors_total (\d+)", ann.get("/metrics").text)
        served.kill(signal.SIGTERM)
    assert served.code == 0
    assert failures == ["3"]
