"""Streams: resumed without a gap, cut off when too slow, ended when the table closes; presence."""

from __future__ import annotations

import asyncio
import json
import signal
import threading
from collections.abc import AsyncIterator
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from starlette.types import Message

from sintra.records.record import Record
from sintra.table.http.answers import OUTLET, EventStream
from sintra.table.http.security import Streams
from sintra.table.service import live
from sintra.table.service.live import MAX_MISSED, MAX_WAITING, Outlet
from sintra.table.shown.game import Watcher
from table.local_table import LocalTable, friends
from table.served import TIMEOUT_S, Served
from table.storages import until


class Stream:
    """A listener's stream, read message by message."""

    def __init__(self, local: LocalTable, game: str, watcher: Watcher, after: int | None = None, at: str = "") -> None:
        self._table = local
        self._stream: AsyncIterator[bytes] = local.table.hub.stream(local.room(game), watcher, after, at)

    def next(self) -> dict[str, Any]:
        message = b":"
        while message.startswith(b":"):  # a heartbeat
            message = self._table.runner.run(asyncio.wait_for(anext(self._stream), TIMEOUT_S))
        fields = dict(line.split(": ", 1) for line in message.decode().strip().split("\n"))
        return {"kind": fields["event"], "id": fields.get("id"), **json.loads(fields["data"])}

    def game(self) -> dict[str, Any]:
        """The next message about the game."""
        while (message := self.next())["kind"] != "game":
            pass
        return message

    def presence(self) -> dict[str, Any]:
        while (message := self.next())["kind"] != "presence":
            pass
        return message

    def close(self) -> None:
        self._table.runner.run(self._stream.aclose())  # type: ignore[attr-defined]


