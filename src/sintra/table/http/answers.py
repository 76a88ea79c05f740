"""What the service answers: messages, and refusals as problems."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Mapping
from contextlib import aclosing
from functools import partial
from typing import Any, Final

import msgspec
from starlette.exceptions import HTTPException
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from sintra.table.base.scheduler import pieces
from sintra.table.games.refusals import RefusalError
from sintra.table.http.security import Streams
from sintra.table.service.live import Outlet
from sintra.table.shown.faults import tellings_of
from sintra.table.shown.messages import Problem

TOO_LARGE: Final = 413
GONE: Final = 499
"""The status in the log for a request whose client went away before it was answered."""
OUTLET: Final = "sintra.outlet"
"""The key in the message that starts a response under which its `Outlet` is, if it has one."""
encode: Final = msgspec.json.Encoder().encode


def answer_with(shown: Any, status: int = 200) -> Response:
    """The response with a message as JSON."""
    return Response(encode(shown), status, media_type="application/json")


class MessageResponse(Response):
    """A response with a message as JSON and constant headers, which costs less than Starlette's."""

    def __init__(self, body: bytes) -> None:
        self.body = body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response."""
        headers = [(b"content-length", b"%d" % len(self.body)), (b"content-type", b"application/json")]
        await send({"type": "http.response.start", "status": 200, "headers": headers})
        await send({"type": "http.response.body", "body": self.body})


class LongResponse(Response):
    """A response that is sent piece by piece, as fast as the client reads it."""

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response."""
        await send({"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers})
        for piece in pieces(bytes(self.body)):
            await send({"type": "http.response.body", "body": piece, "more_body": True})
            await asyncio.sleep(0)
        await send({"type": "http.response.body", "body": b"", "more_body": False})


class EventStream(Response):
    """A response of server-sent events, which counts as an open stream until it ends."""

    media_type = "text/event-stream"

    def __init__(
        self,
        events: AsyncGenerator[bytes, None],
        outlet: Outlet,
        headers: Mapping[str, str],
        streams: Streams,
        address: str,
    ) -> None:
        """`events` is what does not go to the `outlet`."""
        self.status_code = 200
        self.init_headers(headers)
        self._events = events
        self._outlet = outlet
        streams.take(address)
        self._leave = partial(streams.leave, address)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends events until there are no more or the client disconnects."""
        sending, watching = asyncio.create_task(self._send(send)), asyncio.create_task(until_gone(receive))
        try:
            await asyncio.wait((sending, watching), return_when=asyncio.FIRST_COMPLETED)
        finally:
            sending.cancel()
            watching.cancel()
            await asyncio.wait((sending, watching))
            self._leave()
        if not sending.cancelled():
            sending.result()

    async def _send(self, send: Send) -> None:
        """Sends events. A server that can write pieces at once puts how into the outlet."""
        start = {"type": "http.response.start", "status": self.status_code, "headers": self.raw_headers}
        await send(start | {OUTLET: self._outlet})
        try:
            async with aclosing(self._events) as events:
                async for event in events:
                    await send({"type": "http.response.body", "body": event, "more_body": True})
        finally:
            self._outlet.write = None
        await send({"type": "http.response.body", "body": b"", "more_body": False})


async def until_gone(receive: Receive) -> None:
    """Waits until the client disconnects."""
    while (await receive())["type"] != "http.disconnect":
        pass


def problem(refusal: RefusalError) -> Response:
    """The response to a refused request: a `Problem`."""
    headers = {} if refusal.retry_after is None else {"retry-after": str(refusal.retry_after)}
    if refusal.status == TOO_LARGE:
        headers["connection"] = "close"  # the rest is not waited for
    body = encode(Problem(refusal.code, refusal.message, refusal.seq, tellings_of(refusal.faults)))
    return Response(body, refusal.status, headers, "application/json")


def failed() -> RefusalError:
    """The response to a request that failed inside: a `Problem` without details."""
    return RefusalError(500, "failed", "Something went wrong here: look at the game again.")


async def http_problem(request: Request, error: Exception) -> Response:
    """The response to a request that Starlette's router refuses."""
    assert isinstance(error, HTTPException)
    known = {
        404: ("no_page", "There is nothing here."),
        405: ("wrong_method", "This address does not take that method."),
    }
    code, message = known.get(error.status_code, ("failed", "The request cannot be carried out."))
    answer = problem(RefusalError(error.status_code, code, message))
    for name, value in (error.headers or {}).items():
        answer.headers[name] = value
    return answer
