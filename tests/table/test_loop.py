"""The service has one thread: nothing that is asked for keeps it from everybody else."""

from __future__ import annotations

import asyncio
import itertools
import json
import os
import subprocess
import sys
from collections.abc import Generator
from pathlib import Path
from typing import Any

import pytest
from uvicorn.server import ServerState

import soak
import table_handlers
from sintra.table.base import scheduler
from sintra.table.base.scheduler import SLICE_S, Scheduler
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import MAX_EVENTS
from sintra.table.games.rooms import Rooms
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.http.connections import MAX_HEAD_SIZE, MAX_HEADERS
from sintra.table.http.security import Rate, Rates
from sintra.table.http.server import _config
from sintra.table.service.visitors import Visitor
from sintra.table.shown.game import Watcher
from table.local_table import LocalTable, friends
from table.served import TIMEOUT_S
from table_handlers import OUTSIDE, Asker, steps_noted

MOST = 60
"""A step of the loop may cost so many plain answers, and a slice."""


@pytest.fixture(scope="module")
def measured() -> dict[str, Any]:
    return measure()


def measure() -> dict[str, Any]:
    """What the tool says, in a process that has done nothing else."""
    paths = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "0"}
    events = str(soak.pick(1000, MAX_EVENTS))
    command = [sys.executable, table_handlers.__file__, "--json", "--tries", "2", "--events", events]
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=True)
    found: dict[str, Any] = json.loads(done.stdout)
    return found


@pytest.mark.long
@pytest.mark.soak
def test_the_tool_asks_every_endpoint_and_none_holds_the_loop(local: LocalTable, measured: dict[str, Any]) -> None:
    """Processor time of the loop's thread, as a multiple of a plain answer's in the same run, for a game that has
    begun, a long one, and one that is over."""
    every = {(one.method, one.path) for one in local.web.endpoints} | {OUTSIDE}
    person = local.person()
    made = person.create("screen")
    assert set(Asker(local, person, made["game"], made["links"]).requests()) == every
    answered = {(one["method"], one["path"]) for one in measured["found"] if 200 in one["statuses"]}
    refused = every - answered
    assert refused == {
        ("POST", "/api/games/{game}/tutor"),
        ("POST", "/api/games/{game}/take-back/answer"),
        ("POST", "/api/games/{game}/claim"),
        ("POST", "/api/games/{game}/cancel"),
        ("POST", "/api/network"),
    }, "what is refused on one screen costs no more elsewhere"

    assert {one["game"] for one in measured["found"]} == {"begun", "long", "over"}
    if found := too_long(measured):
        found &= too_long(measure())
    assert not found, "twice, so that it was not the machine"


def too_long(measured: dict[str, Any]) -> set[tuple[str, str, str]]:
    """What held the loop."""
    most = MOST + 2 * SLICE_S / measured["plain"]
    return {
        (one["game"], one["method"], one["path"])
        for one in measured["found"]
        if max(one["first"], one["later"], one["ever"] / 2) > most
    }


# --- slices -------------------------------------------------------------------------------------


def a_work(name: str, steps: int, done: list[str]) -> Generator[None, None, str]:
    for _ in range(steps):
        done.append(name)
        yield
    return name


@pytest.fixture
def step_by_step(monkeypatch: pytest.MonkeyPatch) -> None:
    """A slice is one step."""
    monkeypatch.setattr(scheduler, "SLICE_S", 1.5)
    monkeypatch.setattr(scheduler, "perf_counter", itertools.count().__next__)


@pytest.mark.usefixtures("step_by_step")
def test_long_works_take_turns_and_others_get_one_after_each_portion() -> None:
    done: list[str] = []

    async def other() -> None:
        while True:
            done.append(".")
            await asyncio.sleep(0)

    async def whole() -> list[str]:
        works = Scheduler()
        meanwhile = asyncio.create_task(other())
        made = await asyncio.gather(*(works.run(a_work(name, 3, done)) for name in "abc"))
        meanwhile.cancel()
        return made

    assert asyncio.run(whole()) == ["a", "b", "c"]
    text = "".join(done)
    assert [text.replace(".", "").count(name) for name in "abc"] == [3, 3, 3]
    assert text.replace(".", "")[:3] == "abc", "they take turns"
    assert all(len(part) <= 1 for part in text.split(".")), "never two slices in a row"


def test_a_short_work_is_done_at_once() -> None:
    async def whole() -> None:
        work = Scheduler().run(a_work("a", 3, []))
        with pytest.raises(StopIteration) as done:
            work.send(None)
        assert done.value.value == "a"

    asyncio.run(whole())


def test_a_game_that_many_ask_for_is_read_once(tmp_path: Path) -> None:
    with LocalTable(tmp_path / "table.sqlite") as local:
        game, ann, ben, _ = friends(local)
        local.play(game, {0: ann, 1: ben}, most=150)
        before = local.room(game)
        reads: list[int] = []

        class Counted(SqliteStorage):
            async def events(self, game: str, start: int = 0, most: int | None = None) -> Any:
                reads.append(start)
                return await super().events(game, start, most)

        async def ask() -> None:
            storage = Counted(tmp_path / "table.sqlite")
            rooms = Rooms(storage)
            asked = [rooms.open(name) for name in (*5 * [game], "nothing-here")]
            *found, refusal = await asyncio.gather(*asked, return_exceptions=True)
            assert isinstance(refusal, RefusalError)
            assert sorted(reads) == [0, 0, 64, 128, before.seq + 1]
            room = await rooms.open(game)
            assert all(one is room for one in found)
            assert (len(reads), room.frames) == (5, before.frames)
            await storage.close()

        asyncio.run(ask())


