"""Connections over real sockets: requests that never arrive take no place from others, and no file from the service."""

from __future__ import annotations

import asyncio
import json
import os
import re
import resource
import signal
import socket
import subprocess
import sys
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import ExitStack, asynccontextmanager, closing, contextmanager, suppress
from itertools import islice
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
import uvloop
from starlette.types import Receive, Scope, Send
from uvicorn.server import ServerState

from sintra.table.http import server
from sintra.table.http.answers import answer_with
from sintra.table.http.connections import AcceptErrors, Acceptor, BoundedProtocol, Connections, connections_with
from sintra.table.http.h11_protocol import H11Protocol
from sintra.table.http.httptools_protocol import HttptoolsProtocol
from sintra.table.http.security import Streams
from sintra.table.http.server import _config, bind
from table.local_table import LocalTable
from table.log_lines import logged
from table.served import any_token
from table.storages import in_a_loop, until

HEAD = b"GET / HTTP/1.1\r\nhost: localhost\r\n"
POST = b"POST / HTTP/1.1\r\nhost: localhost\r\n"
Client = tuple[asyncio.StreamReader, asyncio.StreamWriter]


ENGINES: dict[str, tuple[type[BoundedProtocol], asyncio.AbstractEventLoopPolicy]] = {
    "h11, asyncio": (H11Protocol, asyncio.DefaultEventLoopPolicy()),
    "httptools, uvloop": (HttptoolsProtocol, uvloop.EventLoopPolicy()),
}


