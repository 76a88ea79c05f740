"""Studies at the table: positions that somebody looks into, apart from the games that are played.

A study is stateless: it is asked for with everything that it needs. Only what the asker plays at this table matters:
the present position of a game that goes on is not looked into for those who sit there.
"""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterable, Mapping, Sequence
from typing import Final

from sintra.game.game import View
from sintra.rules.state import states_of
from sintra.table.base.lru_cache import LruCache
from sintra.table.base.scheduler import Scheduler
from sintra.table.games.capabilities import hash_of
from sintra.table.games.fingerprints import fingerprint
from sintra.table.games.refusals import RefusalError
from sintra.table.games.room import Room
from sintra.table.games.rooms import Rooms
from sintra.table.games.storage import ARRIVED, FRIEND, Storage
from sintra.table.shown.counting import counting
from sintra.table.shown.drafts import checking
from sintra.table.shown.messages import (
    AskAdvice,
    AskStudy,
    DraftShown,
    RoundCount,
    StudyAdvice,
    StudyShown,
    TableDraft,
)
from sintra.table.shown.study import StudyLine, advising, following, showing
from sintra.table.workers.queueing import ThinkingError
from sintra.table.workers.request_limiter import RequestLimiter
from sintra.table.workers.thinkers import Analysis, Thinkers

_PLAYERS: Final = frozenset({"own", FRIEND, ARRIVED})
"""The roles of players, and of guests who may become one."""
_MAX_ANALYSES: Final = 500
"""How many analyses are cached."""
_MAX_WAITING: Final = 24
"""How many analyses may wait for a worker."""
_MAX_WAITING_OF_ASKER: Final = 8
"""How many of the waiting analyses may come from one asker."""


class Studies:
    """Shows and analyses lines of moves."""

    def __init__(self, storage: Storage, rooms: Rooms, thinkers: Thinkers, scheduler: Scheduler) -> None:
        self._storage = storage
        self._rooms = rooms
        self._thinkers = thinkers
        self._scheduler = scheduler
        self._analyses: LruCache[tuple[bytes, int], Analysis] = LruCache(_MAX_ANALYSES)
        self._waiting = RequestLimiter(_MAX_WAITING, _MAX_WAITING_OF_ASKER)

    async def running(self, secrets_held: Mapping[str, str]) -> dict[str, Room]:
        """The games that go on and in which one of the secrets, given by game, is for a seat."""
        found = {}
        for game, secret in secrets_held.items():
            if _PLAYERS & await self._storage.roles(game, [hash_of(secret)]):
                room = await self._rooms.look(game)
                if room is not None and room.goes_on:
                    found[game] = room
        return found

    async def study(self, asked: AskStudy, running: Iterable[Room]) -> StudyShown:
        """What is shown at the end of a line to somebody who sits at the `running` games."""
        return await self._scheduler.run(showing(await self.follow(asked, running), asked.log, asked.plain))

    async def advise(self, asked: AskAdvice, running: Iterable[Room], asker: str | None = None) -> StudyAdvice:
        """The best moves at the end of a line; each position is analysed once."""
        line = await self.follow(asked, running)
        view = line.game.view(line.game.turn)
        if view.is_over:
            raise RefusalError(422, "is_over", "The game is over: there is nothing to decide.")
        exact, found = await self.analysed(view, asked.sims, asker)
        return await self._scheduler.run(advising(view, asked.sims, exact, found))

    async def analysed(self, view: View, sims: int, asker: str | None = None) -> Analysis:
        """The best moves of a view, from the cache if it was analysed before."""
        key = (view.to_bytes(), sims)
        found = self._analyses.get(key)
        if found is None:
            with self._waiting.slot(asker):
                try:
                    found = self._analyses[key] = await self._thinkers.analyse(view, sims)
                except ThinkingError:
                    raise RefusalError(503, "no_hint", "The computer has no hint right now: try again.") from None
        return found

    async def count(self, asked: AskStudy, running: Iterable[Room]) -> RoundCount:
        """The count of a round at the end of a line."""
        return await self._scheduler.run(counting(await self.follow(asked, running)))

    async def check(self, draft: TableDraft) -> DraftShown:
        """Checks a table that was built by hand."""
        return await self._scheduler.run(checking(draft))

    async def follow(self, asked: AskStudy, running: Iterable[Room], to_play: bool = False) -> StudyLine:
        """The line that is asked for. It is refused if it meets a decision that is open in a game that the asker plays;
        if they want to play on, also if it meets any other position of that game: from there they could come to the
        open one, and ask for hints."""
        line = await self._scheduler.run(following(asked))
        theirs = [state for room in running for state in room.open_states(whole=to_play)]
        if await self._scheduler.run(_meets(line, theirs)):
            raise RefusalError(
                409, "running_game", "This is the position of a game that you are playing: analyse it when it is over."
            )
        await asyncio.sleep(0)
        return line


def _meets(line: StudyLine, states: Sequence[bytes]) -> Generator[None, None, bool]:
    """Whether one of the states occurs in a line."""
    theirs = set()
    for state in states:
        theirs.add(fingerprint(states_of(state)))
        yield
    for studied in line.studied if theirs else ():
        if fingerprint(studied) in theirs:
            return True
        yield
    return False
