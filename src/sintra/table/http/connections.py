"""Connections of clients: how many there may be, and how long a request may take to arrive.

Whoever opens connections and sends nothing, or sends it letter by letter, takes no place from others: an unfinished
request ends after a while, and when there is no room for another connection, the one that has kept the service waiting
for longest is closed.
"""

from __future__ import annotations

import asyncio
import contextlib
import errno
import os
import socket
import sys
import time
from collections import Counter, defaultdict
from collections.abc import Callable
from http import HTTPStatus
from typing import Any, Final

from uvicorn.protocols.http.flow_control import FlowControl

from sintra.table.base.log import LOGGER

REQUEST_TIMEOUT_S: Final = 30.0
"""Seconds within which a request has to arrive, and a client has to read some of its response."""
MAX_CONNECTIONS: Final = 10_000
MAX_CONNECTIONS_OF_ADDRESS: Final = 256
MAX_HEAD_SIZE: Final = 16 * 1024
MAX_HEADERS: Final = 100
_OTHER_FILES: Final = 256
"""File descriptors that are reserved for anything but connections."""
_MACOS_OPEN_FILES: Final = 10_240
"""The most open files that macOS allows where the hard limit is unlimited."""
_READ_SIZE: Final = 2048
"""Bytes that are read from a connection at a time and parsed without a pause."""
_SHUTDOWN_GRACE_S: Final = 3.0
"""Seconds within which a request has to arrive once the server is stopping."""
_ACCEPT_BATCH: Final = 16
_OUT_OF_FILES: Final = (errno.EMFILE, errno.ENFILE, errno.ENOBUFS, errno.ENOMEM)
_LOG_INTERVAL_S: Final = 60.0


def raise_open_files() -> int | None:
    """Raises the soft limit of open files to the hard one. Returns how many there may be; None on Windows, which has
    no such limit."""
    if sys.platform == "win32":
        return None
    import resource

    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    for wanted in (hard, max(soft, _MACOS_OPEN_FILES)):
        with contextlib.suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))
            return None if wanted == resource.RLIM_INFINITY else wanted
    return soft