@pytest.fixture(params=ENGINES, autouse=True)
def engine(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    """What is promised holds whatever reads HTTP here, and whatever loop waits for it."""
    protocol, policy = ENGINES[request.param]
    monkeypatch.setattr(server, "_http_protocol", lambda: protocol)
    asyncio.set_event_loop_policy(policy)
    yield
    asyncio.set_event_loop_policy(None)


# --- a server in this process -------------------------------------------------------------------


class Here:
    """A server with an application, on a port of its own."""

    def __init__(self, port: int) -> None:
        self.port = port
        self._clients: list[asyncio.StreamWriter] = []

    async def client(self, sent: bytes, address: str = "127.0.0.1") -> Client:
        """Somebody who comes from an address and sends something."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self.port, local_addr=(address, 0))
        self._clients.append(writer)
        writer.write(sent)
        return reader, writer

    async def close(self) -> None:
        for writer in self._clients:
            writer.close()
        for writer in self._clients:
            with suppress(OSError):
                await writer.wait_closed()


@asynccontextmanager
async def listening(
    app: Any, connections: Connections, errors: Callable[[OSError], None] = lambda error: None
) -> AsyncIterator[Here]:
    config = _config(app, ["127.0.0.1"], connections)
    config.load()
    protocol: Any = config.http_protocol_class
    listener = bind("127.0.0.1", 0)
    here = Here(listener.getsockname()[1])
    with closing(Acceptor(listener, lambda: protocol(config, ServerState(), {}), errors)):
        try:
            yield here
        finally:
            await here.close()


async def plain(scope: Scope, receive: Receive, send: Send) -> None:
    """Answers when the whole request has come."""
    while (message := await receive())["type"] == "http.request" and message["more_body"]:
        pass
    await answer_with({})(scope, receive, send)


async def all_of(client: Client) -> bytes:
    """What somebody is sent until the connection is closed."""
    with suppress(ConnectionResetError):
        return await asyncio.wait_for(client[0].read(), 60)
    return b""


async def status_of(client: Client) -> int:
    """The status of the answer that somebody gets."""
    line = await asyncio.wait_for(client[0].readline(), 60)
    return int(line.split()[1]) if line else 0


@pytest.mark.parametrize(
    ("sent", "answered"),
    [
        (b"", b""),
        (b"G", b"408"),
        (HEAD + b"cookie: ", b"408"),
        (POST + b"content-length: 10\r\n\r\n", b"408"),
        (POST + b"content-length: 10\r\n\r\n{", b"408"),
        (POST + b"transfer-encoding: chunked\r\n\r\n5\r\n{", b"408"),
        (HEAD + b"\r\n" + HEAD, b"200"),
        (HEAD + b"\r\n", b"200"),
    ],
    ids=["nothing", "a letter", "a head", "no body", "a body", "a chunk", "a second request", "one and no second"],
)
@in_a_loop
async def test_an_unfinished_request_ends(sent: bytes, answered: bytes) -> None:
    async with listening(plain, Connections(timeout_s=0.2)) as listener:
        answer = await all_of(await listener.client(sent))
    assert answer.partition(b"\r\n")[0].split()[1:2] == ([answered] if answered else [])
    assert answer.count(b"HTTP/1.1") == (2 if sent.count(HEAD) == 2 else bool(answered))


@pytest.mark.parametrize("begun", [HEAD + b"cookie: ", POST + b"content-length: 100000\r\n\r\n"], ids=["head", "body"])
@in_a_loop
async def test_a_request_that_comes_letter_by_letter_ends(begun: bytes) -> None:
    async with listening(plain, Connections(timeout_s=0.2)) as listener:
        client = await listener.client(begun)
        answer = asyncio.create_task(all_of(client))
        while not answer.done():
            client[1].write(b"a")
            await asyncio.sleep(0.02)
        assert (await answer)[:12] in (b"", b"HTTP/1.1 408"), "what is still sent can take the answer with it"


@in_a_loop
async def test_an_answer_may_take_its_time_and_a_stream_stays_open() -> None:
    """Only what has not arrived is ended; a body that is not needed any more is not waited for either."""
    begun = asyncio.Event()
    opened = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        begun.set()
        await opened.wait()
        await plain(scope, receive, send)

    connections = Connections(timeout_s=0.05)
    async with listening(slow, connections) as listener:
        client = await listener.client(HEAD + b"\r\n")
        await begun.wait()
        assert await all_of(await listener.client(b"")) == b"", "somebody else's time is over meanwhile"
        assert await all_of(await listener.client(b"")) == b""
        opened.set()
        assert await status_of(client) == 200


@in_a_loop
async def test_who_does_not_read_an_answer_is_left() -> None:
    left = asyncio.Event()

    async def endless(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        while not left.is_set():
            await send({"type": "http.response.body", "body": 100_000 * b"a", "more_body": True})
            await asyncio.sleep(0)
            if (await asyncio.wait((asyncio.ensure_future(receive()),), timeout=0))[0]:
                left.set()

    async with listening(endless, Connections(timeout_s=0.2)) as listener:
        reader, _ = await listener.client(HEAD + b"connection: close\r\n\r\n")
        await asyncio.wait_for(left.wait(), 60)
        assert reader.exception() is None


@in_a_loop
async def test_a_stream_ends_with_its_connection_although_another_request_waits_behind_it() -> None:
    begun, ended = asyncio.Event(), asyncio.Event()

    async def stream(scope: Scope, receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": 200, "headers": []})
        await send({"type": "http.response.body", "body": b"a", "more_body": True})
        begun.set()
        while not ended.is_set():
            await send({"type": "http.response.body", "body": b"a", "more_body": True})
            left = asyncio.ensure_future(receive())
            if (await asyncio.wait((left,), timeout=0.05))[0] and left.result()["type"] == "http.disconnect":
                ended.set()

    async with listening(stream, Connections()) as listener:
        _, writer = await listener.client(HEAD + b"\r\n" + HEAD + b"\r\n")
        await begun.wait()
        writer.transport.abort()
        await asyncio.wait_for(ended.wait(), 60)


@pytest.mark.parametrize(
    "sent",
    [
        HEAD + 150 * b"x: y\r\n" + b"\r\n",
        HEAD + b"x: " + 50_000 * b"y",
        b"GET /" + 50_000 * b"y",
        b"\0\0\0\0\r\n\r\n",
        POST + b"transfer-encoding: chunked\r\n\r\nno number\r\n",
    ],
    ids=["many headers", "a long header", "a long path", "no HTTP", "no chunk"],
)
@in_a_loop
async def test_what_cannot_be_read_is_refused(sent: bytes) -> None:
    async with listening(plain, Connections()) as listener:
        answer = await all_of(await listener.client(sent))
    assert answer[:12] in (b"", b"HTTP/1.1 400"), "what is still sent can take the answer with it"


@in_a_loop
async def test_every_answer_has_a_head_and_its_body() -> None:
    """An answer without a body, one that a client asked to begin before it sends more, and several at once."""
    async with listening(plain, Connections()) as listener:
        nothing = await listener.client(b"HEAD / HTTP/1.1\r\nhost: localhost\r\n\r\n" + HEAD + b"\r\n")
        assert await status_of(nothing) == 200
        await nothing[0].readuntil(b"\r\n\r\n")
        assert await status_of(nothing) == 200
        await nothing[0].readuntil(b"\r\n\r\n{}")
        asking = await listener.client(POST + b"content-length: 2\r\nexpect: 100-continue\r\n\r\n")
        assert await status_of(asking) == 100
        await asking[0].readline()
        asking[1].write(b"{}")
        assert await status_of(asking) == 200
        several = await listener.client(3 * (HEAD + b"\r\n") + HEAD + b"connection: close\r\n\r\n")
        assert (await all_of(several)).count(b"\r\n\r\n{}") == 4


@in_a_loop
async def test_the_connection_that_waits_longest_makes_room() -> None:
    async with listening(plain, Connections(in_all=3)) as listener:
        waiting = [await listener.client(HEAD) for _ in range(3)]
        for oldest in waiting:
            assert await status_of(await listener.client(HEAD + b"connection: close\r\n\r\n")) == 200
            waiting.append(await listener.client(HEAD))
            assert await all_of(oldest) == b""
            if len(waiting) == 6:
                break
        assert not any(reader.at_eof() for reader, _ in waiting[3:])


@in_a_loop
async def test_an_address_has_its_own_bound_unless_it_is_a_proxys() -> None:
    connections = Connections(of_address=2, is_proxy={"127.0.0.4"}.__contains__)
    async with listening(plain, connections) as listener:
        first = await listener.client(HEAD, "127.0.0.2")
        second = await listener.client(HEAD, "127.0.0.2")
        other = await listener.client(HEAD, "127.0.0.3")
        third = await listener.client(HEAD + b"\r\n", "127.0.0.2")
        assert await status_of(third) == 200
        assert await all_of(first) == b""
        proxied = [await listener.client(HEAD, "127.0.0.4") for _ in range(5)]
        for waiting in (second, other, *proxied):
            waiting[1].write(b"\r\n")
            assert await status_of(waiting) == 200


@in_a_loop
async def test_where_no_connection_waits_another_is_refused() -> None:
    begun: list[None] = []
    opened = asyncio.Event()

    async def slow(scope: Scope, receive: Receive, send: Send) -> None:
        begun.append(None)
        await opened.wait()
        await plain(scope, receive, send)

    async with listening(slow, Connections(in_all=2)) as listener:
        busy = [await listener.client(HEAD + b"\r\n") for _ in range(2)]
        await until(lambda: len(begun) == 2)
        refused = await all_of(await listener.client(b""))
        assert refused.startswith(b"HTTP/1.1 503")
        assert b"retry-after: 5" in refused
        opened.set()
        assert [await status_of(one) for one in busy] == [200, 200]


def test_streams_are_bounded_in_all_and_for_an_address() -> None:
    """The address is the one that a trusted proxy names."""
    with LocalTable(streams=Streams(in_all=3, of_address=2)) as local:
        ann = local.person()
        game = ann.create("screen")["game"]
        secrets = "; ".join(f"{one.name}={one.value}" for one in ann.http.cookies.jar)

        def asks(address: str) -> bytes:
            head = f"GET /api/games/{game}/events HTTP/1.1\r\nhost: localhost\r\ncookie: {secrets}\r\n"
            return f"{head}x-forwarded-for: {address}\r\n\r\n".encode()

        async def whole() -> None:
            async with listening(local.app, Connections()) as listener:
                first = [await listener.client(asks("192.0.2.1")) for _ in range(2)]
                assert [await status_of(one) for one in first] == [200, 200]
                assert await status_of(await listener.client(asks("192.0.2.1"))) == 429
                assert await status_of(await listener.client(asks("192.0.2.2"))) == 200
                assert await status_of(await listener.client(asks("192.0.2.3"))) == 503
                first[0][1].close()
                await until(lambda: local.table.hub.streams == 2)
                assert await status_of(await listener.client(asks("192.0.2.1"))) == 200

        local.runner.run(whole())


# --- files --------------------------------------------------------------------------------------


def test_connections_leave_files_for_the_rest() -> None:
    assert connections_with(None) == connections_with(1_000_000) == 10_000
    assert connections_with(1024) == 768
    assert connections_with(200) == 100


@contextmanager
def no_files() -> Iterator[None]:
    """No file can be opened in here: all that this process may open are."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    with ExitStack() as opened:
        resource.setrlimit(resource.RLIMIT_NOFILE, (1 + max(map(int, os.listdir("/dev/fd"))), hard))
        try:
            with suppress(OSError):
                while True:
                    opened.enter_context(open(os.devnull))
            yield
        finally:
            resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))


