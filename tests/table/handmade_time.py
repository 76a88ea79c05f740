"""Time that passes when a test says so."""

from __future__ import annotations

from collections.abc import Callable

from sintra.table.base.times import Ticks


class HandmadeTimer:
    """Something that is to be done at a moment."""

    def __init__(self, at: float, do: Callable[[], None]) -> None:
        self.at = at
        self.do = do
        self.cancelled = False

    def cancel(self) -> None:
        self.cancelled = True


class HandmadeTime(Ticks):
    """Time stands still until it is let pass."""

    def __init__(self) -> None:
        self.seconds = 1000.0
        self.timers: list[HandmadeTimer] = []

    def now(self) -> float:
        return self.seconds

    def after(self, seconds: float, do: Callable[[], None]) -> HandmadeTimer:
        self.timers.append(HandmadeTimer(self.seconds + seconds, do))
        return self.timers[-1]

    def due(self) -> list[HandmadeTimer]:
        """What is to be done by now, taken out of the list."""
        due = [one for one in self.timers if one.at <= self.seconds and not one.cancelled]
        self.timers = [one for one in self.timers if one.at > self.seconds and not one.cancelled]
        return due
