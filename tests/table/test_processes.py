"""Several processes serve one table: each game is owned by one of them, and the others forward what is asked of it."""

from __future__ import annotations

import asyncio
from collections.abc import Iterator
from random import Random
from typing import Any, Never

import pytest
import uvloop
from starlette.requests import Request

from helpers import TASTES
from sintra.game.game import Game
from sintra.players import player
from sintra.records.record import Record
from sintra.table.games.leases import LeaseLostError, Owner
from sintra.table.games.log import Moved, write_event
from sintra.table.games.storage import StorageAwayError, Stored
from sintra.table.http import forwarding
from sintra.table.http.security import Rate, Rates
from sintra.table.shown.game import Watcher
from sintra.table.workers.review_worker import advance_review
from table.local_table import QuickReviewWorker
from table.postgres_server import PostgresServer
from table.processes import Person, Process, friends, processes
from table.served import TIMEOUT_S
from table.storages import in_a_loop, until


@pytest.fixture(params=[uvloop.EventLoopPolicy], autouse=True)
def event_loop(request: pytest.FixtureRequest) -> Iterator[None]:
    """The event loop that processes at a PostgreSQL database have, unless a test says otherwise."""
    asyncio.set_event_loop_policy(request.param())
    yield
    asyncio.set_event_loop_policy(None)


# --- one game -----------------------------------------------------------------------------------


@pytest.mark.parametrize("event_loop", [uvloop.EventLoopPolicy, asyncio.DefaultEventLoopPolicy], indirect=True)
@in_a_loop
async def test_what_is_done_anywhere_is_told_everywhere(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b)
        streams = [await ann.listen(a, game), await ben.listen(b, game), await eve.listen(c, game)]
        seq = (await streams[0].until(lambda one: one["kind"] == "game"))["seq"]
        for one in streams:
            await one.event(seq)
        dice = Random(1)
        for k in range(40):
            room = await a.room(game)
            token = str(TASTES["drawing"](room.game, dice))
            seq = await (ann, ben)[room.now.turn].act((a, b, c)[k % 3], game, "moves", seq, token=token)
        for one in streams:
            await one.event(seq)
            assert one.seqs[-41:] == list(range(seq - 40, seq + 1)), "each event once, in its order"
        assert [one.owns(game) for one in (a, b, c)] == [True, False, False]
        shown = [await ann.got(one, f"/api/games/{game}") for one in (a, b, c)]
        assert shown[0] == shown[1] == shown[2]


