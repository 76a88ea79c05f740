"""The worker process that reviews games, with the lowest priority.

A review takes half a minute of a processor, and some of its steps take seconds, so it is not a job for the thinkers,
where a computer's move would wait for it. The worker ends when there is nothing left to review.
"""

from __future__ import annotations

import asyncio
import json
import time
from collections.abc import Callable, Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from sintra.processes.worker import WorkerLostError
from sintra.records.record import Record
from sintra.review import GameReview, ReviewBudget
from sintra.review.reviewing import Reviewer, reviewing
from sintra.table.workers.worker_process import LOWEST, WorkerProcess, let_others_go_first, use_non_blocking_output
from sintra.tabletop.moves import Move

R = TypeVar("R")

REPORT_AFTER_S: Final = 0.5
"""Seconds after which the worker reports how far a review is."""
IDLE_TIMEOUT_S: Final = 60.0
"""Seconds without a job after which the worker ends."""


class ReviewLostError(Exception):
    """The worker failed or died while reviewing."""


# --- in the worker ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Work:
    """A review in progress."""

    key: str
    steps: Generator[None, None, GameReview]
    share: float = 0.0


_work: list[_Work] = []
"""The review in progress, if there is one."""


def _advance(*job: Any) -> tuple[float, str | None]:
    """Runs `advance_review` in the worker."""
    use_non_blocking_output()
    let_others_go_first(LOWEST)
    return advance_review(*job)


def advance_review(key: str, text: str, budget: ReviewBudget, seconds: float) -> tuple[float, str | None]:
    """Starts a review or continues it for so many seconds; returns the share done, and its JSON once complete."""
    if not _work or _work[0].key != key:
        _work[:] = [_begin(key, text, budget)]
    work = _work[0]
    until = time.monotonic() + seconds
    try:
        next(work.steps)
        while time.monotonic() < until:
            next(work.steps)
    except StopIteration as done:
        _work.clear()
        return 1.0, json.dumps(done.value.to_dict())
    except Exception:
        _work.clear()
        raise
    return work.share, None


def _cost(*job: Any) -> float:
    """Runs `cost_of` in the worker."""
    use_non_blocking_output()
    let_others_go_first(LOWEST)
    return cost_of(*job)


def cost_of(text: str, ply: int, token: str, budget: ReviewBudget) -> float:
    """What a move would have given away of a win at a turn of a game, as a review judges it."""
    return _reviewer(budget).cost(Record.loads(text).replay(ply), Move.parse(token))


@cache
def _reviewer(budget: ReviewBudget) -> Reviewer:
    """The reviewer of single moves, which remembers the positions it has judged."""
    return Reviewer(budget)


def _begin(key: str, text: str, budget: ReviewBudget) -> _Work:
    def note(share: float) -> None:
        work.share = share

    work = _Work(key, reviewing(Record.loads(text), budget, note))
    return work


# --- in the service -----------------------------------------------------------------------------


class ReviewWorker:
    """The worker that makes reviews, one at a time; started when the first is requested."""

    def __init__(self, budget: ReviewBudget | None = None) -> None:
        self.budget = budget or ReviewBudget()
        self._worker = WorkerProcess("the review worker is closed")
        self._thread = ThreadPoolExecutor(1, "review")
        self._under_way = 0
        self._leaving: asyncio.TimerHandle | None = None

    async def advance(self, key: str, text: str) -> tuple[float, str | None]:
        """Continues the review of a record for a while; returns the share that is done, and its JSON once complete. If
        the worker dies, the review starts again with the next call."""
        return await self._do(_advance, key, text, self.budget, REPORT_AFTER_S)

    async def cost(self, text: str, ply: int, token: str) -> float:
        """What a move would have given away of a win at a turn of a record; a review in progress goes on later."""
        return await self._do(_cost, text, ply, token, self.budget)

    async def _do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Runs a job in the worker, which stays for `IDLE_TIMEOUT_S` after the last one."""
        loop = asyncio.get_running_loop()
        if self._leaving is not None:
            self._leaving.cancel()
        self._under_way += 1
        try:
            return await loop.run_in_executor(self._thread, lambda: self._worker.do(function, *arguments))
        except WorkerLostError:
            raise ReviewLostError("the review worker died") from None
        except Exception as error:
            raise ReviewLostError(f"{type(error).__name__} while a game was reviewed") from error
        finally:
            self._under_way -= 1
            if not self._under_way and not self._worker.closed:
                self._leaving = loop.call_later(IDLE_TIMEOUT_S, self._worker.end_process)

    def close(self) -> None:
        """Ends the worker for good."""
        self._worker.kill()
        if self._leaving is not None:
            self._leaving.cancel()
        self._worker.join()
        self._thread.shutdown(wait=False, cancel_futures=True)
