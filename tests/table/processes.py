"""Processes that serve one table, here each a service of its own in one event loop, with its own connections to one
PostgreSQL and to the others; `test_killed_processes.py` has real processes."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

import httpx

from sintra.table.games.opening import open_storage
from sintra.table.games.postgres_leases import PostgresLeases
from sintra.table.games.room import Room
from sintra.table.games.storage import Storage
from sintra.table.http.access_log import AccessLog
from sintra.table.http.forwarding import Peers
from sintra.table.http.metrics import Metrics
from sintra.table.http.security import UNLIMITED, Rates
from sintra.table.http.web import Web
from sintra.table.service.service import Service
from table.local_table import QuickReviewWorker, QuickThinkers
from table.postgres_server import PostgresServer
from table.served import TIMEOUT_S


class Process:
    """A service at a database, which others reach, and people who ask it over HTTP."""

    def __init__(
        self,
        address: str,
        storage: Storage,
        claim_after_s: float = 180.0,
        rates: Rates = UNLIMITED,
    ) -> None:
        self.address = address
        self.thinkers = QuickThinkers()
        self.review_worker = QuickReviewWorker()
        access_log = AccessLog(Metrics())
        self.service = Service(
            storage,
            self.thinkers,
            claim_after_s=claim_after_s,
            review_worker=self.review_worker,
            on_failure=access_log.note_failure,
        )
        self.peers = Peers(self.service.leases)
        self.web = Web(self.service, rates=rates, access_log=access_log, peers=self.peers)
        self.app = self.web.application()
        self.streams: list[Stream] = []

    @classmethod
    async def start(cls, address: str, **more: Any) -> Process:
        process = cls(address, await open_storage(address), **more)
        listening_at = await process.peers.listen(process.web.unguarded, "127.0.0.1")
        await process.service.register(listening_at, process.peers.drop)
        return process

    @property
    def leases(self) -> PostgresLeases:
        assert isinstance(self.service.leases, PostgresLeases)
        return self.service.leases

    def owns(self, game: str) -> bool:
        """Whether it has a game in memory."""
        return game in self.service.rooms._open

    async def room(self, game: str) -> Room:
        """A game as its log has it."""
        room = await self.service.rooms.look(game)
        assert room is not None
        return room

    async def stop(self) -> None:
        for stream in self.streams:
            await stream.close()
        self.peers.stop()
        await self.service.close()
        self.peers.close()

    async def hang(self) -> None:
        """Its heart stops: it does nothing by itself any more, and nobody hears of it."""
        assert self.leases._beating is not None
        self.leases._beating.cancel()
        await self.leases._pool.ask(
            "UPDATE sintra.processes SET beat = beat - interval '1 minute' WHERE id = %s", self.leases.id
        )

    async def wake(self) -> None:
        """It goes on as if nothing had happened."""
        self.leases._beating = asyncio.create_task(self.leases._beat_on())

    async def die(self) -> None:
        """It is gone at once, with its connections, and gives nothing back."""
        beating, self.leases._beating = self.leases._beating, None
        assert beating is not None
        beating.cancel()
        await self.leases._disconnect()
        self.peers.close()
        await self.service.close()


class Person:
    """A browser with its cookies, which asks whichever process it likes."""

    _posts = 0

    def __init__(self, address: str = "192.0.2.1") -> None:
        self._address = address
        self._cookies = httpx.Cookies()

    async def ask(self, process: Process, method: str, path: str, **body: Any) -> tuple[int, Any]:
        """One request of a process, and what it answers."""
        transport = httpx.ASGITransport(process.app, client=(self._address, 5000))
        async with httpx.AsyncClient(
            transport=transport, base_url="http://localhost", cookies=self._cookies, timeout=TIMEOUT_S
        ) as http:
            answer = await http.request(method, path, json=body if method == "POST" else None)
            self._cookies = http.cookies
        return answer.status_code, json.loads(answer.content or "null")

    async def got(self, process: Process, path: str) -> Any:
        """What is shown at an address."""
        status, shown = await self.ask(process, "GET", path)
        assert status == 200, shown
        return shown

    async def act(self, process: Process, game: str, act: str, seq: int, post: str = "", **more: Any) -> Any:
        """An act in a game: the event that it became, or why it was refused."""
        Person._posts += 1
        body = {"id": post or f"post-{Person._posts:05}", "seq": seq, **more}
        status, answer = await self.ask(process, "POST", f"/api/games/{game}/{act}", **body)
        return answer["seq"] if status == 200 else answer["code"]

    async def listen(self, process: Process, game: str, after: int | None = None) -> Stream:
        """A stream of a game."""
        asked = "" if after is None else f"after={after}"
        http = httpx.AsyncClient(base_url="http://localhost", cookies=self._cookies)
        request = http.build_request("GET", f"/api/games/{game}/events")
        stream = Stream(process, self._address, request.url.path, asked, request.headers.raw)
        await http.aclose()
        process.streams.append(stream)
        return stream


class Stream:
    """What a listener is sent, kept as it comes."""

    def __init__(
        self, process: Process, client: str, path: str, query: str, headers: list[tuple[bytes, bytes]]
    ) -> None:
        self.messages: list[dict[str, Any]] = []
        self.status = 0
        self._news = asyncio.Event()
        self._left = asyncio.Event()
        self._text = ""
        scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": "GET",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.lower(), value) for name, value in headers],
            "client": (client, 5000),
            "server": ("localhost", 80),
            "scheme": "http",
        }
        self._task: asyncio.Task[None] = asyncio.create_task(self._listen(process, scope))

    async def _listen(self, process: Process, scope: dict[str, Any]) -> None:
        """Asks for the stream, again and again while the database does not answer, as a page does."""
        await process.app(scope, self._receive, self._send)
        while self.status == 503:
            await asyncio.sleep(0.2)
            await process.app(dict(scope), self._receive, self._send)

    async def _receive(self) -> dict[str, Any]:
        await self._left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Any) -> None:
        if message["type"] == "http.response.start":
            self.status = message["status"]
            return
        self._text += message.get("body", b"").decode()
        *whole, self._text = self._text.split("\n\n")
        for one in whole:
            fields = dict(line.split(": ", 1) for line in one.split("\n") if ": " in line)
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

    async def ended(self) -> None:
        """Waits for the end that the process makes of it."""
        await asyncio.wait_for(asyncio.shield(self._task), TIMEOUT_S)

    async def close(self) -> None:
        """The listener goes."""
        self._left.set()
        await asyncio.wait({self._task}, timeout=TIMEOUT_S)


@asynccontextmanager
async def processes(postgres: PostgresServer, how_many: int, **more: Any) -> AsyncIterator[list[Process]]:
    """So many processes at a new database, each of which knows of all."""
    address = postgres.new_database()
    running = [await Process.start(address, **more) for _ in range(how_many)]
    for one in running:
        await one.leases._beat()
    try:
        yield running
    finally:
        for one in running:
            await one.stop()


async def friends(here: Process, there: Process, **more: Any) -> tuple[str, Person, Person, Person]:
    """A game made here, whose friend comes there, and a spectator."""
    ann, ben, eve = Person(), Person(), Person()
    status, made = await ann.ask(here, "POST", "/api/games", mode="friend", names=["Ann"], **more)
    assert status == 200, made
    game, links = made["game"], made["links"]
    for person, secret, name in ((ben, links["friend"], "Ben"), (eve, links["watch"], None)):
        status, answer = await person.ask(there, "POST", f"/api/games/{game}/enter", secret=secret, name=name)
        assert status == 200, answer
    return game, ann, ben, eve