@in_a_loop
async def test_a_post_is_done_once_wherever_it_is_repeated(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as all_of_them:
        a, b, _ = all_of_them
        game, ann, ben, _ = await friends(a, b)
        room = await a.room(game)
        mover, token = (ann, ben)[room.now.turn], str(room.game.legal_moves[0])
        body: dict[str, Any] = {"seq": 1, "post": "the-same-post", "token": token}
        calls = [mover.act(one, game, "moves", **body) for one in all_of_them * 5]
        calls += [mover.act(one, game, "acts", kind="move", **body) for one in all_of_them]
        assert await asyncio.gather(*calls) == [2] * 18
        assert len(await a.service.storage.events(game)) == 3


@in_a_loop
async def test_of_two_moves_at_once_one_is_made(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b)
        room = await a.room(game)
        mover, (first, second) = (ann, ben)[room.now.turn], [str(move) for move in room.game.legal_moves][:2]
        found = await asyncio.gather(
            mover.act(a, game, "moves", 1, token=first), mover.act(b, game, "moves", 1, token=second)
        )
        assert sorted(found, key=str) == [2, "stale"]


@in_a_loop
async def test_an_invitation_is_used_once_at_whichever_process(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        ann, guests = Person(), [Person(), Person()]
        _, made = await ann.ask(a, "POST", "/api/games", mode="friend", names=["Ann"])
        path, secret = f"/api/games/{made['game']}", made["links"]["friend"]
        for guest, one in zip(guests, (b, c), strict=True):
            status, _ = await guest.ask(one, "POST", f"{path}/enter", secret=secret, name="Guest")
            assert status == 200
        looks = [guest.ask(one, "GET", path) for guest, one in zip(guests, (b, c), strict=True)]
        found = await asyncio.gather(*looks)
        assert sorted(status for status, _ in found) == [200, 410]
        assert {shown["code"] for status, shown in found if status == 410} == {"seat_taken"}
        status, late = await Person().ask(a, "POST", f"{path}/enter", secret=secret, name="Late")
        assert (status, late["code"]) == (410, "link_used")


@in_a_loop
async def test_a_rematch_that_both_ask_for_is_one_game(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b)
        seq = await ann.act(b, game, "resign", 1)
        asked = {"id": "again-and-again", "seq": seq}
        found = await asyncio.gather(
            ann.ask(b, "POST", f"/api/games/{game}/rematch", **asked),
            ben.ask(c, "POST", f"/api/games/{game}/rematch", **asked),
        )
        assert [status for status, _ in found] == [200, 200]
        (following,) = {made["game"] for _, made in found}
        _, watched = await eve.ask(c, "POST", f"/api/games/{game}/rematch", **asked)
        assert watched["game"] == following
        assert len(await a.service.storage.games()) == 2, "no game is left over"
        for person, seats in ((ann, [0]), (ben, [1]), (eve, [])):
            assert (await person.got(b, f"/api/games/{following}"))["you"] == seats


@in_a_loop
async def test_a_take_back_is_asked_for_here_and_answered_there(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, _ = await friends(a, b)
        room = await a.room(game)
        mover, other = (ann, ben) if room.now.turn == 0 else (ben, ann)
        seq = await mover.act(b, game, "moves", 1, token=str(room.game.legal_moves[0]))
        seq = await mover.act(b, game, "take-back", seq)
        seq = await other.act(c, game, "take-back/answer", seq, agree=True)
        assert (await a.room(game)).now.ply == 0


# --- who is there -------------------------------------------------------------------------------


@in_a_loop
async def test_who_is_there_is_known_wherever_they_come(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann, ben, eve = await friends(a, b)
        mine = await ann.listen(a, game)
        await mine.presence([True, False])
        theirs = await ben.listen(b, game)
        await mine.presence([True, True])
        await theirs.presence([True, True])
        watching = await eve.listen(c, game)
        await mine.presence([True, True], spectators=1)
        await watching.presence([True, True], spectators=1)
        await theirs.close()
        for stream in (mine, watching):
            await stream.presence([True, False], spectators=1)
        shown = await ann.got(c, f"/api/games/{game}")
        assert [one["present"] for one in shown["players"]] == [True, False]


@in_a_loop
async def test_a_game_is_claimed_from_who_is_away_from_every_process(postgres: PostgresServer) -> None:
    async with processes(postgres, 3, claim_after_s=0.3) as (a, b, c):
        game, ann, ben, _ = await friends(a, b)
        gone = (await a.room(game)).now.turn
        stays, goes = (ann, ben) if gone == 1 else (ben, ann)
        here, there = await stays.listen(b, game), await goes.listen(c, game)
        await here.presence([True, True])
        assert await stays.act(c, game, "claim", 1) == "not_away"
        await there.close()
        await here.presence([gone == 1, gone == 0], gone=[gone])
        back = await goes.listen(a, game)
        await here.until(lambda one: one == here.messages[-1] and one["kind"] == "presence" and all(one["present"]))
        assert await stays.act(c, game, "claim", 1) == "not_away"
        await back.close()
        await here.until(lambda one: one == here.messages[-1] and one.get("gone") == [gone])
        await stays.act(c, game, "claim", 1)
        assert (await a.room(game)).now.left == gone


@in_a_loop
async def test_time_stands_still_when_its_process_is_gone(postgres: PostgresServer) -> None:
    """Until somebody whose time it is comes to another one."""
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        game, ann, ben, _ = await friends(a, a, clock={"seconds": 60, "increment": 0})
        people, seq = (ann, ben), 1
        while (room := await a.room(game)).on_clock is None:
            token = str(room.game.legal_moves[0])
            seq = await people[room.now.turn].act(a, game, "moves", seq, token=token)
        seat = room.on_clock
        await a.die()
        await people[1 - seat].got(b, f"/api/games/{game}")
        room = await b.room(game)
        assert room.now.time_left is not None
        assert room.time_left == room.now.time_left
        stream = await people[seat].listen(b, game)
        await stream.event(seq)
        await until(lambda: room.time_left != room.now.time_left)


# --- what one does for all ----------------------------------------------------------------------


@in_a_loop
async def test_the_computer_thinks_with_one_process(postgres: PostgresServer) -> None:
    async with processes(postgres, 3) as (a, b, c):
        game, ann = await against_the_computer(b)
        streams = [await ann.listen(one, game) for one in (a, b, c)]
        for stream in streams:
            await stream.event(0)
        assert [one.thinkers.asked for one in (a, b, c)] == [0, 1, 0]
        b.thinkers.slow = False
        for stream in streams:
            await stream.event(1)
        assert len(await a.service.storage.events(game)) == 2


@in_a_loop
async def test_another_process_thinks_on_when_one_is_gone(postgres: PostgresServer) -> None:
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        game, ann = await against_the_computer(a)
        stream = await ann.listen(b, game)
        await stream.event(0)
        await a.die()
        await stream.ended()
        stream = await ann.listen(b, game)
        await stream.event(1)
        assert b.thinkers.asked == 1


async def against_the_computer(one: Process) -> tuple[str, Person]:
    """A game in which the computer has to move, and thinks."""
    one.thinkers.slow = True
    ann = Person()
    _, made = await ann.ask(one, "POST", "/api/games", mode="computer", names=["Ann"], opponent="level:n=1", first="me")
    await until(lambda: one.thinkers.asked)  # who does not start lays the first plate
    return made["game"], ann


@in_a_loop
async def test_a_review_is_made_by_one_process_and_shown_by_all(postgres: PostgresServer) -> None:
    record = a_record(3)
    load_reviews(record)
    async with processes(postgres, 2) as (a, b):
        a.review_worker.slow = True
        ann, ben = Person(), Person("192.0.2.2")
        key = await review(ann, a, record)
        await until(lambda: a.review_worker.steps)
        assert await review(ben, b, record) == key
        assert (await ben.got(b, f"/api/reviews/{key}"))["state"] == "working"
        a.review_worker.slow = False
        await is_reviewed(ben, b, key)
        assert b.review_worker.steps == 0


@in_a_loop
async def test_a_review_whose_process_is_gone_is_begun_again(postgres: PostgresServer) -> None:
    record = a_record(3)
    load_reviews(record)
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        a.review_worker.slow = True
        ann = Person()
        key = await review(ann, a, record)
        await a.die()
        await is_reviewed(ann, b, key)
        assert b.review_worker.steps > 0


async def review(person: Person, one: Process, record: str) -> str:
    status, asked = await person.ask(one, "POST", "/api/reviews", record=record)
    assert status == 200, asked
    key: str = asked["review"]
    return key


async def is_reviewed(person: Person, one: Process, key: str) -> None:
    """Waits for a review."""
    async with asyncio.timeout(TIMEOUT_S):
        while (await person.got(one, f"/api/reviews/{key}"))["state"] != "done":
            await asyncio.sleep(0.01)


def load_reviews(record: str) -> None:
    """What makes reviews is loaded, or compiled: here it would keep the heart of a process from beating."""
    while advance_review("loaded", record, QuickReviewWorker().budget, 0.0)[1] is None:
        pass


def a_record(seed: int) -> str:
    """A whole game between players who do not think."""
    game, seats = Game.new(seed=seed), [player("greedy"), player("random")]
    while not game.is_over:
        game.push(seats[game.turn].choose(game.view(game.turn)))
    return Record.of(game, ("Ann", "Ben")).dumps()


@in_a_loop
async def test_a_record_of_a_game_that_goes_on_elsewhere_is_not_reviewed(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, *_ = await friends(a, a)
        played = (await a.room(game)).game.copy()
        dice = Random(3)
        while not played.is_over:
            played.push(TASTES["drawing"](played, dice))
        record = Record.of(played, ("Ann", "Ben")).dumps()
        status, refused = await Person().ask(b, "POST", "/api/reviews", record=record)
        assert (status, refused["code"]) == (409, "no_review_yet")


@in_a_loop
async def test_the_position_of_a_game_elsewhere_is_not_analysed_for_its_players(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, _, eve = await friends(a, b)
        await ann.got(b, f"/api/games/{game}")
        now = (await a.room(game)).now
        asked = {"position": now.view(now.turn).sample(1).position}
        status, refused = await ann.ask(b, "POST", "/api/study", **asked)
        assert (status, refused["code"]) == (409, "running_game")
        status, _ = await eve.ask(b, "POST", "/api/study", **asked)
        assert status == 200


@in_a_loop
async def test_each_process_has_a_share_of_what_an_address_may_ask(postgres: PostgresServer) -> None:
    """What is forwarded was counted by the process that forwards it. The posts of a seat are counted by the owner."""
    rates = Rates(looking=Rate(0.001, 30), posting=Rate(0.001, 3))
    async with processes(postgres, 3, rates=rates) as (a, b, c):
        game, ann, _, _ = await friends(a, a)
        far = [Person(f"198.51.100.{k}") for k in range(3)]
        for person in far:
            person._cookies = ann._cookies
        for one in (b, c):
            answers = [(await far[0].ask(one, "GET", f"/api/games/{game}"))[0] for _ in range(12)]
            assert answers == [200] * 10 + [429] * 2
        posts = [await far[1 + k % 2].act((a, b, c)[k % 3], game, "undo", 1) for k in range(6)]
        assert posts.count("too_many") == 3


# --- processes that die, hang and come back -----------------------------------------------------


@in_a_loop
async def test_an_owner_that_was_cut_off_can_write_nothing(postgres: PostgresServer) -> None:
    """It has the game in memory and does not know that another has taken it: the fence is in the database."""
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, a)
        stale = await ann.listen(a, game)
        await stale.event(1)
        await a.hang()
        room = await a.room(game)
        mover = (ann, ben)[room.now.turn]
        tokens = [str(move) for move in room.game.legal_moves]
        assert await mover.act(b, game, "moves", 1, token=tokens[0]) == 2
        assert [one.owns(game) for one in (a, b)] == [True, True], "as far as they know"
        late = Stored(2, "late", room.now.at, write_event(Moved(room.now.turn, tokens[1])))
        with pytest.raises(LeaseLostError):
            await a.service.storage.append(game, late)
        with pytest.raises(LeaseLostError):
            await a.service.storage.sit(game, b"nobody", Stored(3, None, room.now.at, "{}"))
        assert await mover.act(a, game, "moves", 1, token=tokens[1]) == "stale"
        assert [one.owns(game) for one in (a, b)] == [False, True]
        assert [event.seq for event in await b.service.storage.events(game)] == [0, 1, 2]
        await stale.ended()
        await a.wake()


@in_a_loop
async def test_a_process_that_was_taken_for_dead_owns_nothing_when_it_is_back(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        first, ann, _, _ = await friends(a, a)
        second, eve, _, _ = await friends(a, a)
        streams = [await ann.listen(a, first), await eve.listen(a, second)]
        for stream in streams:
            await stream.event(1)
        await a.hang()
        was = a.leases.id
        await ann.got(b, f"/api/games/{first}")
        await a.wake()
        for stream in streams:
            await stream.ended()
        await until(lambda: a.leases.id != was)
        assert not a.owns(first)
        again = [await ann.listen(a, first), await eve.listen(a, second)]
        for stream in again:
            await stream.event(1)
        assert b.owns(first)
        assert a.owns(second), "nobody else was asked for it"


@in_a_loop
async def test_a_stream_does_not_begin_in_a_game_that_was_just_lost(postgres: PostgresServer) -> None:
    """Nobody would tell it anything, nor end it."""
    async with processes(postgres, 1) as (a,):
        game, *_ = await friends(a, a)
        room = a.service.rooms._open[game]
        begun = a.service.hub.stream(room, Watcher((0,)), None)
        a.service.rooms.lose_all()
        assert [message async for message in begun] == []
        assert a.service.hub.streams == 0


@in_a_loop
async def test_nobody_waits_for_a_connection_that_is_lost(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, _, _ = await friends(a, a)
        await ann.got(b, f"/api/games/{game}")
        (connecting,) = b.peers._peers.values()
        peer = connecting.result()
        peer.close()
        await until(lambda: peer.is_lost)
        with pytest.raises(forwarding.PeerLostError):
            peer.ask(Request({"type": "http"}), b"")
        assert (await ann.got(b, f"/api/games/{game}"))["seq"] == 1


@in_a_loop
async def test_what_waits_for_an_owner_that_hangs_is_answered_by_another(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, _, eve = await friends(a, a)
        watching = await eve.listen(b, game)
        await watching.event(1)
        for connection in a.peers.served:
            connection._app = asleep
        asking = asyncio.create_task(ann.ask(b, "GET", f"/api/games/{game}"))
        await until(lambda: a.peers.served and any(one._calls for one in a.peers.served))
        await a.hang()
        status, shown = await asking
        assert (status, shown["seq"]) == (200, 1)
        await watching.ended()
        assert b.owns(game)
        await a.wake()


async def asleep(scope: Any, receive: Any, send: Any) -> None:
    """An application that answers nothing."""
    await receive()
    await receive()


@in_a_loop
async def test_streams_speak_again_when_the_owner_is_dead(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (b, c):
        a = await Process.start(b.address)
        game, ann, ben, _ = await friends(a, b)
        streams = [await ann.listen(b, game), await ben.listen(c, game)]
        for stream in streams:
            await stream.event(1)
        await a.die()
        for stream in streams:
            await stream.ended()
        streams = [await ann.listen(b, game, after=1), await ben.listen(c, game, after=1)]
        for stream in streams:
            await stream.presence([True, True])
        room = await b.room(game)
        token = str(room.game.legal_moves[0])
        assert await (ann, ben)[room.now.turn].act(c, game, "moves", 1, token=token) == 2
        for stream in streams:
            await stream.event(2)
        assert [one.owns(game) for one in (b, c)].count(True) == 1


@in_a_loop
async def test_a_process_that_stops_leaves_its_games_to_others(postgres: PostgresServer) -> None:
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        game, ann, _, eve = await friends(a, a)
        watching = await eve.listen(b, game)
        await watching.event(1)
        stopping = asyncio.create_task(a.stop())
        await watching.ended()
        assert (await ann.got(b, f"/api/games/{game}"))["seq"] == 1
        await stopping
        assert b.owns(game)
        left = postgres.ask("SELECT count(*) FROM sintra.processes", b.address)
        assert left == [(1,)]


@in_a_loop
async def test_leases_outlast_a_database_that_is_started_again(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, a)
        streams = [await ann.listen(a, game), await ben.listen(b, game)]
        for stream in streams:
            await stream.event(1)
        postgres.stop()
        postgres.start()
        room = await a.room(game)
        mover, token = (ann, ben)[room.now.turn], str(room.game.legal_moves[0])
        async with asyncio.timeout(TIMEOUT_S):
            while await mover.act(b, game, "moves", 1, "one-post-only", token=token) != 2:
                await asyncio.sleep(0.05)
        for stream in streams:
            await stream.event(2)
        assert [one.owns(game) for one in (a, b)] == [True, False]


# --- writes of which nobody knows ---------------------------------------------------------------


@in_a_loop
async def test_an_event_is_told_although_its_sender_was_told_that_it_failed(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database has written it, and cannot be read for a while after that."""
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, eve = await friends(a, b)
        watching = await eve.listen(b, game)
        await watching.event(1)
        storage = a.service.storage
        append, events, failures = storage.append, storage.events, [0]

        async def lost(game: str, event: Stored) -> None:
            await append(game, event)
            raise StorageAwayError("the connection was lost")

        async def away(game: str, start: int = 0, most: int | None = None) -> list[Stored]:
            failures[0] += 1
            if failures[0] < 4:
                raise StorageAwayError("it does not answer")
            return await events(game, start, most)

        monkeypatch.setattr(storage, "append", lost)
        monkeypatch.setattr(storage, "events", away)
        room = await b.room(game)
        token = str(room.game.legal_moves[0])
        assert await (ann, ben)[room.now.turn].act(a, game, "moves", 1, token=token) == "failed"
        await watching.event(2)
        assert failures[0] >= 4
        assert watching.seqs == [1, 2]


@in_a_loop
async def test_who_waits_for_a_connection_to_a_dead_process_is_answered_by_another(
    postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    async with processes(postgres, 1) as (b,):
        a = await Process.start(b.address)
        await b.leases._beat()
        game, ann, _, _ = await friends(a, a)
        connecting = asyncio.Event()

        async def connect(owner: Owner) -> Never:
            connecting.set()
            await asyncio.sleep(TIMEOUT_S)
            raise AssertionError("it was given up before")

        monkeypatch.setattr(b.peers, "_connect", connect)
        asking = asyncio.create_task(ann.got(b, f"/api/games/{game}"))
        await connecting.wait()
        await a.die()
        assert (await asking)["seq"] == 1
        assert b.owns(game)


# --- who may ask a process ----------------------------------------------------------------------


@pytest.mark.parametrize(
    "said",
    [
        b"\x00\x00\x00\x08\x92\x00\xa5wrong",
        b"\x00\x00\x00\x05\x92\x00\xa2\xc3\xa9",
        b"\x00\x00\x00\x01\xc0",
        b"\x00\x01\x00\x00",
        b"GET / HTTP/1.1\r\n\r\n",
        b"",
    ],
    ids=["a wrong token", "a token of other letters", "no frame", "too long", "HTTP", "nothing"],
)
@in_a_loop
async def test_only_processes_of_the_table_are_answered(
    said: bytes, postgres: PostgresServer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(forwarding, "_HELLO_TIMEOUT_S", 5.0 if said else 0.1)
    async with processes(postgres, 2) as (a, b):
        game, ann, _, _ = await friends(a, a)
        assert a.peers._server is not None
        port = a.peers._server.sockets[0].getsockname()[1]
        reader, writer = await asyncio.open_connection("127.0.0.1", port)
        writer.write(said)
        with pytest.raises((ConnectionError, asyncio.IncompleteReadError)):
            await asyncio.wait_for(reader.readexactly(1), TIMEOUT_S)
        writer.close()
        assert (await ann.got(b, f"/api/games/{game}"))["seq"] == 1


@in_a_loop
async def test_who_leaves_is_away_for_the_owner_too(postgres: PostgresServer) -> None:
    async with processes(postgres, 2) as (a, b):
        game, ann, ben, _ = await friends(a, b)
        mine, theirs = await ann.listen(a, game), await ben.listen(b, game)
        await mine.presence([True, True])
        await theirs.close()
        await mine.until(lambda one: one == mine.messages[-1] and one.get("present") == [True, False])
        await until(lambda: not any(one._calls for one in a.peers.served))
