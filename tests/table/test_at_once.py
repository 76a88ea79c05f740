"""What comes at once, with a storage that is waited for: a game and its log agree whatever comes between."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator
from pathlib import Path
from random import Random
from typing import Any

import msgspec
import pytest

from helpers import TASTES
from sintra.table.games.log import Joined, Moved
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import Room
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import ConflictError, StorageAwayError, Stored
from sintra.table.service.live import Hub
from sintra.table.shown.game import Watcher
from table.local_table import LocalTable, Person, friends, shown
from table.served import TIMEOUT_S
from table.storages import Failure, Gate, Waiting, until

Answer = tuple[int, Any]
DOORS = pytest.mark.parametrize("written", [False, True], ids=["before it is written", "after it is written"])
"""When something happens to a write: the one who waits for it cannot tell."""


class SlowSitting(LocalTable):
    """A table whose storage is waited for."""

    def __init__(self, path: str | Path = ":memory:") -> None:
        self.storage: Any = Waiting(SqliteStorage(path))
        super().__init__(storage=self.storage)

    def run(self, *coming: Coroutine[Any, Any, Any]) -> list[Any]:
        """Everything at once."""

        async def whole() -> list[Any]:
            return await asyncio.gather(*coming)

        answers = self.runner.run(whole())
        self.settle()
        return answers

    def at(self, written: bool, call: str, what: Callable[[], Any]) -> None:
        """Lets something happen before or after what a call of the storage does."""
        (self.storage.after if written else self.storage.before)[call] = what

    def assert_agrees(self, game: str) -> Room:
        """The room in memory is what its log says, no more and no less."""
        room = self.runner.run(self.table.rooms.open(game))
        assert_same(room, Room(game, self.log(game)))
        return room


def assert_same(room: Room, folded: Room) -> None:
    assert room.frames == folded.frames
    assert room.posts == folded.posts
    assert room.standing == folded.standing
    assert room.movers == folded.movers
    assert room.game == folded.game
    assert room.game.moves == folded.game.moves


@pytest.fixture
def slow() -> Iterator[SlowSitting]:
    with SlowSitting() as one:
        yield one


async def post(person: Person, game: str, what: str, **body: Any) -> Answer:
    """What is answered to an act."""
    answer = await person.http.post(f"/api/games/{game}/{what}", json={"id": Person.new_id()} | body)
    return answer.status_code, answer.json()


async def enter(person: Person, game: str, secret: str, name: str = "Ben") -> Answer:
    answer = await person.http.post(f"/api/games/{game}/enter", json={"secret": secret, "name": name})
    return answer.status_code, answer.json()


async def look(person: Person, game: str, what: str = "") -> Answer:
    answer = await person.http.get(f"/api/games/{game}{what}")
    return answer.status_code, answer.json()


def tokens(room: Room) -> list[str]:
    return [str(move) for move in room.game.legal_moves]


def begun(local: LocalTable) -> tuple[Person, Room]:
    """A game on one screen."""
    ann = local.person()
    return ann, local.room(ann.create("screen")["game"])


# --- posts --------------------------------------------------------------------------------------


def test_one_of_two_moves_on_the_same_event_is_made(slow: SlowSitting) -> None:
    ann, room = begun(slow)
    seq = room.seq
    first, second = tokens(room)[:2]
    answers = slow.run(*(post(ann, room.id, "moves", seq=seq, token=token) for token in (first, second)))
    assert sorted(status for status, _ in answers) == [200, 409]
    (refused,) = [answer for status, answer in answers if status == 409]
    assert (refused["code"], refused["seq"]) == ("stale", seq + 1)
    assert slow.assert_agrees(room.id).seq == seq + 1


@pytest.mark.parametrize("what", ["moves", "undo", "take-back", "resign"])
def test_a_post_that_comes_twice_at_once_is_done_once(slow: SlowSitting, what: str) -> None:
    ann, room = begun(slow)
    while not room.movers or not room.may_undo(room.movers[-1]):
        slow.play(room.id, {0: ann, 1: ann}, "uniform", most=1)
    seq = room.seq
    body = {"id": Person.new_id(), "seq": seq} | ({"token": tokens(room)[0]} if what == "moves" else {})
    assert slow.run(*(post(ann, room.id, what, **body) for _ in range(3))) == 3 * [(200, {"seq": seq + 1})]
    assert slow.assert_agrees(room.id).seq == seq + 1


def test_a_post_is_repeated_while_it_is_being_written(slow: SlowSitting) -> None:
    ann, room = begun(slow)
    body = {"id": Person.new_id(), "seq": room.seq, "token": tokens(room)[0]}
    slow.at(True, "append", gate := Gate())

    async def whole() -> None:
        first = asyncio.create_task(post(ann, room.id, "moves", **body))
        await gate.reached.wait()
        again = asyncio.create_task(post(ann, room.id, "moves", **body))
        while slow.storage.running != ["append"] or not _is_waited_for(slow, room.id):
            await asyncio.sleep(0)
        assert not again.done()
        gate.opened.set()
        assert await first == await again == (200, {"seq": 1})

    slow.runner.run(whole())
    assert slow.assert_agrees(room.id).seq == 1


def _is_waited_for(local: LocalTable, game: str) -> bool:
    """Whether somebody waits until the act of another is done."""
    lock = local.table.rooms._locks[game]
    return bool(lock._waiters)


def test_nobody_sees_a_move_before_it_is_written_down(slow: SlowSitting) -> None:
    ann, room = begun(slow)
    token = tokens(room)[0]
    slow.at(False, "append", gate := Gate())

    async def whole() -> None:
        posted = asyncio.create_task(post(ann, room.id, "moves", seq=room.seq, token=token))
        await gate.reached.wait()
        game, record = await look(ann, room.id), await look(ann, room.id, "/record")
        assert (game[1]["seq"], game[1]["ply"], record[1]["moves"]) == (0, 0, [])
        gate.opened.set()
        await posted
        assert (await look(ann, room.id, "/record"))[1]["moves"] == [token]

    slow.runner.run(whole())


@DOORS
def test_who_goes_away_while_a_move_is_written_leaves_game_and_log_alike(slow: SlowSitting, written: bool) -> None:
    """The log knows whether it was written; the others hear of it when the game is looked at next."""
    ann, room = begun(slow)
    body = {"id": Person.new_id(), "seq": 0, "token": tokens(room)[0]}
    slow.at(written, "append", gate := Gate())
    told: list[int] = []

    async def whole() -> None:
        listening = asyncio.create_task(listen(slow.table.hub, room, told))
        posted = asyncio.create_task(post(ann, room.id, "moves", **body))
        await gate.reached.wait()
        posted.cancel()
        with pytest.raises(asyncio.CancelledError):
            await posted
        status, found = await look(ann, room.id)
        assert (status, found["seq"]) == (200, int(written))
        assert await post(ann, room.id, "moves", **body) == (200, {"seq": 1})
        while told != [1]:
            await asyncio.sleep(0)
        listening.cancel()

    slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    assert slow.assert_agrees(room.id) is room
    slow.play(room.id, {0: ann, 1: ann}, most=5)
    assert slow.assert_agrees(room.id).seq == 6


async def listen(hub: Hub, room: Room, told: list[int]) -> None:
    """Notes the events that a spectator is told of from now on."""
    async for message in hub.stream(room, Watcher(()), room.seq):
        if message.startswith(b"id: "):
            told.append(int(message.split(b"\n", 1)[0][4:]))


@DOORS
def test_a_write_that_fails_is_answered_as_failed_and_nothing_is_half_done(slow: SlowSitting, written: bool) -> None:
    """A connection can be lost before the write as well as after it: a repeated post finds out."""
    ann, room = begun(slow)
    body = {"id": Person.new_id(), "seq": 0, "token": tokens(room)[0]}
    slow.at(written, "append", Failure(OSError("the connection is lost")))
    ((status, answer),) = slow.run(post(ann, room.id, "moves", **body))
    assert (status, answer["code"]) == (500, "failed")
    assert len(slow.log(room.id)) == 1 + written
    slow.assert_agrees(room.id)
    assert slow.run(post(ann, room.id, "moves", **body)) == [(200, {"seq": 1})]
    slow.play(room.id, {0: ann, 1: ann}, most=5)
    assert slow.assert_agrees(room.id).seq == 6


def test_a_write_that_nobody_waits_for_can_still_come(slow: SlowSitting, monkeypatch: pytest.MonkeyPatch) -> None:
    """Its poster has gone, the game was looked at since, and then the database does it all the same."""
    ann, room = begun(slow)
    first, second = tokens(room)[:2]
    writing: list[asyncio.Task[None]] = []
    append = slow.storage.append

    async def append_whatever_happens(game: str, event: Stored) -> None:
        writing.append(asyncio.create_task(append(game, event)))
        await asyncio.shield(writing[-1])

    monkeypatch.setattr(slow.storage, "append", append_whatever_happens)
    slow.at(False, "append", gate := Gate())

    async def whole() -> None:
        posted = asyncio.create_task(post(ann, room.id, "moves", seq=0, token=first))
        await gate.reached.wait()
        posted.cancel()
        await asyncio.wait((posted,))
        assert (await look(ann, room.id))[1]["seq"] == 0
        gate.opened.set()
        await writing[0]
        status, answer = await post(ann, room.id, "moves", seq=0, token=second)
        assert (status, answer["code"], answer["seq"]) == (409, "stale", 1)

    slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    assert [str(move) for move in slow.assert_agrees(room.id).game.moves] == [first]


def test_a_storage_that_conflicts_without_a_reason_is_a_failure(slow: SlowSitting) -> None:
    """Reading the log again and again would not help."""
    ann, room = begun(slow)

    async def conflict() -> None:
        raise ConflictError

    slow.at(False, "append", conflict)
    ((status, answer),) = slow.run(post(ann, room.id, "moves", seq=0, token=tokens(room)[0]))
    assert (status, answer["code"]) == (500, "failed")
    slow.assert_agrees(room.id)


@pytest.mark.parametrize("seed", range(6))
def test_a_storm_of_posts_leaves_game_and_log_alike(slow: SlowSitting, seed: int) -> None:
    """Both players do anything, several things at once, some go away meanwhile, and some writes fail."""
    dice = Random(seed)
    game, ann, ben, _ = friends(slow)
    statuses: list[int] = []

    async def trouble() -> None:
        if dice.random() < 0.1:
            raise OSError("the connection is lost")
        for _ in range(dice.randrange(4)):
            await asyncio.sleep(0)

    async def go_away(posted: asyncio.Task[Answer]) -> None:
        for _ in range(dice.randrange(60)):
            await asyncio.sleep(0)
        posted.cancel()

    async def whole() -> None:
        for _ in range(60):
            room = await slow.table.rooms.open(game)
            move = str(TASTES["drawing"](room.game, dice))
            posted = []
            for person in (ann, ben):
                for _ in range(dice.randrange(3)):
                    body: dict[str, Any] = {"seq": room.seq, "token": move}
                    what = dice.choice(["moves", "moves", "undo", "take-back", "take-back/answer"])
                    if what != "moves":
                        body = {"seq": room.seq} | ({"agree": True} if "answer" in what else {})
                    posted.append(asyncio.create_task(post(person, game, what, **body)))
            leaving = [asyncio.create_task(go_away(one)) for one in posted if dice.random() < 0.2]
            for answer in await asyncio.gather(*posted, *leaving, return_exceptions=True):
                if isinstance(answer, tuple):
                    statuses.append(answer[0])

    slow.at(False, "append", trouble)
    slow.at(True, "append", trouble)
    slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    room = slow.assert_agrees(game)
    assert [event.seq for event in slow.log(game)] == list(range(room.seq + 1))
    assert room.seq > 10
    assert {200, 409, 500} <= set(statuses) <= {200, 409, 422, 500}


# --- coming and going ---------------------------------------------------------------------------


def come(local: LocalTable, made: dict[str, Any], name: str) -> Person:
    """Somebody comes by the invitation and does not look yet."""
    person = local.person()
    person.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": name})
    return person


def test_of_two_friends_who_look_at_once_one_sits_down(slow: SlowSitting) -> None:
    ann = slow.person()
    made = ann.create("friend")
    game = made["game"]
    ben, eve = come(slow, made, "Ben"), come(slow, made, "Eve")
    answers = slow.run(look(eve, game), look(ben, game), look(eve, game))
    (seated,) = {name for name, (status, _) in zip(("Eve", "Ben", "Eve"), answers, strict=True) if status == 200}
    assert {answer["code"] for status, answer in answers if status != 200} == {"seat_taken"}
    room = slow.assert_agrees(game)
    assert room.now.names == ("Ann", seated)
    assert sum(isinstance(frame.event, Joined) for frame in room.frames) == (2 if seated == "Eve" else 1)
    assert shown(ann, game).players[1].name == seated


@DOORS
def test_who_goes_away_while_sitting_down_sits_or_does_not(slow: SlowSitting, written: bool) -> None:
    ann = slow.person()
    made = ann.create("friend")
    game = made["game"]
    come(slow, made, "Spy")
    ben = come(slow, made, "Ben")
    slow.at(written, "sit", gate := Gate())

    async def whole() -> None:
        looked = asyncio.create_task(look(ben, game))
        await gate.reached.wait()
        looked.cancel()
        await asyncio.wait((looked,))

    slow.runner.run(whole())
    assert slow.assert_agrees(game).now.names[1] == ("Ben" if written else "Spy")
    assert shown(ben, game).you == [1]
    assert slow.assert_agrees(game).now.names[1] == "Ben"


def test_a_table_is_given_up_or_begun_and_not_both(slow: SlowSitting) -> None:
    ann, ben = slow.person(), slow.person()
    made = ann.create("friend")
    game = made["game"]
    given_up, entered = slow.run(post(ann, game, "cancel", seq=0), enter(ben, game, made["links"]["friend"]))
    room = slow.assert_agrees(game)
    assert room.seq == 1
    if room.now.status == "cancelled":
        assert (given_up[0], entered[0], entered[1]["code"]) == (200, 410, "cancelled")
    else:
        assert (given_up[0], given_up[1]["code"], entered[0]) == (409, "stale", 200)


def test_a_table_given_up_while_a_friend_comes_does_not_begin(slow: SlowSitting) -> None:
    """The friend has been let in by the invitation already, and says a name."""
    ann, ben = slow.person(), slow.person()
    made = ann.create("friend")
    game = made["game"]
    slow.at(True, "append", gate := Gate())

    async def whole() -> None:
        given_up = asyncio.create_task(post(ann, game, "cancel", seq=0))
        await gate.reached.wait()
        entered = asyncio.create_task(enter(ben, game, made["links"]["friend"]))
        while not _is_waited_for(slow, game):
            await asyncio.sleep(0)
        gate.opened.set()
        assert (await given_up)[0] == 200
        status, answer = await entered
        assert (status, answer["code"]) == (410, "cancelled")

    slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    assert slow.assert_agrees(game).seq == 1


def test_a_rematch_that_both_ask_for_at_once_is_one_game(slow: SlowSitting) -> None:
    game, ann, ben, _ = friends(slow)
    ann.act(game, "resign")
    before = len(slow.runner.run(slow.storage.games()))
    seq = slow.room(game).seq
    answers = slow.run(*(post(one, game, "rematch", seq=seq) for one in (ann, ben, ann)))
    assert [status for status, _ in answers] == [200, 200, 200]
    (following,) = {answer["game"] for _, answer in answers}
    assert slow.assert_agrees(game).now.rematch == following
    assert len(slow.runner.run(slow.storage.games())) == before + 1
    assert [shown(one, following).you for one in (ann, ben)] == [[0], [1]]


# --- reading ------------------------------------------------------------------------------------


def test_a_log_that_could_not_be_read_is_read_when_it_is_asked_for_next(tmp_path: Path) -> None:
    with LocalTable(tmp_path / "table.sqlite") as before:
        game, ann, ben, links = friends(before)
        before.play(game, {0: ann, 1: ben}, most=5)
    with SlowSitting(tmp_path / "table.sqlite") as slow:
        slow.at(True, "events", Failure(OSError("the connection is lost")))
        ann = slow.person()
        answers = slow.run(*(enter(ann, game, links["own"]) for _ in range(3)))
        assert {status for status, _ in answers} == {500}, "all have waited for the same reading"
        assert slow.run(enter(ann, game, links["own"]))[0][0] == 200
        assert slow.assert_agrees(game).seq == before.room(game).seq


def test_a_reading_that_is_done_is_not_waited_for_again(slow: SlowSitting) -> None:
    """Not even in the same turn of the loop, when the room is behind at once: that would be for ever."""
    ann, room = begun(slow)
    slow.table.rooms._open.clear()

    async def watch() -> None:
        rooms = slow.table.rooms
        while room.id not in rooms._open:
            await asyncio.sleep(0)
        assert not rooms._loading

    async def whole() -> None:
        early = asyncio.create_task(watch())
        await asyncio.sleep(0)
        opened = asyncio.create_task(slow.table.rooms.open(room.id))
        for _ in range(3):
            await asyncio.sleep(0)
        await asyncio.gather(early, opened, watch())

    slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    ann.act(room.id, "moves", token=tokens(room)[0])
    assert slow.assert_agrees(room.id).seq == 1


def test_a_game_that_somebody_acts_in_stays_in_memory(slow: SlowSitting) -> None:
    ann, room = begun(slow)
    rooms = slow.table.rooms
    rooms._max_games = 1
    slow.at(False, "append", gate := Gate())

    async def whole() -> None:
        posted = asyncio.create_task(post(ann, room.id, "moves", seq=0, token=tokens(room)[0]))
        await gate.reached.wait()
        for _ in range(3):
            await ann.http.post("/api/games", json={"mode": "screen", "names": ["Ann", "Ben"]})
        assert rooms._open[room.id] is room
        gate.opened.set()
        assert await posted == (200, {"seq": 1})

    slow.runner.run(whole())
    assert slow.assert_agrees(room.id) is room
    ann.create("screen")
    assert room.id not in rooms._open, "it is forgotten like others afterwards"
    assert slow.assert_agrees(room.id).seq == 1


# --- computers ----------------------------------------------------------------------------------


def left_to_the_computer(slow: SlowSitting) -> tuple[Person, Room]:
    """A game in which a person has made a move that can be undone, and the computer takes its time."""
    ann = slow.person()
    room = slow.room(ann.create(first="other")["game"])
    while not room.movers or room.movers[-1] != 0 or not room.may_undo(0):
        slow.thinkers.slow = False
        slow.settle()
        slow.thinkers.slow = True
        ann.act(room.id, "moves", token=tokens(room)[-1])
    return ann, room


def test_an_undo_that_comes_while_the_computers_move_is_written_is_too_late(slow: SlowSitting) -> None:
    ann, room = left_to_the_computer(slow)
    seq = room.seq
    slow.at(False, "append", gate := Gate())

    async def whole() -> Answer:
        slow.thinkers.slow = False
        await gate.reached.wait()
        undone = asyncio.create_task(post(ann, room.id, "undo", seq=seq))
        while not _is_waited_for(slow, room.id):
            await asyncio.sleep(0)
        gate.opened.set()
        return await undone

    status, answer = slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    slow.settle()
    assert (status, answer["code"]) == (409, "stale")
    act = slow.assert_agrees(room.id).frames[seq + 1].event
    assert isinstance(act, Moved)
    assert act.seat == 1


def test_the_computers_move_that_comes_while_an_undo_is_written_is_not_made(slow: SlowSitting) -> None:
    ann, room = left_to_the_computer(slow)
    seq, ply = room.seq, room.now.ply
    slow.at(True, "append", gate := Gate())

    async def whole() -> Answer:
        undone = asyncio.create_task(post(ann, room.id, "undo", seq=seq))
        await gate.reached.wait()
        slow.thinkers.slow = False
        while not _is_waited_for(slow, room.id):
            await asyncio.sleep(0)
        gate.opened.set()
        return await undone

    assert slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S)) == (200, {"seq": seq + 1})
    slow.settle()
    assert slow.assert_agrees(room.id).now.ply == ply - 1
    assert room.seq == seq + 1


def test_a_computers_move_that_could_not_be_written_is_made_when_somebody_looks(slow: SlowSitting) -> None:
    ann = slow.person()
    slow.at(False, "append", Failure(OSError("disk full")))
    game = ann.create(first="me")["game"]
    assert slow.assert_agrees(game).seq == 0
    assert [line["what"] for line in slow.lines if line.get("level") == "error"] == ["OSError"]
    ann.get(f"/games/{game}")
    assert slow.assert_agrees(game).seq > 0


def test_a_computer_moves_although_its_move_and_the_reading_after_that_fail(
    slow: SlowSitting, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Somebody listens, and looks at nothing."""
    monkeypatch.setattr("sintra.table.service.service._RETRY_DELAY_S", 0.001)
    ann = slow.person()
    slow.thinkers.slow = True
    room = slow.room(ann.create(first="me")["game"])
    told: list[int] = []

    async def whole() -> None:
        listening = asyncio.create_task(listen(slow.table.hub, room, told))
        await until(lambda: slow.table.hub.listeners(room))
        slow.at(False, "append", Failure(StorageAwayError("the connection is lost")))
        slow.at(False, "events", Failure(StorageAwayError("the server is away")))
        slow.thinkers.slow = False
        await until(lambda: told)
        listening.cancel()

    slow.runner.run(asyncio.wait_for(whole(), 120))
    slow.settle()
    assert [line["why"] for line in slow.lines if line.get("what") == "database"] == [
        "the connection is lost",
        "the server is away",
    ]
    assert slow.assert_agrees(room.id).seq >= told[0] == 1


