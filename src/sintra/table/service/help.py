"""Help for the seat to move: hints, and the tutor's warnings."""

from __future__ import annotations

import asyncio
import contextlib
from collections.abc import Callable, Iterator
from typing import Any, Final

from sintra.errors import SintraError
from sintra.table.base.lru_cache import LruCache
from sintra.table.base.scheduler import Scheduler
from sintra.table.games import refusals
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import Frame
from sintra.table.service.visitors import Visitor
from sintra.table.shown.game import hinting
from sintra.table.shown.messages import AskTutor, Hint, TutorShown
from sintra.table.workers.queueing import BusyError, ThinkingError
from sintra.table.workers.thinkers import Thinkers

WARNING_COST: Final = 0.12
"""The tutor asks about moves that give away so much of a win: a little less than what a review calls a blunder, since
it looks at moves that end a round in fewer worlds."""
_MAX_HINTS: Final = 1000
"""How many hints are cached."""


class Help:
    """The help that players ask for during their games."""

    def __init__(self, thinkers: Thinkers, scheduler: Scheduler, keep: Callable[[asyncio.Task[Any]], None]) -> None:
        """`keep` keeps a background task until it is done."""
        self._thinkers = thinkers
        self._scheduler = scheduler
        self._keep = keep
        self._hints: LruCache[tuple[str, int], asyncio.Task[Hint]] = LruCache(_MAX_HINTS)

    async def hint(self, visitor: Visitor, seq: int) -> Hint:
        """Advice for the seat to move; each position is thought about once. There is none against a friend, who could
        not know whether the other is helped."""
        room = visitor.room
        if room.created.mode == "friend":
            raise RefusalError(409, "no_hints", "There are no hints in games against a friend.", seq=room.seq)
        _require_own_turn(visitor, seq)
        key = (room.id, seq)
        task = self._hints.get(key)
        if task is None or (task.done() and (task.cancelled() or task.exception())):
            task = self._hints[key] = asyncio.create_task(self._advise(room.now))
            self._keep(task)
        with _refusing_without_thinkers():
            return await asyncio.shield(task)

    async def _advise(self, frame: Frame) -> Hint:
        view = frame.view(frame.turn)
        return await self._scheduler.run(hinting(view, frame.seq, *await self._thinkers.advise(view)))

    async def tutor(self, visitor: Visitor, asked: AskTutor) -> TutorShown:
        """Whether a move of the seat to move would cost so much that a review would blame it. Only against the
        computer: nobody plays a person with a tutor at the table."""
        room = visitor.room
        if room.created.mode != "computer":
            raise RefusalError(409, "no_tutor", "The tutor helps in games against the computer only.", seq=room.seq)
        _require_own_turn(visitor, asked.seq)
        view = room.now.view(room.now.turn)
        try:
            view.legal_moves.require(asked.token)
        except SintraError as error:
            raise RefusalError(422, "illegal", str(error), seq=room.seq) from None
        if len(view.legal_moves) == 1:
            return TutorShown(asked.seq, asked.token, False, 0.0)
        with _refusing_without_thinkers():
            cost, chance = await self._thinkers.judge(view, asked.token)
        warns = cost >= WARNING_COST
        return TutorShown(asked.seq, asked.token, warns, min(1.0, cost / max(chance, cost)) if warns else 0.0)


def _require_own_turn(visitor: Visitor, seq: int) -> None:
    """Refuses help for a position that has passed, or to anybody but the seat to move."""
    room = visitor.room
    if seq != room.seq:
        raise refusals.stale(room.seq)
    if room.now.status != "playing" or room.now.turn not in visitor.seats:
        raise RefusalError(409, "not_your_turn", "Help is given to the player to move.", seq=room.seq)


@contextlib.contextmanager
def _refusing_without_thinkers() -> Iterator[None]:
    """Refuses what the computers have no time for, or fail at."""
    try:
        yield
    except BusyError:
        raise RefusalError(503, "busy", "The computer has much to look into: try again.", retry_after=5) from None
    except ThinkingError:
        raise RefusalError(503, "no_hint", "The computer has no hint right now: try again.") from None
