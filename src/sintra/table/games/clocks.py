"""The clocks of all games: whose time runs, and who loses because it has run out."""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from typing import Any, Final

from sintra.table.base.times import Timer
from sintra.table.games.leases import OwnedElsewhereError
from sintra.table.games.room import Room
from sintra.table.games.rooms import Rooms

_MIN_DELAY_S: Final = 0.001
"""Least seconds until a clock is looked at again."""
_RETRY_DELAY_S: Final = 5.0
"""Seconds until a clock is looked at again after a failure."""


class Clocks:
    """Timers for the games whose clocks run. The time that is left is in the log, and only since when it runs is in
    memory: so no time passes while the service is down, and the clock of a game that is read from its log stands still
    until `run` is called."""

    def __init__(self, rooms: Rooms, keep: Callable[[asyncio.Task[Any]], None]) -> None:
        self._rooms = rooms
        self._keep = keep
        self._timers: dict[str, Timer] = {}

    def is_running(self, room: Room) -> bool:
        """Whether somebody's time runs, so that the game has to stay in memory."""
        return room.id in self._timers

    def run(self, room: Room) -> None:
        """Starts the time of the seat to move, if its time counts, and a timer for the moment at which it runs out."""
        self.stop(room)
        if room.on_clock is None or room.time_left is None:
            return
        room.stopwatch.start()
        self._look_in(room.id, max(_MIN_DELAY_S, room.time_left[room.on_clock] / 1000))

    def stop(self, room: Room) -> None:
        """Cancels the timer of a game."""
        if room.id in self._timers:
            self._timers.pop(room.id).cancel()

    def close(self) -> None:
        """Cancels all timers: no game ends by its clock any more."""
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()

    def _look_in(self, game: str, seconds: float) -> None:
        self._timers[game] = self._rooms.ticks.after(seconds, lambda: self._look(game))

    def _look(self, game: str) -> None:
        self._keep(asyncio.get_running_loop().create_task(self._end(game)))

    async def _end(self, game: str) -> None:
        """Ends a game whose time has run out; if a move was quicker, its timer is set anew."""
        timer = self._timers.get(game)
        try:
            room = await self._rooms.run_locked(game, self._rooms.end_if_late)
        except OwnedElsewhereError:
            self._timers.pop(game, None)
            return
        except Exception:
            if game in self._timers:
                self._look_in(game, _RETRY_DELAY_S)
            raise
        if self._timers.get(game) is timer and timer is not None:
            self.run(room)