@pytest.mark.parametrize("call", ["append", "events"])
def test_the_storage_is_left_when_nothing_needs_it_any_more(tmp_path: Path, call: str) -> None:
    """A computer's move is being written, or a log is being read, when the table is closed."""
    with LocalTable(tmp_path / "table.sqlite") as before:
        before.thinkers.slow = True
        made = before.person().create(first="me")
    with SlowSitting(tmp_path / "table.sqlite") as slow:
        slow.at(False, call, gate := Gate())
        ann = slow.person()

        async def whole() -> None:
            entered = asyncio.create_task(enter(ann, made["game"], made["links"]["own"]))
            await gate.reached.wait()
            if call == "events":
                entered.cancel()
            await asyncio.wait((entered,))
            assert slow.storage.running == [call]
            await slow.table.close()
            assert slow.storage.closed_while == []

        slow.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))


# --- a log that grows elsewhere -----------------------------------------------------------------


@pytest.fixture
def both(tmp_path: Path) -> Iterator[tuple[SlowSitting, SlowSitting]]:
    """Two services with one database, which none of them knows."""
    with SlowSitting(tmp_path / "table.sqlite") as here, SlowSitting(tmp_path / "table.sqlite") as there:
        yield here, there


def same_person(person: Person, there: LocalTable) -> Person:
    """A person's browser, whose requests come to another service."""
    other = there.person()
    other.http.cookies = person.http.cookies
    return other


