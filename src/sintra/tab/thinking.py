"""Thinking and reviewing in other workers of the page, in the place of processes."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final, TypeVar

from sintra.players.champion import TREES
from sintra.processes.worker import WorkerLostError, job_result, pickle_job
from sintra.tab.browser import Browser, ThinkingWorker
from sintra.tab.halves import CHAMPION, chosen, explore
from sintra.table.workers.queueing import ThinkingError
from sintra.table.workers.review_worker import ReviewWorker
from sintra.table.workers.thinkers import ATTEMPTS, Thinkers, ThinkingJob, choose_move

R = TypeVar("R")

IDLE_S: Final = 60.0
"""The seconds after which the worker for reviews, which also lends the champion a hand, is ended."""
THINKERS: Final = 1
"""Workers that think for games: each has a Python of its own, which takes memory and a second to start."""


class PageWorker:
    """Keeps one worker of the page available: starts it with the first job and replaces it when it dies."""

    def __init__(self, browser: Browser, idle_s: float | None = None) -> None:
        """`idle_s`: it is ended when it had nothing to do for so many seconds, and its memory with it."""
        self._browser = browser
        self._idle_s = idle_s
        self._worker: ThinkingWorker | None = None
        self._running = 0
        self._ending: asyncio.TimerHandle | None = None
        self.closed = False

    async def do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Runs a job; raises `WorkerLostError` if the worker dies."""
        if self.closed:
            raise WorkerLostError("the table is closed")
        if self._worker is None:
            self._worker = self._browser.open_worker()
        if self._ending:
            self._ending.cancel()
        self._running += 1
        try:
            reply = (await self._worker.run(pickle_job(function, *arguments))).to_bytes()
        except Exception as error:
            self.stop()
            raise WorkerLostError("a worker died while running a job") from error
        finally:
            self._running -= 1
            if self._idle_s is not None and not self._running:
                self._ending = asyncio.get_running_loop().call_later(self._idle_s, self.stop)
        result: R = job_result(reply)
        return result

    async def think(self, job: ThinkingJob) -> Any:
        """Runs a job of a thinker; if the worker dies, another one repeats it."""
        for _ in range(ATTEMPTS):
            try:
                return await self.do(job.function, *job.arguments)
            except WorkerLostError:
                if self.closed:
                    break
            except Exception as error:
                raise ThinkingError(f"{type(error).__name__} while a computer was thinking") from error
        raise ThinkingError("workers die while thinking")

    def stop(self) -> None:
        """Ends the worker; the next job starts another one."""
        worker, self._worker = self._worker, None
        if worker is not None:
            worker.end()

    def close(self) -> None:
        """Ends the worker for good."""
        self.closed = True
        self.stop()

    def join(self) -> None:
        """Returns at once: a worker of a page ends when it is told to."""


class TabThinkers(Thinkers):
    """Thinkers that are workers of the page. Where there are two processors, the analyst lends the champion a hand."""

    def __init__(self, browser: Browser, analyst: PageWorker) -> None:
        self._browser = browser
        super().__init__(THINKERS)
        self._analyst: Any = analyst

    def _new_worker(self) -> Any:
        return PageWorker(self._browser)

    async def _run(self, worker: Any, job: ThinkingJob) -> Any:
        if self._browser.processors > 1 and job.function is choose_move and job.arguments[0] == CHAMPION:
            return await self._choose_with_two(worker, *job.arguments[1:])
        return await worker.think(job)

    async def _choose_with_two(self, worker: Any, *arguments: Any) -> str:
        """Has the trees of the champion searched at the same time."""
        jobs = [ThinkingJob(explore, (k, *arguments)) for k in range(TREES)]
        found = await asyncio.gather(*(one.think(job) for one, job in zip((worker, self._analyst), jobs, strict=True)))
        return chosen(arguments[1], found)


class TabReviewWorker(ReviewWorker):
    """A review worker that is a worker of the page."""

    def __init__(self, worker: PageWorker) -> None:
        self._page_worker = worker
        super().__init__()

    def _new_worker(self) -> PageWorker:
        return self._page_worker

    async def _run(self, function: Callable[..., R], *arguments: Any) -> R:
        return await self._page_worker.do(function, *arguments)
