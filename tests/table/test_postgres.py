"""PostgreSQL as a storage: its tables, what is said when it cannot be used, and what happens when it goes away."""

from __future__ import annotations

import asyncio
import itertools
import json
import re
import sys
from pathlib import Path
from typing import Any, LiteralString
from urllib.parse import quote

import httpx
import psycopg
import pytest

from sintra.cli import main
from sintra.table.games import postgres_pool
from sintra.table.games.fingerprints import start_of
from sintra.table.games.opening import open_storage
from sintra.table.games.postgres import PostgresStorage
from sintra.table.games.postgres_pool import Address
from sintra.table.games.postgres_schema import POSTGRES_SCHEMA, prepare_schema
from sintra.table.games.storage import (
    ARRIVED,
    FRIEND,
    INVITATION,
    LAPSED,
    LATE,
    ConflictError,
    Storage,
    StorageAwayError,
    StorageError,
)
from sintra.table.http.access_log import AccessLog
from sintra.table.http.metrics import Metrics
from sintra.table.http.security import UNLIMITED
from sintra.table.http.web import Web
from sintra.table.service.service import Service
from table.local_table import QuickReviewWorker, QuickThinkers
from table.log_lines import logged
from table.postgres_server import PASSWORD, PostgresServer
from table.served import TIMEOUT_S
from table.storages import Backend, event, in_a_loop, until
from table.test_processes import a_record


@pytest.fixture
def address(postgres: PostgresServer) -> str:
    return postgres.new_database()


