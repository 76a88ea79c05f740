"""The games of a process: those that it owns in memory, as far as they are needed, every one in the storage."""

from __future__ import annotations

import asyncio
import contextlib
import secrets
from collections import OrderedDict
from collections.abc import Awaitable, Callable, Generator, Iterator, Sequence
from itertools import islice
from typing import Final
from weakref import WeakValueDictionary

from sintra.errors import PositionError
from sintra.steps import Made
from sintra.table.base.scheduler import Scheduler
from sintra.table.base.times import Stopwatch, Ticks, time_now
from sintra.table.games.leases import LeaseLostError, Leases, SoleOwner
from sintra.table.games.log import (
    AnyAct,
    Created,
    Joined,
    Rematched,
    TimedOut,
    write_act,
)
from sintra.table.games.refusals import no_game, stale
from sintra.table.games.room import Frame, Room
from sintra.table.games.storage import ConflictError, Storage, Stored

MAX_GAMES: Final = 4096
"""Games in memory; a game of a hundred moves takes about 300 kB. Those that somebody needs there come on top."""
MAX_IDLE_GAMES: Final = 512
"""Games in memory that nobody has used recently."""
RECENTLY_S: Final = 600.0
_READ: Final = 64
"""Events that are read from the storage at a time."""
_MAX_LOOKED_AT: Final = 64
"""Games of other processes that are remembered for another look."""
_MAX_FORGOTTEN: Final = 8
"""Games that are looked at, whether they can be forgotten, when another one comes."""


