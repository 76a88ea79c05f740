"""Worker processes: the one place where the package starts processes of its own.

A worker ignores the Ctrl-C of the terminal, which is meant for the process that started it, and exits silently when
that process is gone. Both hold from its first instruction on.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import queue
import signal
import subprocess
import sys
import threading
import traceback
import weakref
from collections.abc import Callable, Sequence
from concurrent.futures import Future, ThreadPoolExecutor
from multiprocessing import spawn
from types import TracebackType
from typing import Any, BinaryIO, Final, NoReturn, ParamSpec, Self, TypeVar

from sintra.errors import SintraError

P = ParamSpec("P")
R = TypeVar("R")

_BOOT: Final = """
import signal
signal.signal(signal.SIGINT, signal.SIG_IGN)
import pickle, sys
try:
    data = pickle.load(sys.stdin.buffer)
except (EOFError, pickle.UnpicklingError):
    raise SystemExit
sys.path[:] = data["sys_path"]
from importlib import import_module
import_module(data["module"]).worker_main(data)
"""
"""The program of a worker. It starts with SIGINT blocked, and ignores it from its first instruction on."""

PIPE_CLOSED: Final = (EOFError, OSError, pickle.UnpicklingError)
"""The exceptions that mean that the process at the other end of a pipe has died."""

_preparing = False
"""Whether this worker is importing the main module of the program that started it."""


class WorkerLostError(SintraError):
    """A worker died while running a job."""


def start_with_sigint_blocked(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a process with SIGINT blocked, so that the terminal's Ctrl-C never ends it: `_BOOT` and `reaper.main`
    begin with a handling of their own, and in other programs it stays blocked. On Windows the process gets a process
    group of its own instead."""
    if sys.platform == "win32":
        return subprocess.Popen(command, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP, **options)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})  # a new process inherits the thread's mask
    try:
        return subprocess.Popen(command, **options)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_worker_process(module: str, pass_fds: Sequence[int] = ()) -> subprocess.Popen[bytes]:
    """Starts a Python process that runs the function `worker_main` of a module and is connected by pipes."""
    preparation = spawn.get_preparation_data("sintra worker") | {"module": module}
    preparation.pop("authkey", None)
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    command = [sys.executable, *flags, "-P", "-c", _BOOT]
    started = start_with_sigint_blocked(
        command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=tuple(pass_fds)
    )
    assert started.stdin is not None
    with contextlib.suppress(OSError):
        started.stdin.write(pickle.dumps(preparation))
        started.stdin.flush()
    return started


# --- in the worker ------------------------------------------------------------------------------


def worker_main(preparation: dict[str, Any]) -> None:
    """Runs jobs from standard input and writes their results, until the process that started this one is gone. What a
    job prints goes to standard error."""
    global _preparing  # noqa: PLW0603
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    try:
        os.dup2(2, 1)
    except OSError:
        os.dup2(os.open(os.devnull, os.O_WRONLY), 1)
    waiting: queue.SimpleQueue[bytes] = queue.SimpleQueue()
    threading.Thread(target=_receive, args=(jobs, waiting), daemon=True).start()
    _preparing = True
    spawn.prepare(preparation)
    _preparing = False
    with contextlib.suppress(*PIPE_CLOSED):
        while True:
            answers.write(pickle.dumps(run_job(waiting.get())))
            answers.flush()
    _flush_and_exit()


def _receive(jobs: BinaryIO, waiting: queue.SimpleQueue[bytes]) -> None:
    """Queues jobs as they arrive; exits when the pipe is closed, even in the middle of a job."""
    with contextlib.suppress(*PIPE_CLOSED):
        while True:
            waiting.put(pickle.load(jobs))
    _flush_and_exit()


def _flush_and_exit() -> NoReturn:
    """Flushes what was printed and exits."""
    for channel in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            channel.flush()
    os._exit(0)


def run_job(job: bytes) -> bytes:
    """Runs a job; returns, pickled, whether it succeeded and its result or exception."""
    try:
        function, arguments, kwargs = pickle.loads(job)
        return pickle.dumps((True, function(*arguments, **kwargs)))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        return pickle_error(error)