def test_a_move_that_could_not_be_written_is_made_anew_when_it_comes_later(
    both: tuple[SlowSitting, SlowSitting],
) -> None:
    """Elsewhere another move is made first: what was tried here does not stand in for the same words then."""
    here, there = both
    ann, room = begun(here)
    elsewhere = same_person(ann, there)
    while (pair := _first_and_later(room)) is None:
        here.play(room.id, {0: ann, 1: ann}, "uniform", most=1)
    first, later = pair
    here.at(False, "append", Failure(OSError("disk full")))
    ((status, _),) = here.run(post(ann, room.id, "moves", seq=room.seq, token=later))
    assert status == 500
    for token in (first, later):
        elsewhere.act(room.id, "moves", token=token)
    assert here.run(post(ann, room.id, "moves", seq=room.seq, token=later))[0][0] == 409
    assert_same(here.assert_agrees(room.id), there.assert_agrees(room.id))


def heard_of(both: tuple[SlowSitting, SlowSitting]) -> tuple[Room, int]:
    """A game here that has gone on by three moves at the other service, and the last of their events."""
    here, there = both
    ann, room = begun(here)
    elsewhere = same_person(ann, there)
    for _ in range(3):
        seq = elsewhere.act(room.id, "moves", token=tokens(there.room(room.id))[0])
    return room, seq


