"""Requests that another process answers: those about a game or a review that it owns.

A process has one connection to each of the others, on which the requests and answers of many people are interleaved as
frames; whoever opens it must know the token that lies in the database. At its other end a request is an ordinary call
of the application, which is told where the request came from.
"""

from __future__ import annotations

import asyncio
import contextlib
import hmac
import socket
import struct
from collections.abc import Callable
from typing import Final, cast

import msgspec
from starlette.requests import Request
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from sintra.table.games.leases import Leases, Owner
from sintra.table.http.answers import OUTLET, until_gone
from sintra.table.http.asking import COUNTED, FORWARDED, address_of

MISDIRECTED: Final = 421
"""The status with which a process answers a forwarded request about a game that it does not own."""
_CONNECT_TIMEOUT_S: Final = 3.0
_HELLO_TIMEOUT_S: Final = 5.0
"""Seconds within which a new connection has to send the token."""
_MAX_HELLO: Final = 1024
_MAX_FRAME: Final = 64 * 1024 * 1024
"""Bytes of the first frame, and of each after it."""
_MAX_WAITING: Final = 8 * 1024 * 1024
"""Bytes of a response that may wait for a slow client, which is then disconnected."""
_KEEPALIVE: Final = {"TCP_KEEPIDLE": 5, "TCP_KEEPINTVL": 2, "TCP_KEEPCNT": 3, "TCP_USER_TIMEOUT": 10_000}
_LENGTH: Final = struct.Struct("!I")
Headers = list[tuple[bytes, bytes]]


class HelloFrame(msgspec.Struct, tag=0, array_like=True):
    """The first frame of a connection: proves that it comes from a process of the same table."""

    token: str


class RequestFrame(msgspec.Struct, tag=1, array_like=True):
    """A request that is forwarded to a game's owner; the fields are those of ASGI's scope."""

    number: int
    """Tells it from others on the connection."""
    method: str
    """GET, POST, …"""
    path: str
    """The address that was asked for."""
    query: bytes
    """The query string as it came."""
    headers: Headers
    """The headers as they came."""
    client: str
    """The address of whoever asks."""
    scheme: str
    """http or https."""
    body: bytes
    """The whole body."""


class CancelFrame(msgspec.Struct, tag=2, array_like=True):
    """The frame that cancels a request."""

    number: int


class HeadFrame(msgspec.Struct, tag=3, array_like=True):
    """The frame with the status and headers of a response."""

    number: int
    status: int
    headers: Headers


class BodyFrame(msgspec.Struct, tag=4, array_like=True):
    """The frame with a piece of a response's body."""

    number: int
    data: bytes
    is_last: bool


Frame = HelloFrame | RequestFrame | CancelFrame | HeadFrame | BodyFrame
_encode: Final = msgspec.msgpack.Encoder().encode
_decode: Final = msgspec.msgpack.Decoder(Frame).decode


def is_stream(headers: Headers) -> bool:
    """Whether a response is a stream, which may go on at any time."""
    return all(name.lower() != b"content-length" for name, _ in headers)


class PeerLostError(Exception):
    """The process that was asked is gone, or cannot be reached."""


