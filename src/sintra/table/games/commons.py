"""What the processes that serve one table share while they run, beside the log: news of each other, who is at which
game, clocks, tasks that one of them does for all, and how much somebody has asked for.

Nothing of it decides what is true of a game, which the log does: it may be late, or lost with the server that keeps it.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final, Protocol

from sintra.table.times import Ticks

MOST_ASKERS: Final = 10_000
"""So many who ask for one thing are remembered; those who have not asked for longest are forgotten."""


@dataclass(frozen=True, slots=True)
class Hearing:
    """What a process does when it hears of another: `event` (a game and the number of an event) was written there,
    people at a game came or went there (`presence`), or something may have been `missed`."""

    event: Callable[[str, int], None]
    presence: Callable[[str], None]
    missed: Callable[[], None]


@dataclass(frozen=True, slots=True)
class Elsewhere:
    """Who is at a game with other processes: seats, and how many spectators. `away` are the seconds for which each
    seat has been away from all of them while the other stayed; None where that does not count."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0
    away: tuple[float | None, float | None] = (None, None)


@dataclass(frozen=True, slots=True)
class Attendance:
    """Who is at a game with this process: the seats and how many spectators. `counts`: the game is one whose players
    may not stay away."""

    seats: frozenset[int] = frozenset()
    spectators: int = 0
    counts: bool = False

    @property
    def is_empty(self) -> bool:
        """Whether nobody is there."""
        return not self.seats and not self.spectators


class Commons(Protocol):
    """What processes share. A call may raise StorageError while what they share is away."""

    async def open(self, hearing: Hearing) -> None:
        """Begins to listen to the others."""
        ...

    async def attend(self, game: str, here: Attendance) -> Elsewhere:
        """Says who is at a game with this process, and is told who is elsewhere. The others hear of it if that is
        new. A seat's absence begins anew when somebody comes or goes."""
        ...

    async def clock(self, game: str, seq: int, start: bool) -> float | None:
        """For how many seconds the time after an event has been running; None if it stands still, unless it is to
        `start` now. What ran when the last of all processes ended stands still."""
        ...

    async def take(self, task: str) -> bool:
        """Whether this process, and no other, is to do something, until it leaves it or ends."""
        ...

    async def leave(self, task: str) -> None:
        """Somebody else may do it."""
        ...

    async def note_review(self, key: str, share: float | None, ahead: int = 0) -> None:
        """How far this process is with a review, and how many it makes before; `None` when it is none of its any
        more."""
        ...

    async def noted_review(self, key: str) -> tuple[float, int] | None:
        """How far another process is with a review, if one makes it."""
        ...

    async def noted_reviews(self) -> int:
        """How many reviews other processes make or are going to."""
        ...

    async def draw(self, what: str, who: str, a_minute: float, at_once: int) -> tuple[int, float]:
        """How many requests somebody may make now, which then count as made: some of those that they have left, or
        none, and in how many seconds there will be one. There are so many `a_minute`, and at most so many `at_once`."""
        ...

    async def close(self) -> None:
        """Nobody of this process is at any game any more, and it does nothing for all."""
        ...


class Alone:
    """What a single process shares with itself."""

    def __init__(self, ticks: Ticks | None = None) -> None:
        self._ticks = ticks or Ticks()
        self._here: dict[str, Attendance] = {}
        self._away: dict[tuple[str, int], float] = {}
        self._left: dict[str, OrderedDict[str, tuple[float, float]]] = {}

    async def open(self, hearing: Hearing) -> None:
        """There is nobody to hear of."""

    async def attend(self, game: str, here: Attendance) -> Elsewhere:
        """See `Commons`."""
        now = self._ticks.now()
        if self._here.get(game, Attendance()).seats != here.seats:
            self._forget(game)
        for seat in (0, 1):
            if here.counts and seat not in here.seats and 1 - seat in here.seats:
                self._away.setdefault((game, seat), now)
            else:
                self._away.pop((game, seat), None)
        if here.is_empty:
            self._here.pop(game, None)
            self._forget(game)
        else:
            self._here[game] = here
        first, second = (self._away.get((game, seat)) for seat in (0, 1))
        return Elsewhere(away=(None if first is None else now - first, None if second is None else now - second))

    def _forget(self, game: str) -> None:
        for seat in (0, 1):
            self._away.pop((game, seat), None)

    async def clock(self, game: str, seq: int, start: bool) -> float | None:
        """See `Commons`: a game that is not in memory any more has nobody whose time runs."""
        return 0.0 if start else None

    async def take(self, task: str) -> bool:
        """See `Commons`."""
        return True

    async def leave(self, task: str) -> None:
        """See `Commons`."""

    async def note_review(self, key: str, share: float | None, ahead: int = 0) -> None:
        """See `Commons`."""

    async def noted_review(self, key: str) -> tuple[float, int] | None:
        """See `Commons`."""
        return None

    async def noted_reviews(self) -> int:
        """See `Commons`."""
        return 0

    async def draw(self, what: str, who: str, a_minute: float, at_once: int) -> tuple[int, float]:
        """See `Commons`; one at a time."""
        now = self._ticks.now()
        askers = self._left.setdefault(what, OrderedDict())
        left, then = askers.pop(who, (float(at_once), now))
        left = min(float(at_once), left + (now - then) * a_minute / 60)
        enough = left >= 1
        askers[who] = (left - enough, now)
        if len(askers) > MOST_ASKERS:
            askers.popitem(last=False)
        return int(enough), 0.0 if enough else (1 - left) * 60 / a_minute

    async def close(self) -> None:
        """See `Commons`."""
