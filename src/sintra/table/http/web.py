"""The table over HTTP as one ASGI application."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import partial
from itertools import chain, repeat
from typing import Any, Final

from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Route, compile_path
from starlette.types import ASGIApp

from sintra.table.games.leases import OwnedElsewhereError
from sintra.table.games.refusals import RefusalError, closing, no_database
from sintra.table.games.storage import StorageError
from sintra.table.http.access_log import AccessLog
from sintra.table.http.answers import GONE, MessageResponse, encode, failed, http_problem, problem
from sintra.table.http.asking import COUNTED, FORWARDED, message_in, read_body
from sintra.table.http.dispatcher import Dispatcher
from sintra.table.http.endpoint import Endpoint
from sintra.table.http.forwarding import MISDIRECTED, PeerLostError, Peers
from sintra.table.http.game_endpoints import GameEndpoints
from sintra.table.http.guard import Guard
from sintra.table.http.house_endpoints import HouseEndpoints
from sintra.table.http.metrics import MEDIA, Metrics, Readers
from sintra.table.http.network import Network
from sintra.table.http.openapi import document
from sintra.table.http.pages import Pages
from sintra.table.http.puzzle_endpoints import PuzzleEndpoints
from sintra.table.http.review_endpoints import ReviewEndpoints
from sintra.table.http.security import Hosts, Limits, Rates, Streams, check_origin
from sintra.table.http.study_endpoints import StudyEndpoints
from sintra.table.service.service import Service

_FORWARD_TIMEOUT_S: Final = 15.0
"""Seconds for which a request looks for the owner of a game: longer than a hanging process keeps its leases."""
_FORWARD_PAUSES_S: Final = (0.02, 0.05, 0.1, 0.2, 0.5)
"""Seconds between tries; the last one is repeated."""


class Web:
    """The endpoints of one table."""

    def __init__(
        self,
        table: Service,
        *,
        hosts: Hosts | None = None,
        network: Network | None = None,
        rates: Rates | None = None,
        pages: Pages | None = None,
        access_log: AccessLog | None = None,
        readers: Readers | None = None,
        streams: Streams | None = None,
        peers: Peers | None = None,
    ) -> None:
        self.table = table
        self._peers = peers
        self.pages = pages or Pages()
        self._readers = readers or Readers()
        self._hosts = hosts or Hosts()
        self._access_log = access_log or AccessLog(Metrics())
        limits = Limits(rates or Rates(), lambda: 1 / table.leases.processes)
        self._document = b""
        self.endpoints: Final[tuple[Endpoint, ...]] = (
            Endpoint("GET", "/api/openapi.json", self.openapi, "This document", shown=dict),
            *HouseEndpoints(table, limits, self._hosts, network or Network()).endpoints,
            *GameEndpoints(table, limits, streams or Streams()).endpoints,
            *ReviewEndpoints(table, limits).endpoints,
            *StudyEndpoints(table, limits).endpoints,
            *PuzzleEndpoints(table, limits).endpoints,
        )
        self._patterns = [(compile_path(one.path)[0], one.method) for one in self.endpoints]
        self.unguarded = self._unguarded()
        """The application for requests of other processes, which have passed their guard."""

    def application(self) -> ASGIApp:
        """The whole service as an ASGI application."""
        return Guard(self.unguarded, self.table, self._hosts, self._access_log)

    def _unguarded(self) -> ASGIApp:
        """The service without its middleware."""
        answers = [(one.method, one.path, partial(self.answer, one)) for one in self.endpoints]
        routes = [Route(path, answer, methods=[method]) for method, path, answer in answers]
        routes += [self._metrics_route(), Route("/{path:path}", self._page, methods=["GET"])]

        @asynccontextmanager
        async def lifespan(_: Starlette) -> AsyncIterator[None]:
            self.table.preparation.start()
            yield
            await self.table.close()

        inner = Starlette(routes=routes, lifespan=lifespan, exception_handlers={HTTPException: http_problem})
        return Dispatcher(answers, inner)

    def metrics_application(self) -> ASGIApp:
        """The application of the listener for metrics, which serves nothing else."""
        return Starlette(routes=[self._metrics_route()], exception_handlers={HTTPException: http_problem})

    def _metrics_route(self) -> Route:
        async def answer(request: Request) -> Response:
            request.scope["template"] = "/metrics"
            if not self._readers.may_read(request):
                raise HTTPException(404)
            return Response(self._access_log.metrics.text(self.table), headers={"content-type": MEDIA})

        return Route("/metrics", answer, methods=["GET"])

    async def answer(self, endpoint: Endpoint, request: Request) -> Response:
        """Reads what a request asks of an endpoint, answers it, and turns every failure into a problem."""
        request.scope["template"] = endpoint.path
        try:
            if endpoint.plays and not self.table.preparation.is_over:
                await self.table.when_ready(request.path_params.get("game"), endpoint.looks)
            body = b""
            asked: tuple[Any, ...] = ()
            if endpoint.decoder is not None:
                check_origin(request.scope)
                body = await read_body(request, endpoint.max_bytes)
                asked = (message_in(body, endpoint.decoder),)
            try:
                found = await endpoint.handle(request, *asked)
            except OwnedElsewhereError as elsewhere:
                found = await self._forward(elsewhere, endpoint, request, body, *asked)
        except RefusalError as refusal:
            return problem(refusal)
        except ClientDisconnect:
            return Response(status_code=GONE)
        except StorageError as error:
            self._access_log.note_failure(error)
            return problem(no_database())
        except Exception as error:
            self._access_log.note_failure(error)
            return problem(failed())
        return found if isinstance(found, Response) else MessageResponse(encode(found))

    async def _forward(
        self, elsewhere: OwnedElsewhereError, endpoint: Endpoint, request: Request, body: bytes, *asked: object
    ) -> object:
        """Forwards a request to the process that owns what it is about. While the owner cannot be reached, it is looked
        for again: another process may own it by then, or this one, which answers."""
        until = time.monotonic() + _FORWARD_TIMEOUT_S
        for pause in chain(_FORWARD_PAUSES_S, repeat(_FORWARD_PAUSES_S[-1])):
            if self._peers is None or FORWARDED in request.scope:
                self.table.leases.forget(elsewhere.name)
                return Response(status_code=MISDIRECTED)
            with contextlib.suppress(PeerLostError):
                answer = await self._peers.ask(elsewhere.owner, request, body)
                if answer is not None:
                    return answer
            self.table.leases.forget(elsewhere.name)
            request.scope[COUNTED] = True
            if time.monotonic() > until:
                break
            await asyncio.sleep(pause)
            try:
                return await endpoint.handle(request, *asked)
            except OwnedElsewhereError as again:
                elsewhere = again
        raise closing()

    async def openapi(self, request: Request) -> Response:
        """The OpenAPI document of the service."""
        if not self._document:
            self._document = await asyncio.to_thread(lambda: encode(document(self.endpoints)))
        return Response(self._document, media_type="application/json")

    async def _page(self, request: Request) -> Response:
        request.scope["template"] = "/{page}"
        path: str = request.scope["path"]
        if path.startswith("/api/"):
            allowed = [method for pattern, method in self._patterns if pattern.match(path)]
            raise HTTPException(405, headers={"Allow": ", ".join(allowed)}) if allowed else HTTPException(404)
        found = await self.pages.answer(path, request.headers)
        return found or await http_problem(request, HTTPException(404))