class Rooms:
    """The games that a process owns: the latest ones in memory, every one in the storage. In a game one act is done
    after the other, from the check to what it allows; that no other process has come between, the storage decides."""

    def __init__(
        self,
        storage: Storage,
        scheduler: Scheduler | None = None,
        most: int = MAX_GAMES,
        ticks: Ticks | None = None,
        leases: Leases | None = None,
    ) -> None:
        self.storage = storage
        self._leases = leases or SoleOwner()
        self.ticks = ticks or Ticks()
        self._scheduler = scheduler or Scheduler()
        self._most = most
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._losses = 0
        self._looked_at: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[bool]] = {}
        self._acting: WeakValueDictionary[str, asyncio.Lock] = WeakValueDictionary()
        self.is_busy: Callable[[Room], bool] = lambda room: False
        self.on_event: Callable[[Room, int], None] = lambda room, seq: None
        self.on_doubt: Callable[[Room], None] = lambda room: None
        self.on_lost: Callable[[Room], None] = lambda room: None
        self.appended = 0
        """Events that were written here."""

    # --- reading --------------------------------------------------------------------------------

    async def open(self, name: str) -> Room:
        """The game of that name, from memory or from its log, which is read once for all who wait for it. It is this
        process's from then on, or OwnedElsewhereError says whose it is."""
        while (room := self._open.get(name)) is None or room.is_behind:
            task = self._loading.get(name)
            if task is None:
                task = self._loading[name] = asyncio.create_task(self._load(name))
            if not await asyncio.shield(task):
                raise no_game()
        self._use(room)
        return room

    def _use(self, room: Room) -> None:
        """Somebody has a game open: it is the last one to be forgotten."""
        room.used_at = self.ticks.now()
        self._open[room.id] = room
        self._open.move_to_end(room.id)

    async def _load(self, name: str) -> bool:
        """Reads the log of a game. Whether there is one; then the game is in memory."""
        try:
            return await self._read(name)
        finally:
            del self._loading[name]

    async def _read(self, name: str) -> bool:
        """Reads a log, or the rest of one, in scheduler."""
        if (known := self._open.get(name)) is not None:
            await self._read_on(known)
            return True
        losses = self._losses
        room = await self._fold(name, None) if await self._leases.take(name) else None
        if room is not None:
            self._keep(room, losses)
        return room is not None

    async def _read_on(self, room: Room) -> None:
        """Reads the rest of a log. Whatever ends it, listeners are told of all that was read: no later reading
        brings it again."""
        seen = room.seq
        try:
            await self._fold(room.id, room)
            room.is_behind = False
        finally:
            for seq in range(seen + 1, room.seq + 1):
                self.on_event(room, seq)

    async def _fold(self, name: str, room: Room | None) -> Room | None:
        """Folds what a log has beyond a room, page by page; None if there is no log, or if the game began at a position
        that was accepted once and is refused today."""
        while events := await self.storage.events(name, 0 if room is None else room.seq + 1, _READ):
            try:
                room = await self._scheduler.run(_folding(name, room, events, self.ticks))
            except PositionError:
                return None
            await asyncio.sleep(0)
        return room

    async def read_on(self, name: str) -> None:
        """Reads what the log of a game in memory has, after a write of which nobody knows whether it was done."""
        if name in self._open:
            async with self._lock(name):
                await self.open(name)

    async def look(self, name: str) -> Room | None:
        """A game as it stands in its log, whoever owns it, to look at only; None if there is no such game."""
        if (room := self._open.get(name)) is not None and not room.is_behind:
            return room
        room = await self._fold(name, self._looked_at.pop(name, None))
        if room is not None:
            self._looked_at[name] = room
            if len(self._looked_at) > _MAX_LOOKED_AT:
                self._looked_at.popitem(last=False)
        return room

    def lose(self, name: str) -> None:
        """Forgets a game that another process owns now."""
        if (room := self._open.pop(name, None)) is not None:
            self.on_lost(room)

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
        """Remembers a room, unless all games were lost since its lease was taken, and forgets those that nobody has
        used for long, or the oldest if there are too many. Those that somebody needs are passed over until it is their
        turn again."""
        if losses != self._losses:
            return room
        self._use(room)
        until = self.ticks.now() - RECENTLY_S
        for name in list(islice(self._open, _MAX_FORGOTTEN)):
            many = len(self._open) > self._most
            idle = len(self._open) > MAX_IDLE_GAMES and self._open[name].used_at <= until
            if name == room.id or not (many or idle):
                break
            if not self._forget(name):
                self._use(self._open[name])
        return room

    def _forget(self, name: str) -> bool:
        """Leaves a game to the storage, unless somebody needs it in memory now; whether it was left."""
        if name in self._acting or self.is_busy(self._open[name]):
            return False
        del self._open[name]
        return True

    async def close(self) -> None:
        """Reads nothing any more."""
        reading = list(self._loading.values())
        for task in reading:
            task.cancel()
        await asyncio.gather(*reading, return_exceptions=True)

    # --- writing --------------------------------------------------------------------------------

    async def create(self, made: Created, roles: dict[str, bytes], joined: str | None = None) -> Room:
        """A new game; `joined` names a friend who sits there from the start."""
        losses = self._losses
        name, events = self._first_events(made, joined)
        await self.storage.create(name, events, list(roles.items()))
        self.appended += len(events)
        return self._keep(Room(name, events, Stopwatch(self.ticks)), losses)

    async def follow(
        self, room: Room, made: Created, roles: dict[str, bytes], seat: int, post: str, joined: str | None = None
    ) -> Room:
        """A new game that follows another, in whose log that is told; as a part of `act`."""
        losses = self._losses
        name, events = self._first_events(made, joined)
        stored = Stored(room.seq + 1, post, time_now(), write_act(room.timed(Rematched(seat, name))))
        with self._uncertain(room):
            await self.storage.create(name, events, list(roles.items()), (room.id, stored))
        self.appended += len(events)
        self._happen(room, stored)
        return self._keep(Room(name, events, Stopwatch(self.ticks)), losses)

    @staticmethod
    def _first_events(made: Created, joined: str | None) -> tuple[str, list[Stored]]:
        """The name of a new game, and what its log begins with."""
        name = secrets.token_urlsafe(9)
        at = time_now()
        events = [Stored(0, None, at, write_act(made))]
        if joined is not None:
            events.append(Stored(1, None, at, write_act(Joined(1, joined))))
        return name, events

    async def act(self, name: str, do: Callable[[Room], Awaitable[Made]]) -> Made:
        """Does something in a game while nobody else does: what is checked there holds until it is written down.
        What is refused because the log has grown, or has another owner, is done once more with what is there now."""
        async with self._lock(name):
            while True:
                room = await self.open(name)
                seq = room.seq
                try:
                    return await do(room)
                except ConflictError:
                    if (await self.open(name)).seq == seq:
                        raise
                except LeaseLostError:
                    self.lose(name)

    def _lock(self, name: str) -> asyncio.Lock:
        return self._acting.setdefault(name, asyncio.Lock())

    @property
    def in_memory(self) -> int:
        """How many games are in memory."""
        return len(self._open)

    def playing(self) -> list[Room]:
        """The games in memory that go on: all that somebody looks at or acts in are there."""
        return [room for room in self._open.values() if room.now.status == "playing"]

    async def post(
        self, name: str, post: str | None, seq: int, make: Callable[[Room], AnyAct], *, may_be_late: bool = False
    ) -> int:
        """Does what a post asks, once: a repeated one gets the same answer, a stale one is refused. An act that does
        not depend on the position `may_be_late`: it is done although more has happened than its sender has seen."""

        async def do(room: Room) -> int:
            if seq > room.seq:
                room.is_behind = True
                room = await self.open(name)
            if post is not None and post in room.posts:
                return room.posts[post]
            await self.end_late(room)
            if seq != room.seq and not (may_be_late and seq < room.seq):
                raise stale(room.seq)
            return (await self.append(room, make(room), post)).seq

        return await self.act(name, do)

    async def append(self, room: Room, act: AnyAct, post: str | None = None) -> Frame:
        """Writes an event down, with the time on the clock, then makes it happen and tells of it; as a part of
        `act`."""
        stored = Stored(room.seq + 1, post, time_now(), write_act(room.timed(act)))
        with self._uncertain(room):
            await self.storage.append(room.id, stored)
        return self._happen(room, stored)

    async def end_late(self, room: Room) -> None:
        """A seat whose time has run out loses, whatever else is asked for; as a part of `act`."""
        if room.is_late:
            await self.append(room, TimedOut(room.now.turn))

    async def sit(self, name: str, secret_hash: bytes, said: str) -> None:
        """Seats somebody who has come by an invitation, under the name they said, unless another was quicker.
        Where somebody else had come first, the log has that one's name until now."""

        async def do(room: Room) -> None:
            joined = None
            if said not in ("", room.now.names[1]):
                joined = Stored(room.seq + 1, None, time_now(), write_act(Joined(1, said)))
            with self._uncertain(room):
                seated = await self.storage.sit(name, secret_hash, joined)
            if seated and joined is not None:
                self._happen(room, joined)

        await self.act(name, do)

    @contextlib.contextmanager
    def _uncertain(self, room: Room) -> Iterator[None]:
        """Something is written: if that fails, or is not waited for, only the log knows what is in it."""
        try:
            yield
        except (ConflictError, LeaseLostError):
            room.is_behind = True
            raise
        except BaseException:
            room.is_behind = True
            self.on_doubt(room)
            raise

    def _happen(self, room: Room, stored: Stored) -> Frame:
        self.appended += 1
        frame = room.add(stored)
        self.on_event(room, frame.seq)
        return frame


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
