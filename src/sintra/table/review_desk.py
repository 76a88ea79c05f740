"""Where games are reviewed: one process of its own, which lets everybody else go first.

A review takes half a minute of a processor, and some of its steps take seconds, so it has no place among the thinkers:
whoever waits for a computer's move would wait for it. The process has the lowest priority there is, the operating
system interrupts it whenever somebody else has something to do, and it ends when there is nothing left to review.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import threading
import time
from collections.abc import Generator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from typing import Any, Final

from sintra.records.record import Record
from sintra.review import GameReview, ReviewBudget
from sintra.review.reviewing import reviewing
from sintra.table.voice import free_voices
from sintra.workers import Worker, WorkerLostError

MOMENT: Final = 0.5
"""Seconds after which a process tells how far it is."""
LONGEST: Final = 300.0
"""A process that tells nothing for so many seconds is taken to be lost."""
IDLE: Final = 60.0
"""Seconds without a review after which the process ends."""
LOWEST: Final = 19


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
_for_life: Final = contextlib.ExitStack()


@cache
def _settle_down() -> None:
    """Nobody has to read what the process says, and it lets everybody else go first."""
    _for_life.enter_context(free_voices())
    if hasattr(os, "nice"):
        os.nice(LOWEST)


def _go_on(*job: Any) -> tuple[float, str | None]:
    """Goes on with a review in a process apart."""
    _settle_down()
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


def _begin(key: str, text: str, budget: ReviewBudget) -> _Work:
    def note(share: float) -> None:
        work.share = share

    work = _Work(key, reviewing(Record.loads(text), budget, note))
    return work


# --- in the service -----------------------------------------------------------------------------


class ReviewDesk:
    """The process that makes reviews, one at a time; there is none until the first is asked for."""

    def __init__(self, budget: ReviewBudget | None = None) -> None:
        self.budget = budget or ReviewBudget()
        self._process: Worker | None = None
        self._changing = threading.Lock()
        self._closed = False
        self._thread = ThreadPoolExecutor(1, "review")
        self._leaving: asyncio.TimerHandle | None = None

    async def go_on(self, key: str, text: str) -> tuple[float, str | None]:
        """Has the review of a record gone on with for a moment: how much of it is done, and the whole as JSON when
        all is. A process that dies over it loses what it had done; the next moment begins anew."""
        loop = asyncio.get_running_loop()
        if self._leaving is not None:
            self._leaving.cancel()
        try:
            return await loop.run_in_executor(self._thread, self._do, key, text)
        except WorkerLostError:
            raise ReviewLostError("the process that reviews was lost") from None
        except Exception as error:
            raise ReviewLostError(f"{type(error).__name__} while a game was reviewed") from error
        finally:
            if not self._closed:
                self._leaving = loop.call_later(IDLE, self._end)

    def _do(self, key: str, text: str) -> tuple[float, str | None]:
        process = self._running()
        late = threading.Timer(LONGEST, process.kill)
        late.daemon = True
        late.start()
        try:
            return process.do(_go_on, key, text, self.budget, MOMENT)
        finally:
            late.cancel()

    def _running(self) -> Worker:
        with self._changing:
            if self._closed:
                raise WorkerLostError("nothing is reviewed any more")
            if self._process is None or not self._process.is_alive():
                try:
                    self._process = Worker()
                except OSError as error:
                    raise WorkerLostError("no process can be started") from error
            return self._process

    def _end(self) -> None:
        """Ends the process, whatever it does."""
        with self._changing:
            process, self._process = self._process, None
        if process is not None:
            process.kill()
            process.join()

    def close(self) -> None:
        """Ends the process, and lets no other begin."""
        self._closed = True
        if self._leaving is not None:
            self._leaving.cancel()
        self._end()
        self._thread.shutdown(wait=False, cancel_futures=True)