@pytest.mark.parametrize("ends", ["fails", "is cancelled"])
def test_a_reading_that_ends_between_two_pages_costs_listeners_nothing(
    both: tuple[SlowSitting, SlowSitting], monkeypatch: pytest.MonkeyPatch, ends: str
) -> None:
    monkeypatch.setattr("sintra.table.games.rooms._PAGE_SIZE", 1)
    here = both[0]
    rooms = here.table.rooms
    room, seq = heard_of(both)
    pages, told = [0], list[int]()

    async def second_page() -> None:
        pages[0] += 1
        if pages[0] == 2:
            if ends == "fails":
                raise StorageAwayError("the connection is lost")
            rooms._loading[room.id].cancel()

    async def whole() -> None:
        listening = asyncio.create_task(listen(here.table.hub, room, told))
        await until(lambda: here.table.hub.listeners(room))
        here.at(False, "events", second_page)
        room.is_behind = True
        with pytest.raises((StorageAwayError, asyncio.CancelledError)):
            await rooms.read_on(room.id)
        await until(lambda: told)
        assert room.seq == 1 < seq
        await rooms.read_on(room.id)
        await until(lambda: len(told) == seq)
        listening.cancel()

    here.runner.run(asyncio.wait_for(whole(), 120))
    assert told == [1, 2, 3]
    here.assert_agrees(room.id)


