"""Processes of the table that work apart from the service, each with a successor should it die."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable
from functools import cache
from typing import Any, Final, TypeVar

from sintra.processes.worker import Worker, WorkerLostError
from sintra.table.base.output import non_blocking_output

R = TypeVar("R")

LONGEST: Final = 300.0
"""A process that is busy with one thing for more than so many seconds is taken to be lost."""
LOWEST: Final = 19
"""The priority of what may wait for all that is played."""

_for_life: Final = contextlib.ExitStack()


@cache
def use_non_blocking_output() -> None:
    """In a process apart: nobody has to read what it says."""
    _for_life.enter_context(non_blocking_output())


@cache
def let_others_go_first(niceness: int) -> None:
    """In a process apart: it takes what processor time others leave."""
    if hasattr(os, "nice"):
        os.nice(niceness)


class WorkerProcess:
    """One process, or its successor; there is none until the first job. A thread of the service waits for answers."""

    def __init__(self, farewell: str) -> None:
        """`farewell` is told to who comes with a job after the end."""
        self._farewell = farewell
        self._process: Worker | None = None
        self._changing = threading.Lock()
        self.closed = False

    def _running(self) -> Worker:
        """The process, a new one if there is none that lives; none begins once this is closed."""
        with self._changing:
            if self.closed:
                raise WorkerLostError(self._farewell)
            if self._process is None or not self._process.is_alive():
                try:
                    self._process = Worker()
                except OSError as error:
                    raise WorkerLostError("no process can be started") from error
            return self._process

    def do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Has something done; a process that dies or is too long over it is lost, and raises that."""
        process = self._running()
        late = threading.Timer(LONGEST, process.kill)
        late.daemon = True
        late.start()
        try:
            return process.do(function, *arguments)
        finally:
            late.cancel()

    def end_process(self, seconds: float = 1.0) -> None:
        """Ends the process, whatever it does, and waits a moment for its end; the next job gets another one."""
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join(seconds)

    def kill(self) -> None:
        """Ends the process, whatever it does, and lets no other begin."""
        with self._changing:
            self.closed = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Waits a moment for the end of a killed process."""
        with self._changing:
            if self._process is not None:
                self._process.join()
