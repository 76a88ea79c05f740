"""What processes share while they run: the law is the same for one alone and for many with one database."""

from __future__ import annotations

import asyncio
from typing import Final

import psycopg
import pytest

from sintra.table.games.commons import Alone, Attendance, Commons, Elsewhere, Hearing
from sintra.table.games.postgres_commons import PostgresCommons
from sintra.table.games.storage import Storage, StorageAwayError
from table.handmade_time import HandmadeTime
from table.postgres_server import PostgresServer
from table.storages import Backend, event, in_a_loop, until

_TIMES: Final = (
    ("processes", "beat"),
    ("absences", "first"),
    ("absences", "second"),
    ("clocks", "since"),
    ("buckets", "at"),
    ("buckets", "full_at"),
)


def at(*seats: int, spectators: int = 0, counts: bool = True) -> Attendance:
    return Attendance(frozenset(seats), spectators, counts)


class Process:
    """One process at a table, and what it heard of the others."""

    def __init__(self, table: Table, storage: Storage | None, commons: Commons) -> None:
        self._table = table
        self.storage = storage
        self.commons = commons
        self.events: list[tuple[str, int]] = []
        self.people: list[str] = []
        self.missed = 0

    def _miss(self) -> None:
        self.missed += 1

    async def open(self) -> None:
        heard = lambda game, seq: self.events.append((game, seq))  # noqa: E731
        await self.commons.open(Hearing(heard, self.people.append, self._miss))

    async def append(self, game: str, seq: int) -> None:
        assert self.storage is not None
        await self.storage.append(game, event(seq))

    @property
    def keeper(self) -> int:
        """The connection that holds what was taken, as the server knows it."""
        assert isinstance(self.commons, PostgresCommons)
        assert self.commons._keeper is not None
        return self.commons._keeper.info.backend_pid

    def die(self) -> None:
        """Its heart beats no more."""
        assert isinstance(self.commons, PostgresCommons)
        for task in self.commons._tasks:
            task.cancel()

    def bury(self) -> None:
        """Others take it for dead: they forget it, and tell of that."""
        assert isinstance(self.commons, PostgresCommons)
        me = self.commons.id
        self._table.ask(f"DELETE FROM sintra.processes WHERE id = '{me}'; SELECT sintra.forget('', ARRAY['{me}'])")

    def lose(self, connection: str) -> None:
        """The server ends a connection of this process: the `line` on which it listens, or the `keeper` of what it has
        taken."""
        line = getattr(self.commons, f"_{connection}")
        self._table.ask(f"SELECT pg_terminate_backend({line.info.backend_pid}, 10000)")


class Table(Backend):
    """What a test has of a commons: processes that use it, and time that passes for it."""

    def __init__(self, server: PostgresServer | None) -> None:
        self.address = server.new_database() if server else ""
        super().__init__(self.address)
        self._server = server
        self._time = HandmadeTime()

    async def process(self) -> Process:
        """One more process; there is only one that is alone."""
        if self._server is None:
            return Process(self, None, Alone(self._time))
        storage = await self.open()
        process = Process(self, storage, storage.commons())
        await process.open()
        return process

    def ask(self, query: str) -> list[tuple[object, ...]]:
        assert self._server is not None
        return self._server.ask(query, self.address)

    def passes(self, seconds: float, but: str = "processes") -> None:
        """Time passes: in the database everything was so much longer ago."""
        self._time.seconds += seconds
        if self._server is not None:
            for table, column in _TIMES:
                if table != but:
                    self.ask(f"UPDATE sintra.{table} SET {column} = {column} - interval '{seconds} seconds'")


@pytest.fixture(params=["alone", "postgres"])
def anywhere(request: pytest.FixtureRequest) -> Table:
    return Table(None if request.param == "alone" else request.getfixturevalue("postgres"))


@pytest.fixture
def table(postgres: PostgresServer) -> Table:
    return Table(postgres)


@pytest.fixture
def hasty(monkeypatch: pytest.MonkeyPatch) -> None:
    """Hearts that beat quickly."""
    monkeypatch.setattr("sintra.table.games.postgres_commons._BEAT", 0.02)


def tens(seconds: float | None) -> int | None:
    """Seconds, but for those that a slow machine needs itself."""
    return None if seconds is None else int(seconds) // 10 * 10


