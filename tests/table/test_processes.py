"""Several processes serve one table: what is done at one is known at all of them. Here each is a service of its own,
with its own connections to one PostgreSQL; `test_killed_processes.py` has real processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from random import Random
from typing import Any

import psycopg
import pytest

from helpers import TASTES
from sintra.game.game import Game
from sintra.players import player
from sintra.records.record import Record
from sintra.table import live
from sintra.table.games.commons import Hearing
from sintra.table.games.log import Moved, write_act
from sintra.table.games.opening import open_storage
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import Room
from sintra.table.games.storage import StorageAwayError
from sintra.table.http.security import Buckets, Rate
from sintra.table.review_desk import review_on
from sintra.table.reviews import MAX_WAITING_OF_ASKER
from sintra.table.service import Service, Visitor
from sintra.table.shown.messages import ClockAsked, Links, NewGame
from table.local_table import QuickDesk, QuickThinkers
from table.postgres_server import PostgresServer
from table.served import TIMEOUT_S
from table.storages import Waiting, in_a_loop, once, until


class Process:
    """A service at the database."""

    def __init__(self, address: str, service: Service, thinkers: QuickThinkers, desk: QuickDesk) -> None:
        self.address = address
        self.service = service
        self.thinkers = thinkers
        self.desk = desk
        self.streams: list[Stream] = []

    @classmethod
    async def start(cls, address: str, patience: float = 180.0) -> Process:
        thinkers, desk = QuickThinkers(), QuickDesk()
        service = Service(await open_storage(address), thinkers, patience=patience, desk=desk)
        await service.open_doors()
        return cls(address, service, thinkers, desk)

    async def visitor(self, game: str, secret: str) -> Visitor:
        return await self.service.visitor(game, [secret])

    async def room(self, game: str) -> Room:
        return await self.service.rooms.open(game)

    async def listen(self, game: str, secret: str, after: int | None = None) -> Stream:
        stream = Stream(self.service, await self.visitor(game, secret), after)
        self.streams.append(stream)
        return stream

    async def move(self, game: str, secret: str, seq: int, token: str, post: str) -> int:
        return await self.service.move(await self.visitor(game, secret), post, seq, token)

    async def stop(self) -> None:
        for stream in self.streams:
            await stream.close()
        await self.service.close()


class Stream:
    """What a listener is sent, kept as it comes."""

    def __init__(self, service: Service, visitor: Visitor, after: int | None) -> None:
        self._stream = service.stream(visitor, after, "")
        self.messages: list[dict[str, Any]] = []
        self._news = asyncio.Event()
        self._task = asyncio.create_task(self._read())

    async def _read(self) -> None:
        async for message in self._stream:
            fields = dict(line.split(": ", 1) for line in message.decode().strip().split("\n") if ": " in line)
            if "data" in fields:
                self.messages.append({"kind": fields["event"], **json.loads(fields["data"])})
                self._news.set()

    async def until(self, fits: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
        """The first message that fits, which may have come already."""
        async with asyncio.timeout(TIMEOUT_S):
            seen = 0
            while True:
                for message in self.messages[seen:]:
                    if fits(message):
                        return message
                seen = len(self.messages)
                self._news.clear()
                if len(self.messages) == seen:
                    await self._news.wait()

    async def event(self, seq: int) -> dict[str, Any]:
        return await self.until(lambda message: message["kind"] == "game" and message["seq"] == seq)

    async def presence(self, present: list[bool], spectators: int = 0, gone: list[int] | None = None) -> None:
        await self.until(
            lambda message: (
                message["kind"] == "presence"
                and message["present"] == present
                and message["spectators"] == spectators
                and message.get("gone", []) == (gone or [])
            )
        )

    @property
    def seqs(self) -> list[int]:
        return [message["seq"] for message in self.messages if message["kind"] == "game"]

    async def close(self) -> None:
        while not self._task.done():  # a message that comes just then keeps it going
            self._task.cancel()
            await asyncio.sleep(0)
        await self._stream.aclose()  # type: ignore[attr-defined]


@asynccontextmanager
async def processes(postgres: PostgresServer, how_many: int, **more: Any) -> AsyncIterator[list[Process]]:
    """So many processes at a new database."""
    address = postgres.new_database()
    running = [await Process.start(address, **more) for _ in range(how_many)]
    try:
        yield running
    finally:
        for one in running:
            await one.stop()


async def friends(here: Process, there: Process, **more: Any) -> tuple[str, str, str, str]:
    """A game made here, whose friend comes there: the game, and the secrets of both and of a spectator."""
    room, links = await here.service.create(NewGame(mode="friend", names=["Ann"], **more))
    _, _, friend = await there.service.enter(room.id, text(links, "friend"), "Ben")
    return room.id, text(links, "own"), friend, text(links, "watch")


def text(links: Links, role: str) -> str:
    found = getattr(links, role)
    assert isinstance(found, str)
    return found


async def known(one: Process, game: str, seq: int) -> Room:
    """The game when a process knows of an event, of which it hears by itself."""
    async with asyncio.timeout(TIMEOUT_S):
        while (room := await one.room(game)).seq < seq:
            await asyncio.sleep(0.005)
    return room


@in_a_loop
async def test_what_happens_at_one_is_told_at_all(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b)
        streams = [await a.listen(game, ann), await b.listen(game, ben), await c.listen(game, eve)]
        dice, seq = Random(1), (await b.room(game)).seq
        for one in streams:
            await one.event(seq)
        for k in range(40):
            room = await known(a, game, seq)
            token = str(TASTES["drawing"](room.game, dice))
            at = (a, b, c)[k % 3]
            seq = await at.move(game, (ann, ben)[room.now.turn], room.seq, token, f"post {k}")
        for one in streams:
            await one.event(seq)
            assert one.seqs[-41:] == list(range(seq - 40, seq + 1)), "each event once, in its order"
        logs = [[frame.act for frame in (await one.room(game)).frames] for one in (a, b, c)]
        assert logs[0] == logs[1] == logs[2]


@in_a_loop
async def test_a_move_may_come_before_the_news_that_it_answers(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b)
        seq = (await known(a, game, 1)).seq
        await b.service.commons.close()  # b hears nothing any more
        for k in range(6):
            room = await a.room(game)
            token = str(room.game.legal_moves[0])
            seq = await (a, b)[k % 2].move(game, (ann, ben)[room.now.turn], seq, token, f"post {k}")
            await a.service.rooms.open_at(game, seq)
        assert (await b.room(game)).seq == seq


@in_a_loop
async def test_a_post_is_done_once_wherever_it_is_repeated(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as all_of_them:
        a, b, _ = all_of_them
        game, ann, ben, _ = await friends(a, b)
        room = await known(a, game, 1)
        for one in all_of_them:
            await known(one, game, 1)
        token, secret = str(room.game.legal_moves[0]), (ann, ben)[room.now.turn]
        found = await asyncio.gather(*(one.move(game, secret, 1, token, "the same") for one in all_of_them * 5))
        assert found == [2] * 15
        assert len(await a.service.storage.events(game)) == 3


@in_a_loop
async def test_of_two_moves_at_once_one_is_made(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b)
        room = await known(a, game, 1)
        await known(b, game, 1)
        secret, (first, second) = (ann, ben)[room.now.turn], [str(move) for move in room.game.legal_moves][:2]
        found = await asyncio.gather(
            a.move(game, secret, 1, first, "one"), b.move(game, secret, 1, second, "two"), return_exceptions=True
        )
        assert sorted(map(type, found), key=str) == sorted([int, RefusalError], key=str)
        (refusal,) = [one for one in found if isinstance(one, RefusalError)]
        assert (refusal.code, refusal.seq) == ("stale", 2)


@in_a_loop
async def test_an_invitation_is_used_once_at_whichever_process(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        room, links = await a.service.create(NewGame(mode="friend", names=["Ann"]))
        invitation = text(links, "friend")
        came = [(one, (await one.service.enter(room.id, invitation, f"Guest {k}"))[2]) for k, one in enumerate((b, c))]
        found = await asyncio.gather(*(one.visitor(room.id, secret) for one, secret in came), return_exceptions=True)
        assert [type(one) for one in found].count(Visitor) == 1
        assert [one.code for one in found if isinstance(one, RefusalError)] == ["seat_taken"]
        with pytest.raises(RefusalError) as late:
            await a.service.enter(room.id, invitation, "Late")
        assert late.value.code == "link_used"


@in_a_loop
async def test_a_rematch_that_both_ask_for_is_one_game(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b)
        await known(a, game, 1)
        seq = await a.service.resign(await a.visitor(game, ann), "give up", 1, None)
        await known(b, game, seq)
        visitors = await a.visitor(game, ann), await b.visitor(game, ben)
        (one, mine), (other, theirs) = await asyncio.gather(
            a.service.rematch(visitors[0], "again", seq), b.service.rematch(visitors[1], "yes", seq)
        )
        assert one.id == other.id
        assert len(await a.service.storage.games()) == 2, "no game is left over"
        assert (await b.visitor(one.id, text(mine, "own"))).seats == (0,)
        assert (await a.visitor(one.id, text(theirs, "own"))).seats == (1,)


@in_a_loop
async def test_a_take_back_is_asked_for_here_and_answered_there(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, _ = await friends(a, b)
        secrets = ann, ben
        room = await known(c, game, 1)
        mover = room.now.turn
        seq = await a.move(game, secrets[mover], 1, str(room.game.legal_moves[0]), "move")
        seq = await b.service.take_back(await b.visitor(game, secrets[mover]), "ask", seq, None)
        seq = await c.service.answer(await c.visitor(game, secrets[1 - mover]), "agree", seq, True)
        assert (await known(a, game, seq)).now.ply == 0


# --- who is there -------------------------------------------------------------------------------


async def both_there(a: Process, b: Process) -> tuple[str, int, tuple[str, Stream], tuple[str, Stream]]:
    """A game, the seat to move, and both players with their streams: who waits is at `a`, who is to move at `b`."""
    game, *secrets, _ = await friends(a, b)
    turn = (await known(a, game, 1)).now.turn
    here, there = await a.listen(game, secrets[1 - turn]), await b.listen(game, secrets[turn])
    await here.presence([True, True])
    return game, turn, (secrets[1 - turn], here), (secrets[turn], there)


@in_a_loop
async def test_who_is_where(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b)
        mine = await a.listen(game, ann)
        await mine.presence([True, False])
        theirs = await b.listen(game, ben)
        await mine.presence([True, True])
        await theirs.presence([True, True])
        watching = await c.listen(game, eve)
        await mine.presence([True, True], spectators=1)
        await watching.presence([True, True], spectators=1)
        await theirs.close()
        for stream in (mine, watching):
            await stream.presence([True, False], spectators=1)
        shown = json.loads(await whole(c, game, ann))
        assert [one["present"] for one in shown["players"]] == [True, False], "also where none of them is"


async def whole(one: Process, game: str, secret: str) -> bytes:
    visitor = await one.visitor(game, secret)
    await one.service.prepare(visitor)
    return one.service.game(visitor)


@in_a_loop
async def test_a_game_is_claimed_from_who_is_away_from_every_process(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Also where nobody is who would keep in mind who is elsewhere."""
    monkeypatch.setattr(live, "_MOMENT", 0.0)
    async with processes(postgres, 3, patience=0.3) as (a, b, c):
        game, gone, (stays, here), (_, there) = await both_there(a, b)
        with pytest.raises(RefusalError) as refusal:
            await c.service.claim(await c.visitor(game, stays), "too soon", 1, None)
        assert refusal.value.code == "not_away"
        await there.close()
        await here.presence([gone == 1, gone == 0], gone=[gone])
        seq = await c.service.claim(await c.visitor(game, stays), "claimed", 1, None)
        assert (await known(a, game, seq)).now.left == gone


