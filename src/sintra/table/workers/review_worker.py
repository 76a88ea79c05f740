"""Where games are reviewed: one process of its own, which lets everybody else go first.

A review takes half a minute of a processor, and some of its steps take seconds, so it has no place among the thinkers:
whoever waits for a computer's move would wait for it. The process has the lowest priority there is, the operating
system interrupts it whenever somebody else has something to do, and it ends when there is nothing left to review.
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

MOMENT: Final = 0.5
"""Seconds after which a process tells how far it is."""
IDLE: Final = 60.0
"""Seconds without a review after which the process ends."""


class ReviewLostError(Exception):
    """A review could not be made."""


# --- in the worker ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Work:
    """A review that is being made."""

    key: str
    steps: Generator[None, None, GameReview]
    share: float = 0.0


_work: list[_Work] = []
"""The one that is being made, if there is one."""


def _go_on(*job: Any) -> tuple[float, str | None]:
    """Goes on with a review in a process apart."""
    use_non_blocking_output()
    let_others_go_first(LOWEST)
    return review_on(*job)


def review_on(key: str, text: str, budget: ReviewBudget, moment: float) -> tuple[float, str | None]:
    """Goes on with a review for a moment, or begins it: how much is done, and the whole as JSON when all is."""
    if not _work or _work[0].key != key:
        _work[:] = [_begin(key, text, budget)]
    work = _work[0]
    until = time.monotonic() + moment
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


def _weigh(*job: Any) -> float:
    """Says what a move costs, in a process apart."""
    use_non_blocking_output()
    let_others_go_first(LOWEST)
    return cost_of(*job)


def cost_of(text: str, ply: int, token: str, budget: ReviewBudget) -> float:
    """What a move would have given away of a win at a turn of a game, as a review judges it."""
    return _reviewer(budget).cost(Record.loads(text).replay(ply), Move.parse(token))


@cache
def _reviewer(budget: ReviewBudget) -> Reviewer:
    """Who judges single moves; what was looked at for one of them is known when the next is asked about."""
    return Reviewer(budget)


def _begin(key: str, text: str, budget: ReviewBudget) -> _Work:
    def note(share: float) -> None:
        work.share = share

    work = _Work(key, reviewing(Record.loads(text), budget, note))
    return work


# --- in the service -----------------------------------------------------------------------------


class ReviewWorker:
    """The process that makes reviews, one at a time; there is none until the first is asked for."""

    def __init__(self, budget: ReviewBudget | None = None) -> None:
        self.budget = budget or ReviewBudget()
        self._worker = WorkerProcess("nothing is reviewed any more")
        self._thread = ThreadPoolExecutor(1, "review")
        self._under_way = 0
        self._leaving: asyncio.TimerHandle | None = None

    async def go_on(self, key: str, text: str) -> tuple[float, str | None]:
        """Has the review of a record gone on with for a moment: how much of it is done, and the whole as JSON when
        all is. A process that dies over it loses what it had done; the next moment begins anew."""
        return await self._do(_go_on, key, text, self.budget, MOMENT)

    async def cost(self, text: str, ply: int, token: str) -> float:
        """What a move would have given away of a win at a turn of a record; a review that is being made goes on
        afterwards."""
        return await self._do(_weigh, text, ply, token, self.budget)

    async def _do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Has something done in the process, which stays for a while after the last thing that was asked of it."""
        loop = asyncio.get_running_loop()
        if self._leaving is not None:
            self._leaving.cancel()
        self._under_way += 1
        try:
            return await loop.run_in_executor(self._thread, lambda: self._worker.do(function, *arguments))
        except WorkerLostError:
            raise ReviewLostError("the process that reviews was lost") from None
        except Exception as error:
            raise ReviewLostError(f"{type(error).__name__} while a game was reviewed") from error
        finally:
            self._under_way -= 1
            if not self._under_way and not self._worker.closed:
                self._leaving = loop.call_later(IDLE, self._worker.end_process)

    def close(self) -> None:
        """Ends the process, and lets no other begin."""
        self._worker.kill()
        if self._leaving is not None:
            self._leaving.cancel()
        self._worker.join()
        self._thread.shutdown(wait=False, cancel_futures=True)
