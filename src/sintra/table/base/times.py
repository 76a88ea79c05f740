"""Times as the table writes them, and the time that passes while it is open."""

from __future__ import annotations

import asyncio
import time
from collections.abc import Callable
from datetime import UTC, datetime
from functools import lru_cache
from typing import Protocol


def time_now() -> str:
    """The time in UTC, as it is written in logs."""
    seconds, milliseconds = divmod(time.time_ns() // 1_000_000, 1000)
    return f"{_time_at(seconds)}.{milliseconds:03}Z"


@lru_cache(maxsize=1)
def _time_at(seconds: int) -> str:
    """A Unix time as text, in UTC: written once for all events of a second."""
    return datetime.fromtimestamp(seconds, UTC).strftime("%Y-%m-%dT%H:%M:%S")


class Timer(Protocol):
    """Something that is to be done later."""

    def cancel(self) -> None:
        """It is not to be done any more."""


class Ticks:
    """The time that passes for the table: not while it is closed, nor while its machine sleeps."""

    def now(self) -> float:
        """Seconds since some moment."""
        return time.monotonic()

    def after(self, seconds: float, do: Callable[[], None]) -> Timer:
        """Has something done when so many seconds have passed."""
        return asyncio.get_running_loop().call_later(seconds, do)


class Stopwatch:
    """How long something has been running; it stands at nothing until it is started."""

    def __init__(self, ticks: Ticks | None = None) -> None:
        self._ticks = ticks or Ticks()
        self._since: float | None = None

    @property
    def is_running(self) -> bool:
        """Whether it was started."""
        return self._since is not None

    @property
    def milliseconds(self) -> int:
        """How long it has been running."""
        return 0 if self._since is None else int(1000 * (self._ticks.now() - self._since))

    def start(self) -> None:
        """Runs from now on, or runs on."""
        if self._since is None:
            self._since = self._ticks.now()

    def reset(self) -> None:
        """Stands at nothing."""
        self._since = None