class _Connection(asyncio.Protocol):
    """One end of a connection between two processes: frames in both directions."""

    def __init__(self, max_frame: int = _MAX_FRAME) -> None:
        self.max_frame = max_frame
        self._transport: asyncio.Transport | None = None
        self._buffer = bytearray()
        self._may_write = asyncio.Event()
        self._may_write.set()

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`. A connection whose other end is gone without a word is noticed within seconds."""
        self._transport = cast(asyncio.Transport, transport)  # that of uvloop is none by its type
        connected = transport.get_extra_info("socket")
        connected.setsockopt(socket.SOL_SOCKET, socket.SO_KEEPALIVE, 1)
        for option, value in _KEEPALIVE.items():
            if hasattr(socket, option):
                connected.setsockopt(socket.IPPROTO_TCP, getattr(socket, option), value)

    def data_received(self, data: bytes) -> None:
        """Handles the frames that are complete."""
        self._buffer += data
        while len(self._buffer) >= _LENGTH.size:
            (length,) = _LENGTH.unpack_from(self._buffer)
            end = _LENGTH.size + length
            if length > self.max_frame:
                self.close()
                return
            if len(self._buffer) < end:
                return
            frame = bytes(memoryview(self._buffer)[_LENGTH.size : end])
            del self._buffer[:end]
            try:
                self.take(_decode(frame))
            except msgspec.DecodeError:
                self.close()
                return

    def take(self, frame: Frame) -> None:
        """Handles a frame."""
        raise NotImplementedError

    def say(self, *frames: Frame) -> None:
        """Sends frames with one write."""
        if self._transport is not None and not self._transport.is_closing():
            encoded = [_encode(frame) for frame in frames]
            self._transport.write(b"".join(part for one in encoded for part in (_LENGTH.pack(len(one)), one)))

    @property
    def may_write(self) -> bool:
        """Whether the other end reads what is said."""
        return self._transport is not None and self._may_write.is_set()

    async def drain(self) -> None:
        """Waits while the other end does not read."""
        await self._may_write.wait()

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`."""
        self._may_write.clear()

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`."""
        self._may_write.set()

    def connection_lost(self, error: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._transport = None
        self._may_write.set()

    def close(self) -> None:
        """Closes the connection without sending what waits."""
        if self._transport is not None:
            self._transport.abort()


# --- the process that is asked ------------------------------------------------------------------


class _Served(_Connection):
    """A connection from another process, which forwards requests to this one."""

    def __init__(self, peers: Peers, app: ASGIApp) -> None:
        super().__init__(_MAX_HELLO)
        self._peers = peers
        self._app = app
        self._is_trusted = False
        self._deadline: asyncio.TimerHandle | None = None
        self._calls: dict[int, _Call] = {}

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        """See `asyncio.Protocol`."""
        super().connection_made(transport)
        self._peers.served.add(self)
        self._deadline = asyncio.get_running_loop().call_later(_HELLO_TIMEOUT_S, self.close)

    def take(self, frame: Frame) -> None:
        """See `_Connection`."""
        if not self._is_trusted:
            self._check(frame)
        elif isinstance(frame, RequestFrame):
            call = self._calls[frame.number] = _Call(self, frame)
            call.start(self._app, lambda: self._calls.pop(frame.number, None))
        elif isinstance(frame, CancelFrame) and frame.number in self._calls:
            self._calls[frame.number].leave()

    def _check(self, first: Frame) -> None:
        """Closes the connection unless its first frame has the token."""
        token = self._peers.token.encode()
        said = first.token.encode() if isinstance(first, HelloFrame) else b""
        self._is_trusted = bool(token) and hmac.compare_digest(said, token)
        if not self._is_trusted:
            self.close()
        elif self._deadline is not None:
            self._deadline.cancel()
            self.max_frame = _MAX_FRAME

    def connection_lost(self, error: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(error)
        self._peers.served.discard(self)
        if self._deadline is not None:
            self._deadline.cancel()
        for call in self._calls.values():
            call.leave()


class _Call:
    """A forwarded request, for which the application is called."""

    def __init__(self, connection: _Served, asked: RequestFrame) -> None:
        self._connection = connection
        self._asked = asked
        self._is_read = False
        self._has_left = asyncio.Event()
        self._unsent: list[HeadFrame] = []
        self._is_whole = False
        self._task: asyncio.Task[None] | None = None

    def start(self, app: ASGIApp, done: Callable[[], object]) -> None:
        """Calls the application."""
        asked = self._asked
        scope: Scope = {
            "type": "http",
            "asgi": {"version": "3.0"},
            "http_version": "1.1",
            "method": asked.method,
            "path": asked.path,
            "raw_path": asked.path.encode(),
            "query_string": asked.query,
            "root_path": "",
            "headers": asked.headers,
            "client": (asked.client, 0),
            "server": None,
            "scheme": asked.scheme,
            FORWARDED: True,
            COUNTED: True,
        }
        self._task = asyncio.get_running_loop().create_task(self._call(app, scope))
        self._task.add_done_callback(lambda _: done())

    async def _call(self, app: ASGIApp, scope: Scope) -> None:
        with contextlib.suppress(Exception):
            await app(scope, self._receive, self._send)
        if not self._is_whole:
            self._connection.say(BodyFrame(self._asked.number, b"", True))

    async def _receive(self) -> Message:
        if not self._is_read:
            self._is_read = True
            return {"type": "http.request", "body": self._asked.body, "more_body": False}
        await self._has_left.wait()
        return {"type": "http.disconnect"}

    async def _send(self, message: Message) -> None:
        """Sends a piece of the answer, the first one together with its head; but a stream may have nothing to say.
        Waits while the other end takes nothing."""
        await self._connection.drain()
        number = self._asked.number
        if message["type"] == "http.response.start":
            headers = [(name, value) for name, value in message["headers"]]
            self._unsent = [HeadFrame(number, message["status"], headers)]
            if is_stream(headers):
                self._connection.say(self._unsent.pop())
            if OUTLET in message:
                message[OUTLET].write = self._write_piece
            return
        self._is_whole = not message.get("more_body", False)
        self._connection.say(*self._unsent, BodyFrame(number, message.get("body", b""), self._is_whole))
        self._unsent.clear()

    def _write_piece(self, piece: bytes) -> bool:
        """Sends a piece of a stream at once; False if it would have to wait, or the other end is gone."""
        if self._connection.may_write:
            self._connection.say(BodyFrame(self._asked.number, piece, False))
            return True
        return False

    def leave(self) -> None:
        """Tells the application that the client has disconnected."""
        self._has_left.set()


# --- the process that asks ----------------------------------------------------------------------


class _Answer:
    """The response to a forwarded request, as it arrives."""

    def __init__(self) -> None:
        self.head: asyncio.Future[HeadFrame] = asyncio.get_running_loop().create_future()
        self._pieces: list[bytes] = []
        self._waiting = 0
        self.is_whole = False
        self._is_lost = False
        self._news = asyncio.Event()

    def add(self, piece: BodyFrame) -> None:
        """Adds a piece; the response fails if its reader is too slow."""
        self._pieces.append(piece.data)
        self._waiting += len(piece.data)
        self.is_whole = piece.is_last
        if self._waiting > _MAX_WAITING:
            self._is_lost = True
        if self.is_whole and not self.head.done():
            self.lose()
        self._news.set()

    def lose(self) -> None:
        """Ends the response: the connection is lost."""
        self._is_lost = not self.is_whole
        self._news.set()
        if not self.head.done():
            self.head.set_exception(PeerLostError("the process that was asked is gone"))
            self.head.exception()

    async def next_piece(self) -> tuple[bytes, bool]:
        """What has arrived since the last call, and whether it is the end."""
        while not self._pieces and not self._is_lost:
            self._news.clear()
            await self._news.wait()
        if self._is_lost:
            raise PeerLostError("the process that was asked is gone")
        data = b"".join(self._pieces)
        self._pieces.clear()
        self._waiting = 0
        return data, self.is_whole


class _Peer(_Connection):
    """The connection to another process, to which requests are forwarded."""

    def __init__(self) -> None:
        super().__init__()
        self._answers: dict[int, _Answer] = {}
        self._number = 0
        self.is_lost = False

    def ask(self, request: Request, body: bytes) -> tuple[int, _Answer]:
        """Sends a request."""
        if self.is_lost:
            raise PeerLostError("the process that was asked is gone")
        self._number += 1
        scope = request.scope
        query, headers = scope["query_string"], scope["headers"]
        client, scheme = address_of(request), scope["scheme"]
        self.say(RequestFrame(self._number, scope["method"], scope["path"], query, headers, client, scheme, body))
        answer = self._answers[self._number] = _Answer()
        return self._number, answer

    def take(self, frame: Frame) -> None:
        """See `_Connection`."""
        if isinstance(frame, HeadFrame) and (answer := self._answers.get(frame.number)) and not answer.head.done():
            answer.head.set_result(frame)
        elif isinstance(frame, BodyFrame) and (answer := self._answers.get(frame.number)):
            answer.add(frame)

    def leave(self, number: int) -> None:
        """Forgets a request that is answered or cancelled."""
        if (answer := self._answers.pop(number, None)) is not None and not answer.is_whole:
            self.say(CancelFrame(number))

    def end_streams(self) -> None:
        """Ends the streams that come over this connection."""
        for answer in self._answers.values():
            if answer.head.done() and not answer.head.exception() and is_stream(answer.head.result().headers):
                answer.lose()

    def connection_lost(self, error: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        super().connection_lost(error)
        self.is_lost = True
        for answer in self._answers.values():
            answer.lose()


class ForwardedResponse(Response):
    """The response of another process, passed on as it arrives."""

    def __init__(self, peer: _Peer, number: int, answer: _Answer, head: HeadFrame) -> None:
        self.status_code = head.status
        self.background = None
        self._peer = peer
        self._number = number
        self._answer = answer
        self._head = head

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Sends the response. A stream that breaks off ends, and its listener reconnects."""
        headers = self._head.headers
        watching = asyncio.create_task(self._watch(receive)) if is_stream(headers) else None
        try:
            await send({"type": "http.response.start", "status": self._head.status, "headers": headers})
            is_last = False
            while not is_last:
                try:
                    data, is_last = await self._answer.next_piece()
                except PeerLostError:
                    if watching is None:
                        raise
                    data, is_last = b"", True
                await send({"type": "http.response.body", "body": data, "more_body": not is_last})
        finally:
            self._peer.leave(self._number)
            if watching is not None:
                watching.cancel()

    async def _watch(self, receive: Receive) -> None:
        """Ends a stream whose listener has disconnected."""
        await until_gone(receive)
        self._answer.lose()


class Peers:
    """The other processes of the table, which forward requests to this one and answer its own."""

    def __init__(self, leases: Leases) -> None:
        self._leases = leases
        self.served: set[_Served] = set()
        self._server: asyncio.Server | None = None
        self._peers: dict[Owner, asyncio.Task[_Peer]] = {}

    @property
    def token(self) -> str:
        """The token that all processes of the table know."""
        return self._leases.token

    async def listen(self, app: ASGIApp, host: str, port: int = 0) -> str:
        """Has an application answer other processes, on any free port if none is given; returns the address at which
        they reach this one."""
        loop = asyncio.get_running_loop()
        self._server = await loop.create_server(lambda: _Served(self, app), host, port)
        name, port = self._server.sockets[0].getsockname()[:2]
        return f"{name}:{port}"

    async def ask(self, owner: Owner, request: Request, body: bytes) -> Response | None:
        """The answer of the process that owns what is asked for; None if it does not, either. PeerLostError if it
        cannot be reached, or is gone before it answers."""
        peer = await self._peer(owner)
        number, answer = peer.ask(request, body)
        try:
            head = await answer.head
        except BaseException:
            peer.leave(number)
            raise
        if head.status == MISDIRECTED:
            peer.leave(number)
            return None
        return ForwardedResponse(peer, number, answer, head)

    async def _peer(self, owner: Owner) -> _Peer:
        """The connection to a process; requests wait together while it is opened."""
        task = self._peers.get(owner)
        if task is None or (task.done() and (task.cancelled() or task.exception() or task.result().is_lost)):
            task = self._peers[owner] = asyncio.create_task(self._connect(owner))
        try:
            return await asyncio.shield(task)
        except asyncio.CancelledError:
            if task.cancelled():
                raise PeerLostError(f"the process at {owner.address} is gone") from None
            raise

    async def _connect(self, owner: Owner) -> _Peer:
        host, _, port = owner.address.rpartition(":")
        loop = asyncio.get_running_loop()
        try:
            async with asyncio.timeout(_CONNECT_TIMEOUT_S):
                _, peer = await loop.create_connection(_Peer, host, int(port))
        except (OSError, TimeoutError, ValueError) as error:
            raise PeerLostError(f"the process at {owner.address} cannot be reached") from error
        peer.say(HelloFrame(self.token))
        return peer

    def drop(self, processes: set[str]) -> None:
        """Closes the connections to dead processes; requests that wait for them fail."""
        for owner in [one for one in self._peers if one.process in processes]:
            self._end(self._peers.pop(owner))

    @staticmethod
    def _end(task: asyncio.Task[_Peer]) -> None:
        task.cancel()
        if task.done() and not task.cancelled() and not task.exception():
            task.result().close()

    def stop(self) -> None:
        """Accepts no more forwarded requests, and ends the streams that are passed on; other responses go on."""
        if self._server is not None:
            self._server.close()
        for served in list(self.served):
            served.close()
        for peer in self._connected():
            peer.end_streams()

    def close(self) -> None:
        """Closes all connections."""
        self.stop()
        while self._peers:
            self._end(self._peers.popitem()[1])

    def _connected(self) -> list[_Peer]:
        tasks = self._peers.values()
        return [one.result() for one in tasks if one.done() and not one.cancelled() and not one.exception()]
