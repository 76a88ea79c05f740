"""The clocks of all games: whose time runs, and who loses because it has run out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from sintra.table.base.times import Timer
from sintra.table.games.leases import OwnedElsewhereError
from sintra.table.games.room import Room
from sintra.table.games.rooms import Rooms

_LEAST: Final = 0.001
"""Seconds between two looks at a clock,"""
_PAUSE: Final = 5.0
"""and after one that failed."""


class Clocks:
    """What is left is in the log, and in memory only since when a time runs. So no time passes between the end of a
    service and the beginning of the next, and a game that is read from its log stands still until its clock is set
    running."""

    def __init__(self, rooms: Rooms, keep: Callable[[asyncio.Task[Any]], None]) -> None:
        self._rooms = rooms
        self._keep = keep
        self._timers: dict[str, Timer] = {}

    def is_running(self, room: Room) -> bool:
        """Whether a game has to stay in memory, because somebody's time runs."""
        return room.id in self._timers

    def run(self, room: Room) -> None:
        """Lets the time of the seat to move run, if its time counts, and looks again when it must have run out."""
        self.stop(room)
        if room.on_clock is None or room.time_left is None:
            return
        room.stopwatch.start()
        self._look_in(room.id, max(_LEAST, room.time_left[room.on_clock] / 1000))

    def stop(self, room: Room) -> None:
        """Nobody looks any more whether the time has run out."""
        if room.id in self._timers:
            self._timers.pop(room.id).cancel()

    def close(self) -> None:
        """No game ends by its clock any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _look_in(self, game: str, seconds: float) -> None:
        self._timers[game] = self._rooms.ticks.after(seconds, lambda: self._look(game))

    def _look(self, game: str) -> None:
        self._keep(asyncio.get_running_loop().create_task(self._end(game)))

    async def _end(self, game: str) -> None:
        """Ends a game whose time has run out; if a move was quicker, its clock is looked at later."""
        timer = self._timers.get(game)
        try:
            room = await self._rooms.act(game, self._end_late)
        except OwnedElsewhereError:
            self._timers.pop(game, None)
            return
        except Exception:
            if game in self._timers:
                self._look_in(game, _PAUSE)
            raise
        if self._timers.get(game) is timer and timer is not None:
            self.run(room)

    async def _end_late(self, room: Room) -> Room:
        await self._rooms.end_late(room)
        return room