def test_a_listener_who_is_told_what_they_missed_misses_nothing_meanwhile(local: LocalTable) -> None:
    """Moves are made between any two messages that catch up."""
    game, ann, ben, _ = friends(local)
    people = {0: ann, 1: ben}
    local.play(game, people, most=12)
    stream = local.table.hub.stream(local.room(game), Watcher((0,)), 3)
    seen: list[int] = []
    while len(seen) < 20:
        message = local.runner.run(asyncio.wait_for(anext(stream), TIMEOUT_S))
        if message.startswith(b"id: "):
            seen.append(int(message.split(b"\n", 1)[0][4:]))
        if local.room(game).seq < 23:
            local.play(game, people, most=1)
    assert seen == list(range(4, 24))
    local.runner.run(stream.aclose())


@pytest.mark.usefixtures("step_by_step")
def test_a_game_stays_in_memory_while_its_log_is_told(local: LocalTable) -> None:
    game, ann, ben, _ = friends(local)
    local.play(game, {0: ann, 1: ben}, most=10)
    room, table = local.room(game), local.table

    def other_work() -> Generator[None, None, None]:
        while not table.is_busy(room):
            yield

    async def whole() -> None:
        other = asyncio.create_task(table.scheduler.run(other_work()))
        await asyncio.sleep(0)
        await table.prepare(Visitor(room, game, "watch", (), Watcher()))
        await other

    assert not table.is_busy(room)
    local.runner.run(asyncio.wait_for(whole(), TIMEOUT_S))
    assert not table.is_busy(room)


def test_pictures_have_a_rate_of_their_own() -> None:
    with LocalTable(rates=Rates(drawing=Rate(0.01, 2))) as local:
        ann = local.person()
        link = {"text": "https://table.example/game/abcdefghijkl#secret"}
        ann.post("/qr", link)
        ann.post("/qr", link)
        assert ann.refused("POST", "/qr", link) == (429, "too_many")
        assert ann.get("/health")["status"] == "ok"
        assert ann.create()["game"]


@pytest.mark.parametrize(
    "text",
    ["hello", "javascript:alert(1)", 60 * "\N{GRINNING FACE}", "http://a/game/short#s"],
    ids=["words", "script", "faces", "no game"],
)
def test_only_links_become_pictures(local: LocalTable, text: str) -> None:
    assert local.person().refused("POST", "/qr", {"text": text}) == (400, "malformed")


def test_a_picture_of_a_long_link_is_refused(local: LocalTable) -> None:
    link = f"https://{200 * 'a'}/game/abcdefghijkl#secret"
    assert local.person().refused("POST", "/qr", {"text": link}) == (422, "no_picture")


# --- requests of many small parts ---------------------------------------------------------------


async def sent(app: Any, parts: bytes) -> tuple[bytes, list[float]]:
    """What a server answers to these bytes on a real connection, and the steps of its loop."""
    loop = asyncio.get_running_loop()
    config = _config(app)
    config.load()
    state = ServerState()
    protocol: Any = config.http_protocol_class
    server = await loop.create_server(lambda: protocol(config, state, {}), "127.0.0.1", 0)
    with steps_noted() as noted:
        reader, writer = await asyncio.open_connection(*server.sockets[0].getsockname())
        del noted[:]
        for start in range(0, len(parts), 1 << 18):
            writer.write(parts[start : start + (1 << 18)])
        answer = await asyncio.wait_for(reader.readline(), TIMEOUT_S)
        writer.close()
        for _ in range(5):
            await asyncio.sleep(0)
    server.close()
    return answer, noted


HEAD = b"GET /api/health HTTP/1.1\r\nhost: localhost\r\n"
FLOODS = {
    "headers": HEAD + 12_000 * b"a:b\r\n" + b"\r\n",
    "few long headers": HEAD + 90 * (b"a: " + 3000 * b"b" + b"\r\n") + b"\r\n",
    "no end": HEAD + b"a: " + 250_000 * b"b",
    "chunks": b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
    b"transfer-encoding: chunked\r\n\r\n" + 40_000 * b"1\r\na\r\n",
}


@pytest.mark.parametrize("flood", FLOODS)
def test_no_request_of_small_parts_holds_the_loop(local: LocalTable, flood: str) -> None:
    plain = min(sum(local.runner.run(sent(local.app, HEAD + b"\r\n"))[1]) for _ in range(10))
    longest = []
    for _ in range(3):
        answer, noted = local.runner.run(sent(local.app, FLOODS[flood]))
        assert answer.split()[1] in (b"400", b"413"), answer
        longest.append(max(noted))
    assert min(longest) < 30 * plain


def test_requests_of_usual_size_are_answered(local: LocalTable) -> None:
    cookies = b"cookie: " + (MAX_HEAD_SIZE - 3000) * b"c" + b"\r\n"
    many = b"".join(b"x-%d: y\r\n" % k for k in range(MAX_HEADERS - 20))
    for more in (b"", cookies, many):
        answer, _ = local.runner.run(sent(local.app, HEAD + more + b"\r\n"))
        assert answer.split()[1] == b"200"
