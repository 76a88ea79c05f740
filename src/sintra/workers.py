"""Processes that work apart. Whatever the package starts, it starts here.

Such a process never hears the Ctrl-C of a terminal, which is meant for the one that started it, and
it ends without a word when that one is gone: both hold from its first instruction on.
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
import_module(data["life"]).live(data)
"""
"""A worker's first steps; until SIGINT is ignored it is blocked."""

GONE: Final = (EOFError, OSError, pickle.UnpicklingError)
"""What the end of a pipe looks like when the process at the other end has died."""

_preparing = False


class WorkerLostError(SintraError):
    """A process ended over its job."""


def start_deaf(command: Sequence[str], **options: Any) -> subprocess.Popen[bytes]:
    """Starts a process that never hears the terminal's Ctrl-C. The mask of the calling thread is
    what it inherits, so SIGINT is blocked before there is any process that could hear it."""
    if sys.platform == "win32":
        return subprocess.Popen(command, creationflags=subprocess.CREATE_NEW_PROCESS_GROUP, **options)
    before = signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT})
    try:
        return subprocess.Popen(command, **options)
    finally:
        signal.pthread_sigmask(signal.SIG_SETMASK, before)


def start_life(module: str, pass_fds: Sequence[int] = ()) -> subprocess.Popen[bytes]:
    """Starts a process with pipes that does what the function `live` of a module says."""
    preparation = spawn.get_preparation_data("sintra worker") | {"life": module}
    preparation.pop("authkey", None)
    flags: list[str] = subprocess._args_from_interpreter_flags()  # type: ignore[attr-defined]
    command = [sys.executable, *flags, "-P", "-c", _BOOT]
    started = start_deaf(command, stdin=subprocess.PIPE, stdout=subprocess.PIPE, pass_fds=tuple(pass_fds))
    assert started.stdin is not None
    with contextlib.suppress(OSError):
        started.stdin.write(pickle.dumps(preparation))
        started.stdin.flush()
    return started


# --- in the worker ------------------------------------------------------------------------------


def live(preparation: dict[str, Any]) -> None:
    """A worker's life: jobs come through standard input and answers go out, until the starter goes, whatever job is
    being done then. What a job prints goes to standard error."""
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
    with contextlib.suppress(*GONE):
        while True:
            answers.write(pickle.dumps(answer(waiting.get())))
            answers.flush()
    _end()


def _receive(jobs: BinaryIO, waiting: queue.SimpleQueue[bytes]) -> None:
    """Takes jobs as they come; when none can come any more, because the starter is gone, the process ends."""
    with contextlib.suppress(*GONE):
        while True:
            waiting.put(pickle.load(jobs))
    _end()


def _end() -> NoReturn:
    """Ends the process; what was printed is not lost."""
    for channel in (sys.stdout, sys.stderr):
        with contextlib.suppress(OSError, ValueError, AttributeError):
            channel.flush()
    os._exit(0)


def answer(job: bytes) -> bytes:
    """Does a job: whether it could be done, and what came out of it or went wrong."""
    try:
        function, arguments, named = pickle.loads(job)
        return pickle.dumps((True, function(*arguments, **named)))
    except Exception as error:
        error.add_note("".join(traceback.format_exception(error)))
        try:
            told = pickle.dumps((False, error))
            pickle.loads(told)
        except Exception:
            told = pickle.dumps((False, RuntimeError(f"{type(error).__name__}: {error}")))
        return told


def job_of(function: Callable[..., Any], *arguments: Any, **named: Any) -> bytes:
    """A job for `answer`."""
    return pickle.dumps((function, arguments, named))


def result_of(told: bytes) -> Any:
    """Returns or raises what an answer says."""
    is_done, result = pickle.loads(told)
    if not is_done:
        raise result
    return result


# --- in the one that starts it ------------------------------------------------------------------


class Worker:
    """A process that does one job at a time; it loads the program's main module as `__mp_main__`, as
    those of `multiprocessing` do, so that players which a program registers are known there too."""

    def __init__(self, pass_fds: Sequence[int] = ()) -> None:
        """`pass_fds` are files that it inherits, on systems where that is possible."""
        if _preparing:
            raise SintraError('a program that uses several processes does its work below `if __name__ == "__main__":`')
        self._popen = start_life(__name__, pass_fds)
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._jobs, self._answers = self._popen.stdin, self._popen.stdout
        self._end = weakref.finalize(self, end_process, self._popen)
        self._is_killed = False
        self.pid = self._popen.pid

    def do(self, function: Callable[P, R], *arguments: P.args, **named: P.kwargs) -> R:
        """Has a function called there, and returns or raises what it does."""
        job = pickle.dumps(job_of(function, *arguments, **named))
        try:
            self._jobs.write(job)
            self._jobs.flush()
            told: bytes = pickle.load(self._answers)
        except GONE as error:
            raise WorkerLostError("a process ended over its job") from error
        result: R = result_of(told)
        return result

    def is_alive(self) -> bool:
        """Whether it has neither ended nor been killed: on a busy machine, a killed process takes a while to end."""
        return not self._is_killed and self._popen.poll() is None

    def terminate(self) -> None:
        """Asks the process to end."""
        self._popen.terminate()

    def kill(self) -> None:
        """Ends the process, whatever it does; who waits for its answer is told that it is lost."""
        self._is_killed = True
        self._popen.kill()

    def join(self, seconds: float = 1.0) -> None:
        """Waits a moment for the end of a killed process and closes the pipes."""
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
            self._end()


def end_process(popen: subprocess.Popen[bytes]) -> None:
    """Leaves nothing of a process behind."""
    popen.kill()
    for pipe in (popen.stdin, popen.stdout):
        if pipe is not None:
            with contextlib.suppress(OSError):
                pipe.close()
    with contextlib.suppress(subprocess.TimeoutExpired):
        popen.wait(1.0)


class Crew:
    """Some workers that do jobs at once; whoever leaves it ends them, whatever they do."""

    def __init__(self, size: int) -> None:
        self.size = size
        self._threads = ThreadPoolExecutor(size, "sintra crew")
        self._changing = threading.Lock()
        self._all: list[Worker] = []
        self._idle: list[Worker] = []
        self._closed = False

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Has a job done as soon as a worker is free."""
        return self._threads.submit(self._do, function, arguments)

    def _do(self, function: Callable[..., R], arguments: tuple[Any, ...]) -> R:
        with self._changing:
            if self._closed:
                raise WorkerLostError("the work was given up")
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