def connections_with(open_files: int | None) -> int:
    """The number of connections for a process that may open so many files."""
    if open_files is None:
        return MAX_CONNECTIONS
    return min(MAX_CONNECTIONS, max(open_files // 2, open_files - _OTHER_FILES))


class Connections:
    """The open connections of a process, and which of them wait for a request to arrive."""

    def __init__(
        self,
        in_all: int = MAX_CONNECTIONS,
        of_address: int | None = MAX_CONNECTIONS_OF_ADDRESS,
        is_proxy: Callable[[str], bool] = lambda address: False,
        timeout_s: float = REQUEST_TIMEOUT_S,
    ) -> None:
        """At most `in_all`, and `of_address` from each address but a proxy's, which its clients share."""
        self.in_all = in_all
        self.timeout_s = timeout_s
        self._of_address = of_address
        self._is_proxy = is_proxy
        self._open: set[BoundedProtocol] = set()
        self._of: Counter[str] = Counter()
        self._waiting: dict[BoundedProtocol, None] = {}
        self._waiting_of: defaultdict[str, dict[BoundedProtocol, None]] = defaultdict(dict)

    def enter(self, one: BoundedProtocol) -> bool:
        """Registers a new connection. If the limit is reached, the connection that has been idle longest is closed for
        it; False if none is idle."""
        address = one.address
        most = None if self._is_proxy(address) else self._of_address
        if most is not None and self._of[address] >= most:
            closed = next(iter(self._waiting_of.get(address, ())), None)
        elif len(self._open) >= self.in_all:
            closed = next(iter(self._waiting), None)
        else:
            self._add(one)
            return True
        if closed is None:
            return False
        closed.end()
        self.leave(closed)
        self._add(one)
        return True

    def _add(self, one: BoundedProtocol) -> None:
        self._open.add(one)
        self._of[one.address] += 1

    def leave(self, one: BoundedProtocol) -> None:
        """Deregisters a connection that is closed, or about to be."""
        if one in self._open:
            self.stop_waiting(one)
            self._open.remove(one)
            self._of[one.address] -= 1
            if not self._of[one.address]:
                del self._of[one.address]

    def wait(self, one: BoundedProtocol) -> None:
        """Marks a connection as waiting for a request."""
        if one in self._open:
            if one in self._waiting:
                self.stop_waiting(one)
            self._waiting[one] = self._waiting_of[one.address][one] = None

    def stop_waiting(self, one: BoundedProtocol) -> None:
        """Marks a connection as one whose request has arrived."""
        if one in self._waiting:
            del self._waiting[one], self._waiting_of[one.address][one]
            if not self._waiting_of[one.address]:
                del self._waiting_of[one.address]


class BoundedProtocol(asyncio.BaseProtocol):
    """The limits of one connection, whichever parser reads it. It is read in small pieces, so that nobody can keep the
    service busy with requests of a thousand small parts, and both reading a request and writing its answer have a
    timeout."""

    # what the protocols of uvicorn have
    client: tuple[str, int] | None
    flow: FlowControl
    loop: asyncio.AbstractEventLoop
    transport: asyncio.Transport

    def __init__(self, *arguments: Any, connections: Connections, **more: Any) -> None:
        super().__init__(*arguments, **more)
        self._connections = connections
        self.address = "?"
        """Where the connection comes from."""
        self._deadline: float | None = None
        """The time by which the awaited request has to arrive."""
        self._arriving: asyncio.TimerHandle | None = None
        self._reading: asyncio.TimerHandle | None = None

    def connection_made(self, transport: asyncio.Transport) -> None:  # type: ignore[override]
        """See `asyncio.Protocol`; a connection for which there is no room is refused."""
        self._piece = memoryview(bytearray(_READ_SIZE))
        super().connection_made(transport)
        if self.client:
            self.address = self.client[0]
        transport.set_write_buffer_limits(high=0)
        if self._connections.enter(self):
            self._wait()
        else:
            self._refuse(HTTPStatus.SERVICE_UNAVAILABLE, "Too many connections.")

    def connection_lost(self, exc: Exception | None) -> None:
        """See `asyncio.Protocol`."""
        self._stop_waiting()
        if self._arriving is not None:
            self._arriving.cancel()
        self.resume_writing()
        self._connections.leave(self)
        super().connection_lost(exc)

    def get_buffer(self, sizehint: int) -> memoryview:
        """See `asyncio.BufferedProtocol`."""
        return self._piece

    def buffer_updated(self, nbytes: int) -> None:
        """See `asyncio.BufferedProtocol`."""
        self.data_received(bytes(self._piece[:nbytes]))

    def data_received(self, data: bytes) -> None:
        """Parses a piece; the timeout of a request starts with its first one."""
        if self._is_idle:
            self._wait()
        super().data_received(data)  # type: ignore[misc]

    # --- what a parser knows --------------------------------------------------------------------

    @property
    def _is_idle(self) -> bool:
        """Whether no part of a request has arrived."""
        raise NotImplementedError

    @property
    def _may_answer(self) -> bool:
        """Whether no part of the response to the arriving request was sent."""
        raise NotImplementedError

    @property
    def _is_queued(self) -> bool:
        """Whether the arriving request waits behind one that is not answered yet."""
        raise NotImplementedError

    def _disconnect(self) -> None:
        """Tells the application that the client has disconnected."""
        raise NotImplementedError

    # --- how long is waited ---------------------------------------------------------------------

    def _wait(self) -> None:
        """Starts the timeout of a request."""
        self._deadline = self.loop.time() + self._connections.timeout_s
        if self._arriving is None:
            self._arriving = self.loop.call_at(self._deadline, self._look)
        self._connections.wait(self)

    def _stop_waiting(self) -> None:
        self._deadline = None
        self._connections.stop_waiting(self)

    def _look(self) -> None:
        """Checks whether the request has timed out. One timer that checks again later is cheaper than two for each
        request."""
        self._arriving = None
        if self._deadline is None:
            return
        if self.loop.time() < self._deadline:
            self._arriving = self.loop.call_at(self._deadline, self._look)
        else:
            self._give_up()

    def _give_up(self) -> None:
        """Ends a request that has not arrived in time; one that is still being read, or waits behind another, gets
        more."""
        if self.transport.is_closing():
            return
        if self.flow.read_paused or self._is_queued:
            self._wait()
        elif self._is_idle:
            self.end()
        else:
            self._refuse(HTTPStatus.REQUEST_TIMEOUT, "The request took too long to arrive.")

    def pause_writing(self) -> None:
        """See `asyncio.Protocol`; a client that does not read is disconnected after a timeout."""
        super().pause_writing()
        if self._reading is None:
            self._reading = self.loop.call_later(self._connections.timeout_s, self.end)

    def resume_writing(self) -> None:
        """See `asyncio.Protocol`."""
        if self._reading is not None:
            self._reading.cancel()
            self._reading = None
        super().resume_writing()

    # --- how it ends ----------------------------------------------------------------------------

    def shutdown(self) -> None:
        """Gives a request that is arriving a shorter timeout, since the server is stopping."""
        super().shutdown()  # type: ignore[misc]
        if self._deadline is not None and self._arriving is not None:
            self._arriving.cancel()
            self._arriving = self.loop.call_later(_SHUTDOWN_GRACE_S, self._give_up)

    def end(self) -> None:
        """Closes the connection at once."""
        self.transport.abort()

    def _refuse(self, status: HTTPStatus, message: str) -> None:
        """Sends an error, unless part of another answer was sent, and closes the connection."""
        if self._may_answer:
            more = "retry-after: 5\r\n" if status is HTTPStatus.SERVICE_UNAVAILABLE else ""
            head = (
                f"HTTP/1.1 {status.value} {status.phrase}\r\ncontent-type: text/plain; charset=utf-8\r\n"
                f"content-length: {len(message)}\r\nconnection: close\r\n{more}\r\n"
            )
            self.transport.write((head + message).encode())
        self._disconnect()
        self.transport.close()


class Acceptor:
    """Accepts the connections of a listening socket, whatever the event loop. While no file can be opened for them, it
    refuses them: one file is kept open for that, in whose place a connection is accepted and closed."""

    def __init__(
        self,
        listener: socket.socket,
        protocol: Callable[[], asyncio.BaseProtocol],
        on_error: Callable[[OSError], None],
    ) -> None:
        self._listener = listener
        self._protocol = protocol
        self._on_error = on_error
        self._spare: int | None = os.open(os.devnull, os.O_RDONLY)
        self._loop = asyncio.get_running_loop()
        self._tasks: set[asyncio.Task[Any]] = set()
        self._loop.add_reader(listener, self._accept)

    def _accept(self) -> None:
        """Accepts some of the connections that wait; then other work gets a turn."""
        for _ in range(_ACCEPT_BATCH):
            try:
                connection, _ = self._listener.accept()
            except (BlockingIOError, InterruptedError, ConnectionAbortedError):
                return
            except OSError as error:
                if error.errno not in _OUT_OF_FILES:
                    raise
                self._on_error(error)
                self._refuse()
                return
            connection.setblocking(False)
            task = self._loop.create_task(self._connect(connection))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)

    async def _connect(self, connection: socket.socket) -> None:
        """Connects an accepted socket to its protocol, or closes it if its client has gone."""
        try:
            await self._loop.connect_accepted_socket(self._protocol, connection)
        except OSError:
            connection.close()

    def _refuse(self) -> None:
        """Accepts the next connection in place of the spare file, and closes it."""
        self._close_spare()
        with contextlib.suppress(OSError):
            self._listener.accept()[0].close()
        with contextlib.suppress(OSError):
            self._spare = os.open(os.devnull, os.O_RDONLY)

    def _close_spare(self) -> None:
        if self._spare is not None:
            os.close(self._spare)
            self._spare = None

    def close(self) -> None:
        """Stops accepting, and closes the listening socket."""
        if self._listener.fileno() >= 0:
            self._loop.remove_reader(self._listener)
        self._listener.close()
        self._close_spare()


class AcceptErrors:
    """Logs connections that could not be accepted, at most one line a minute."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._next = 0.0
        self._errors = 0

    def __call__(self, error: OSError) -> None:
        """Counts an error of `accept`, and logs how many there were since the last line."""
        self._errors += 1
        if self._clock() >= self._next:
            self._next = self._clock() + _LOG_INTERVAL_S
            LOGGER.error({"what": "accept", "why": error.strerror, "times": self._errors})
            self._errors = 0