def pickle_error(error: Exception) -> bytes:
    """The reply of a job that failed, for `job_result`; an error that cannot be pickled becomes a `RuntimeError`."""
    try:
        reply = pickle.dumps((False, error))
        pickle.loads(reply)
    except Exception:
        reply = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
    return reply


def pickle_job(function: Callable[..., Any], *arguments: Any, **kwargs: Any) -> bytes:
    """A function call as a job for `run_job`."""
    return pickle.dumps((function, arguments, kwargs))


def job_result(reply: bytes) -> Any:
    """Returns or raises what `run_job` pickled."""
    succeeded, result = pickle.loads(reply)
    if not succeeded:
        raise result
    return result


# --- in the process that starts it --------------------------------------------------------------


class Worker:
    """A worker process that runs one job at a time. It imports the main module of this program as `__mp_main__`, as
    `multiprocessing` does, so that players which the program registers are known there too."""

    def __init__(self, pass_fds: Sequence[int] = ()) -> None:
        """`pass_fds` are open files that the worker inherits, where the system can do that."""
        if _preparing:
            raise SintraError('a program that uses several processes does its work below `if __name__ == "__main__":`')
        self._popen = start_worker_process(__name__, pass_fds)
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._jobs, self._answers = self._popen.stdin, self._popen.stdout
        self._finalizer = weakref.finalize(self, kill_and_reap, self._popen)
        self._is_killed = False
        self.pid = self._popen.pid

    def do(self, function: Callable[P, R], *arguments: P.args, **kwargs: P.kwargs) -> R:
        """Calls a function in the worker, and returns or raises what it does."""
        # pickled twice: the reading thread of the worker finds where a job ends without importing what it needs, so it
        # notices the end of the pipe even meanwhile, and `run_job` reports what cannot be imported
        job = pickle.dumps(pickle_job(function, *arguments, **kwargs))
        try:
            self._jobs.write(job)
            self._jobs.flush()
            reply: bytes = pickle.load(self._answers)
        except PIPE_CLOSED as error:
            raise WorkerLostError("a worker died while running a job") from error
        result: R = job_result(reply)
        return result

    def is_alive(self) -> bool:
        """Whether the worker neither ended nor was killed: a killed process may take a while to end."""
        return not self._is_killed and self._popen.poll() is None

    def terminate(self) -> None:
        """Asks the process to end."""
        self._popen.terminate()

    def kill(self) -> None:
        """Kills the process; whoever waits for a result gets `WorkerLostError`."""
        self._is_killed = True
        self._popen.kill()

    def join(self, seconds: float = 1.0) -> None:
        """Waits for the end of a killed process, for a while, and closes its pipes."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
            self._finalizer()


_dying: Final[list[subprocess.Popen[bytes]]] = []
"""Killed processes that have not ended yet, which on a busy machine takes a while."""


def kill_and_reap(popen: subprocess.Popen[bytes]) -> None:
    """Kills a process, closes its pipes and reaps it; one that takes long to end is reaped by a later call."""
    popen.kill()
    for pipe in (popen.stdin, popen.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    _dying.append(popen)
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(1.0)
    _dying[:] = [one for one in _dying if one.poll() is None]


class WorkerPool:
    """A pool of worker processes, started as they are needed; leaving the context kills them all."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._threads = ThreadPoolExecutor(size, "sintra pool")
        self._changing = threading.Lock()
        self._all: list[Worker] = []
        self._idle: list[Worker] = []
        self._closed = False

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Runs a job as soon as a worker is free."""
        return self._threads.submit(self._do, function, arguments)

    def _do(self, function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
        with self._changing:
            if self._closed:
                raise WorkerLostError("the pool is closed")
            if not self._idle:
                self._idle.append(Worker())
                self._all.append(self._idle[-1])
            worker = self._idle.pop()
        try:
            return worker.do(function, *arguments)
        finally:
            if worker.is_alive():
                self._idle.append(worker)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._changing:
            self._closed = True
            for worker in self._all:
                worker.kill()
        self._threads.shutdown(wait=True, cancel_futures=True)
        for worker in self._all:
            worker.join()
