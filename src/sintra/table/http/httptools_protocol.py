"""HTTP as `httptools` reads it, which takes a fraction of `h11`'s time."""

from __future__ import annotations

import asyncio
from typing import Any, cast

from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as UvicornProtocol
from uvicorn.protocols.http.httptools_impl import RequestResponseCycle

from sintra.table.http.connections import LONGEST_HEAD, MAX_HEADERS, BoundedProtocol, HeldHead


class HttptoolsProtocol(BoundedProtocol, UvicornProtocol, asyncio.BufferedProtocol):
    """HTTP for one connection as `httptools` reads it. Requests that come before an earlier one is answered are queued:
    `cycle` is the latest of them, `_answering` the one that is answered."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._has_begun = False
        """Whether something of a request has come, but not all."""
        self._has_head = False
        """Whether the head of that request has come."""
        self._head_size = 0
        self._answering: RequestResponseCycle | None = None

    # --- what comes -----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Works through a piece, unless it makes a head too long."""
        if not self._has_begun:
            self._wait()
            self._has_begun = True
        super().data_received(data)
        if self.transport.is_closing():
            return
        if not self._has_begun:
            self._rest()
        elif not self._has_head:
            self._head_size += len(data)
            if self._head_size > LONGEST_HEAD:
                self.send_400_response("The head of the request is too long.")

    def _rest(self) -> None:
        """All of a request has come: the next one is waited for when nothing is left to be answered."""
        if self._is_answering:
            self._stop_waiting()
        else:
            self._wait()

    def on_message_begin(self) -> None:
        """A request begins."""
        self._has_begun, self._has_head, self._head_size = True, False, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """A header, or one of a body's trailers."""
        if len(self.headers) >= MAX_HEADERS:
            raise ValueError("too many headers")
        super().on_header(name, value)

    def on_headers_complete(self) -> None:
        """The head of a request has come."""
        self._has_head = True
        super().on_headers_complete()
        self.cycle.transport = cast(asyncio.Transport, HeldHead(self.transport))
        if not self._is_answering:
            self._answering = self.cycle

    def on_message_complete(self) -> None:
        """All of a request has come."""
        self._has_begun = self._has_head = False
        super().on_message_complete()

    # --- what is answered -----------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """A request is answered; the next one in the queue is its successor."""
        if self._answering is not None:
            cast(HeldHead, self._answering.transport).flush()
        if self.pipeline:
            self._answering = self.pipeline[-1][0]
        super().on_response_complete()
        if not self._has_begun and not self.transport.is_closing():
            self._rest()

    def send_400_response(self, msg: str) -> None:
        """Refuses what cannot be read, if nothing else is being answered, and ends."""
        if self._may_answer:
            super().send_400_response(msg)
        else:
            self._disconnect()
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """The connection has ended, for all requests in the queue."""
        self._disconnect()
        super().connection_lost(exc)

    # --- what bounds have to know ---------------------------------------------------------------

    @property
    def _is_answering(self) -> bool:
        return self._answering is not None and not self._answering.response_complete

    @property
    def _is_idle(self) -> bool:
        return not self._has_begun

    @property
    def _is_queued(self) -> bool:
        return self._is_answering and not (self._has_head and self.cycle is self._answering)

    @property
    def _may_answer(self) -> bool:
        if self._has_head:
            return self.cycle is self._answering and not self.cycle.response_started
        return not self._is_answering

    def _disconnect(self) -> None:
        self.pipeline.clear()
        for cycle in (self._answering, self.cycle):
            if cycle is not None and not cycle.response_complete:
                cycle.disconnected = True
                cycle.message_event.set()