def seconds(away: tuple[float | None, float | None]) -> tuple[int | None, int | None]:
    return tens(away[0]), tens(away[1])


# --- one process --------------------------------------------------------------------------------


@in_a_loop
async def test_a_seat_is_away_while_the_other_stays(anywhere: Table) -> None:
    commons = (await anywhere.process()).commons
    assert await commons.attend("a", at(0, 1)) == Elsewhere()
    assert seconds((await commons.attend("a", at(0))).away) == (None, 0)
    anywhere.passes(100)
    assert seconds((await commons.attend("a", at(0))).away) == (None, 100)
    assert seconds((await commons.attend("a", at(0, spectators=3))).away) == (None, 100), "who watches is no matter"
    assert seconds((await commons.attend("a", at(0, 1))).away) == (None, None)
    assert seconds((await commons.attend("a", at(0))).away) == (None, 0), "it begins anew"
    anywhere.passes(100)
    assert seconds((await commons.attend("a", at(1))).away) == (0, None)
    assert seconds((await commons.attend("a", at(spectators=1))).away) == (None, None), "nobody stays"
    anywhere.passes(100)
    assert seconds((await commons.attend("a", at(1))).away) == (0, None)


@in_a_loop
async def test_an_absence_may_not_count(anywhere: Table) -> None:
    commons = (await anywhere.process()).commons
    assert (await commons.attend("a", at(0, counts=False))).away == (None, None)
    anywhere.passes(100)
    assert seconds((await commons.attend("a", at(0))).away) == (None, 0), "it counts from now on"
    anywhere.passes(10)
    assert seconds((await commons.attend("b", at(1))).away) == (0, None), "each game has its own"
    assert seconds((await commons.attend("a", at(0))).away) == (None, 10)
    assert (await commons.attend("a", at(0, counts=False))).away == (None, None)


@in_a_loop
async def test_a_clock_runs_when_it_is_started(anywhere: Table) -> None:
    commons = (await anywhere.process()).commons
    assert await commons.clock("a", 3, start=False) is None
    assert tens(await commons.clock("a", 3, start=True)) == 0


@in_a_loop
async def test_one_who_is_alone_does_everything(anywhere: Table) -> None:
    commons = (await anywhere.process()).commons
    for _ in range(2):
        assert await commons.take("task")
        assert await commons.take("task")
        await commons.leave("task")
        await commons.leave("task")
    await commons.note_review("key", 0.5, 2)
    assert await commons.noted_review("key") is None, "others are asked for"
    assert await commons.noted_reviews() == 0


@in_a_loop
async def test_who_asks_too_often_waits(anywhere: Table) -> None:
    commons = (await anywhere.process()).commons

    async def drawn(who: str = "me", what: str = "games") -> int:
        total = 0
        while True:
            got, wait = await commons.draw(what, who, 0.6, 5)
            if not got:
                assert 90 < wait <= 100
                return total
            assert wait == 0
            total += got

    assert await drawn() == 5
    assert await drawn() == 0
    assert await drawn("you") == 5
    assert await drawn("me", "links") == 5
    anywhere.passes(200)
    assert await drawn() == 2
    anywhere.passes(100_000)
    assert await drawn() == 5, "never more than at once"


# --- several ------------------------------------------------------------------------------------


@in_a_loop
async def test_events_are_heard_by_the_others(table: Table) -> None:
    """Whichever way they come into the log, and never those that did not."""
    here, there, third = [await table.process() for _ in range(3)]
    await here.append("a", 0)
    await there.append("a", 1)
    assert here.storage is not None
    await here.storage.create("b", [event(0)], [("invitation", b"link")], follows=("a", event(2)))
    assert await here.storage.arrive("b", b"link", b"1", "Ben")
    assert await here.storage.sit("b", b"1", event(1))
    await here.append("name with  spaces", 0)
    await until(lambda: ("name with  spaces", 0) in there.events and ("name with  spaces", 0) in third.events)
    assert here.events == [("a", 1)]
    assert there.events == [("a", 0), ("a", 2), ("b", 1), ("name with  spaces", 0)]
    assert third.events == [("a", 0), ("a", 1), ("a", 2), ("b", 1), ("name with  spaces", 0)]
    assert here.people == there.people == third.people == []