@pytest.fixture
def database(address: str) -> Backend:
    return Backend(address)


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A server that makes dozens of connections at once on a busy machine may take longer than services wait for it."""
    monkeypatch.setattr("sintra.table.games.postgres_pool.CALL_TIMEOUT_S", TIMEOUT_S)
    monkeypatch.setitem(vars(postgres_pool)["_CONNECTION_DEFAULTS"], "connect_timeout", TIMEOUT_S)


# --- the tables ---------------------------------------------------------------------------------


@in_a_loop
async def test_log_cannot_be_changed(database: Backend, address: str, postgres: PostgresServer) -> None:
    storage = await database.open()
    await storage.append("a", event(0))
    for change in ("UPDATE sintra.events SET act = ''", "DELETE FROM sintra.events", "TRUNCATE sintra.events"):
        with pytest.raises(psycopg.errors.RaiseException, match="append-only"):
            postgres.ask(change, address)
    assert await storage.events("a") == [event(0)]


@pytest.mark.usefixtures("patient")
@in_a_loop
async def test_several_may_start_at_once(database: Backend, address: str, postgres: PostgresServer) -> None:
    users = await asyncio.gather(*(database.open() for _ in range(6)))
    for k, user in enumerate(users):
        await user.append("a", event(k))
    assert len(await users[0].events("a")) == 6
    assert postgres.ask("SELECT * FROM sintra.about", address) == [("sintra", POSTGRES_SCHEMA)]


@pytest.mark.parametrize("level", ["read committed", "repeatable read", "serializable"])
@in_a_loop
async def test_server_may_isolate_more_than_it_must(
    level: LiteralString, database: Backend, address: str, postgres: PostgresServer
) -> None:
    """Processes start and write at once all the same: one of them writes, the others see that it did."""
    name = postgres.name_of(address)
    postgres.ask(f"ALTER DATABASE {name} SET default_transaction_isolation TO '{level}'", address)
    users = await asyncio.gather(*(database.open() for _ in range(6)))
    for k in range(10):
        written = await asyncio.gather(*(user.append("a", event(k)) for user in users), return_exceptions=True)
        assert [type(one) for one in written if one is not None] == [ConflictError] * 5
    assert await users[0].events("a") == [event(k) for k in range(10)]


@in_a_loop
async def test_two_processes_may_start_at_once(address: str, tmp_path: Path) -> None:
    """Real ones."""
    check = "import asyncio, sys; from sintra.table.games.opening import open_storage as o; asyncio.run(o(sys.argv[1]))"
    started = [await asyncio.create_subprocess_exec(sys.executable, "-c", check, address) for _ in range(2)]
    assert [await one.wait() for one in started] == [0, 0]


class Overtaken(psycopg.AsyncConnection[Any]):
    """The connection of a process that another one overtakes: before the statement with this number, it opens the same
    database. Once the first has the lock, nobody overtakes it."""

    before = 0
    others = ""
    has_lock = False

    async def execute(self, query: Any, *values: Any, **more: Any) -> Any:
        if self.before == 0 and not self.has_lock:
            await (await open_storage(self.others)).close()
            self.others = ""
        self.before -= 1
        self.has_lock |= "pg_advisory" in str(query)
        return await super().execute(query, *values, **more)


@in_a_loop
async def test_one_process_may_overtake_another(postgres: PostgresServer) -> None:
    """At any moment until the tables are being made."""
    for before in itertools.count():
        address = postgres.new_database()
        async with await Overtaken.connect(**Address(address).arguments()) as db:
            db.before, db.others = before, address
            await prepare_schema(db, "here")
            assert postgres.ask("SELECT * FROM sintra.about", address) == [("sintra", POSTGRES_SCHEMA)]
            if db.others:
                break
    assert before >= 2


def shape(address: str, postgres: PostgresServer) -> list[tuple[Any, ...]]:
    return postgres.ask(
        "SELECT table_schema, table_name, column_name FROM information_schema.columns"
        " WHERE table_schema NOT IN ('pg_catalog', 'information_schema') ORDER BY 1, 2, 3",
        address,
    )


@pytest.mark.parametrize(
    "made",
    [
        "CREATE SCHEMA sintra; CREATE TABLE sintra.events (game text)",
        "CREATE SCHEMA sintra; CREATE TABLE sintra.about (schema integer); INSERT INTO sintra.about VALUES (1)",
        "CREATE SCHEMA sintra; CREATE TABLE sintra.about (program text, schema integer);"
        " INSERT INTO sintra.about VALUES ('another', 1)",
        "CREATE SCHEMA sintra; CREATE FUNCTION sintra.tell() RETURNS integer LANGUAGE sql AS 'SELECT 1'",
    ],
)
@in_a_loop
async def test_tables_of_others_are_left_alone(made: str, address: str, postgres: PostgresServer) -> None:
    postgres.ask(made, address)
    before = shape(address, postgres)
    with pytest.raises(StorageError, match="its schema sintra belongs to another program; choose another database"):
        await open_storage(address)
    assert shape(address, postgres) == before


@in_a_loop
async def test_tables_beside_ours_are_no_matter(database: Backend, address: str, postgres: PostgresServer) -> None:
    """Nor is an empty schema, which somebody else may have had to make."""
    postgres.ask("CREATE TABLE events (mine text); CREATE SCHEMA sintra", address)
    storage = await database.open()
    await storage.append("a", event(0))
    assert postgres.ask("SELECT count(*) FROM public.events", address) == [(0,)]


@in_a_loop
async def test_a_later_schema_is_refused(database: Backend, address: str, postgres: PostgresServer) -> None:
    await (await database.open()).append("a", event(0))
    later = POSTGRES_SCHEMA + 1
    postgres.ask(f"UPDATE sintra.about SET schema = {later}", address)
    with pytest.raises(
        StorageError, match=f"has schema {later}, this version of Sintra knows {POSTGRES_SCHEMA}: use the newer one"
    ):
        await open_storage(address)
    assert postgres.ask("SELECT schema FROM sintra.about", address) == [(later,)]


def functions(address: str, postgres: PostgresServer) -> dict[str, str]:
    found = postgres.ask(
        "SELECT oid::regprocedure::text, pg_get_functiondef(oid) FROM pg_proc"
        " WHERE pronamespace = 'sintra'::regnamespace",
        address,
    )
    return dict(found)


@pytest.mark.parametrize("schemas", [(1,), (2,), (2, 3), (2, 3, 4)], ids=lambda schemas: f"schema {schemas[-1]}")
@in_a_loop
async def test_an_earlier_schema_becomes_todays(
    schemas: tuple[int, ...], database: Backend, address: str, postgres: PostgresServer
) -> None:
    """A database as it was then, which several processes open at once. What is kept stays; a process of that time can
    write nothing any more. A log that cannot be read is left alone."""
    with psycopg.connect(address, autocommit=True) as old:
        for schema in schemas:
            old.execute((Path(__file__).parent / "schemas" / f"postgres-{schema}.sql").read_text("utf-8").encode())
    kept = [f"SELECT * FROM sintra.{table} ORDER BY 1, 2" for table in ("events", "secrets", "reviews")]
    before = [postgres.ask(query, address) for query in kept]
    assert all(before[:2])
    storage, *_ = await asyncio.gather(*(database.open() for _ in range(4)))
    assert [postgres.ask(query, address) for query in kept] == before
    starts = {game: start for game in await storage.games() if (start := start_of(await storage.events(game)))}
    assert postgres.ask("SELECT game, start FROM sintra.starts", address) == [*starts.items()]
    new = postgres.new_database()
    await (await open_storage(new)).close()
    assert functions(address, postgres) == functions(new, postgres)
    assert shape(address, postgres) == shape(new, postgres)


@in_a_loop
async def test_only_unicode_will_do(postgres: PostgresServer) -> None:
    postgres.ask("CREATE DATABASE latin TEMPLATE template0 ENCODING LATIN1 LOCALE 'C'")
    with pytest.raises(StorageError, match="/latin: its encoding is LATIN1, it must be UTF8"):
        await open_storage(postgres.address("latin"))


# --- many at once -------------------------------------------------------------------------------


@pytest.mark.usefixtures("patient")
@in_a_loop
async def test_many_connections_are_as_one_after_the_other(database: Backend) -> None:
    """Comings, sittings and invitations to several games from many connections: one friend each, and no open place."""
    users = [await database.open() for _ in range(6)]
    games = [f"game {k}" for k in range(5)]
    for game in games:
        await users[0].create(game, [event(0)], [(INVITATION, b"link")])

    async def come(storage: Storage, game: str, secret_hash: bytes) -> bool:
        if not await storage.arrive(game, b"link", secret_hash, "Eve"):
            return False
        while True:
            log = await storage.events(game)
            try:
                return await storage.sit(game, secret_hash, event(len(log), secret_hash.decode()))
            except ConflictError:
                continue

    async def invite(storage: Storage, game: str, secret_hash: bytes) -> bool:
        return await storage.invite(game, secret_hash)

    calls = [
        work(user, game, b"%s %d %d" % (name, k, turn))
        for turn in range(4)
        for k, user in enumerate(users)
        for game in games
        for work, name in ((come, b"come"), (invite, b"invite"))
    ]
    await asyncio.gather(*calls)
    kinds = {FRIEND, LATE, LAPSED}
    for game in games:
        log = await users[1].events(game)
        assert len(log) == 2
        roles = {}
        for name in (b"come", b"invite"):
            for k in range(len(users)):
                for turn in range(4):
                    secret_hash = b"%s %d %d" % (name, k, turn)
                    for role in await users[0].roles(game, [secret_hash]):
                        roles[secret_hash] = role
        assert set(roles.values()) <= kinds
        assert [one.decode() for one, role in roles.items() if role == FRIEND] == [log[1].post]
        assert not await users[2].arrive(game, b"link", b"late", "Dan")
        assert await users[0].roles(game, [b"link"]) == {LAPSED}
        assert ARRIVED not in roles.values()


@in_a_loop
async def test_a_log_that_many_write_has_no_gap(database: Backend) -> None:
    users = [await database.open() for _ in range(4)]

    async def write(storage: Storage, name: str) -> list[int]:
        written: list[int] = []
        while len(written) < 10:
            seq = len(await storage.events("a"))
            try:
                await storage.append("a", event(seq, f"{name} {len(written)}"))
            except ConflictError:
                continue
            written.append(seq)
        return written

    written = await asyncio.gather(*(write(user, f"user {k}") for k, user in enumerate(users)))
    log = await users[0].events("a")
    assert [one.seq for one in log] == list(range(40))
    for k, seqs in enumerate(written):
        assert [log[seq].post for seq in seqs] == [f"user {k} {turn}" for turn in range(10)]


@in_a_loop
async def test_a_call_that_is_given_up_is_done_or_not_done(database: Backend) -> None:
    """When the call has ended, the log says which."""
    storage = await database.open()
    await storage.append("a", event(0))
    for turns in range(12):
        seq = len(await storage.events("a"))
        call = asyncio.create_task(storage.append("a", event(seq)))
        for _ in range(turns):
            await asyncio.sleep(0)
        call.cancel()
        await asyncio.wait({call})
        log = await storage.events("a")
        await asyncio.sleep(0.01)
        assert await storage.events("a") == log
    assert await storage.check()


async def waiting_for_a_lock(address: str, postgres: PostgresServer) -> int:
    """The server's process that waits for a lock, once there is one."""
    waiting = "SELECT pid FROM pg_stat_activity WHERE wait_event_type = 'Lock' AND datname = current_database()"
    async with asyncio.timeout(TIMEOUT_S):
        while not (found := postgres.ask(waiting, address)):
            await asyncio.sleep(0.01)
    return int(found[0][0])


