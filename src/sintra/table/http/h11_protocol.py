"""HTTP parsed by `h11`, which is installed everywhere."""

from __future__ import annotations

import asyncio

import h11
from uvicorn.protocols.http.h11_impl import H11Protocol as UvicornProtocol

from sintra.table.http.connections import MAX_HEADERS, BoundedProtocol


class H11Protocol(BoundedProtocol, UvicornProtocol, asyncio.BufferedProtocol):
    """One HTTP connection, parsed by `h11`."""

    def handle_events(self) -> None:
        """Parses what has arrived; refuses a request with too many headers."""
        if self.conn.their_state is h11.IDLE:
            head, _, _ = self.conn.trailing_data[0].partition(b"\r\n\r\n")
            if head.count(b"\n") > MAX_HEADERS:
                self.send_400_response("Too many headers.")
                return
        super().handle_events()
        if self.conn.their_state not in (h11.IDLE, h11.SEND_BODY):
            self._stop_waiting()
        elif self._deadline is None and not self.transport.is_closing():
            self._wait()

    @property
    def _is_idle(self) -> bool:
        return self.conn.their_state is h11.IDLE and not self.conn.trailing_data[0]

    @property
    def _may_answer(self) -> bool:
        return self.conn.our_state in (h11.IDLE, h11.SEND_RESPONSE)

    @property
    def _is_queued(self) -> bool:
        return False

    def _disconnect(self) -> None:
        if self.cycle is not None:
            self.cycle.disconnected = True
            self.cycle.message_event.set()