@in_a_loop
async def test_who_comes_back_to_another_process_is_not_away(postgres: PostgresServer) -> None:
    async with processes(postgres, 3, patience=0.0) as (a, b, c):
        game, gone, (stays, here), (goes, there) = await both_there(a, b)
        await there.close()
        await here.presence([gone == 1, gone == 0], gone=[gone])
        back = await c.listen(game, goes)
        await back.presence([True, True])
        await here.until(lambda one: one == here.messages[-1] and one["kind"] == "presence" and all(one["present"]))
        with pytest.raises(RefusalError) as refusal:
            await a.service.claim(await a.visitor(game, stays), "claimed", 1, None)
        assert refusal.value.code == "not_away"


# --- clocks -------------------------------------------------------------------------------------


@in_a_loop
async def test_time_runs_wherever_it_is_looked_at(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b, clock=ClockAsked(60, 0))
        secrets, seq = (ann, ben), 1
        room = await known(a, game, seq)
        while room.on_clock is None:
            seq = await a.move(game, secrets[room.now.turn], seq, str(room.game.legal_moves[0]), f"post {seq}")
        seat = room.on_clock
        b.service.rooms.forget_idle()
        async with asyncio.timeout(TIMEOUT_S):
            while await a.service.commons.clock(game, seq, start=False) is None:
                await asyncio.sleep(0.005)
        await asyncio.sleep(0.3)
        there = await b.room(game)
        assert there.time_left is not None
        assert there.time_left[seat] <= 60_000 - 290, "a process that has just heard of the game knows when it began"
        token = str(room.game.legal_moves[0])
        seq = await b.move(game, secrets[seat], seq, token, "late")
        left = (await known(a, game, seq)).now.time_left
        assert left is not None
        assert left[seat] <= 60_000 - 290