# --- a server that goes away --------------------------------------------------------------------


@in_a_loop
async def test_killed_connections_are_replaced(database: Backend, address: str, postgres: PostgresServer) -> None:
    """Nobody who did not use one at that moment notices."""
    storage = await database.open()
    for k in range(2):
        assert all(await asyncio.gather(*(storage.check() for _ in range(20))))
        postgres.ask(
            "SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity"
            " WHERE datname = current_database() AND pid <> pg_backend_pid()",
            address,
        )
        await storage.append("a", event(k))
    assert len(await storage.events("a")) == 2


@in_a_loop
async def test_a_connection_that_is_killed_in_a_call(database: Backend, address: str, postgres: PostgresServer) -> None:
    """The call fails as one that can be tried again, and all or nothing was done."""
    storage = await database.open()
    await storage.append("a", event(0))
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE sintra.events IN ACCESS EXCLUSIVE MODE")
        call = asyncio.create_task(storage.append("a", event(1)))
        pid = await waiting_for_a_lock(address, postgres)
        postgres.ask(f"SELECT pg_terminate_backend({pid}, 10000)", address)
        with pytest.raises(StorageAwayError, match="terminating connection due to administrator command"):
            await call
    assert await storage.events("a") == [event(0)]
    await storage.append("a", event(1))