@in_a_loop
async def test_connections_that_cannot_be_accepted_are_refused_and_told_once_a_minute() -> None:
    now = [0.0]
    loop = asyncio.get_running_loop()
    errors = AcceptErrors(lambda: now[0])
    with logged() as log:
        async with listening(plain, Connections(), errors) as here:
            with ExitStack() as opened:
                clients = [opened.enter_context(socket.socket()) for _ in range(40)]
                for one in clients:
                    one.setblocking(False)
                with no_files():
                    for k, one in enumerate(clients):
                        now[0] = 60.0 * (k >= 30)
                        await loop.sock_connect(one, ("127.0.0.1", here.port))
                        assert await asyncio.wait_for(loop.sock_recv(one, 100), 60) == b""
            assert await status_of(await here.client(HEAD + b"\r\n")) == 200
    told = [(line["what"], line["why"], line["times"], line["level"]) for line in log.lines]
    assert told == [("accept", "Too many open files", times, "error") for times in (1, 30)]


# --- the server as a process --------------------------------------------------------------------

SOFT, HARD = 100, 200


@contextmanager
def short_of_files(tmp_path: Path) -> Iterator[tuple[subprocess.Popen[bytes], int, Callable[[], str]]]:
    """`sintra serve` that may open few files: the process, its port, and what its log says."""
    log = tmp_path / "log"
    serve = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--thinkers", "1"]
    bounded = ["sh", "-c", f'ulimit -Sn {SOFT} && ulimit -Hn {HARD} && exec "$@"', "sh"]
    with log.open("wb") as said:
        process = subprocess.Popen(
            [*bounded, *serve, "--database", str(tmp_path / "table.sqlite")], stdout=subprocess.PIPE, stderr=said
        )
    with process:
        try:
            assert process.stdout is not None
            found = re.search(rb"http://127\.0\.0\.1:(\d+)", process.stdout.readline())
            assert found, log.read_text()
            yield process, int(found[1]), log.read_text
        finally:
            process.kill()


