"""Long-lived worker processes of the table, which are replaced when they die."""

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

JOB_TIMEOUT_S: Final = 300.0
"""Seconds after which a worker that is still busy with one job is killed."""
BACKGROUND_NICENESS: Final = 10
"""The niceness of work that games go before. With more, other programs on a busy machine would let it starve."""

_for_life: Final = contextlib.ExitStack()


@cache
def use_non_blocking_output() -> None:
    """Makes the output of this process non-blocking, for the rest of its life. Jobs call it when they begin; because of
    the cache it acts once per process."""
    _for_life.enter_context(non_blocking_output())


@cache
def lower_priority(niceness: int) -> None:
    """Lowers the priority of this process, for the rest of its life. Jobs call it when they begin; because of the cache
    it acts once per process and niceness, though `os.nice` adds to what there is."""
    if hasattr(os, "nice"):
        os.nice(niceness)


class RestartingWorker:
    """Keeps one worker process available: starts it with the first job and replaces it when it dies. `do` blocks, so
    call it from a thread."""

    def __init__(self, shutdown_message: str) -> None:
        """`shutdown_message` is the error of jobs that come after `close`."""
        self._shutdown_message = shutdown_message
        self._process: Worker | None = None
        self._changing = threading.Lock()
        self.closed = False

    def _running(self) -> Worker:
        """The running worker; starts one if there is none, unless this is closed."""
        with self._changing:
            if self.closed:
                raise WorkerLostError(self._shutdown_message)
            if self._process is None or not self._process.is_alive():
                try:
                    self._process = Worker()
                except OSError as error:
                    raise WorkerLostError("no process can be started") from error
            return self._process

    def do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Runs a job; raises `WorkerLostError` if the worker dies or takes longer than `JOB_TIMEOUT_S`."""
        process = self._running()
        late = threading.Timer(JOB_TIMEOUT_S, process.kill)
        late.daemon = True
        late.start()
        try:
            return process.do(function, *arguments)
        finally:
            late.cancel()

    def stop(self, timeout: float = 1.0) -> None:
        """Kills the worker and waits for its end, at most `timeout` seconds; the next job starts another one."""
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join(timeout)

    def close(self) -> None:
        """Kills the worker for good, without waiting for its end: later jobs raise `WorkerLostError`."""
        with self._changing:
            self.closed = True
            if self._process is not None:
                self._process.kill()

    def join(self) -> None:
        """Waits for the end of a worker after `close`, for a while."""
        with self._changing:
            if self._process is not None:
                self._process.join()