@in_a_loop
async def test_people_are_at_one_table(table: Table) -> None:
    """Wherever they are: others hear of them when it is new, and are told of them."""
    here, there = await table.process(), await table.process()
    assert await here.commons.attend("a", at(0, spectators=1)) == Elsewhere(away=(None, 0.0))
    assert await there.commons.attend("a", at(1)) == Elsewhere(frozenset({0}), 1)
    await until(lambda: there.people == ["a"] and here.people == ["a"])
    assert await here.commons.attend("a", at(0, spectators=1)) == Elsewhere(frozenset({1}))
    assert await here.commons.attend("a", at(0, 1)) == Elsewhere(frozenset({1}))
    table.passes(100)
    await until(lambda: there.people == ["a", "a"])
    away = await there.commons.attend("a", at(spectators=2))
    assert away == Elsewhere(frozenset({0, 1})), "nobody is away who is anywhere"
    assert seconds((await here.commons.attend("a", at(0))).away) == (None, 0)
    table.passes(60)
    for process, who in ((here, at(0)), (there, at(spectators=2))):
        assert seconds((await process.commons.attend("a", who)).away) == (None, 60)
    assert seconds((await there.commons.attend("a", at(0, spectators=1))).away) == (None, 60), "the same seat, twice"
    await here.commons.close()
    await until(lambda: there.people == ["a"] * 4)
    assert seconds((await there.commons.attend("a", at(0, spectators=1))).away) == (None, 60)
    assert (await there.commons.attend("a", at(1))).seats == frozenset()


@in_a_loop
async def test_those_who_come_and_go_at_once_are_counted_right(table: Table) -> None:
    processes = [await table.process() for _ in range(4)]

    async def come_and_go(process: Process, seat: int) -> None:
        for k in range(12):
            await process.commons.attend("a", at(seat, spectators=k % 3))
            await process.commons.attend("a", at(*(() if k % 2 else (seat,)), spectators=1))

    await asyncio.gather(*(come_and_go(process, k % 2) for k, process in enumerate(processes)))
    for process in processes:
        assert await process.commons.attend("a", at(spectators=1)) == Elsewhere(spectators=3)


@in_a_loop
async def test_a_clock_is_one_for_all(table: Table) -> None:
    here, there = await table.process(), await table.process()
    started = await asyncio.gather(*(one.commons.clock("a", 3, start=True) for one in (here, there) * 4))
    assert [tens(ran) for ran in started] == [0] * 8
    table.passes(100)
    for start in (False, True):
        assert tens(await there.commons.clock("a", 3, start)) == 100, "the same time is never started twice"
    assert await here.commons.clock("a", 4, start=False) is None
    assert await here.commons.clock("a", 4, start=True) is not None
    assert await here.commons.clock("a", 3, start=True) is None, "that time is over"
    assert await there.commons.clock("a", 4, start=False) is not None


@in_a_loop
async def test_clocks_stand_still_after_the_last_process(table: Table) -> None:
    here, there = await table.process(), await table.process()
    assert await here.commons.clock("a", 3, start=True) is not None
    await here.commons.close()
    third = await table.process()
    assert await third.commons.clock("a", 3, start=False) is not None, "there is still somebody"
    await there.commons.close()
    table.passes(60, but="")
    third.lose("line")
    await until(lambda: third.missed)
    assert await third.commons.clock("a", 3, start=False) is not None, "it had only lost the connection"
    third.die()
    table.passes(60, but="")
    last = await table.process()
    assert await last.commons.clock("a", 3, start=False) is None, "the third was dead, and so was everybody"


@in_a_loop
async def test_a_task_is_taken_by_one(table: Table) -> None:
    processes = [await table.process() for _ in range(4)]
    for _ in range(5):
        taken = await asyncio.gather(*(one.commons.take("task") for one in processes))
        assert taken.count(True) == 1
        first = processes[taken.index(True)]
        assert await first.commons.take("another")
        await first.commons.leave("task")
        await first.commons.leave("another")
    assert await processes[0].commons.take("task")
    await processes[0].commons.close()
    assert await processes[1].commons.take("task"), "what a process did ends with it"


