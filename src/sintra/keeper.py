"""The processes between us and a program of somebody else, which make sure that nothing is left of it.

This file is run as a program, with the command of the other one. It needs nothing but Python and starts in a few
hundredths of a second. On Linux it is two processes: the *keeper* starts the program and passes on what it is told,
and the *guard* waits for the keeper. Both are subreapers: a process whose parent has ended becomes their child,
whatever session it is in, so they find all that the program has started. Whichever of them is killed, the other one
kills everything. Elsewhere there is a keeper only, and what it kills is the program's process group.
"""

from __future__ import annotations

import contextlib
import os
import queue
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Sequence
from typing import Any, Final, NoReturn

GRACE_S: Final = 0.5
"""Seconds that a program has to end by itself when its input has ended."""
NOT_STARTED: Final = 121
"""The exit code when the program could not be started; standard error says why."""
KEEPER_LOST: Final = 122
"""The exit code when the keeper was killed or stopped."""
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


def _prctl() -> Callable[[int, int], int] | None:
    """Linux' system call of that name, where there is one."""
    if sys.platform != "linux":
        return None
    try:
        import ctypes

        found: Callable[[int, int], int] = ctypes.CDLL(None).prctl
    except (ImportError, OSError, AttributeError):
        return None
    return found


def _parents() -> dict[int, int]:
    """The parent of every process there is, from `/proc`."""
    found = {}
    for name in os.listdir("/proc"):
        if name.isdigit():
            try:
                with open(f"/proc/{name}/stat", "rb") as file:
                    found[int(name)] = int(file.read().rpartition(b")")[2].split()[1])
            except (OSError, IndexError):
                continue
    return found


def _descendants() -> list[int]:
    """The processes that come from this one, parents first."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents().items():
        children.setdefault(parent, []).append(pid)
    found = children.get(os.getpid(), []).copy()
    for pid in found:
        found += children.get(pid, ())
    return found


def _kill_descendants() -> None:
    """Kills all that comes from this process, which is a subreaper, until nothing is left."""
    while True:
        for pid in _descendants():
            with contextlib.suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        try:
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        except ChildProcessError:
            return
        time.sleep(0.001)


def guard(keeper: int) -> NoReturn:
    """Waits for the keeper, and ends as it did when nothing is left of the program."""
    code = KEEPER_LOST
    while True:
        pid, status = os.waitpid(-1, os.WUNTRACED)
        if pid == keeper:
            if os.WIFEXITED(status):
                code = os.WEXITSTATUS(status)
            break
    _kill_descendants()
    os._exit(code)


class Keeper:
    """Starts a program, passes on what comes through standard input, and ends it when that ends."""

    def __init__(
        self, command: Sequence[str], prctl: Callable[[int, int], int] | None, guard: int, guarded: int
    ) -> None:
        """`guard` is the process that guards this one, or 0, and `guarded` a channel that ends with it."""
        self._guard = guard
        self._guarded = guarded
        self._told: queue.SimpleQueue[bytes] = queue.SimpleQueue()
        self._ending = threading.Lock()
        options: dict[str, Any] = {"process_group": 0} if os.name == "posix" else {}
        if prctl:
            options["preexec_fn"] = lambda: prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
        try:
            self._program = subprocess.Popen(command, stdin=subprocess.PIPE, bufsize=0, **options)
        except OSError as error:
            sys.stderr.write(error.strerror or str(error))
            sys.stderr.flush()
            os._exit(NOT_STARTED)

    def keep(self) -> NoReturn:
        """Stays until there is nothing to keep."""
        for work in (self._tell, self._watch, self._watch_guard):
            threading.Thread(target=work, daemon=True).start()
        while data := os.read(0, 65536):
            self._told.put(data)
        self._told.put(b"")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(GRACE_S)
        self._end()

    def _tell(self) -> None:
        """Tells the program what there is to tell; one that does not listen holds up nobody."""
        assert self._program.stdin is not None
        while True:
            data = self._told.get()
            try:
                if not data:
                    self._program.stdin.close()
                    return
                self._program.stdin.write(data)
            except OSError:
                continue

    def _watch(self) -> None:
        """Waits for the end of the program; other processes that became ours are only reaped."""
        while self._guard:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
                if ended is None or ended.si_pid == self._program.pid:
                    break
                os.waitpid(ended.si_pid, 0)
            except ChildProcessError:
                break
        self._program.wait()
        self._end()

    def _watch_guard(self) -> None:
        """Ends everything when the guard is gone."""
        if self._guard:
            os.read(self._guarded, 1)
            self._end()

    def _end(self) -> NoReturn:
        """Kills all that can be found of the program, and ends as it did."""
        self._ending.acquire()
        nothing = subprocess.DEVNULL
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self._program.pid, signal.SIGKILL)
        elif self._program.poll() is None:
            subprocess.call(["taskkill", "/T", "/F", "/PID", str(self._program.pid)], stdout=nothing, stderr=nothing)
        code = self._program.wait()
        if self._guard:
            if os.getppid() == self._guard:
                os.kill(self._guard, signal.SIGCONT)
            _kill_descendants()
        os._exit(code if code >= 0 else 128 - code)


def main(command: Sequence[str]) -> NoReturn:
    """Keeps a program, with a guard where there can be one."""
    if os.name == "posix":
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    prctl = _prctl()
    guarding = guarded = 0
    if prctl and prctl(_PR_SET_CHILD_SUBREAPER, 1) == 0:
        guarding = os.getpid()
        guarded, held = os.pipe()
        keeper = os.fork()
        if keeper:
            _let_go(0, 1, 2, guarded)
            guard(keeper)
        os.close(held)
        os.setpgid(0, 0)
        prctl(_PR_SET_CHILD_SUBREAPER, 1)
    kept = Keeper(command, prctl, guarding, guarded)
    _let_go(1, 2)
    kept.keep()


def _let_go(*channels: int) -> None:
    """Holds some channels open no longer."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for channel in channels:
        os.dup2(nothing, channel)


if __name__ == "__main__":
    main(sys.argv[1:])
