"""The games of a process: those that it owns in memory, as far as they are needed, every one in the storage."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Concatenate, Final, ParamSpec

from sintra.errors import PositionError
from sintra.table.base.lru_cache import LruCache
from sintra.table.base.scheduler import Made, Scheduler
from sintra.table.base.times import Stopwatch, Ticks, time_now
from sintra.table.games.leases import LeaseLostError, Leases, SoleOwner
from sintra.table.games.log import AnyEvent, Created, Joined, Rematched, TimedOut, write_event
from sintra.table.games.refusals import no_game
from sintra.table.games.room import Frame, Room
from sintra.table.games.storage import ConflictError, Storage, Stored

MAX_GAMES: Final = 4096
"""Games in memory; a game of a hundred moves takes about 300 kB. Those that somebody needs there come on top."""
MAX_IDLE_GAMES: Final = 512
"""Games in memory that nobody has used recently."""
RECENTLY_S: Final = 600.0
"""Seconds for which a game counts as used recently."""
_PAGE_SIZE: Final = 64
"""Events that are read from the storage at a time."""
_MAX_LOOKED_AT: Final = 64
"""Games of other processes that are cached for another look."""
_MAX_EVICTED: Final = 8
"""Games that are considered for eviction whenever another one is opened."""
P = ParamSpec("P")


@dataclass(frozen=True, slots=True)
class RoomEvents:
    """What is called when something happens to a game in memory."""

    on_event: Callable[[Room, int], None] = lambda room, seq: None
    """An event happened, with its number."""
    on_doubt: Callable[[Room], None] = lambda room: None
    """A write failed, and nobody knows whether the event is in the log."""
    on_lost: Callable[[Room], None] = lambda room: None
    """Another process owns the game now."""
    is_busy: Callable[[Room], bool] = lambda room: False
    """Whether somebody needs the game in memory."""


class _GameLock(asyncio.Lock):
    """The lock of a game, as long as somebody holds it or waits for it."""

    users = 0
    """How many do."""


class Rooms:
    """The games that a process owns: the latest ones in memory, every one in the storage. The acts in a game are done
    one after the other (`run_locked`); that no other process writes in between is up to the storage."""

    def __init__(
        self,
        storage: Storage,
        scheduler: Scheduler | None = None,
        max_games: int = MAX_GAMES,
        ticks: Ticks | None = None,
        leases: Leases | None = None,
        events: RoomEvents | None = None,
    ) -> None:
        self.storage = storage
        self._leases = leases or SoleOwner()
        self.ticks = ticks or Ticks()
        self._scheduler = scheduler or Scheduler()
        self._max_games = max_games
        self._events = events or RoomEvents()
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._losses = 0
        self._looked_at: LruCache[str, Room] = LruCache(_MAX_LOOKED_AT)
        self._loading: dict[str, asyncio.Task[bool]] = {}
        self._locks: dict[str, _GameLock] = {}
        self.appended = 0
        """Events that were written here."""

    # --- reading --------------------------------------------------------------------------------

    async def open(self, name: str) -> Room:
        """The game of that name, from memory or from its log, which is read once for all who wait for it. This process
        owns the game from then on; OwnedElsewhereError if another one does."""
        while (room := self._open.get(name)) is None or room.is_behind:
            task = self._loading.get(name)
            if task is None:
                task = self._loading[name] = asyncio.create_task(self._load(name))
            if not await asyncio.shield(task):
                raise no_game()
        self._use(room)
        return room

    def _use(self, room: Room) -> None:
        """Marks a game as the one used last: it is the last to be evicted."""
        room.used_at = self.ticks.now()
        self._open[room.id] = room
        self._open.move_to_end(room.id)

    async def _load(self, name: str) -> bool:
        """Reads the log of a game into memory; returns whether there is one."""
        try:
            return await self._read(name)
        finally:
            del self._loading[name]

    async def _read(self, name: str) -> bool:
        """Reads a log, or the rest of one."""
        if (known := self._open.get(name)) is not None:
            await self._read_on(known)
            return True
        losses = self._losses
        room = await self._fold(name, None) if await self._leases.take(name) else None
        if room is not None:
            self._keep(room, losses)
        return room is not None

    async def _read_on(self, room: Room) -> None:
        """Reads the rest of a log. Listeners are told of all that was read even if reading fails midway: no later
        reading brings it again."""
        seen = room.seq
        try:
            await self._fold(room.id, room)
            room.is_behind = False
        finally:
            for seq in range(seen + 1, room.seq + 1):
                self._events.on_event(room, seq)

    async def _fold(self, name: str, room: Room | None) -> Room | None:
        """Folds what a log has beyond a room, page by page; None if there is no log, or if the game began at a position
        that was accepted once and is refused today."""
        while events := await self.storage.events(name, 0 if room is None else room.seq + 1, _PAGE_SIZE):
            try:
                room = await self._scheduler.run(_folding(name, room, events, self.ticks))
            except PositionError:
                return None
            await asyncio.sleep(0)
        return room

    async def read_on(self, name: str) -> None:
        """Reads the rest of the log of a game in memory, after a write that may or may not have been done."""
        if name in self._open:
            await self.run_locked(name, _nothing)

    async def look(self, name: str) -> Room | None:
        """A game as it stands in its log, whoever owns it, to look at only; None if there is no such game."""
        if (room := self._open.get(name)) is not None and not room.is_behind:
            return room
        room = await self._fold(name, self._looked_at.pop(name, None))
        if room is not None:
            self._looked_at[name] = room
        return room

    def lose(self, name: str) -> None:
        """Forgets a game that another process owns now."""
        if (room := self._open.pop(name, None)) is not None:
            self._events.on_lost(room)

    def lose_all(self) -> None:
        """Forgets all games: this process owns none any more."""
        self._losses += 1
        for name in list(self._open):
            self.lose(name)

    def has(self, room: Room) -> bool:
        """Whether a game is in memory, and this process owns it."""
        return self._open.get(room.id) is room

    def is_new(self, name: str) -> bool:
        """Whether a game is open here in which nothing has happened yet."""
        room = self._open.get(name)
        return room is not None and room.seq == 0

    def _keep(self, room: Room, losses: int) -> Room:
        """Keeps a room in memory, unless all games were lost since its lease was taken, and evicts those that nobody
        has used for long, or the oldest if there are too many. Busy ones count as used now."""
        if losses != self._losses:
            return room
        self._use(room)
        until = self.ticks.now() - RECENTLY_S
        for name in list(islice(self._open, _MAX_EVICTED)):
            many = len(self._open) > self._max_games
            idle = len(self._open) > MAX_IDLE_GAMES and self._open[name].used_at <= until
            if name == room.id or not (many or idle):
                break
            if name in self._locks or self._events.is_busy(self._open[name]):
                self._use(self._open[name])
            else:
                del self._open[name]
        return room

    async def close(self) -> None:
        """Cancels the readings that are under way."""
        reading = list(self._loading.values())
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    # --- writing --------------------------------------------------------------------------------

    async def create(self, made: Created, roles: dict[str, bytes], joined: str | None = None) -> Room:
        """Makes a new game; `joined` names a friend who sits there from the start."""
        losses = self._losses
        name, events = self._first_events(made, joined)
        await self.storage.create(name, events, list(roles.items()))
        self.appended += len(events)
        return self._keep(Room(name, events, Stopwatch(self.ticks)), losses)

    async def follow(
        self, room: Room, made: Created, roles: dict[str, bytes], seat: int, post: str, joined: str | None = None
    ) -> Room:
        """Makes a new game that follows another, in whose log that is written; the caller holds its lock."""
        losses = self._losses
        name, events = self._first_events(made, joined)
        event = room.timed(Rematched(seat, name))
        stored = Stored(room.seq + 1, post, time_now(), write_event(event))
        await self._write(room, self.storage.create(name, events, list(roles.items()), (room.id, stored)))
        self.appended += len(events)
        self._add(room, stored, event)
        return self._keep(Room(name, events, Stopwatch(self.ticks)), losses)

    @staticmethod
    def _first_events(made: Created, joined: str | None) -> tuple[str, list[Stored]]:
        """The name of a new game, and what its log begins with."""
        name = secrets.token_urlsafe(9)
        at = time_now()
        events = [Stored(0, None, at, write_event(made))]
        if joined is not None:
            events.append(Stored(1, None, at, write_event(Joined(1, joined))))
        return name, events

    async def run_locked(
        self, name: str, do: Callable[Concatenate[Room, P], Awaitable[Made]], *args: P.args, **kwargs: P.kwargs
    ) -> Made:
        """Calls `do` with a game whose lock is held: what it checks holds until it has written. It is called again with
        the game as it is then if the log has grown meanwhile, or had another owner."""
        lock = self._locks.get(name)
        if lock is None:
            lock = self._locks[name] = _GameLock()
        lock.users += 1
        try:
            await lock.acquire()
            try:
                while True:
                    room = await self.open(name)
                    seq = room.seq
                    try:
                        return await do(room, *args, **kwargs)
                    except ConflictError:
                        if (await self.open(name)).seq == seq:
                            raise
                    except LeaseLostError:
                        self.lose(name)
            finally:
                lock.release()
        finally:
            lock.users -= 1
            if not lock.users:
                del self._locks[name]

    @property
    def in_memory(self) -> int:
        """How many games are in memory."""
        return len(self._open)

    def playing(self) -> list[Room]:
        """The games in memory that go on: all that somebody looks at or acts in are there."""
        return [room for room in self._open.values() if room.now.status == "playing"]

    async def append(self, room: Room, event: AnyEvent, post: str | None = None) -> Frame:
        """Writes an event to the log, with the time on the clock, and then adds it to the room, whose lock the caller
        holds."""
        event = room.timed(event)
        stored = Stored(room.seq + 1, post, time_now(), write_event(event))
        await self._write(room, self.storage.append(room.id, stored))
        return self._add(room, stored, event)

    async def end_if_late(self, room: Room) -> Room:
        """Ends a game in which the time of the seat to move has run out, and returns it; the caller holds its lock."""
        if room.is_late:
            await self.append(room, TimedOut(room.now.turn))
        return room

    async def sit(self, name: str, secret_hash: bytes, said: str) -> None:
        """Seats somebody who has come by an invitation, under the name they said, unless another was quicker."""
        await self.run_locked(name, self._sit, secret_hash, said)

    async def _sit(self, room: Room, secret_hash: bytes, said: str) -> None:
        """Seats somebody. Where somebody else had come first, the log has that one's name until now."""
        joined, event = None, Joined(1, said)
        if said not in ("", room.now.names[1]):
            joined = Stored(room.seq + 1, None, time_now(), write_event(event))
        is_seated = await self._write(room, self.storage.sit(room.id, secret_hash, joined))
        if is_seated and joined is not None:
            self._add(room, joined, event)

    async def _write(self, room: Room, writing: Awaitable[Made]) -> Made:
        """Awaits a write to the log of a game. If it fails or is cancelled, only the log knows whether it was done."""
        try:
            return await writing
        except (ConflictError, LeaseLostError):
            room.is_behind = True
            raise
        except BaseException:
            room.is_behind = True
            self._events.on_doubt(room)
            raise

    def _add(self, room: Room, stored: Stored, event: AnyEvent) -> Frame:
        """Adds an event that was written to its room."""
        self.appended += 1
        frame = room.add(stored, event)
        self._events.on_event(room, frame.seq)
        return frame


async def _nothing(room: Room) -> None:
    """What is done with a game that only had to be read."""


def _folding(name: str, room: Room | None, events: Sequence[Stored], ticks: Ticks) -> Generator[None, None, Room]:
    """Folds the next events of a game's log, the first of all if there is no room yet, one by one."""
    for event in events:
        if room is None:
            room = Room(name, [event], Stopwatch(ticks))
        else:
            room.add(event)
        yield
    assert room is not None
    return room
