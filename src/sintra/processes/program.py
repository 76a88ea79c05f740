"""External programs that are talked to in lines of text, and never left running.

A program is started by a *reaper*, a small process of its own (`reaper.py`), which passes its input on. When the input
ends, because the program was closed or this process was killed, the reaper kills the program and everything that it
started.
"""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
import sys
import threading
import time
import weakref
from collections import deque
from collections.abc import Sequence
from functools import cache
from importlib.resources import files
from typing import IO, Final, NamedTuple

from sintra.errors import SintraError
from sintra.processes.reaper import NOT_STARTED, REAPER_LOST, SHUTDOWN_GRACE_S
from sintra.processes.worker import start_with_sigint_blocked

MAX_LINE_BYTES: Final = 1_000_000
"""Longer lines are rejected."""
_MAX_UNREAD_LINES: Final = 1000
"""Unread lines of output, above which the program is blocked."""
_MAX_UNREAD_BYTES: Final = MAX_LINE_BYTES
"""Unread bytes of output, above which the program is blocked."""
_CLOSE_TIMEOUT_S: Final = 10 * SHUTDOWN_GRACE_S
"""Seconds that a reaper has to end its program, before it is killed itself."""
_MAX_SHOWN_CHARACTERS: Final = 200
"""Characters of a program's output that are quoted in messages."""


class ProgramError(SintraError):
    """A program cannot be started."""


class ProgramLostError(SintraError):
    """A program has ended or does not answer; `is_timeout` if it may still run."""

    def __init__(self, reason: str, *, is_timeout: bool = False) -> None:
        super().__init__(reason)
        self.is_timeout = is_timeout


class _End(NamedTuple):
    """The end of the output; `fault` is what the program did wrong, or empty if the output just ended."""

    fault: str = ""


class _Line(NamedTuple):
    """A line of output, or its end, with its time by `time.monotonic`."""

    content: bytes | _End
    at: float

    @property
    def size(self) -> int:
        """The bytes that the line takes."""
        return len(self.content) if isinstance(self.content, bytes) else 0


class _Lines:
    """The unread output of a program: a bounded queue, so that a program that writes too much is blocked."""

    def __init__(self) -> None:
        self._waiting: deque[_Line] = deque()
        self._bytes = 0
        self._is_closed = False
        self._changed = threading.Condition()

    def put(self, content: bytes | _End) -> None:
        """Adds a line, waiting for room; does nothing after `close`."""
        line = _Line(content, time.monotonic())
        with self._changed:
            self._changed.wait_for(self._has_room)
            if not self._is_closed:
                self._waiting.append(line)
                self._bytes += line.size
                self._changed.notify_all()

    def _has_room(self) -> bool:
        is_full = len(self._waiting) >= _MAX_UNREAD_LINES or self._bytes >= _MAX_UNREAD_BYTES
        return self._is_closed or not is_full

    def take(self, deadline: float) -> bytes | _End | None:
        """The next line, or None if there is none until the deadline, a time of `time.monotonic`."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, max(0.0, deadline - time.monotonic()))
            if not self._waiting or self._waiting[0].at > deadline:
                return None
            line = self._waiting.popleft()
            self._bytes -= line.size
            self._changed.notify_all()
            return line.content

    def is_empty(self) -> bool:
        """Whether there is no unread line."""
        return not self._waiting

    def close(self) -> None:
        """Ends reading; `put` returns at once from now on."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


@cache
def _reaper_source() -> str:
    """The source of the reaper, which is run without importing the package, to start quickly."""
    return files("sintra.processes").joinpath("reaper.py").read_text("utf-8")


def parse_command(command: str | Sequence[str]) -> list[str]:
    """The words of a command, with the path of its program; raises `ProgramError` if it cannot be started."""
    try:
        words = shlex.split(command) if isinstance(command, str) else list(command)
    except ValueError as error:
        raise ProgramError(f"cannot read the command {command!r}: {error}") from None
    if not words:
        raise ProgramError("the command of a program is empty")
    found = shutil.which(words[0])
    if found is None:
        why = "there is no such program"
        if os.path.isdir(words[0]):
            why = "it is a folder"
        elif os.path.exists(words[0]):
            why = "it is not executable" if os.path.dirname(words[0]) else f"write ./{words[0]}"
        raise ProgramError(f"cannot start {words[0]}: {why}")
    return [found, *words[1:]]