@in_a_loop
async def test_what_was_taken_is_lost_with_the_connection(table: Table) -> None:
    here, there = await table.process(), await table.process()
    assert await here.commons.take("task")
    table.ask(f"SELECT pg_terminate_backend({here.keeper}, 10000)")
    assert await there.commons.take("task")
    assert not await here.commons.take("task")
    await there.commons.leave("task")
    assert await here.commons.take("task")


@in_a_loop
async def test_one_who_takes_still_hears(table: Table) -> None:
    here, there = await table.process(), await table.process()
    for k in range(30):
        await asyncio.gather(there.append("a", k), here.commons.take("task"), here.commons.take(f"task {k}"))
        await here.commons.leave("task")
    await until(lambda: here.events == [("a", k) for k in range(30)])
    assert here.missed == 0


@in_a_loop
async def test_reviews_under_way_are_known(table: Table) -> None:
    here, there = await table.process(), await table.process()
    await here.commons.note_review("key", 0.0, 2)
    await here.commons.note_review("key", 0.5)
    await here.commons.note_review("other", 0.0, 1)
    assert await there.commons.noted_review("key") == (0.5, 0)
    assert await there.commons.noted_review("other") == (0.0, 1)
    assert await there.commons.noted_reviews() == 2
    assert await here.commons.noted_review("key") is None
    await here.commons.note_review("key", None)
    assert await there.commons.noted_review("key") is None
    here.die()
    table.passes(60, but="")
    assert await there.commons.noted_reviews() == 0, "that process is dead"


@in_a_loop
async def test_a_limit_is_one_for_all(table: Table) -> None:
    processes = [await table.process() for _ in range(4)]

    async def draw(process: Process) -> int:
        got, _ = await process.commons.draw("posts", "me", 0.001, 100)
        assert got <= 5
        return got

    drawn = await asyncio.gather(*(draw(process) for process in processes * 10))
    assert sum(drawn) == 100
    assert drawn.count(5) == 20, "several at once where there are many"
    assert table.ask("SELECT count(*) FROM sintra.buckets WHERE position('me' in encode(who, 'escape')) > 0") == [(0,)]
    await processes[0].commons.draw("posts", "long ago", 60, 5)
    table.ask("UPDATE sintra.buckets SET full_at = now() - interval '1 second' WHERE amount = 4")
    table.ask("SELECT sintra.tidy()")
    assert table.ask("SELECT count(*) FROM sintra.buckets") == [(1,)], "those who have all left again are forgotten"


@in_a_loop
async def test_an_event_in_doubt_is_told_to_all(table: Table, hasty: None, monkeypatch: pytest.MonkeyPatch) -> None:
    """Nobody knows whether it was written: everybody looks, also the process that wanted to write it."""
    here, there = await table.process(), await table.process()
    with psycopg.connect(table.address) as other:
        other.execute("LOCK TABLE sintra.events IN ACCESS EXCLUSIVE MODE")
        monkeypatch.setattr("sintra.table.games.postgres_pool.PATIENCE", 0.2)
        with pytest.raises(StorageAwayError):
            await here.append("a", 0)
        monkeypatch.undo()
    await until(lambda: ("a", 0) in here.events and ("a", 0) in there.events)


# --- processes and servers that go away ---------------------------------------------------------


@in_a_loop
async def test_a_dead_process_is_nowhere(table: Table, hasty: None) -> None:
    """Its heart does not beat any more: whoever notices removes what it left, and tells."""
    here = await table.process()
    await here.commons.attend("a", at(0))
    await here.commons.attend("b", at(0))
    table.ask("INSERT INTO sintra.processes VALUES ('dead', now())")
    table.ask("SELECT sintra.attend('dead', game, 2, 1, true, 'tiles') FROM unnest(ARRAY['a', 'c']) AS game")
    table.ask("INSERT INTO sintra.reviewing VALUES ('key', 'dead', 0.5, 0)")
    assert (await here.commons.attend("a", at(0))).seats == frozenset({1})
    await until(lambda: sorted(here.people) == ["a", "c"])
    here.people.clear()
    table.ask("UPDATE sintra.processes SET beat = now() - interval '9 seconds' WHERE id = 'dead'")
    await until(lambda: "a" in here.people and "c" in here.people and here.missed == 1)
    assert sorted(here.people) == ["a", "c"]
    assert (await here.commons.attend("a", at(0))).seats == frozenset()
    assert table.ask("SELECT game FROM sintra.attendance ORDER BY game") == [("a",), ("b",)]
    assert table.ask("SELECT game FROM sintra.absences ORDER BY game") == [("a",), ("b",)]
    assert table.ask("SELECT count(*) FROM sintra.reviewing") == [(0,)]


