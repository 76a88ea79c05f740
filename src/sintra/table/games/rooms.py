"""All games of a table: the latest ones in memory, every one in the storage."""

from __future__ import annotations

import asyncio
import secrets
from collections import OrderedDict
from collections.abc import Callable, Generator
from typing import Final

from sintra.steps import at_once
from sintra.table.games.log import (
    AnyAct,
    Created,
    Joined,
    write_act,
)
from sintra.table.games.refusals import no_game, stale
from sintra.table.games.room import Frame, Room
from sintra.table.games.storage import ConflictError, Storage, Stored
from sintra.table.portions import Portions
from sintra.table.times import time_now

_READ: Final = 64
"""Events that are read from the storage at a time."""


class Rooms:
    """All games: the latest ones in memory, every one in the storage."""

    def __init__(self, storage: Storage, portions: Portions | None = None, most: int = 512) -> None:
        self.storage = storage
        self._portions = portions or Portions()
        self._most = most
        self._open: OrderedDict[str, Room] = OrderedDict()
        self._loading: dict[str, asyncio.Task[bool]] = {}
        self.is_busy: Callable[[Room], bool] = lambda room: False
        self.on_event: Callable[[Room, int], None] = lambda room, seq: None

    async def load(self, name: str) -> None:
        """Reads the log of a game that is not in memory, if there is one, in portions. Then `open` has the
        game at once, as long as nothing else is waited for."""
        while name not in self._open:
            task = self._loading.get(name)
            if task is None:
                task = self._loading[name] = asyncio.create_task(self._load(name))
                task.add_done_callback(lambda _: self._loading.pop(name))
            if not await asyncio.shield(task):
                return

    async def _load(self, name: str) -> bool:
        """Whether there is such a game; then it is in memory."""
        room = await self._portions.do(self._folding(name))
        if room is not None and name not in self._open:
            self._keep(room)
        return room is not None

    def _folding(self, name: str) -> Generator[None, None, Room | None]:
        """Folds the log of a game, event by event."""
        room: Room | None = None
        while events := self.storage.events(name, 0 if room is None else room.seq + 1, _READ):
            for event in events:
                if room is None:
                    room = Room(name, [event])
                else:
                    room.add(event)
                yield
        return room

    def open(self, name: str) -> Room:
        """The game of that name, from memory or from its log."""
        room = self._open.get(name)
        if room is None:
            room = at_once(self._folding(name))
            if room is None:
                raise no_game()
            self._keep(room)
        self._open.move_to_end(name)
        return room

    def _keep(self, room: Room) -> Room:
        """Remembers a room, and forgets those that nobody has used for longest."""
        self._open[room.id] = room
        for name in list(self._open)[: max(0, len(self._open) - self._most)]:
            if name != room.id and not self.is_busy(self._open[name]):
                del self._open[name]
        return room

    def create(self, made: Created, roles: dict[str, bytes], joined: str | None = None) -> Room:
        """A new game; `joined` names a friend who sits there from the start."""
        name = secrets.token_urlsafe(9)
        at = time_now()
        events = [Stored(0, None, at, write_act(made))]
        if joined is not None:
            events.append(Stored(1, None, at, write_act(Joined(1, joined))))
        self.storage.create(name, events, list(roles.items()))
        return self._keep(Room(name, events))

    def post(self, room: Room, post: str, seq: int, make: Callable[[], AnyAct]) -> int:
        """Does what a post asks, once: a repeated one gets the same answer, a stale one is refused."""
        if post in room.posts:
            return room.posts[post]
        if seq != room.seq:
            raise stale(room.seq)
        return self.append(room, make(), post).seq

    def append(self, room: Room, act: AnyAct, post: str | None = None) -> Frame:
        """Writes an event down, then makes it happen and tells of it."""
        stored = Stored(room.seq + 1, post, time_now(), write_act(act))
        try:
            self.storage.append(room.id, stored)
        except ConflictError:
            self._open.pop(room.id, None)
            raise stale(room.seq + 1) from None
        except BaseException:
            room.give_up()
            raise
        frame = room.add(stored)
        self.on_event(room, frame.seq)
        return frame

    def sit(self, name: str, secret_hash: bytes, said: str) -> None:
        """Seats somebody who has come by an invitation, under the name they said, unless another was quicker.
        Where somebody else had come first, the log has that one's name until now."""
        while True:
            room = self.open(name)
            joined = None
            if said not in ("", room.now.names[1]):
                joined = Stored(room.seq + 1, None, time_now(), write_act(Joined(1, said)))
            try:
                seated = self.storage.sit(name, secret_hash, joined)
            except ConflictError:
                self._open.pop(name, None)
                continue
            if seated and joined is not None:
                self.on_event(room, room.add(joined).seq)
            return