class Program:
    """A running program: lines are sent to it, and its output is read line by line with a deadline."""

    def __init__(self, command: str | Sequence[str]) -> None:
        words = parse_command(command)
        group = {"start_new_session": True} if os.name == "posix" else {}
        pipe = subprocess.PIPE
        reaper = [sys.executable, "-I", "-S", "-c", _reaper_source(), *words]
        self._popen = start_with_sigint_blocked(reaper, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **group)
        self.pid = self._popen.pid
        self._lines = _Lines()
        self._last_errors: deque[str] = deque(maxlen=5)
        self._has_ended = False
        assert self._popen.stdout is not None and self._popen.stderr is not None
        self._readers = [
            threading.Thread(target=_read_output, args=(self._popen.stdout, self._lines), daemon=True),
            threading.Thread(target=_read_errors, args=(self._popen.stderr, self._last_errors), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._finalizer = weakref.finalize(self, _close, self._popen, self._lines)

    def send(self, line: str) -> None:
        """Sends a line to the program; whether it reads it is not known."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._popen.stdin.write(" ".join(line.splitlines()).encode() + b"\n")

    def has_output(self) -> bool:
        """Whether there is unread output."""
        return not self._lines.is_empty()

    def read_line(self, deadline: float) -> str:
        """The next line of output, waiting for it until the deadline, a time of `time.monotonic`."""
        if self._has_ended:
            raise ProgramLostError(self._how_it_ended())
        line = self._lines.take(deadline)
        if line is None:
            raise ProgramLostError("said nothing in time", is_timeout=True)
        if isinstance(line, _End):
            self._has_ended = True
            raise ProgramLostError(line.fault or self._how_it_ended())
        return line.decode("utf-8", "replace").strip()

    def _how_it_ended(self) -> str:
        """Why there is no more output, as a phrase after the program's name."""
        try:
            code = self._popen.wait(SHUTDOWN_GRACE_S)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._readers[1].join(SHUTDOWN_GRACE_S)
        words = next((line for line in reversed(self._last_errors) if line), "")
        if code == NOT_STARTED:
            return f"could not be started: {words}"
        if code in (REAPER_LOST, -signal.SIGKILL):
            return "killed the process that supervises it"
        last = f"; its last words: {shortened(words)}" if words else ""
        if code > 128 and os.name == "posix":
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(code - 128).name}{last}"
        return f"ended with exit code {code}{last}"

    def close(self) -> None:
        """Ends the program and everything that it started, after a moment to end by itself."""
        self._finalizer()


def shortened(text: str, max_length: int = _MAX_SHOWN_CHARACTERS) -> str:
    """Output of a program for a message: printable and not too long."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= max_length else text[: max_length - 1] + "…"


def _read_output(channel: IO[bytes], lines: _Lines) -> None:
    """Queues standard output line by line, to its end or to a line that is too long. A last line without a line break
    is dropped: it may be cut off."""
    rest = b""
    with channel, contextlib.suppress(OSError):
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                lines.put(line)
            if len(rest) > MAX_LINE_BYTES:
                lines.put(_End(f"said a line of more than {MAX_LINE_BYTES:,} bytes"))
                return
    lines.put(_End())


def _read_errors(channel: IO[bytes], last: deque[str]) -> None:
    """Drains standard error and keeps its last lines."""
    with channel, contextlib.suppress(OSError, ValueError):
        rest = b""
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            last.extend(line.decode("utf-8", "replace").strip() for line in whole[-5:])
            rest = rest[-MAX_LINE_BYTES:]
        last.append(rest.decode("utf-8", "replace").strip())


def _close(popen: subprocess.Popen[bytes], lines: _Lines) -> None:
    """Closes the input, by which the reaper ends, and waits for it."""
    lines.close()
    with contextlib.suppress(OSError):
        if popen.stdin:
            popen.stdin.close()
    try:
        popen.wait(_CLOSE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