def test_first_message_is_the_whole_game_and_then_every_event(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    stream = Stream(local, game, Watcher((0,)))
    first = stream.game()
    assert first["log"][-1]["kind"] == "joined"
    local.play(game, {0: ann, 1: ben}, most=6)
    for seq in range(first["seq"] + 1, first["seq"] + 7):
        message = stream.game()
        assert (message["seq"], message["id"]) == (seq, str(seq))
        assert message["event"]["seq"] == seq
        assert "log" not in message
    now = ann.get(f"/games/{game}")
    assert {key: message[key] for key in now if key not in ("log", "players")} == {
        key: now[key] for key in now if key not in ("log", "players")
    }
    stream.close()


def test_resuming_brings_what_was_missed_one_by_one(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    live_one = Stream(local, game, Watcher((1,)))
    live_one.game()
    local.play(game, {0: ann, 1: ben}, most=20)
    then = [live_one.game() for _ in range(20)]
    for after in (1, 7, 19, 20):
        stream = Stream(local, game, Watcher((1,)), after)
        for seq in range(after + 1, 22):
            message = stream.game()
            assert message["seq"] == seq
            assert message["event"] == then[seq - 2]["event"]
            assert message["position"] == then[seq - 2]["position"]
            assert ("options" in message) == (seq == 21 and "options" in then[-1])
        stream.close()
    live_one.close()


@pytest.mark.parametrize("after", [None, 0, 99999])
def test_who_missed_much_gets_the_whole_game(local: LocalTable, after: int | None) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=MAX_MISSED + 5)
    stream = Stream(local, game, Watcher((0,)), after)
    message = stream.game()
    assert message["seq"] == local.room(game).seq
    assert len(message["log"]) == message["seq"] + 1
    stream.close()


def test_presence(local: LocalTable) -> None:
    game, ann, _, _ = friends(local)
    mine = Stream(local, game, Watcher((0,)))
    assert mine.presence()["present"] == [True, False]
    theirs = Stream(local, game, Watcher((1,)))
    theirs.game()
    assert mine.presence()["present"] == [True, True]
    eve = Stream(local, game, Watcher())
    eve.game()
    assert mine.presence() == {"kind": "presence", "id": None, "present": [True, True], "spectators": 1}
    assert [player["present"] for player in ann.get(f"/games/{game}")["players"]] == [True, True]
    theirs.close()
    assert mine.presence()["present"] == [True, False]
    eve.close()
    assert mine.presence()["spectators"] == 0
    mine.close()
    assert [player["present"] for player in ann.get(f"/games/{game}")["players"]] == [False, False]


def test_a_game_can_be_claimed_when_the_other_has_to_decide_and_stays_away(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    room, people = local.room(game), {0: ann, 1: ben}
    local.play(game, people, most=5)
    away = room.now.turn
    stays = people[1 - away]
    assert stays.cannot(game, "claim") == (409, "not_away"), "nobody has waited at the table"
    mine = Stream(local, game, Watcher((1 - away,)))
    assert "gone" not in mine.presence()
    assert stays.cannot(game, "claim") == (409, "not_away"), "the other has left only lately"
    mine.close()

    local.table.hub.claim_after_s = 0
    mine = Stream(local, game, Watcher((1 - away,)))
    theirs = Stream(local, game, Watcher((away,)))
    theirs.game()
    local.settle()
    assert stays.cannot(game, "claim") == (409, "not_away"), "the other is here"
    theirs.close()
    while mine.presence().get("gone") != [away]:
        pass
    theirs = Stream(local, game, Watcher((away,)))
    theirs.game()
    assert stays.cannot(game, "claim") == (409, "not_away"), "the other is back"
    theirs.close()
    while mine.presence().get("gone") != [away]:
        pass
    assert people[away].cannot(game, "claim") == (409, "not_away"), "the one who stayed is here"
    stays.act(game, "claim")
    told = mine.game()
    while told["event"]["kind"] != "claimed":
        told = mine.game()
    assert (told["status"], told["result"]["reason"], told["result"]["winner"]) == ("over", "left", 1 - away)
    returned = people[away].get(f"/games/{game}")
    assert returned["result"] == told["result"]
    assert returned["log"][-1]["seat"] == 1 - away
    record = Record.from_dict(stays.get(f"/games/{game}/record"))
    record.check()
    assert record.result is not None
    assert (record.result.reason, record.result.winner) == ("timeout", 1 - away)
    assert stays.cannot(game, "claim") == (409, "over")
    mine.close()


def test_who_has_to_decide_oneself_cannot_claim_unless_a_take_back_was_asked_for(local: LocalTable) -> None:
    local.table.hub.claim_after_s = 0
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    local.play(game, people, most=9)
    seat = local.room(game).now.turn
    mine = Stream(local, game, Watcher((seat,)))
    while mine.presence().get("gone") != [1 - seat]:
        pass
    assert people[seat].cannot(game, "claim") == (409, "your_turn")
    people[seat].act(game, "take-back")
    people[seat].act(game, "claim")
    assert local.room(game).now.left == 1 - seat
    mine.close()


def test_a_table_that_waits_or_plays_the_computer_cannot_be_claimed(local: LocalTable) -> None:
    local.table.hub.claim_after_s = 0
    ann = local.person()
    for mode, code in (("friend", "waiting"), ("screen", "not_away"), ("computer", "not_away")):
        game = ann.create(mode, first="me")["game"]
        mine = Stream(local, game, Watcher((0,)))
        mine.game()
        local.settle()
        assert ann.cannot(game, "claim") == (409, code)
        mine.close()


def test_a_friend_who_sat_down_and_never_came_is_away(local: LocalTable) -> None:
    local.table.hub.claim_after_s = 0
    ann, ben = local.person(), local.person()
    made = ann.create("friend", first="me")
    mine = Stream(local, made["game"], Watcher((0,)))
    mine.presence()
    ben.post(f"/games/{made['game']}/enter", {"secret": made["links"]["friend"], "name": "Ben"})
    while mine.presence().get("gone") != [1]:
        pass
    mine.close()


def test_closing_the_network_ends_the_streams_that_came_from_there(local: LocalTable) -> None:
    game, *_ = friends(local)
    here, there = Stream(local, game, Watcher((0,))), Stream(local, game, Watcher((1,)), at="192.0.2.5")
    here.game()
    there.game()
    local.table.hub.end_at(["192.0.2.5"])
    with pytest.raises(StopAsyncIteration):
        there.presence()
    while here.presence()["present"] != [True, False]:
        pass
    here.close()


def test_slow_listener_is_cut_off_and_resumes(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    slow = Stream(local, game, Watcher((0,)))
    seen = slow.game()["seq"]
    local.play(game, {0: ann, 1: ben}, "uniform", most=MAX_WAITING + 20)
    with suppress(StopAsyncIteration):
        while seen < local.room(game).seq:
            seen = slow.game()["seq"]
    assert seen < local.room(game).seq
    again = Stream(local, game, Watcher((0,)), seen)
    assert again.game()["seq"] in (seen + 1, local.room(game).seq)
    again.close()


def test_a_connection_that_takes_nothing_gets_the_rest_in_order(local: LocalTable) -> None:
    """Messages are written at once where nothing has to be waited for, and queued behind those that have to wait."""
    game, ann, ben, _ = friends(local)
    room, outlet, may_write, ids = local.room(game), Outlet(), asyncio.Event(), list[int]()
    first = room.seq

    def write(message: bytes) -> bool:
        if may_write.is_set() and message.startswith(b"id: "):
            ids.append(int(message.split(b"\n")[0][4:]))
        return may_write.is_set()

    async def send(message: Message) -> None:
        if OUTLET in message:
            message[OUTLET].write = write
        await may_write.wait()
        write(message.get("body", b""))

    async def receive() -> Message:
        await asyncio.Event().wait()
        raise AssertionError

    async def listen() -> asyncio.Task[None]:
        events = local.table.hub.stream(room, Watcher((0,)), first, outlet=outlet)
        return asyncio.create_task(EventStream(events, outlet, {}, Streams(), "here")({}, receive, send))

    async def end(listening: asyncio.Task[None]) -> None:
        listening.cancel()
        await asyncio.wait((listening,))

    listening = local.runner.run(listen())
    for takes in (True, False, True):
        if takes:
            may_write.set()
            local.runner.run(until(lambda: ids == list(range(first + 1, room.seq + 1)) and outlet.write is not None))
        else:
            may_write.clear()
        known = len(ids)
        local.play(game, {0: ann, 1: ben}, most=3)
        assert takes or len(ids) == known
    may_write.set()
    local.runner.run(until(lambda: ids == list(range(first + 1, first + 10))))
    local.runner.run(end(listening))
    assert outlet.write is None


def test_heartbeat(local: LocalTable, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(live, "HEARTBEAT_S", 0.01)
    game, *_ = friends(local)
    stream = local.table.hub.stream(local.room(game), Watcher((0,)), None)

    async def read() -> list[bytes]:
        return [await anext(stream) for _ in range(4)]

    assert local.runner.run(read())[-1] == b": still here\n\n"
    local.runner.run(stream.aclose())


def test_closing_table_ends_streams(local: LocalTable) -> None:
    game, *_ = friends(local)
    stream = Stream(local, game, Watcher((0,)))
    stream.game()
    local.table.hub.stop()
    with pytest.raises(StopAsyncIteration):
        stream.game()


def test_over_a_real_connection_and_a_graceful_stop(tmp_path: Path) -> None:
    with Served(tmp_path / "table.sqlite") as served:
        game, ann, ben = served.friends()
        path = f"/api/games/{game}/events"
        got: list[str] = []
        begun = threading.Event()

        def listen() -> None:
            with suppress(Exception), ann.stream("GET", path, headers={"last-event-id": "0"}) as stream:
                assert stream.headers["content-type"].startswith("text/event-stream")
                for line in stream.iter_lines():
                    got.append(line)
                    begun.set()

        listener = threading.Thread(target=listen)
        listener.start()
        assert begun.wait(TIMEOUT_S)
        for _ in range(5):
            served.play_one(game, ben, served_twin(served, ann))
        served.kill(signal.SIGTERM)
        assert served.code == 0
        listener.join(TIMEOUT_S)
        assert not listener.is_alive()
        assert [line for line in got if line.startswith("id: ")] == [f"id: {seq}" for seq in range(1, 7)]
        assert "Traceback" not in served.errors


def served_twin(served: Served, person: Any) -> Any:
    """Another connection of the same browser: its first one is listening."""
    twin = served.person()
    twin.cookies = person.cookies
    return twin
