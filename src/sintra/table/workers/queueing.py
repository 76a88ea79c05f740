"""The queue of thinking jobs, for the worker processes of a service and for a cluster."""

from __future__ import annotations

import asyncio
import heapq
import itertools
import time
from collections.abc import Awaitable, Callable
from typing import Any, Final

LONG_JOB_S: Final = 0.2
"""Seconds above which a job counts as long."""
MAX_WAITING: Final = 500
"""How many jobs may wait."""
_DUE_FACTOR: Final = 3
"""A job is due after so many times its own length; what is due first goes first."""


class ThinkingError(Exception):
    """A computer found no move."""


class BusyError(ThinkingError):
    """The queue of jobs is full."""


class JobQueue:
    """A priority queue before a few workers: short jobs overtake long ones that came a little earlier, and long
    ones never occupy the last of several workers."""

    def __init__(self, size: int, think: Callable[[Any], Awaitable[Any]], most: int = MAX_WAITING) -> None:
        """`think` runs a job; at most `size` run at a time, and at most `most` wait."""
        self.size = size
        self.busy = 0
        self._think = think
        self._most = most
        self._waiting: list[tuple[float, int, float, Any, asyncio.Future[Any]]] = []
        self._slow = 0
        self._order = itertools.count()
        self._tasks: set[asyncio.Task[None]] = set()
        self._closed = False

    @property
    def waiting(self) -> int:
        """How many jobs wait."""
        return len(self._waiting)

    async def ask(self, job: Any, seconds: float) -> Any:
        """Runs a job of about so many seconds when its turn comes."""
        if len(self._waiting) >= self._most:
            raise BusyError("too many jobs wait")
        future: asyncio.Future[Any] = asyncio.get_running_loop().create_future()
        due = time.monotonic() + _DUE_FACTOR * seconds
        heapq.heappush(self._waiting, (due, next(self._order), seconds, job, future))
        self._pump()
        return await future

    def close(self) -> None:
        """Cancels everything that waits."""
        self._closed = True
        for *_, future in self._waiting:
            future.cancel()
        self._waiting.clear()

    def _pump(self) -> None:
        """Starts jobs while there are free workers."""
        held = []
        while self.busy < self.size and self._waiting:
            entry = heapq.heappop(self._waiting)
            _, _, seconds, job, future = entry
            if future.done():
                continue
            is_slow = seconds > LONG_JOB_S
            if is_slow and self.size > 1 and self._slow >= self.size - 1:
                held.append(entry)
                continue
            self.busy += 1
            self._slow += is_slow
            task = asyncio.get_running_loop().create_task(self._do(job, future, is_slow))
            self._tasks.add(task)
            task.add_done_callback(self._tasks.discard)
        for entry in held:
            heapq.heappush(self._waiting, entry)

    async def _do(self, job: Any, future: asyncio.Future[Any], is_slow: bool) -> None:
        try:
            answer = await self._think(job)
        except Exception as error:
            if not future.done():
                future.set_exception(error)
        else:
            if not future.done():
                future.set_result(answer)
        finally:
            self.busy -= 1
            self._slow -= is_slow
            if not self._closed:
                self._pump()
