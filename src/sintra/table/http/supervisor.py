"""One table in several processes of one machine, which accept from the same listener.

The one that supervises them serves nobody. It starts them, starts another one where one has died, and ends them all; a
process that finds its supervisor gone ends by itself.
"""

from __future__ import annotations

import asyncio
import contextlib
import logging
import os
import signal
import socket
import sys
import threading
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from typing import Any, Final

from sintra.errors import SintraError
from sintra.processes.worker import Worker, WorkerLostError
from sintra.table.base.log import LOGGER, logging_to
from sintra.table.base.output import non_blocking_output
from sintra.table.games.opening import is_shared
from sintra.table.http.network import Network
from sintra.table.http.server import Settings, addresses_of, bind, serve, url_of
from sintra.table.workers.thinkers import default_size

_MIN_LIFETIME_S: Final = 10.0
"""Seconds; the successor of a process that has served for less is started after a delay."""
_RESTART_DELAYS_S: Final = (1.0, 2.0, 4.0, 8.0, 16.0, 30.0)
"""Seconds of delay after the first such death in a row, the second, and so on; the last one is repeated."""
_STOP_TIMEOUT_S: Final = 30.0
"""Seconds that a process has to finish its requests before it is killed."""


def serve_many(settings: Settings, on_ready: Callable[[str, list[str]], None]) -> None:
    """Runs a table in several processes until it is told to stop; `on_ready` is called when all of them listen."""
    if sys.platform == "win32":
        raise SintraError("--workers: on Windows processes cannot share a port; leave it out, one process will do")
    if not is_shared(settings.database):
        raise SintraError(
            "--workers needs a database that processes share (--database postgresql://…): an SQLite file belongs to "
            "one process, which alone knows who is at its tables and whose clock runs"
        )
    if settings.network:
        raise SintraError("--network is for one process: with --workers listen on the network by --host 0.0.0.0")
    thinkers = settings.thinkers or max(1, default_size() // settings.workers)
    each = [replace(settings, process=k, thinkers=thinkers) for k in range(settings.workers)]
    with contextlib.closing(bind(settings.host, settings.port)) as listener:
        supervise(each, listener, on_ready)


def supervise(each: Sequence[Settings], listener: socket.socket, on_ready: Callable[[str, list[str]], None]) -> None:
    """Runs a process for each of the settings; all of them accept from one listener."""
    with logging_to(logging.StreamHandler()) if any(one.logs for one in each) else contextlib.nullcontext():
        asyncio.run(_Supervisor(each, listener).run(on_ready))


# --- in the one that supervises -----------------------------------------------------------------


class _Supervisor:
    """Keeps processes alive until it is told to stop."""

    def __init__(self, each: Sequence[Settings], listener: socket.socket) -> None:
        self._each = each
        self._listener = listener
        self._threads = ThreadPoolExecutor(len(each), "supervisor")
        self._workers: dict[int, Worker] = {}
        self._ready = [asyncio.Event() for _ in each]
        self._ready_at: dict[int, float] = {}
        self._replaced: set[int] = set()
        self._stopping = asyncio.Event()
        self._has_begun = False
        self._failure: str | None = None
        self._rolling: asyncio.Task[None] | None = None

    async def run(self, on_ready: Callable[[str, list[str]], None]) -> None:
        """Until SIGINT or SIGTERM; SIGHUP replaces the processes one by one. If one cannot start at the beginning,
        none is left, and it is raised why."""
        self._hear()
        keepers = [asyncio.create_task(self._keep(number)) for number in range(len(self._each))]
        ready = asyncio.create_task(self._all_ready())
        stop = asyncio.create_task(self._stopping.wait())
        awaited: list[asyncio.Future[Any]] = [ready, stop, *keepers]
        try:
            await asyncio.wait(awaited, return_when=asyncio.FIRST_COMPLETED)
            if ready.done() and not stop.done():
                self._has_begun = True
                settings, port = self._each[0], self._listener.getsockname()[1]
                on_ready(url_of(settings, port), Network(port, addresses_of(settings)).links)
                await asyncio.wait(awaited[1:], return_when=asyncio.FIRST_COMPLETED)
        finally:
            await self._end(keepers)
            for task in (ready, stop):
                task.cancel()
        if self._failure is not None:
            raise SintraError(self._failure)
        for keeper in keepers:
            keeper.result()

    async def _all_ready(self) -> None:
        for one in self._ready:
            await one.wait()

    def _hear(self) -> None:
        loop = asyncio.get_running_loop()
        for one in (signal.SIGINT, signal.SIGTERM):
            loop.add_signal_handler(one, self._stopping.set)
        if not os.isatty(0):  # a terminal says by SIGHUP that it is closed
            loop.add_signal_handler(signal.SIGHUP, self._begin_rolling)

    async def _end(self, keepers: Sequence[asyncio.Task[None]]) -> None:
        """Lets every process finish its requests, and waits for that."""
        self._stopping.set()
        if self._rolling is not None:
            self._rolling.cancel()
        for worker in self._workers.values():
            worker.terminate()
        await asyncio.wait(keepers, timeout=_STOP_TIMEOUT_S)
        for worker in self._workers.values():
            worker.kill()
        await asyncio.wait(keepers)
        self._threads.shutdown()

    async def _keep(self, number: int) -> None:
        """Runs a process and its successors; after deaths in quick succession the delays grow."""
        deaths = 0
        while not self._stopping.is_set():
            why = await self._run_worker(number)
            if self._stopping.is_set():
                return
            if not self._has_begun:
                self._failure = why
                self._stopping.set()
                return
            if number in self._replaced:
                self._replaced.discard(number)
                deaths = 0
                continue
            served = time.monotonic() - self._ready_at.pop(number, time.monotonic())
            deaths = 0 if served > _MIN_LIFETIME_S else deaths + 1
            pause = _RESTART_DELAYS_S[min(deaths, len(_RESTART_DELAYS_S)) - 1] if deaths else 0.0
            LOGGER.error({"what": "process ended", "why": why, "process": number, "again_after_s": pause})
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(self._stopping.wait(), pause)

    async def _run_worker(self, number: int) -> str:
        """Runs one process; returns why it ended."""
        loop = asyncio.get_running_loop()
        told, tells = os.pipe()
        try:
            worker = self._workers[number] = Worker(pass_fds=(self._listener.fileno(), tells))
        except OSError as error:
            os.close(told)
            return f"no process can be started: {error.strerror or error}"
        finally:
            os.close(tells)
        loop.add_reader(told, self._note_ready, number, told)
        try:
            await loop.run_in_executor(
                self._threads, worker.do, _serve_apart, self._each[number], self._listener.fileno(), tells
            )
        except WorkerLostError:
            return "a process of the table was lost"
        except Exception as error:
            return str(error)
        finally:
            loop.remove_reader(told)
            os.close(told)
            self._ready[number].clear()
            del self._workers[number]
            worker.kill()
            worker.join()
        return "a process of the table was told to stop"

    def _note_ready(self, number: int, told: int) -> None:
        asyncio.get_running_loop().remove_reader(told)
        if os.read(told, 1):
            self._ready_at[number] = time.monotonic()
            self._ready[number].set()

    def _begin_rolling(self) -> None:
        if self._has_begun and (self._rolling is None or self._rolling.done()):
            self._rolling = asyncio.create_task(self._roll())

    async def _roll(self) -> None:
        """Replaces one process after the other; the next one only when the successor of this one listens."""
        for number, ready in enumerate(self._ready):
            if (worker := self._workers.get(number)) is not None:
                self._replaced.add(number)
                ready.clear()
                worker.terminate()
            await ready.wait()


# --- in a process that serves -------------------------------------------------------------------


def _serve_apart(settings: Settings, listener: int, tells: int) -> None:
    """Serves with an inherited listener; writes a byte when it listens."""
    threading.Thread(target=_end_with_starter, daemon=True).start()

    def tell(address: str, links: list[str]) -> None:
        os.write(tells, b".")
        os.close(tells)

    with non_blocking_output():
        serve(settings, tell, socket.socket(fileno=listener))


def _end_with_starter() -> None:
    """Ends this process when the one that started it is gone: nothing more comes through its pipe."""
    while os.read(0, 1):
        pass
    os.kill(os.getpid(), signal.SIGTERM)
    time.sleep(_STOP_TIMEOUT_S)
    os._exit(1)
