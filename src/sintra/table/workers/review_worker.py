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
from dataclasses import dataclass, field
from functools import cache
from typing import Any, Final, NamedTuple, TypeVar

from sintra.processes.worker import WorkerLostError
from sintra.records.record import Record
from sintra.review import GameReview, ReviewBudget
from sintra.review.reviewing import Reviewer, review_steps
from sintra.review.sketch import Sketch, sketching
from sintra.table.workers.restarting_worker import (
    BACKGROUND_NICENESS,
    RestartingWorker,
    lower_priority,
    use_non_blocking_output,
)
from sintra.tabletop.moves import Move

R = TypeVar("R")

SLICE_S: Final = 0.5
"""Seconds for which a review is continued at a time, before the worker reports how far it is."""
IDLE_TIMEOUT_S: Final = 60.0
"""Seconds without a job after which the worker ends."""


class ReviewLostError(Exception):
    """The worker failed or died while reviewing."""


# --- in the worker ------------------------------------------------------------------------------


@dataclass(slots=True)
class _Progress:
    """A review in progress."""

    key: str
    sketching: Generator[Sketch, None, None]
    steps: Generator[None, None, GameReview]
    sketch: Sketch = field(default_factory=Sketch)
    share: float = 0.0

    def step(self) -> None:
        """Makes one step: first the sketch is made, then the review; raises `StopIteration` with it."""
        found = next(self.sketching, None)
        if found is None:
            next(self.steps)
        else:
            self.sketch = found


class Advanced(NamedTuple):
    """How far a review has come."""

    share: float
    """The share that is done."""
    made: str | None
    """Its JSON, once complete."""
    sketch: Sketch
    """What the first quick look has seen."""


_current: _Progress | None = None
"""The review in progress, if there is one."""


def _run_here(function: Callable[..., R], *arguments: Any) -> R:
    """Runs a job in a process of this machine, where it must not slow down the service."""
    use_non_blocking_output()
    lower_priority(BACKGROUND_NICENESS)
    return function(*arguments)


def advance_review(key: str, record_text: str, budget: ReviewBudget, seconds: float) -> Advanced:
    """Starts a review or continues it for so many seconds."""
    global _current  # noqa: PLW0603
    if _current is None or _current.key != key:
        _current = _begin(key, record_text, budget)
    progress = _current
    deadline = time.monotonic() + seconds
    try:
        progress.step()
        while time.monotonic() < deadline:
            progress.step()
    except StopIteration as done:
        _current = None
        return Advanced(1.0, json.dumps(done.value.to_dict()), progress.sketch)
    except Exception:
        _current = None
        raise
    return Advanced(progress.share, None, progress.sketch)


def cost_of(record_text: str, ply: int, token: str, budget: ReviewBudget) -> float:
    """What a move would have given away of a win at a turn of a game (`Reviewer.cost`)."""
    return _reviewer(budget).cost(Record.loads(record_text).replay(ply), Move.parse(token))


@cache
def _reviewer(budget: ReviewBudget) -> Reviewer:
    """The reviewer of single moves, which remembers the positions it has judged."""
    return Reviewer(budget)


def _begin(key: str, record_text: str, budget: ReviewBudget) -> _Progress:
    def note(share: float) -> None:
        progress.share = share

    record = Record.loads(record_text)
    progress = _Progress(key, sketching(record, budget.sims), review_steps(record, budget, note))
    return progress


# --- in the service -----------------------------------------------------------------------------


class ReviewWorker:
    """The worker that makes reviews, one at a time; started when the first is requested."""

    def __init__(self, budget: ReviewBudget | None = None) -> None:
        self.budget = budget or ReviewBudget()
        self._worker = self._new_worker()
        self._thread = ThreadPoolExecutor(1, "review")
        self._under_way = 0
        self._idle_timer: asyncio.TimerHandle | None = None

    def _new_worker(self) -> Any:
        """The worker, started with its first job."""
        return RestartingWorker("the review worker is closed")

    async def _run(self, function: Callable[..., R], *arguments: Any) -> R:
        """Runs a job in the worker."""
        loop = asyncio.get_running_loop()
        return await loop.run_in_executor(self._thread, lambda: self._worker.do(_run_here, function, *arguments))

    async def advance(self, key: str, record_text: str) -> Advanced:
        """Starts the review of a record or continues it for `SLICE_S`; returns how far it has come. The caller
        repeats the call with the same key and text until the JSON comes; a call with another key discards the review
        in progress. If the worker dies, the next call starts the review again."""
        return await self._do(advance_review, key, record_text, self.budget, SLICE_S)

    async def cost(self, record_text: str, ply: int, token: str) -> float:
        """What a move would have given away of a win at a turn of a record; a review in progress goes on later."""
        return await self._do(cost_of, record_text, ply, token, self.budget)

    async def _do(self, function: Callable[..., R], *arguments: Any) -> R:
        """Runs a job in the worker, which stays for `IDLE_TIMEOUT_S` after the last one."""
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._under_way += 1
        try:
            return await self._run(function, *arguments)
        except WorkerLostError:
            raise ReviewLostError("the review worker died") from None
        except Exception as error:
            raise ReviewLostError(f"{type(error).__name__} while a game was reviewed") from error
        finally:
            self._under_way -= 1
            if not self._under_way and not self._worker.closed:
                self._idle_timer = asyncio.get_running_loop().call_later(IDLE_TIMEOUT_S, self._worker.stop)

    def close(self) -> None:
        """Ends the worker for good."""
        self._worker.close()
        if self._idle_timer is not None:
            self._idle_timer.cancel()
        self._worker.join()
        self._thread.shutdown(wait=False, cancel_futures=True)
