"""Whole databases are copied from one kind to another, byte for byte, and looked through."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from pathlib import Path
from random import Random
from typing import Any, Final

import psycopg
import pytest

from sintra.cli import main
from sintra.game.game import Game
from sintra.table.games.fingerprints import start_of
from sintra.table.games.log import Created, Moved, Resigned, write_event
from sintra.table.games.moving import copy_storage
from sintra.table.games.opening import open_storage
from sintra.table.games.storage import INVITATION, Secret, Storage, StorageError, Stored
from sintra.tabletop.ruleset import RuleOptions
from table.postgres_server import PostgresServer
from table.storages import Backend, Waiting, in_a_loop, once

OLD: Final = Path(__file__).parents[1] / "written_by_0_1_0" / "games.sql"
AT: Final = "2026-01-01T00:00:00.000Z"


def played(seed: int, moves: int) -> list[Stored]:
    """The log of a game of chance."""
    made = Created(seed, seed, "local", ["Ann", "Ben \N{GREEK SMALL LETTER ALPHA}"], [], 3, RuleOptions())
    log = [Stored(0, None, AT, write_event(made))]
    game, dice = Game.new(seed=seed, goals=3), Random(seed)
    for seq in range(1, moves + 1):
        move = dice.choice(game.legal_moves)
        log.append(Stored(seq, f"post {seq}", AT, write_event(Moved(game.turn, str(move)))))
        game.push(move)
    return log


async def fill(storage: Storage, games: int = 12) -> None:
    """Games, secrets of all kinds and reviews."""
    for k in range(games):
        secrets = [("own", b"%d" % k), (INVITATION, b"\x00\xff%d" % k)]
        await storage.create(f"game-{k:02}", played(k, k), secrets)
        await storage.arrive(f"game-{k:02}", b"\x00\xff%d" % k, b"came", "Ben \N{GREEK SMALL LETTER ALPHA}")
        await storage.keep_review(f"key {k}", f"record {k}", f"review {k}" if k % 2 else None)


async def everything(storage: Storage) -> dict[str, object]:
    held: dict[str, object] = {}
    for game in await storage.games():
        log = await storage.events(game)
        held[game] = log, await storage.secrets(game), await storage.started_at([start_of(log) or b""])
    for key in await storage.review_keys():
        held[f"review {key}"] = await storage.kept_review(key)
    return held


@pytest.fixture
def old(tmp_path: Path) -> str:
    """A database as 0.1.0 left it."""
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(OLD.read_text("utf-8"))
    return str(path)


@pytest.fixture(params=["file to postgres", "postgres to file"])
def way(request: pytest.FixtureRequest) -> list[str]:
    kinds: list[str] = request.param.split(" to ")
    return kinds


@pytest.fixture
def source(way: list[str], tmp_path: Path, postgres: PostgresServer) -> Backend:
    return Backend(postgres.new_database() if way[0] == "postgres" else str(tmp_path / "source.sqlite"))


@pytest.fixture
def target(way: list[str], tmp_path: Path, postgres: PostgresServer) -> Backend:
    return Backend(postgres.new_database() if way[1] == "postgres" else str(tmp_path / "target.sqlite"))


def silent(share: float, what: str) -> None:
    assert 0 <= share <= 1


class StoppedError(Exception):
    """Somebody stops a copy."""


@in_a_loop
async def test_everything_is_copied(source: Backend, target: Backend) -> None:
    """Also when it is interrupted and begun again."""
    here, there = await source.open(), await target.open()
    await fill(here)
    held = await everything(here)
    calls = 0

    def interrupt(share: float, what: str) -> None:
        nonlocal calls
        calls += 1
        if calls in (1, 4):
            raise StoppedError

    for _ in range(2):
        with pytest.raises(StoppedError):
            await copy_storage(here, there, interrupt)
    partly = await there.games()
    assert partly
    contents, copied = await copy_storage(here, there, silent)
    assert copied == 12 - len(partly)
    assert (contents.games, contents.events.rows, contents.secrets.rows, contents.reviews.rows) == (12, 78, 36, 12)
    assert await everything(there) == held
    assert await everything(here) == held
    back, copied = await copy_storage(there, here, silent)
    assert copied == 0
    for table in ("events", "secrets", "reviews"):
        assert getattr(back, table).digest == getattr(contents, table).digest


@in_a_loop
async def test_what_is_not_the_same_is_refused(source: Backend, target: Backend) -> None:
    """Before anything is copied; other things in the target are no matter."""
    here, there = await source.open(), await target.open()
    await fill(here, 4)
    await there.put("of its own", played(9, 2), [])
    await there.keep_review("key 3", "record 3", "another review")

    async def refused(what: str) -> None:
        before = await everything(there)
        with pytest.raises(StorageError, match=f"^the {what} is in the target, and is not the same: nothing"):
            await copy_storage(here, there, silent)
        assert await everything(there) == before

    await refused("review key 3")
    await here.keep_review("key 3", "record 3", "another review")
    await there.put("game-01", played(1, 1), await here.secrets("game-01"))
    _, copied = await copy_storage(here, there, silent)
    assert copied == 3
    await here.append("game-03", Stored(4, None, AT, write_event(Resigned(0))))
    await refused("game game-03")
    await there.append("game-03", Stored(4, None, AT, write_event(Resigned(1))))
    await refused("game game-03")


@in_a_loop
async def test_secrets_are_compared(source: Backend, target: Backend) -> None:
    here, there = await source.open(), await target.open()
    await here.put("a", played(1, 1), [Secret(b"1", "own", "Ann")])
    await there.put("a", played(1, 1), [Secret(b"1", "own", "Eve")])
    with pytest.raises(StorageError, match=r"^the game a is in the target"):
        await copy_storage(here, there, silent)


@in_a_loop
async def test_a_database_that_is_played_on_is_noticed(source: Backend, target: Backend) -> None:
    here, there = await source.open(), await target.open()
    await fill(here, 4)

    async def play() -> None:
        await here.append("game-03", Stored(4, None, AT, write_event(Resigned(0))))

    slow: Any = Waiting(there)
    slow.after["put"] = once(play)
    with pytest.raises(StorageError, match=r"^the game game-03 was not copied as it is: stop what uses the databases"):
        await copy_storage(here, slow, silent)


@pytest.mark.parametrize("what", ["game new", "review new"])
@in_a_loop
async def test_what_comes_while_all_is_copied_is_noticed(source: Backend, target: Backend, what: str) -> None:
    here, there = await source.open(), await target.open()
    await fill(here, 4)

    async def come() -> None:
        if what == "game new":
            await here.put("new", played(1, 1), [])
        else:
            await here.keep_review("new", "record", None)

    slow: Any = Waiting(there)
    slow.after["keep_review"] = once(come)
    with pytest.raises(StorageError, match=f"^the {what} was not copied as it is: stop what uses the databases"):
        await copy_storage(here, slow, silent)


# --- the commands -------------------------------------------------------------------------------


def test_an_old_database_moves_to_postgres_and_back(
    old: str, tmp_path: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """What 0.1.0 wrote stays as it wrote it, and is played on at the other end."""
    address, back = postgres.new_database(), str(tmp_path / "back.sqlite")
    assert main(["tables", "copy", old, address]) == 0
    first = capsys.readouterr().out.splitlines()
    assert first[0] == "3 games copied; both databases have the same:"
    assert [line.split()[0] for line in first[1:]] == ["events", "secrets", "reviews"]
    assert main(["tables", "copy", address, back]) == 0
    assert capsys.readouterr().out.splitlines() == first
    assert main(["tables", "copy", old, back]) == 0
    assert (
        capsys.readouterr().out.splitlines()[0] == "0 games copied, 3 were there already; both databases have the same:"
    )
    for database in (old, address, back):
        assert main(["tables", "check", database]) == 0
        said = capsys.readouterr()
        assert said.err == ""
        assert said.out.endswith("; all games replay\n")
        assert said.out.startswith("3 games, ")
    with closing(sqlite3.connect(old)) as before, closing(sqlite3.connect(back)) as after:
        for table in ("events", "secrets", "reviews"):
            rows = [db.execute(f"SELECT * FROM {table} ORDER BY 1, 2").fetchall() for db in (before, after)]
            assert rows[0] == rows[1]


@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_games_that_do_not_replay_are_named(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "table.sqlite")
    address = file if kind == "file" else request.getfixturevalue("postgres").new_database()

    async def spoil() -> None:
        storage = await open_storage(address)
        await fill(storage, 3)
        await storage.put("gap", [event for event in played(5, 5) if event.seq != 3], [])
        await storage.put("illegal", [*played(6, 3), Stored(4, None, AT, write_event(Moved(0, "MB3")))], [])
        await storage.put("nonsense", [Stored(0, None, AT, "no JSON")], [])
        await storage.put("unmade", [Stored(0, None, AT, write_event(Resigned(0)))], [])
        await storage.close()

    asyncio.run(spoil())
    assert main(["tables", "check", address]) == 1
    said = capsys.readouterr()
    assert said.out == "7 games, 18 events, 3 reviews; 4 games did not replay\n"
    lines = said.err.splitlines()
    assert [line.partition(":")[0] for line in lines] == ["gap", "illegal", "nonsense", "unmade"]
    assert lines[0] == "gap: event 3 is missing"
    assert lines[1].startswith("illegal: event 4: ")
    assert lines[3] == "unmade: event 0: a log begins with the making of its game"


@pytest.mark.parametrize("kind", ["file", "postgres"])
def test_a_game_that_is_not_found_by_its_start_is_named(
    kind: str, tmp_path: Path, request: pytest.FixtureRequest, capsys: pytest.CaptureFixture[str]
) -> None:
    file = str(tmp_path / "table.sqlite")
    server = request.getfixturevalue("postgres") if kind == "postgres" else None
    address = file if server is None else server.new_database()

    async def make() -> None:
        storage = await open_storage(address)
        await fill(storage, 3)
        await storage.close()

    asyncio.run(make())
    if server is None:
        with closing(sqlite3.connect(file, isolation_level=None)) as db:
            db.execute("DELETE FROM starts WHERE game = 'game-01'")
    else:
        server.ask("DELETE FROM sintra.starts WHERE game = 'game-01'", address)
    assert main(["tables", "check", address]) == 1
    assert capsys.readouterr().err.startswith("game-01: its start is not kept")


def test_a_database_that_is_not_there(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    """None is made where one is read."""
    missing = str(tmp_path / "none.sqlite")
    for command in (["check", missing], ["copy", missing, str(tmp_path / "other.sqlite")]):
        assert main(["tables", *command]) == 2
        assert capsys.readouterr().err == (
            f"sintra tables: there is no database {missing}: name a file, or postgresql://...\n"
        )
    assert list(tmp_path.iterdir()) == []


def test_a_database_in_which_there_is_no_table(
    tmp_path: Path, postgres: PostgresServer, capsys: pytest.CaptureFixture[str]
) -> None:
    """A wrong name is noticed, and nothing is made there."""
    empty = postgres.new_database()
    for command in (["check", empty], ["copy", empty, str(tmp_path / "other.sqlite")]):
        assert main(["tables", *command]) == 2
        said = capsys.readouterr()
        assert said.out == ""
        assert said.err.startswith("sintra tables: the database at ")
        assert said.err.endswith(" has nothing of Sintra in it: check its name\n")
    assert list(tmp_path.iterdir()) == []
    assert postgres.ask("SELECT 1 FROM pg_namespace WHERE nspname = 'sintra'", empty) == []


def test_a_backup_of_postgres_is_a_database(postgres: PostgresServer, capsys: pytest.CaptureFixture[str]) -> None:
    """`pg_dump` and `pg_restore`, as the documentation tells; the log is append-only there, too."""
    address, restored = postgres.new_database(), postgres.new_database()

    async def use(where: str, seq: int) -> dict[str, object]:
        storage = await open_storage(where)
        try:
            if seq == 0:
                await fill(storage)
            else:
                await storage.append("game-00", Stored(seq, None, AT, write_event(Resigned(0))))
            return await everything(storage)
        finally:
            await storage.close()

    held = asyncio.run(use(address, 0))
    dump = str(postgres.folder / "table.dump")
    postgres.run("pg_dump", "--format=custom", "--no-unlogged-table-data", f"--file={dump}", address)
    postgres.run("pg_restore", f"--dbname={restored}", dump)
    assert main(["tables", "copy", address, restored]) == 0
    assert capsys.readouterr().out.startswith("0 games copied, 12 were there already")
    assert asyncio.run(use(restored, 1)).keys() == held.keys()
    with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
        postgres.ask("DELETE FROM sintra.events", restored)