def test_an_event_that_cannot_be_read_keeps_no_earlier_one_from_listeners(
    both: tuple[SlowSitting, SlowSitting],
) -> None:
    """An event of a later version, for instance: what it does is not known."""
    here = both[0]
    room, seq = heard_of(both)
    here.runner.run(here.storage.append(room.id, Stored(seq + 1, None, room.now.at, '{"what": "of a later version"}')))
    told: list[int] = []

    async def whole() -> None:
        listening = asyncio.create_task(listen(here.table.hub, room, told))
        await until(lambda: here.table.hub.listeners(room))
        room.is_behind = True
        with pytest.raises(msgspec.ValidationError):
            await here.table.rooms.read_on(room.id)
        await until(lambda: len(told) == seq)
        listening.cancel()

    here.runner.run(asyncio.wait_for(whole(), 120))
    assert told == [1, 2, 3]


def _first_and_later(room: Room) -> tuple[str, str] | None:
    """Two moves of which the second can be made now, and after the first, too."""
    legal = tokens(room)
    for first in legal[:20]:
        after = room.game.copy()
        after.push(first)
        for later in legal:
            if later in after.legal_moves:
                return first, later
    return None


def test_a_game_that_is_not_there_cannot_be_acted_in(slow: SlowSitting) -> None:
    async def nothing(room: Room) -> None:
        raise AssertionError

    with pytest.raises(RefusalError, match="no such game"):
        slow.runner.run(slow.table.rooms.run_locked("nowhere", nothing))