@in_a_loop
async def test_a_server_that_does_not_answer(database: Backend, address: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """A call that waits for too long is given up, and does not happen later."""
    storage = await database.open()
    assert isinstance(storage, PostgresStorage)
    await storage.append("a", event(0))
    with psycopg.connect(address) as other:
        other.execute("LOCK TABLE sintra.events IN ACCESS EXCLUSIVE MODE")
        with monkeypatch.context() as hasty:
            hasty.setattr("sintra.table.games.postgres_pool.CALL_TIMEOUT_S", 0.1)
            with pytest.raises(StorageAwayError, match="it does not answer"):
                await storage.append("a", event(1))
        assert await storage.check()
        await until(lambda: not storage._pool._calls)
    await storage.append("a", event(1))


@in_a_loop
async def test_a_database_that_takes_nothing(database: Backend, address: str, postgres: PostgresServer) -> None:
    name = postgres.name_of(address)
    storage = await database.open()
    await storage.append("a", event(0))
    assert await storage.check()
    postgres.ask(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    reopened = await database.reopen()
    assert not await reopened.check()
    with pytest.raises(StorageAwayError, match=f"/{name}: it is read-only at the moment"):
        await reopened.append("a", event(1))
    assert await reopened.events("a") == [event(0)]
    postgres.ask(f"ALTER DATABASE {name} SET default_transaction_read_only = off")


@in_a_loop
async def test_what_may_not_be_written_is_said(address: str, database: Backend, postgres: PostgresServer) -> None:
    await database.open()
    postgres.ask("GRANT USAGE ON SCHEMA sintra TO guest; GRANT SELECT ON ALL TABLES IN SCHEMA sintra TO guest", address)
    guest = await open_storage(address.replace("//postgres@", "//guest@"))
    try:
        assert await guest.events("a") == []
        with pytest.raises(StorageAwayError, match="permission denied for table events; its user must be allowed to"):
            await guest.append("a", event(0))
    finally:
        await guest.close()


@in_a_loop
async def test_what_it_cannot_keep_is_said(database: Backend) -> None:
    storage = await database.open()
    with pytest.raises(StorageError, match="cannot keep this: PostgreSQL text fields cannot contain NUL"):
        await storage.append("a", event(0, None, "\0"))
    assert await storage.games() == []


# --- addresses that are wrong -------------------------------------------------------------------


def refused(address: str, capsys: pytest.CaptureFixture[str]) -> str:
    """What the command line says of a database that cannot be used: one line, without the password."""
    assert main(["serve", "--port", "0", "--database", address]) == 2
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err.count("\n") == 1
    assert "hunter2" not in said.err
    assert said.err.startswith("sintra serve: ")
    return said.err.removeprefix("sintra serve: ").rstrip()


def test_wrong_users_and_databases(postgres: PostgresServer, capsys: pytest.CaptureFixture[str]) -> None:
    right = quote(PASSWORD, safe="")
    where = f"cannot use the database at {postgres.folder}/"
    cases = [
        (postgres.address("postgres", "guarded", "hunter2"), "postgres: the user or the password is wrong"),
        (postgres.address("postgres", "guarded"), "postgres: it wants a password: in ~/.pgpass, in PGPASSWORD, or "),
        (postgres.address("nowhere", "guarded", right), "nowhere: there is no such database; make it first"),
        (postgres.address("postgres", "stranger"), "postgres: there is no such user; the one who runs the server"),
        (
            postgres.address("postgres", "guarded", right),
            "postgres: permission denied for database postgres; its user must be allowed to make",
        ),
    ]
    for address, line in cases:
        assert refused(address, capsys).startswith(where + line)


def test_wrong_hosts_and_addresses(postgres: PostgresServer, capsys: pytest.CaptureFixture[str]) -> None:
    assert refused("postgresql://ann:hunter2@nowhere.invalid/games", capsys) == (
        "cannot use the database at nowhere.invalid/games: no such host is known; check the name after the @"
    )
    assert refused("postgres://ann:hunter2@127.0.0.1:1/games", capsys) == (
        "cannot use the database at 127.0.0.1:1/games: nobody answers there; is the server running?"
    )
    assert refused(f"postgresql://ann@/games?password=hunter2&host={postgres.folder}/none", capsys) == (
        f"cannot use the database at {postgres.folder}/none/games: nobody answers there; is the server running?"
    )
    for wrong in (
        "ann:hunter2/3@host/games",
        "ann:hunter2/games",
        "ann:hunter2@host:port/games",
        "ann@host/games?secret=hunter2",
        "ann:hunter2%zz@host/games",
        "ann:p@hunter2@host/games",
        "ann:12/hunter2@host/games",
    ):
        assert refused(f"postgresql://{wrong}", capsys) == (
            "the address of the database cannot be read: it must be postgresql://USER:PASSWORD@HOST:PORT/DATABASE, "
            "with %40 for an @ in the password, %2F for a / and %3A for a :"
        )


def test_the_extra_is_named(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    for module in [name for name in sys.modules if name.startswith("sintra.table.games.postgres")]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "psycopg", None)
    assert refused("postgresql://ann:hunter2@host/games", capsys) == (
        "PostgreSQL needs the extra postgres: pip install 'sintra[postgres]'"
    )


@in_a_loop
async def test_a_right_password_opens_it(postgres: PostgresServer, address: str) -> None:
    name = postgres.name_of(address)
    postgres.ask(f"GRANT CREATE ON DATABASE {name} TO guarded")
    storage = await open_storage(postgres.address(name, "guarded", quote(PASSWORD, safe="")))
    assert isinstance(storage, PostgresStorage)
    await storage.append("a", event(0))
    await storage.close()


def test_the_log_has_all_that_was_said_of_a_server_that_is_away() -> None:
    """One host after the other, of which the message for people names what is to be done only."""
    with pytest.raises(StorageAwayError, match="nobody answers there; is the server running") as caught:
        asyncio.run(Address("postgresql://ann:hunter2@/games?host=/nowhere/a,/nowhere/b").connect())
    with logged() as log:
        AccessLog(Metrics()).note_failure(caught.value)
    (line,) = log.lines
    assert line["why"] == str(caught.value)
    assert "/nowhere/a" in line["reason"]
    assert "/nowhere/b" in line["reason"]
    assert "\n" not in line["reason"]
    assert "hunter2" not in str(line)


# --- texts that PostgreSQL cannot keep ----------------------------------------------------------

NO_NAMES = ("%00", "a%00b", "%ED%A0%80", "%0A", "abcdefghijk%0A", "%F0%9F%8E%B2", 300 * "a")


@in_a_loop
async def test_what_no_text_can_be_is_not_there_and_no_error_of_the_database(address: str) -> None:
    """A zero byte is no letter to PostgreSQL: wherever a name is asked for that no game or review can have."""
    service = Service(await open_storage(address), QuickThinkers(), review_worker=QuickReviewWorker())
    web = Web(service, rates=UNLIMITED)
    transport = httpx.ASGITransport(web.application())
    asked = 0
    with logged() as log:
        async with httpx.AsyncClient(transport=transport, base_url="http://localhost") as ann:
            ann.cookies.set("sintra-own", "a secret")
            for one in web.endpoints:
                for name in NO_NAMES if re.search("{(game|review)}", one.path) else ():
                    path = re.sub("{(game|review)}", name, one.path).replace("{ply}", "0")
                    asked += 1
                    if one.method == "GET":
                        answer = await ann.get(path)
                    else:
                        answer = await ann.post(path, json=_BODIES.get(one.path.rpartition("/")[2], _ACT))
                    assert (answer.status_code, answer.json()["code"]) in _NOT_THERE, (path, answer.text)
            assert asked > 100
            ann.cookies.clear()
            studied = await ann.post("/api/study", json={"seed": 1}, headers={"cookie": "sintra-seat-a\x00b=c"})
            assert studied.status_code == 200
            for name in ("A\x00nn", "A\\ud800nn"):
                for path, body in (
                    ("/api/games", f'{{"mode": "friend", "names": ["{name}"]}}'),
                    ("/api/reviews", json.dumps({"record": a_record(1).replace("Ann", name)})),
                ):
                    sent = body.replace("\x00", "\\u0000")
                    answer = await ann.post(path, content=sent, headers={"content-type": "application/json"})
                    assert answer.status_code in (200, 400, 422), (path, answer.text)
                    if "review" in answer.json():
                        for shown in ("", "/record", "/positions/0"):
                            answered = await ann.get(f"/api/reviews/{answer.json()['review']}{shown}")
                            assert answered.status_code == 200, answered.text
        await service.close()
    assert not [line for line in log.lines if "level" in line]


_ACT = {"id": "post-0001", "seq": 0}
_BODIES: dict[str, dict[str, Any]] = {
    "enter": {"secret": 16 * "a", "name": "Ann"},
    "links": {},
    "leave": {},
    "review": {},
    "hint": {"seq": 0},
    "tutor": {"seq": 0, "token": "E"},
    "acts": _ACT | {"kind": "undo"},
    "moves": _ACT | {"token": "E"},
    "answer": _ACT | {"agree": True},
    "tries": {"ply": 0, "token": "E"},
}
_NOT_THERE = ((404, "no_game"), (404, "no_review_here"))
