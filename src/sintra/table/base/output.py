"""Non-blocking output: a service's standard output and standard error neither fail nor wait.

Their reader may be slow, or gone, or the disk behind them full. A thread writes the lines, as far as they can be
written, and reports later how many were dropped.
"""

from __future__ import annotations

import contextlib
import io
import json
import queue
import sys
import threading
from collections.abc import Iterator
from typing import Any, Final, TextIO

from sintra.table.base.times import time_now

MAX_LINES: Final = 1000
"""Lines that wait to be written; further ones are dropped."""
FLUSH_TIMEOUT_S: Final = 1.0
"""Seconds that the process waits for its last lines to be written when it ends."""


class NonBlockingOutput(io.TextIOBase):
    """A text stream whose `write` never waits: a thread writes the lines to `channel`."""

    def __init__(self, channel: TextIO) -> None:
        super().__init__()
        self._channel = channel
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._begun = threading.local()
        self._dropped = 0
        self._failed = 0
        self._reported = 0
        self._writer = threading.Thread(target=self._write_all, name="sintra output", daemon=True)
        self._writer.start()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """The encoding of the channel."""
        return getattr(self._channel, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """How the channel treats letters that its encoding lacks."""
        return getattr(self._channel, "errors", None) or "backslashreplace"

    def writable(self) -> bool:
        """True: the stream can be written to."""
        return True

    def isatty(self) -> bool:
        """Whether the channel is a terminal."""
        return self._channel.isatty()

    def fileno(self) -> int:
        """The file descriptor of the channel, for processes that inherit it."""
        return self._channel.fileno()

    def write(self, text: str) -> int:
        """Takes text, which is written when its line is complete. There is no lock in here: a destructor that writes
        in the middle of it would wait for it forever."""
        *lines, self._begun.text = (getattr(self._begun, "text", "") + text).split("\n")
        for line in lines:
            self._enqueue(f"{line}\n")
        return len(text)

    def _enqueue(self, line: str) -> None:
        if self._lines.qsize() < MAX_LINES:
            self._lines.put(line)
        else:
            self._dropped += 1

    def finish(self) -> None:
        """Waits until everything is written, for `FLUSH_TIMEOUT_S` at most."""
        if rest := getattr(self._begun, "text", ""):
            self._enqueue(rest)
        self._lines.put(None)
        self._writer.join(FLUSH_TIMEOUT_S)

    # --- in the thread --------------------------------------------------------------------------

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            self._report_dropped()
            self._failed += not self._write(line)
        self._report_dropped()

    def _report_dropped(self) -> None:
        """Reports how many lines were dropped since the last report."""
        lost = self._dropped + self._failed
        if lost > self._reported:
            said = {"time": time_now(), "level": "warning", "what": "lines lost", "lines": lost - self._reported}
            if self._write(json.dumps(said) + "\n"):
                self._reported = lost

    def _write(self, text: str) -> bool:
        """Writes past all buffers and returns whether that worked; a failed write is not repeated."""
        try:
            raw: Any = getattr(getattr(self._channel, "buffer", None), "raw", None)
            if raw is None:
                self._channel.write(text)
                self._channel.flush()
                return True
            rest = text.encode(self.encoding, self.errors)
            while rest:
                written = raw.write(rest)
                if written is None:
                    return False
                rest = rest[written:]
        except (OSError, ValueError):
            return False
        return True


@contextlib.contextmanager
def non_blocking_output() -> Iterator[None]:
    """Makes standard output and standard error non-blocking within the context."""
    before = sys.stdout, sys.stderr
    outputs = NonBlockingOutput(sys.stdout), NonBlockingOutput(sys.stderr)
    sys.stdout, sys.stderr = outputs
    try:
        yield
    finally:
        for output in outputs:
            output.finish()
        sys.stdout, sys.stderr = before
