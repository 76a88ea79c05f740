"""The program that starts an external program and leaves nothing of it behind.

This file is run as a script, with the command of the external program. It needs nothing but Python and starts in a few
hundredths of a second. On Linux it is two processes: the *reaper* starts the program and passes its input on, and the
*watchdog* waits for the reaper. Both are subreapers: a process whose parent has ended becomes their child, whatever
session it is in, so they find everything that the program started. Whichever of them is killed, the other one kills
everything. Elsewhere there is a reaper only, and it kills the process group of the program.
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

SHUTDOWN_GRACE_S: Final = 0.5
"""Seconds that a program has to end by itself after the end of its input."""
NOT_STARTED: Final = 121
"""The exit code when the program could not be started; standard error says why. A program that exits with this code
itself is reported as one that could not be started."""
REAPER_LOST: Final = 122
"""The exit code when the reaper was killed or stopped. A program that exits with this code itself is reported as one
that killed its reaper."""
_PR_SET_PDEATHSIG: Final = 1
_PR_SET_CHILD_SUBREAPER: Final = 36


def _prctl() -> Callable[[int, int], int] | None:
    """Linux' `prctl`, or None on other systems."""
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
    """The descendants of this process, parents first."""
    children: dict[int, list[int]] = {}
    for pid, parent in _parents().items():
        children.setdefault(parent, []).append(pid)
    found = children.get(os.getpid(), []).copy()
    for pid in found:
        found += children.get(pid, ())
    return found


def _kill_descendants() -> None:
    """Kills the descendants of this process, which is a subreaper, until there are none."""
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


def _watch(reaper_pid: int) -> NoReturn:
    """Waits for the reaper, kills what is left of the program, and exits with the reaper's code."""
    code = REAPER_LOST
    while True:
        pid, status = os.waitpid(-1, os.WUNTRACED)  # a reaper that was stopped is as good as gone, too
        if pid == reaper_pid:
            if os.WIFEXITED(status):
                code = os.WEXITSTATUS(status)
            break
    _kill_descendants()
    os._exit(code)


class Reaper:
    """Starts a program, passes standard input on to it, and kills it when that ends."""

    def __init__(
        self, command: Sequence[str], prctl: Callable[[int, int], int] | None, watchdog_pid: int, watchdog_pipe: int
    ) -> None:
        """`watchdog_pid` is 0 without a watchdog. `watchdog_pipe` is the end of a pipe from which nothing can be read
        until the watchdog ends."""
        self._watchdog_pid = watchdog_pid
        self._watchdog_pipe = watchdog_pipe
        self._input: queue.SimpleQueue[bytes] = queue.SimpleQueue()
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

    def run(self) -> NoReturn:
        """Runs until the program has ended, or has been ended."""
        for work in (self._pass_input_on, self._wait_for_program, self._wait_for_watchdog):
            threading.Thread(target=work, daemon=True).start()
        while data := os.read(0, 65536):
            self._input.put(data)
        self._input.put(b"")
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._program.wait(SHUTDOWN_GRACE_S)
        self._end()

    def _pass_input_on(self) -> None:
        """Writes queued input to the program, so that a program that does not read blocks nobody else."""
        assert self._program.stdin is not None
        while True:
            data = self._input.get()
            try:
                if not data:
                    self._program.stdin.close()
                    return
                self._program.stdin.write(data)
            except OSError:
                continue

    def _wait_for_program(self) -> None:
        """Waits for the end of the program; other children, which were inherited, are only reaped."""
        while self._watchdog_pid:
            try:
                ended = os.waitid(os.P_ALL, 0, os.WEXITED | os.WNOWAIT)
                if ended is None or ended.si_pid == self._program.pid:
                    break
                os.waitpid(ended.si_pid, 0)
            except ChildProcessError:
                break
        self._program.wait()
        self._end()

    def _wait_for_watchdog(self) -> None:
        """Ends everything when the watchdog is gone."""
        if self._watchdog_pid:
            os.read(self._watchdog_pipe, 1)
            self._end()

    def _end(self) -> NoReturn:
        """Kills the program and everything that it started, and exits with its code."""
        self._ending.acquire()  # never released: of the threads that come here, the first one exits the process
        nothing = subprocess.DEVNULL
        if os.name == "posix":
            with contextlib.suppress(OSError):
                os.killpg(self._program.pid, signal.SIGKILL)
        elif self._program.poll() is None:
            subprocess.call(["taskkill", "/T", "/F", "/PID", str(self._program.pid)], stdout=nothing, stderr=nothing)
        code = self._program.wait()
        if self._watchdog_pid:
            if os.getppid() == self._watchdog_pid:
                # a watchdog that the program has stopped could not reap this process, nor pass its exit code on
                os.kill(self._watchdog_pid, signal.SIGCONT)
            _kill_descendants()
        os._exit(code if code >= 0 else 128 - code)  # Popen gives -n for signal n, and a shell gives 128 + n


def main(command: Sequence[str]) -> NoReturn:
    """Runs a program under a reaper, and on Linux under a watchdog too."""
    if os.name == "posix":
        # SIGINT was blocked at the start (`start_with_sigint_blocked`), and the program would inherit that; the
        # terminal's Ctrl-C does not come here, since this process leads a session of its own
        signal.pthread_sigmask(signal.SIG_SETMASK, ())
    prctl = _prctl()
    watchdog_pid = watchdog_pipe = 0
    if prctl and prctl(_PR_SET_CHILD_SUBREAPER, 1) == 0:
        watchdog_pid = os.getpid()
        watchdog_pipe, write_end = os.pipe()
        reaper_pid = os.fork()
        if reaper_pid:  # the parent stays as the watchdog, the child becomes the reaper
            _redirect_to_devnull(0, 1, 2, watchdog_pipe)
            _watch(reaper_pid)
        os.close(write_end)  # only the watchdog has it now: the pipe ends with the watchdog
        os.setpgid(0, 0)
        prctl(_PR_SET_CHILD_SUBREAPER, 1)
    running = Reaper(command, prctl, watchdog_pid, watchdog_pipe)
    _redirect_to_devnull(1, 2)
    running.run()


def _redirect_to_devnull(*channels: int) -> None:
    """Replaces open files by the null device, so that they can be closed elsewhere."""
    nothing = os.open(os.devnull, os.O_RDWR)
    for channel in channels:
        os.dup2(nothing, channel)


if __name__ == "__main__":
    main(sys.argv[1:])