@in_a_loop
async def test_a_time_that_runs_out_ends_the_game_once(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b, clock=ClockAsked(60, 0))
        streams = [await a.listen(game, ann), await b.listen(game, ben), await c.listen(game, eve)]
        secrets, seq = (ann, ben), 1
        room = await known(a, game, seq)
        while room.on_clock is None:
            seq = await a.move(game, secrets[room.now.turn], seq, str(room.game.legal_moves[0]), f"post {seq}")
        for one in (a, b, c):
            late = await known(one, game, seq)
            late.stopwatch.start(60.0)
            one.service.clocks.run(late)
        for stream in streams:
            assert (await stream.until(lambda one: one.get("status") == "over"))["seq"] == seq + 1
        assert len(await a.service.storage.events(game)) == seq + 2


@in_a_loop
async def test_time_stands_still_while_no_process_runs(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    a = await Process.start(address)
    game, ann, ben, _ = await friends(a, a, clock=ClockAsked(60, 0))
    secrets, seq = (ann, ben), 1
    room = await a.room(game)
    while room.on_clock is None:
        seq = await a.move(game, secrets[room.now.turn], seq, str(room.game.legal_moves[0]), f"post {seq}")
    seat = room.on_clock
    await asyncio.sleep(0.2)
    await a.stop()
    b = await Process.start(address)
    room = await b.room(game)
    assert room.now.time_left is not None
    assert room.time_left == room.now.time_left
    stream = await b.listen(game, secrets[seat])
    await stream.event(seq)
    await until(lambda: room.time_left != room.now.time_left)
    await b.stop()


# --- what one does for all ----------------------------------------------------------------------


@in_a_loop
async def test_the_computer_thinks_with_one_process(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        for one in (a, b, c):
            one.thinkers.slow = True
        room, links = await a.service.create(NewGame(mode="computer", names=["Ann"], opponent="level:n=1", first="me"))
        ann = text(links, "own")
        streams = [await one.listen(room.id, ann) for one in (a, b, c)]
        assert room.computer_to_move, "who does not start lays the first plate"
        await until(
            lambda: any(one.thinkers.asked for one in (a, b, c)) and all(one.service._thinking for one in (a, b, c))
        )
        await asyncio.sleep(1.2)  # the others have looked again since
        assert sorted(one.thinkers.asked for one in (a, b, c)) == [0, 0, 1]
        for one in (a, b, c):
            one.thinkers.slow = not one.thinkers.asked
        for stream in streams:
            await stream.event(1)
        assert len(await a.service.storage.events(room.id)) == 2


@in_a_loop
async def test_another_process_thinks_on_when_one_is_gone(postgres: PostgresServer) -> None:
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        a.thinkers.slow = True
        room, links = await a.service.create(NewGame(mode="computer", names=["Ann"], opponent="level:n=1", first="me"))
        await until(lambda: a.thinkers.asked)
        stream = await b.listen(room.id, text(links, "own"))
        assert b.thinkers.asked == 0
        await a.stop()
        await stream.event(1)
        assert b.thinkers.asked == 1


@in_a_loop
async def test_a_review_is_made_by_one_process_and_shown_by_all(postgres: PostgresServer) -> None:
    record = a_record(3)
    load_reviews(record)
    async with processes(postgres, 2) as (a, b):
        a.desk.slow = True
        key = await a.service.review_record(record)
        await until(lambda: a.desk.steps)
        assert await b.service.review_record(record) == key
        shown = json.loads(await b.service.reviews.shown(key))
        assert (shown["state"], b.desk.steps) == ("working", 0)
        a.desk.slow = False
        await is_reviewed(b, key)
        assert b.desk.steps == 0


@in_a_loop
async def test_a_review_whose_process_is_gone_is_begun_again(postgres: PostgresServer) -> None:
    record = a_record(3)
    load_reviews(record)
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        a.desk.slow = True
        key = await a.service.review_record(record)
        await a.stop()
        await is_reviewed(b, key)
        assert b.desk.steps > 0


@pytest.mark.parametrize("how", ["looks", "asks"])
@pytest.mark.parametrize("made_by", [0, 1])
@in_a_loop
async def test_a_review_that_is_done_while_somebody_asks_is_not_made_again(
    how: str, made_by: int, postgres: PostgresServer
) -> None:
    """Elsewhere, or at the same process."""
    record = a_record(3)
    load_reviews(record)
    async with processes(postgres, 2) as both:
        a, b = both[made_by], both[1]
        a.desk.slow = True
        key = await a.service.review_record(record)
        await until(lambda: a.desk.steps)
        slow = Waiting(b.service.storage)

        async def finish() -> None:
            a.desk.slow = False
            await until(lambda: not a.service.reviews.waiting)
            while await both[0].service.commons.noted_review(key) or await both[1].service.commons.noted_review(key):
                await asyncio.sleep(0.01)

        slow.after["kept_review"] = once(finish)
        b.service.reviews._storage = slow
        if how == "looks":
            await b.service.reviews.shown(key)
        else:
            assert await b.service.review_record(record) == key
        assert b.service.reviews.waiting == 0
        await is_reviewed(b, key)


@in_a_loop
async def test_a_record_of_a_game_that_goes_on_elsewhere_is_not_reviewed(postgres: PostgresServer) -> None:
    """Whether somebody is at that game or not."""
    async with processes(postgres, 2) as (a, b):
        game, *_ = await friends(a, a)
        room = await a.room(game)
        played = room.game.copy()
        dice = Random(3)
        while not played.is_over:
            played.push(TASTES["drawing"](played, dice))
        with pytest.raises(RefusalError) as refusal:
            await b.service.review_record(Record.of(played, ("Ann", "Ben")).dumps())
        assert refusal.value.code == "no_review_yet"


@in_a_loop
async def test_limits_hold_for_all_processes_together(postgres: PostgresServer) -> None:
    address = postgres.new_database()
    storages = [await open_storage(address) for _ in range(3)]
    for one in storages:
        await one.commons().open(Hearing(lambda game, seq: None, lambda game: None, lambda: None))
    buckets = [Buckets("creating", Rate(0.001, 60), one.commons()) for one in storages]
    done = 0
    for k in range(90):
        with suppress(RefusalError):
            await buckets[k % 3].take("192.0.2.1")
            done += 1
    assert done == 60
    await buckets[0].take("192.0.2.2")
    for one in storages:
        await one.commons().close()
        await one.close()


@in_a_loop
async def test_places_for_reviews_are_shared_by_all_processes(postgres: PostgresServer) -> None:
    """They are given back when a process ends."""
    records = [a_record(seed) for seed in range(MAX_WAITING_OF_ASKER + 1)]
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        a.desk.slow = b.desk.slow = True
        for k, record in enumerate(records[:-1]):
            await (a, b)[k % 2].service.review_record(record, "192.0.2.1")
        for one in (a, b):
            with pytest.raises(RefusalError) as refusal:
                await one.service.review_record(records[-1], "192.0.2.1")
            assert (refusal.value.status, refusal.value.code) == (429, "too_many")
        await b.service.review_record(a_record(99), "192.0.2.2")
        await a.stop()
        await b.service.review_record(records[-1], "192.0.2.1")


async def is_reviewed(one: Process, key: str) -> None:
    """Waits for the review that a process shows to be there."""
    async with asyncio.timeout(TIMEOUT_S):
        while json.loads(await one.service.reviews.shown(key))["state"] != "done":
            await asyncio.sleep(0.01)


def load_reviews(record: str) -> None:
    """What makes reviews is loaded, or compiled: here it would keep the heart of a process from beating."""
    while review_on("loaded", record, QuickDesk().budget, 0.0)[1] is None:
        pass


def a_record(seed: int) -> str:
    """A whole game between players who do not think."""
    game, seats = Game.new(seed=seed), [player("greedy"), player("random")]
    while not game.is_over:
        game.push(seats[game.turn].choose(game.view(game.turn)))
    return Record.of(game, ("Ann", "Ben")).dumps()


# --- when news are lost -------------------------------------------------------------------------


@in_a_loop
async def test_a_process_that_heard_nothing_for_a_while_catches_up(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, eve = await friends(a, b)
        watching, mine = await b.listen(game, eve), await a.listen(game, ann)
        await mine.presence([True, False], spectators=1)
        seq = await watching_from(watching)
        for k in range(12):
            room = await known(a, game, seq)
            if k % 4 == 0:
                postgres.ask(
                    "SELECT pg_terminate_backend(pid) FROM pg_stat_activity WHERE datname = current_database()"
                    " AND pid <> pg_backend_pid() AND query LIKE '%sintra.come%'",
                    a.address,
                )
            token = str(TASTES["drawing"](room.game, Random(k)))
            seq = await a.move(game, (ann, ben)[room.now.turn], room.seq, token, f"post {k}")
        await watching.event(seq)
        assert watching.seqs == sorted(set(watching.seqs))


@in_a_loop
async def test_a_move_is_told_although_the_first_read_after_it_fails(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The events of the log cannot be read from the moment in which a move is told until they are there again."""
    async with processes(postgres, 2) as (a, b):
        game, _, _, eve = await friends(a, b)
        watching = await b.listen(game, eve)
        seq = await watching_from(watching)
        room = await known(a, game, seq)
        moved = write_act(Moved(room.now.turn, str(room.game.legal_moves[0])))
        failures: list[BaseException] = []
        monkeypatch.setattr(b.service, "on_failure", failures.append)
        with psycopg.connect(a.address) as db:
            db.execute(
                "SELECT sintra.append_all('another', %s, %s, '{NULL}', '{2026-01-01T00:00:00.000Z}', %s)",
                ([game], [seq + 1], [moved]),
            )
            db.execute("ALTER TABLE sintra.events RENAME TO elsewhere")
        await until(lambda: len(failures) > 1)
        assert {type(one) for one in failures} == {StorageAwayError}
        postgres.ask("ALTER TABLE sintra.elsewhere RENAME TO events", a.address)
        await watching.event(seq + 1)
        assert watching.seqs == [seq, seq + 1]


async def watching_from(stream: Stream) -> int:
    """The event with which a stream begins."""
    found: int = (await stream.until(lambda one: one["kind"] == "game"))["seq"]
    return found
