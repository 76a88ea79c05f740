"""Programs of others that are talked to in lines of text, and of which nothing is left when the talk is over.

A program is started by a *keeper*, a small process of its own (`keeper.py`). The keeper passes on what the program is
told, and when nobody can tell it anything any more, because the talk is over or because whoever began it was killed, it
ends the program with all that it has started. So a program that hangs, or one that has started others, never stays.
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
from sintra.keeper import GRACE_S, KEEPER_LOST, NOT_STARTED
from sintra.workers import start_deaf

MAX_LINE_BYTES: Final = 1_000_000
"""Longer lines are rejected."""
_MAX_WAITING_LINES: Final = 1000
_MAX_WAITING_BYTES: Final = MAX_LINE_BYTES
"""Lines that a program has said and nobody has read yet: with so many, or so much in them, it has to wait."""
_CLOSE_TIMEOUT_S: Final = 10 * GRACE_S
"""Seconds that a keeper has to end its program, before it is killed too."""
_SHOWN: Final = 200
"""Characters of what a program said that are told to people."""


class ProgramError(SintraError):
    """A program that cannot be started."""


class ProgramLostError(SintraError):
    """A program has ended, or says nothing any more; `is_timeout` if only the time was up."""

    def __init__(self, reason: str, *, is_timeout: bool = False) -> None:
        super().__init__(reason)
        self.is_timeout = is_timeout


class _Line(NamedTuple):
    """A line, or what has become of the program, and when that came, as `time.monotonic` says it."""

    content: bytes | ProgramLostError
    at: float

    @property
    def size(self) -> int:
        """How many bytes it holds in memory."""
        return len(self.content) if isinstance(self.content, bytes) else 0


class _Lines:
    """What a program has said and nobody has read yet: bounded, so that one that says too much has to wait."""

    def __init__(self) -> None:
        self._waiting: deque[_Line] = deque()
        self._bytes = 0
        self._is_closed = False
        self._changed = threading.Condition()

    def put(self, content: bytes | ProgramLostError) -> None:
        """Adds a line when there is room for it; nothing is added after `close`."""
        line = _Line(content, time.monotonic())
        with self._changed:
            self._changed.wait_for(self._has_room)
            if not self._is_closed:
                self._waiting.append(line)
                self._bytes += line.size
                self._changed.notify_all()

    def _has_room(self) -> bool:
        is_full = len(self._waiting) >= _MAX_WAITING_LINES or self._bytes >= _MAX_WAITING_BYTES
        return self._is_closed or not is_full

    def take(self, until: float) -> bytes | ProgramLostError | None:
        """The next line, if it comes before a time."""
        with self._changed:
            self._changed.wait_for(lambda: self._waiting, max(0.0, until - time.monotonic()))
            if not self._waiting or self._waiting[0].at > until:
                return None
            line = self._waiting.popleft()
            self._bytes -= line.size
            self._changed.notify_all()
            return line.content

    def is_empty(self) -> bool:
        """Whether there is no line."""
        return not self._waiting

    def close(self) -> None:
        """Nobody reads any more; whoever waits for room waits no longer."""
        with self._changed:
            self._is_closed = True
            self._changed.notify_all()


@cache
def _keeper() -> str:
    """The keeper's source: it is started without the package, which would take longer."""
    return files("sintra").joinpath("keeper.py").read_text("utf-8")


def words_of(command: str | Sequence[str]) -> list[str]:
    """The words of a command, checked as far as that can be done before it is started."""
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
    """A running program: it is told lines, and what it says is read line by line, until a time."""

    def __init__(self, command: str | Sequence[str]) -> None:
        words = words_of(command)
        group = {"start_new_session": True} if os.name == "posix" else {}
        pipe = subprocess.PIPE
        keeper = [sys.executable, "-I", "-S", "-c", _keeper(), *words]
        self._popen = start_deaf(keeper, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **group)
        self.pid = self._popen.pid
        self._lines = _Lines()
        self._last: deque[str] = deque(maxlen=5)
        self._has_ended = False
        assert self._popen.stdout is not None and self._popen.stderr is not None
        self._readers = [
            threading.Thread(target=_listen, args=(self._popen.stdout, self._lines), daemon=True),
            threading.Thread(target=_overhear, args=(self._popen.stderr, self._last), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _leave, self._popen, self._lines)

    def tell(self, line: str) -> None:
        """Says a line to the program; that it can hear it is not certain."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._popen.stdin.write(" ".join(line.splitlines()).encode() + b"\n")

    def has_said_something(self) -> bool:
        """Whether there is something to listen to already."""
        return not self._lines.is_empty()

    def listen(self, until: float) -> str:
        """The next line that the program says before a time of `time.monotonic`."""
        if self._has_ended:
            raise ProgramLostError(self._how_it_ended())
        line = self._lines.take(until)
        if line is None:
            raise ProgramLostError("said nothing in time", is_timeout=True)
        if isinstance(line, ProgramLostError):
            self._has_ended = True
            raise line if line.args[0] else ProgramLostError(self._how_it_ended())
        return line.decode("utf-8", "replace").strip()

    def _how_it_ended(self) -> str:
        """What can be said about a program that says nothing any more."""
        try:
            code = self._popen.wait(GRACE_S)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._readers[1].join(GRACE_S)
        words = next((line for line in reversed(self._last) if line), "")
        if code == NOT_STARTED:
            return f"could not be started: {words}"
        if code in (KEEPER_LOST, -signal.SIGKILL):
            return "killed the process that keeps it"
        last = f"; its last words: {shortened(words)}" if words else ""
        if code > 128 and os.name == "posix":
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(code - 128).name}{last}"
        return f"ended with exit code {code}{last}"

    def close(self) -> None:
        """Ends the program and all that it has started; a moment to end by itself is left to it."""
        self._end()


def shortened(text: str, most: int = _SHOWN) -> str:
    """What a program said, as far as people need to see it: printable, and not too long."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= most else text[: most - 1] + "…"


def _listen(channel: IO[bytes], lines: _Lines) -> None:
    """Takes down what is said, line by line, to the end or to a line that is too long."""
    rest = b""
    with channel, contextlib.suppress(OSError):
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                lines.put(line)
            if len(rest) > MAX_LINE_BYTES:
                lines.put(ProgramLostError(f"said a line of more than {MAX_LINE_BYTES:,} bytes"))
                return
    lines.put(ProgramLostError(""))


def _overhear(channel: IO[bytes], last: deque[str]) -> None:
    """Reads standard error, however much it is, and keeps the last lines."""
    with channel, contextlib.suppress(OSError, ValueError):
        rest = b""
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            last.extend(line.decode("utf-8", "replace").strip() for line in whole[-5:])
            rest = rest[-MAX_LINE_BYTES:]
        last.append(rest.decode("utf-8", "replace").strip())


def _leave(popen: subprocess.Popen[bytes], lines: _Lines) -> None:
    """Ends the talk: the keeper hears it, and is waited for."""
    lines.close()
    with contextlib.suppress(OSError):
        if popen.stdin:
            popen.stdin.close()
    try:
        popen.wait(_CLOSE_TIMEOUT_S)
    except subprocess.TimeoutExpired:
        popen.kill()
        popen.wait()