def test_unfinished_requests_close_the_table_to_nobody(tmp_path: Path) -> None:
    """Many more than the service may open files; somebody plays meanwhile, and listens all the time."""
    with short_of_files(tmp_path) as (process, port, log), ExitStack() as opened:
        if sys.platform == "linux":
            limits = Path(f"/proc/{process.pid}/limits").read_text()
            assert re.search(r"Max open files +(\d+)", limits)[1] == str(HARD)  # type: ignore[index]
        ann = opened.enter_context(httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=60))
        game = ann.post("/api/games", json={"mode": "screen", "names": ["Ann", "Ben"]}).json()["game"]
        path = f"/api/games/{game}"
        stream = opened.enter_context(ann.stream("GET", f"{path}/events", headers={"last-event-id": "0"}))
        asking = b"POST /api/games HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        begun = [b"", HEAD, asking + b"content-length: 100\r\n\r\n{"]
        for k in range(5):
            for number in range(HARD):
                one = opened.enter_context(socket.socket())
                one.connect(("127.0.0.1", port))
                with suppress(ConnectionError):
                    one.sendall(begun[number % 3])
            with httpx.Client(base_url=f"http://127.0.0.1:{port}", cookies=ann.cookies, timeout=60) as again:
                assert again.get("/api/health").status_code == 200
                shown = again.get(path).json()
                body = {"id": f"post-{k:05}", "seq": k, "token": any_token(shown, Random(k))}
                assert again.post(f"{path}/moves", json=body).status_code == 200
        told = (line for line in stream.iter_lines() if line.startswith("id: "))
        assert list(islice(told, 5)) == [f"id: {seq}" for seq in range(1, 6)]
        process.send_signal(signal.SIGTERM)
        assert process.wait(60) == 0
        assert os.path.getsize(tmp_path / "log") < 1_000_000
        lines = [json.loads(line) for line in log().splitlines() if line.startswith("{")]
        assert not [line for line in lines if line.get("level") == "error"]
        assert "Traceback" not in log()
