"""A browser that is none: what the table in a tab asks of it, done in this process, and a page that asks the table."""

from __future__ import annotations

import asyncio
import itertools
import json
from collections.abc import Awaitable
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Any, Self

from sintra.processes.worker import run_job
from sintra.tab.inside import Tab
from sintra.table.games.room import Room


@dataclass
class JsBytes:
    """Bytes as JavaScript would hand them over."""

    data: bytes

    def to_bytes(self) -> bytes:
        return self.data


@dataclass
class Answer:
    """An answer as far as it has come."""

    status: int = 0
    headers: list[list[str]] = field(default_factory=list)
    body: bytes = b""
    done: asyncio.Event = field(default_factory=asyncio.Event)


class WorkerHere:
    """A worker that runs its jobs in this process, unless it is told to die."""

    def __init__(self, browser: SmallBrowser) -> None:
        self._browser = browser

    async def run(self, job: bytes) -> JsBytes:
        if self._browser.deaths:
            self._browser.deaths -= 1
            raise RuntimeError("the worker died")
        return JsBytes(run_job(job))

    def end(self) -> None:
        self._browser.ended += 1


class SmallBrowser:
    """Collects answers, and keeps the file as it was when it was last told to."""

    def __init__(self, file: Path) -> None:
        self._file = file
        self.answers: dict[str, Answer] = {}
        self.kept = b""
        self.is_full = False
        self.deaths = 0
        self.processors = 1
        self.opened = 0
        self.ended = 0

    def head(self, request: str, status: int, headers: str) -> None:
        self.answers[request].status = status
        self.answers[request].headers = json.loads(headers)

    def chunk(self, request: str, data: bytes) -> None:
        self.answers[request].body += data

    def end(self, request: str) -> None:
        self.answers[request].done.set()

    def keep(self) -> Awaitable[None]:
        return self._keep(self._file.read_bytes())

    async def _keep(self, whole: bytes) -> None:
        await asyncio.sleep(0)
        if self.is_full:
            raise RuntimeError("QuotaExceededError")
        self.kept = whole

    def open_worker(self) -> WorkerHere:
        self.opened += 1
        return WorkerHere(self)


class SmallPage:
    """A page whose table is in this process."""

    def __init__(self, folder: Path, kept: bytes = b"") -> None:
        """`kept` is what the browser kept of an earlier table."""
        file = folder / f"{next(_numbers)}.sqlite"
        if kept:
            file.write_bytes(kept)
        self.browser = SmallBrowser(file)
        self.runner = asyncio.Runner()
        self.tab = self.runner.run(self._made(str(file)))

    async def _made(self, file: str) -> Tab:
        return Tab(self.browser, file)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.runner.run(self.tab.close())
        self.runner.close()

    async def settled(self, game: str) -> Room:
        """A game once its computer has moved."""
        room = await self.tab._table.rooms.open(game)
        while room.computer_to_move:
            self.tab._table.nudge(room)
            await asyncio.sleep(0.001)
            room = await self.tab._table.rooms.open(game)
        return room

    def ask(self, method: str, path: str, body: Any = None) -> Answer:
        """A request, with JSON or bytes, and its whole answer."""
        return self.runner.run(self._ask(method, path, body))

    async def _ask(self, method: str, path: str, body: Any) -> Answer:
        request = f"page:{next(_numbers)}"
        answer = self.browser.answers[request] = Answer()
        data = body if isinstance(body, bytes) else b"" if body is None else json.dumps(body).encode()
        headers = {"Content-Type": "application/json", "Origin": "https://anywhere.example"}
        self.tab.start(request, method, path, json.dumps(headers), JsBytes(data))
        await answer.done.wait()
        return answer

    def get(self, path: str) -> Any:
        answer = self.ask("GET", path)
        assert answer.status == 200, answer.body
        return json.loads(answer.body)

    def post(self, path: str, body: Any) -> Any:
        answer = self.ask("POST", path, body)
        assert answer.status in (200, 201), answer.body
        return json.loads(answer.body)


_numbers = itertools.count()