@in_a_loop
async def test_one_who_was_taken_for_dead_comes_back(table: Table, hasty: None) -> None:
    here, there = await table.process(), await table.process()
    await here.commons.attend("a", at(0))
    assert (await there.commons.attend("a", at(1))).seats == frozenset({0})
    await until(lambda: there.people == ["a"])
    here.bury()
    await until(lambda: len(there.people) >= 3)
    assert (await there.commons.attend("a", at(1))).seats == frozenset({0})


@in_a_loop
async def test_what_one_taken_for_dead_says_is_told_when_it_is_back(table: Table) -> None:
    """Before its heart beats again nobody believes it."""
    here, there = await table.process(), await table.process()
    await here.commons.attend("a", at(0))
    await until(lambda: there.people == ["a"])
    here.bury()
    await here.commons.attend("a", at(0))
    heard, seats = 1, frozenset[int]()
    while seats != {0}:  # who hears of people asks for them
        await until(lambda heard=heard: len(there.people) > heard)  # type: ignore[misc]
        heard = len(there.people)
        seats = (await there.commons.attend("a", at(1))).seats


@pytest.mark.parametrize("seats", [(), (0,)], ids=["leaves", "comes"])
@in_a_loop
async def test_what_could_not_be_said_is_said_later(
    seats: tuple[int, ...], table: Table, hasty: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    """By the next beat; everybody asks again, also the process itself."""
    here, there = await table.process(), await table.process()
    if not seats:
        await here.commons.attend("a", at(0))
        await until(lambda: there.people == ["a"])
    with psycopg.connect(table.address) as other:
        other.execute("LOCK TABLE sintra.attendance IN ACCESS EXCLUSIVE MODE")
        monkeypatch.setattr("sintra.table.games.postgres_pool.PATIENCE", 0.2)
        with pytest.raises(StorageAwayError):
            await here.commons.attend("a", at(*seats))
        monkeypatch.undo()
    await until(lambda: "a" in here.people)
    assert (await there.commons.attend("a", at(1))).seats == frozenset(seats)
    await until(lambda: there.people[-1:] == ["a"])


@in_a_loop
async def test_a_lost_line_is_made_again(table: Table) -> None:
    """What may have been missed is said, and where this process' people are."""
    here, there = await table.process(), await table.process()
    await here.commons.attend("a", at(0))
    for k in range(3):
        here.lose("line")
        await until(lambda k=k: here.missed == k + 1)  # type: ignore[misc]
        await there.append("a", k)
        await until(lambda k=k: ("a", k) in here.events)  # type: ignore[misc]
    assert (await there.commons.attend("a", at(1))).seats == frozenset({0})
    assert there.missed == 0


@in_a_loop
async def test_everything_comes_back_with_the_server(table: Table, postgres: PostgresServer) -> None:
    """A server that is started again after a crash has lost what was true of processes only; they say it anew."""
    here, there = await table.process(), await table.process()
    await here.commons.attend("a", at(0))
    await there.append("a", 0)
    for seq in (1, 2):
        await here.commons.attend("c", at(0))
        here.missed = there.missed = 0
        await asyncio.to_thread(postgres.crash if seq == 2 else postgres.stop)
        for call in (
            here.append("a", seq),
            here.commons.attend("b", at(1)),
            here.commons.attend("c", at()),
            here.commons.take("task"),
        ):
            with pytest.raises(StorageAwayError, match="cannot use the database at"):
                await call
        await asyncio.to_thread(postgres.start)
        await until(lambda: here.missed and there.missed)
        assert (await there.commons.attend("a", at(1))).seats == frozenset({0})
        assert (await there.commons.attend("b", at())).seats == frozenset({1}), "what could not be said is said now"
        assert (await there.commons.attend("c", at())).seats == frozenset()
        assert await here.commons.take("task")
        await here.append("a", seq)
        await until(lambda seq=seq: ("a", seq) in there.events)  # type: ignore[misc]
    assert there.storage is not None
    assert await there.storage.events("a") == [event(0), event(1), event(2)]
