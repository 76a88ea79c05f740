"""Requests of the page, which come as messages, answered by the ASGI application."""

from __future__ import annotations

import asyncio
import json
from typing import Any, Final

from starlette.types import ASGIApp, Message

from sintra.tab.browser import Browser, Bytes
from sintra.tab.cookies import CookieJar
from sintra.tab.storage import TabStorage

HOST: Final = "localhost"
"""The name under which the application is asked, whatever the page's address is."""
_LEFT_OUT: Final = frozenset({"host", "cookie", "origin", "sec-fetch-site", "content-length"})
"""Headers of the page's requests that say something about another server."""


class Requests:
    """The requests under way."""

    def __init__(self, app: ASGIApp, browser: Browser, storage: TabStorage) -> None:
        self._app = app
        self._browser = browser
        self._storage = storage
        self.jar = CookieJar(storage.cookies())
        self._leaving: dict[str, asyncio.Event] = {}
        self._tasks: set[asyncio.Task[None]] = set()

    def start(self, request: str, method: str, target: str, headers: str, body: Bytes) -> None:
        """Begins to answer a request, given with its headers as a JSON object."""
        self._leaving[request] = asyncio.Event()
        task = asyncio.ensure_future(self._answer(request, method, target, json.loads(headers), body.to_bytes()))
        self._tasks.add(task)
        task.add_done_callback(self._tasks.discard)

    def cancel(self, request: str) -> None:
        """Tells the application that nobody waits for an answer any more."""
        if request in self._leaving:
            self._leaving[request].set()

    async def _answer(self, request: str, method: str, target: str, headers: dict[str, str], body: bytes) -> None:
        path, _, query = target.partition("?")
        leaving = self._leaving[request]
        received: list[Message] = [{"type": "http.request", "body": body, "more_body": False}]

        async def receive() -> Message:
            if received:
                return received.pop()
            await leaving.wait()
            return {"type": "http.disconnect"}

        async def send(message: Message) -> None:
            if leaving.is_set():
                raise OSError("nobody waits for this answer")
            if message["type"] == "http.response.start":
                told = await self._without_cookies(message["headers"])
                self._browser.head(request, message["status"], json.dumps(told))
            elif data := message.get("body", b""):
                self._browser.chunk(request, bytes(data))

        try:
            await self._app(self._scope(method, path, query, headers), receive, send)
        finally:
            del self._leaving[request]
            self._browser.end(request)

    def _scope(self, method: str, path: str, query: str, headers: dict[str, str]) -> dict[str, Any]:
        """The request as ASGI describes it, as if the page asked the machine that it runs on."""
        told = {name.lower(): value for name, value in headers.items() if name.lower() not in _LEFT_OUT}
        told["host"] = HOST
        if cookies := self.jar.header_for(path):
            told["cookie"] = cookies
        return {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": method,
            "scheme": "http",
            "path": path,
            "raw_path": path.encode(),
            "query_string": query.encode(),
            "root_path": "",
            "headers": [(name.encode("latin-1"), value.encode("latin-1", "replace")) for name, value in told.items()],
            "client": ("127.0.0.1", 0),
            "server": (HOST, 80),
            "state": {},
        }

    async def _without_cookies(self, headers: list[tuple[bytes, bytes]]) -> list[tuple[str, str]]:
        """The headers of an answer but for cookies, which are kept before it leaves."""
        told = [(name.decode("latin-1").lower(), value.decode("latin-1")) for name, value in headers]
        cookies = [value for name, value in told if name == "set-cookie"]
        for cookie in cookies:
            self.jar.take(cookie)
        if cookies:
            await self._storage.keep_cookies(self.jar.cookies)
        return [(name, value) for name, value in told if name != "set-cookie"]
