"""HTTP parsed by `httptools`, which takes a fraction of `h11`'s time."""

from __future__ import annotations

import asyncio
from collections.abc import Iterable
from itertools import chain
from typing import Any
from urllib.parse import unquote

import httptools
from uvicorn.protocols.http.httptools_impl import STATUS_LINE, RequestResponseCycle
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol as UvicornProtocol

from sintra.table.http.answers import OUTLET
from sintra.table.http.connections import MAX_HEAD_SIZE, MAX_HEADERS, BoundedProtocol


class Cycle(RequestResponseCycle):
    """A request and its answer. The head of the answer is sent together with the first piece of its body."""

    _head = b""
    _is_taken = False
    """Whether the body was received."""

    async def receive(self) -> Any:
        """The body of a request, at once if all of it has come; what comes after it is that the client is gone."""
        if self.more_body or self._is_taken or self.disconnected or self.waiting_for_100_continue:
            return await super().receive()
        self.flow.resume_reading()
        self._is_taken = True
        self.message_event.clear()
        return {"type": "http.request", "body": bytes(self.body), "more_body": False}

    async def send(self, message: Any) -> None:
        """Sends a part of the answer; waits while the client has not read the parts before."""
        if self.flow.write_paused and not self.disconnected:
            await self.flow.drain()
        if self.disconnected:
            return
        if message["type"] == "http.response.start":
            self.response_started, self.waiting_for_100_continue = True, False
            self._head = self._head_of(message["status"], message["headers"])
            if OUTLET in message and self.chunked_encoding:
                message[OUTLET].write = self.write_piece
            return
        if not self.response_started or self.response_complete:
            raise RuntimeError("a part of an answer comes before its head or after its end")
        body: bytes = message.get("body", b"")
        is_last = not message.get("more_body", False)
        if self.scope["method"] == "HEAD":
            body, self.expected_content_length = b"", 0
        elif self.chunked_encoding:
            body = (b"%x\r\n%b\r\n" % (len(body), body) if body else b"") + (b"0\r\n\r\n" if is_last else b"")
        else:
            self.expected_content_length -= len(body)
            if self.expected_content_length < 0 or (is_last and self.expected_content_length):
                raise RuntimeError("an answer is not as long as its head says")
        self.transport.write(self._head + body)
        self._head = b""
        if is_last:
            self.response_complete = True
            self.message_event.set()
            if not self.keep_alive:
                self.transport.close()
            self.on_response()

    def write_piece(self, piece: bytes) -> bool:
        """Writes a piece of a chunked answer at once; False if it would have to wait, or the client is gone."""
        if self.flow.write_paused or self.disconnected or self.response_complete or self.transport.is_closing():
            return False
        self.transport.write(b"%b%x\r\n%b\r\n" % (self._head, len(piece), piece))
        self._head = b""
        return True

    def _head_of(self, status: int, headers: Iterable[tuple[bytes, bytes]]) -> bytes:
        """The head of an answer as bytes; RuntimeError if a header has a line break in it."""
        lines = [STATUS_LINE[status]]
        for name, value in chain(self.default_headers, headers):
            if name == b"content-length":
                self.expected_content_length, self.chunked_encoding = int(value), False
            if name == b"connection" and value == b"close":
                self.keep_alive = False
            else:
                lines.append(b"%b: %b\r\n" % (name, value))
        if not self.keep_alive:
            lines.append(b"connection: close\r\n")
        if self.chunked_encoding is None and self.scope["method"] != "HEAD" and status not in (204, 304):
            self.chunked_encoding = True
            lines.append(b"transfer-encoding: chunked\r\n")
        head = b"".join(lines)
        if head.count(b"\r") != len(lines) or head.count(b"\n") != len(lines) or b"\0" in head:
            raise RuntimeError("a header of an answer has a line break in it")
        return head + b"\r\n"


class HttptoolsProtocol(BoundedProtocol, UvicornProtocol, asyncio.BufferedProtocol):
    """One HTTP connection, parsed by `httptools`. Requests that come before an earlier one is answered are queued:
    `cycle` is the latest of them, `_answering` the one that is answered."""

    def __init__(self, *arguments: Any, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._has_begun = False
        """Whether a request has arrived in part."""
        self._has_head = False
        """Whether the head of that request has arrived."""
        self._head_size = 0
        self._answering: RequestResponseCycle | None = None

    # --- what comes -----------------------------------------------------------------------------

    def data_received(self, data: bytes) -> None:
        """Parses a piece; a request whose head is too long is refused. The timeout of a request starts with its first
        piece, unless that is all of it."""
        is_first, self._has_begun = not self._has_begun, True
        UvicornProtocol.data_received(self, data)
        if self.transport.is_closing():
            return
        if not self._has_begun:
            self._rest()
            return
        if is_first:
            self._wait()
        if not self._has_head:
            self._head_size += len(data)
            if self._head_size > MAX_HEAD_SIZE:
                self.send_400_response("The head of the request is too long.")

    def _rest(self) -> None:
        """Waits for the next request, once no request is left to be answered."""
        if self._is_answering:
            self._stop_waiting()
        else:
            self._wait()

    def on_message_begin(self) -> None:
        """See `httptools`: a request begins."""
        self._has_begun, self._has_head, self._head_size = True, False, 0
        super().on_message_begin()

    def on_header(self, name: bytes, value: bytes) -> None:
        """See `httptools`: a header, or a trailer of a chunked body."""
        if len(self.headers) >= MAX_HEADERS:
            raise ValueError("too many headers")
        name = name.lower()
        if name == b"expect" and value.lower() == b"100-continue":
            self.expect_100_continue = True
        self.headers.append((name, value))

    def on_headers_complete(self) -> None:
        """Starts to answer a request whose head is complete, or queues it behind one that is not answered yet."""
        self._has_head = True
        url, version = httptools.parse_url(self.url), self.parser.get_http_version()
        self.scope["method"] = self.parser.get_method().decode("ascii")
        self.scope["http_version"] = version
        path = url.path.decode("ascii")
        self.scope["path"] = unquote(path) if "%" in path else path
        self.scope["raw_path"] = url.path
        self.scope["query_string"] = url.query or b""
        self.cycle = Cycle(
            scope=self.scope,
            transport=self.transport,
            flow=self.flow,
            logger=self.logger,
            access_logger=self.access_logger,
            access_log=self.access_log,
            default_headers=self.server_state.default_headers,
            message_event=asyncio.Event(),
            expect_100_continue=self.expect_100_continue,
            keep_alive=version != "1.0" and self.parser.should_keep_alive(),
            on_response=self.on_response_complete,
        )
        if self._is_answering:
            self.flow.pause_reading()
            self.pipeline.appendleft((self.cycle, self.app))
        else:
            self._answering = self.cycle
            self._start_asgi_task(self.cycle, self.app)

    def on_message_complete(self) -> None:
        """See `httptools`: a request is complete."""
        self._has_begun = self._has_head = False
        super().on_message_complete()

    # --- what is answered -----------------------------------------------------------------------

    def on_response_complete(self) -> None:
        """Goes on with the next request in the queue, or waits for one."""
        self.server_state.total_requests += 1
        if self.transport.is_closing():
            return
        self.flow.resume_reading()
        if self.pipeline:
            self._answering, app = self.pipeline.pop()
            self._start_asgi_task(self._answering, app)
        if not self._has_begun:
            self._rest()

    def send_400_response(self, msg: str) -> None:
        """Refuses a request that cannot be parsed, unless another one is being answered, and closes the connection."""
        if self._may_answer:
            super().send_400_response(msg)
        else:
            self._disconnect()
            self.transport.close()

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
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
