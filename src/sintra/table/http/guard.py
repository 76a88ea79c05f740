"""ASGI middleware: host check, security headers, access log."""

from __future__ import annotations

import time
from typing import Final

from starlette.requests import ClientDisconnect
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sintra.table.games.refusals import RefusalError, closing
from sintra.table.http.access_log import AccessLog
from sintra.table.http.answers import GONE, failed, problem
from sintra.table.http.security import HEADERS, Hosts
from sintra.table.service.service import Service

_HEADERS: Final = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
_NO_STORE: Final = (b"cache-control", b"no-store")


class Guard:
    """The middleware around the application: it checks the host, adds headers to every answer, and logs it."""

    def __init__(self, app: ASGIApp, table: Service, hosts: Hosts, access_log: AccessLog) -> None:
        self._app = app
        self._table = table
        self._hosts = hosts
        self._access_log = access_log

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Handles a request, or passes the lifespan of the application on."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = time.perf_counter()
        status = 0
        waited: float | None = None

        async def send_guarded(message: Message) -> None:
            nonlocal status, waited
            if message["type"] == "http.response.start":
                status = message["status"]
                waited = time.perf_counter() - started
                headers = [*message["headers"], *_HEADERS]
                if b"cache-control" not in dict(message["headers"]):
                    headers.append(_NO_STORE)
                message["headers"] = headers
            try:
                await send(message)
            except OSError as error:
                raise ClientDisconnect from error

        try:
            refusal = self._refusal(scope)
            if refusal is not None:
                await problem(refusal)(scope, receive, send_guarded)
            else:
                await self._app(scope, receive, send_guarded)
        except ClientDisconnect:
            status = GONE
        except Exception as error:
            self._access_log.note_failure(error)
            if not status:
                await problem(failed())(scope, receive, send_guarded)
        finally:
            lasted = time.perf_counter() - started
            route, waited = scope.get("template", "-"), lasted if waited is None else waited
            self._access_log.note_request(scope["method"], route, status, waited, lasted)

    def _refusal(self, scope: Scope) -> RefusalError | None:
        try:
            self._hosts.check(scope)
        except RefusalError as refusal:
            return refusal
        if self._table.stopping:
            return closing()
        return None
