"""Programs of others that are talked to in lines of text, and of which nothing is left when the talk is over.

A program is started by a *keeper*, a small process of its own, in a process group of its own. The keeper passes on
what the program is told, and when nobody can tell it anything any more, because the talk is over or because whoever
began it was killed, it ends the whole group. So a program that hangs, or one that has started others, never stays.
"""

from __future__ import annotations

import contextlib
import os
import queue
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
from typing import IO, Final, TypeAlias

from sintra.errors import SintraError
from sintra.workers import start_deaf

GRACE: Final = 0.5
"""Seconds that a program has to end by itself when its input has ended."""
MOST_BYTES: Final = 1_000_000
"""A line that is longer is none."""
_MOST_LINES: Final = 1000
"""Of a program that says more than is asked of it; then it has to wait until somebody listens."""
_SHOWN: Final = 200
"""Characters of what a program said that are told to people."""
_NO_START: Final = 121
"""The exit code of a keeper that could not start its program."""

_KEEPER: Final = f"""
import os, queue, signal, subprocess, sys, threading
if os.name == "posix":
    signal.pthread_sigmask(signal.SIG_SETMASK, ())
try:
    options = dict(process_group=0) if os.name == "posix" else dict()
    program = subprocess.Popen(sys.argv[1:], stdin=subprocess.PIPE, bufsize=0, **options)
except OSError as error:
    sys.stderr.write(error.strerror or str(error))
    sys.stderr.flush()
    os._exit({_NO_START})
nothing = os.open(os.devnull, os.O_WRONLY)
os.dup2(nothing, 1)
os.dup2(nothing, 2)
told = queue.SimpleQueue()
ending = threading.Lock()

def end():
    ending.acquire()
    if os.name == "posix":
        try:
            os.killpg(program.pid, signal.SIGKILL)
        except OSError:
            pass
    elif program.poll() is None:
        subprocess.call(["taskkill", "/T", "/F", "/PID", str(program.pid)], stdout=nothing, stderr=nothing)
    code = program.wait()
    os._exit(code if code >= 0 else 128 - code)

def tell():
    while True:
        data = told.get()
        try:
            if data:
                program.stdin.write(data)
            else:
                program.stdin.close()
                return
        except OSError:
            pass

def watch():
    program.wait()
    end()

for work in (tell, watch):
    threading.Thread(target=work, daemon=True).start()
while True:
    data = os.read(0, 65536)
    told.put(data)
    if not data:
        break
try:
    program.wait({GRACE})
except subprocess.TimeoutExpired:
    pass
end()
"""
"""The keeper: it needs nothing but Python, and starts in a few hundredths of a second."""


class ProgramError(SintraError):
    """A program that cannot be started."""


class ProgramLostError(SintraError):
    """A program has ended, or says nothing any more; `is_timeout` if only the time was up."""

    def __init__(self, reason: str, *, is_timeout: bool = False) -> None:
        super().__init__(reason)
        self.is_timeout = is_timeout


Said: TypeAlias = "queue.Queue[bytes | ProgramLostError | None]"
"""What a program has said and nobody has listened to yet; None at the end."""


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
        keeper = [sys.executable, "-I", "-S", "-c", _KEEPER, *words]
        self._popen = start_deaf(keeper, stdin=pipe, stdout=pipe, stderr=pipe, bufsize=0, **group)
        self.pid = self._popen.pid
        self._lines: Said = queue.Queue(_MOST_LINES)
        self._last: deque[str] = deque(maxlen=5)
        self._given_up = threading.Event()
        self._has_ended = False
        assert self._popen.stdout is not None and self._popen.stderr is not None
        self._readers = [
            threading.Thread(target=_listen, args=(self._popen.stdout, self._lines, self._given_up), daemon=True),
            threading.Thread(target=_overhear, args=(self._popen.stderr, self._last), daemon=True),
        ]
        for reader in self._readers:
            reader.start()
        self._end = weakref.finalize(self, _leave, self._popen, self._given_up)

    def tell(self, line: str) -> None:
        """Says a line to the program; that it can hear it is not certain."""
        assert self._popen.stdin is not None
        with contextlib.suppress(OSError, ValueError):
            self._popen.stdin.write(" ".join(line.splitlines()).encode() + b"\n")

    def has_said_something(self) -> bool:
        """Whether there is something to listen to already."""
        return not self._lines.empty()

    def listen(self, until: float) -> str:
        """The next line that the program says before a time of `time.monotonic`."""
        if self._has_ended:
            raise ProgramLostError(self._how_it_ended())
        try:
            line = self._lines.get(timeout=max(0.0, until - time.monotonic()))
        except queue.Empty:
            raise ProgramLostError("said nothing in time", is_timeout=True) from None
        if line is None:
            self._has_ended = True
            raise ProgramLostError(self._how_it_ended())
        if isinstance(line, ProgramLostError):
            self._has_ended = True
            raise line
        return line.decode("utf-8", "replace").strip()

    def _how_it_ended(self) -> str:
        """What can be said about a program that says nothing any more."""
        try:
            code = self._popen.wait(GRACE)
        except subprocess.TimeoutExpired:
            return "closed its standard output"
        self._readers[1].join(GRACE)
        words = next((line for line in reversed(self._last) if line), "")
        if code == _NO_START:
            return f"could not be started: {words}"
        last = f"; its last words: {shortened(words)}" if words else ""
        if code > 128 and os.name == "posix":
            with contextlib.suppress(ValueError):
                return f"was ended by {signal.Signals(code - 128).name}{last}"
        return f"ended with exit code {code}{last}"

    def close(self) -> None:
        """Ends the program and all that it has started; a moment to end by itself is left to it."""
        self._end()


def shortened(text: str) -> str:
    """What a program said, as far as people need to see it: printable, and not too long."""
    text = "".join(letter if letter.isprintable() else "?" for letter in text)
    return text if len(text) <= _SHOWN else text[: _SHOWN - 1] + "…"


def _listen(channel: IO[bytes], lines: Said, given_up: threading.Event) -> None:
    """Takes down what is said, line by line, to the end or to a line that is too long."""
    rest = b""
    with channel, contextlib.suppress(OSError):
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            for line in whole:
                _put(lines, line, given_up)
            if len(rest) > MOST_BYTES:
                _put(lines, ProgramLostError(f"said a line of more than {MOST_BYTES:,} bytes"), given_up)
                return
            if given_up.is_set():
                return
    _put(lines, None, given_up)


def _put(lines: Said, line: bytes | ProgramLostError | None, given_up: threading.Event) -> None:
    """Waits for room, as long as anybody is interested."""
    while not given_up.is_set():
        with contextlib.suppress(queue.Full):
            lines.put(line, timeout=GRACE)
            return


def _overhear(channel: IO[bytes], last: deque[str]) -> None:
    """Reads standard error, however much it is, and keeps the last lines."""
    with channel, contextlib.suppress(OSError, ValueError):
        rest = b""
        while data := os.read(channel.fileno(), 65536):
            *whole, rest = (rest + data).split(b"\n")
            last.extend(line.decode("utf-8", "replace").strip() for line in whole[-5:])
            rest = rest[-MOST_BYTES:]
        last.append(rest.decode("utf-8", "replace").strip())


def _leave(popen: subprocess.Popen[bytes], given_up: threading.Event) -> None:
    """Ends the talk: the keeper hears it, and is waited for."""
    given_up.set()
    with contextlib.suppress(OSError):
        if popen.stdin:
            popen.stdin.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(10 * GRACE)
