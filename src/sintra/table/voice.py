"""What a process says while it serves: standard output and standard error that neither fail nor wait.

Whoever reads them may be slow, or gone, or the disk behind them full. A thread apart writes what was
said, as far as it can be written, and tells later how many lines could not.
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

from sintra.table.times import time_now

MOST_LINES: Final = 1000
"""So many lines wait to be written; what is said beyond them is lost."""
LAST_WORDS: Final = 1.0
"""Seconds in which the last lines may be written when the process ends."""


class Voice(io.TextIOBase):
    """A text channel that takes everything at once; `channel` is where a thread writes it."""

    def __init__(self, channel: TextIO) -> None:
        super().__init__()
        self._channel = channel
        self._lines: queue.SimpleQueue[str | None] = queue.SimpleQueue()
        self._begun = threading.local()
        self._dropped = 0
        self._failed = 0
        self._told = 0
        self._writer = threading.Thread(target=self._write_all, name="sintra voice", daemon=True)
        self._writer.start()

    @property
    def encoding(self) -> str:  # type: ignore[override]
        """That of the channel."""
        return getattr(self._channel, "encoding", None) or "utf-8"

    @property
    def errors(self) -> str:  # type: ignore[override]
        """What becomes of letters that the channel lacks."""
        return getattr(self._channel, "errors", None) or "backslashreplace"

    def writable(self) -> bool:
        """It can be written to."""
        return True

    def isatty(self) -> bool:
        """Whether a person reads it."""
        return self._channel.isatty()

    def fileno(self) -> int:
        """The channel's, for processes that inherit it."""
        return self._channel.fileno()

    def write(self, text: str) -> int:
        """Says something; it is written when its line is complete. There is no lock in here, which a
        destructor that complains in the middle of it would wait for in vain."""
        *lines, self._begun.text = (getattr(self._begun, "text", "") + text).split("\n")
        for line in lines:
            self._say(f"{line}\n")
        return len(text)

    def _say(self, line: str) -> None:
        if self._lines.qsize() < MOST_LINES:
            self._lines.put(line)
        else:
            self._dropped += 1

    def finish(self) -> None:
        """Waits a moment until everything is written."""
        if rest := getattr(self._begun, "text", ""):
            self._say(rest)
        self._lines.put(None)
        self._writer.join(LAST_WORDS)

    # --- in the thread --------------------------------------------------------------------------

    def _write_all(self) -> None:
        while (line := self._lines.get()) is not None:
            self._own_up()
            self._failed += not self._write(line)
        self._own_up()

    def _own_up(self) -> None:
        """Tells how many lines were lost since that was told last."""
        lost = self._dropped + self._failed
        if lost > self._told:
            said = {"time": time_now(), "level": "warning", "what": "lines lost", "lines": lost - self._told}
            if self._write(json.dumps(said) + "\n"):
                self._told = lost

    def _write(self, text: str) -> bool:
        """Writes past all buffers, and says whether that could be: it is not tried again."""
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
def free_voices() -> Iterator[None]:
    """In here nothing that this process says, by whomever, fails or waits."""
    before = sys.stdout, sys.stderr
    voices = Voice(sys.stdout), Voice(sys.stderr)
    sys.stdout, sys.stderr = voices
    try:
        yield
    finally:
        for voice in voices:
            voice.finish()
        sys.stdout, sys.stderr = before
