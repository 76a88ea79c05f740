"""Who listens to a game, and what they are sent: server-sent events that can be resumed."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from typing import Final

import msgspec

from sintra.table.games.commons import Alone, Attendance, Commons, Elsewhere
from sintra.table.games.room import Room
from sintra.table.games.storage import StorageError
from sintra.table.portions import Portions, pieces
from sintra.table.shown.game import Announcement, Watcher, clock_shown, telling, whole_game
from sintra.table.shown.messages import Presence

HEARTBEAT: Final = 15.0
MOST_WAITING: Final = 100
"""A listener who is so many messages behind is cut off, and resumes."""
MOST_MISSED: Final = 30
"""Who has missed more events than that gets the whole game instead."""
PATIENCE: Final = 180.0
"""Seconds that a friend is away, while the other stays, before the game can be claimed."""
_MOMENT: Final = 1.0
"""Seconds for which it is remembered who is at a game to which nobody listens here."""
_encode: Final = msgspec.json.Encoder().encode


class Listener:
    """One open stream; `at` is the address of the table by which it was asked for, `seq` the event that
    was sent last, None while the listener is still being told what they have missed."""

    def __init__(self, watcher: Watcher, at: str = "") -> None:
        self.watcher = watcher
        self.at = at
        self.seq: int | None = None
        self.queue: asyncio.Queue[bytes | None] = asyncio.Queue(MOST_WAITING)

    def send(self, message: bytes) -> bool:
        """Puts a message into the stream; False when the listener is too slow to be kept."""
        try:
            self.queue.put_nowait(message)
        except asyncio.QueueFull:
            return False
        return True

    def end(self) -> None:
        """Ends the stream, whatever waits in it."""
        while not self.queue.empty():
            self.queue.get_nowait()
        self.queue.put_nowait(None)


class _Attended:
    """A game at which somebody is here: the listeners, and what was last heard of those who are elsewhere, when."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.listeners: list[Listener] = []
        self.elsewhere = Elsewhere()
        self.heard = 0.0
        self.counted = False
        self.asks_again = False
        self.asking: asyncio.Task[None] | None = None
        self.timer: asyncio.TimerHandle | None = None
        self.forgetting: asyncio.TimerHandle | None = None
        self.held = 0

    @property
    def counts(self) -> bool:
        """Whether a player may not stay away from this game."""
        return self.room.created.mode == "friend" and self.room.now.status == "playing"

    @property
    def here(self) -> Attendance:
        """Who is here now."""
        seats = frozenset(seat for one in self.listeners for seat in one.watcher.seats)
        spectators = sum(not one.watcher.seats for one in self.listeners)
        return Attendance(seats, spectators, self.counts)


class Hub:
    """All open streams, by game, and who is at which game, here and with other processes."""

    def __init__(
        self, patience: float = PATIENCE, portions: Portions | None = None, commons: Commons | None = None
    ) -> None:
        self._portions = portions or Portions()
        self._commons = commons or Alone()
        self._attended: dict[str, _Attended] = {}
        self.patience = patience
        self.on_presence: Callable[[Room], None] = lambda room: None
        self.on_failure: Callable[[BaseException], None] = lambda error: None
        self.stopping = False

    # --- who is there ---------------------------------------------------------------------------

    def listeners(self, room: Room) -> int:
        """How many listen to a game here."""
        attended = self._attended.get(room.id)
        return 0 if attended is None else len(attended.listeners)

    @property
    def streams(self) -> int:
        """How many listen here, to whatever game."""
        return sum(len(one.listeners) for one in self._attended.values())

    def present(self, room: Room) -> list[bool]:
        """Which seats are at the table now; the computer always is."""
        attended = self._attended.get(room.id)
        seats = attended.here.seats | attended.elsewhere.seats if attended else frozenset()
        return [seat in seats or room.is_computer(seat) for seat in (0, 1)]

    def gone(self, room: Room) -> list[int]:
        """Which seats have been away for so long that the other may claim the game."""
        attended = self._attended.get(room.id)
        if attended is None or not attended.counts:
            return []
        since, present = time.monotonic() - attended.heard, self.present(room)
        return [
            seat
            for seat, away in enumerate(attended.elsewhere.away)
            if away is not None and not present[seat] and present[1 - seat] and away + since >= self.patience
        ]

    async def look(self, room: Room) -> None:
        """Asks who is elsewhere, if nobody is here to be told of it."""
        attended = self._at(room)
        if not attended.listeners:
            self._ask(attended)
        if attended.asking is not None:
            await asyncio.shield(attended.asking)

    @contextlib.asynccontextmanager
    async def looking(self, room: Room) -> AsyncIterator[None]:
        """Asks who is elsewhere, and remembers it for as long as somebody needs who decides by it."""
        attended = self._at(room)
        attended.held += 1
        try:
            await self.look(room)
            yield
        finally:
            attended.held -= 1
            if not attended.listeners:
                self._forget_soon(attended)

    def _at(self, room: Room) -> _Attended:
        """What is known of who is at a game."""
        if room.id not in self._attended:
            self._attended[room.id] = _Attended(room)
        return self._attended[room.id]

    def hear(self, game: str) -> None:
        """Somebody came or went elsewhere."""
        if (attended := self._attended.get(game)) is not None:
            self._ask(attended)

    def hear_all(self) -> None:
        """Somebody may have come or gone elsewhere without a word."""
        for attended in self._attended.values():
            self._ask(attended)

    def _ask(self, attended: _Attended) -> None:
        """Says who is here and asks who is elsewhere; who comes or goes meanwhile is told next."""
        attended.asks_again = True
        if attended.asking is None and not self.stopping:
            attended.asking = asyncio.get_running_loop().create_task(self._attend(attended))

    async def _attend(self, attended: _Attended) -> None:
        game = attended.room.id
        try:
            while attended.asks_again:
                attended.asks_again = False
                here = attended.here
                attended.counted = here.counts
                try:
                    attended.elsewhere = await self._commons.attend(game, here)
                except StorageError as error:
                    attended.elsewhere = Elsewhere()
                    self.on_failure(error)
                attended.heard = time.monotonic()
        finally:
            attended.asking = None
        self._wait_for(attended)
        if attended.listeners:
            self._tell_presence(attended)
        elif self._attended.get(game) is attended:
            self._forget_soon(attended)

    def _forget_soon(self, attended: _Attended) -> None:
        """Nobody is here any more; whoever has just asked who is elsewhere still has to read it."""

        def forget() -> None:
            idle = not attended.listeners and attended.asking is None and not attended.held
            if idle and self._attended.get(attended.room.id) is attended:
                del self._attended[attended.room.id]

        if attended.forgetting is not None:
            attended.forgetting.cancel()
        attended.forgetting = asyncio.get_running_loop().call_later(_MOMENT, forget)

    def _wait_for(self, attended: _Attended) -> None:
        """Looks again when the patience of somebody who stays must be over."""
        if attended.timer is not None:
            attended.timer.cancel()
            attended.timer = None
        waits = [self.patience - away for away in attended.elsewhere.away if away is not None]
        ahead = [wait for wait in waits if wait > 0]
        if ahead and attended.listeners:
            loop = asyncio.get_running_loop()
            attended.timer = loop.call_later(min(ahead), self._ask, attended)

    # --- what they are told ---------------------------------------------------------------------

    def publish(self, room: Room, seq: int) -> None:
        """Tells every listener of an event, each what they may know."""
        attended = self._attended.get(room.id)
        if attended is None:
            return
        if attended.counts != attended.counted:
            self._ask(attended)
        waiting = [one for one in attended.listeners if one.seq is not None and one.seq < seq]
        if not waiting:
            return
        made: dict[Watcher, bytes] = {}
        announcement = Announcement(room, self.present(room), seq)
        for one in waiting:
            one.seq = seq
            if one.watcher not in made:
                made[one.watcher] = event_message(announcement, one.watcher)
            self._send(attended, one, made[one.watcher])

    @staticmethod
    def _send(attended: _Attended, one: Listener, message: bytes) -> None:
        if not one.send(message):
            attended.listeners.remove(one)
            one.end()

    def _tell_presence(self, attended: _Attended) -> None:
        room = attended.room
        self.on_presence(room)
        spectators = attended.here.spectators + attended.elsewhere.spectators
        clock = clock_shown(room, room.now)
        data = _encode(Presence(self.present(room), spectators, self.gone(room), clock)).decode()
        message = f"event: presence\ndata: {data}\n\n".encode()
        for one in list(attended.listeners):
            self._send(attended, one, message)

    async def stream(self, room: Room, watcher: Watcher, after: int | None, at: str = "") -> AsyncIterator[bytes]:
        """What a listener is sent: first what they have missed, then what happens."""
        listener = Listener(watcher, at)
        attended = self._at(room)
        attended.listeners.append(listener)
        try:
            self._ask(attended)
            if missed_much(room, after):
                await self._portions.do(telling(room, watcher.observer))
            for seq, message in missed(room, watcher, self.present(room), after):
                if seq == room.seq:
                    listener.seq = seq
                for piece in pieces(message):
                    yield piece
                    await asyncio.sleep(0)
                if listener.seq is not None:
                    break
            else:
                listener.seq = room.seq
            while not self.stopping:
                try:
                    message_or_end = await asyncio.wait_for(listener.queue.get(), HEARTBEAT)
                except TimeoutError:
                    yield b": still here\n\n"
                    continue
                if message_or_end is None:
                    return
                yield message_or_end
        finally:
            if listener in attended.listeners:
                attended.listeners.remove(listener)
            if not self.stopping:
                self._ask(attended)

    def stop(self) -> None:
        """Ends all streams; the browsers will come back to the next server."""
        self.stopping = True
        for attended in self._attended.values():
            if attended.timer is not None:
                attended.timer.cancel()
            for one in attended.listeners:
                one.end()

    async def close(self) -> None:
        """Waits for what was asked of other processes."""
        asking = [one.asking for one in self._attended.values() if one.asking is not None]
        await asyncio.gather(*asking, return_exceptions=True)

    def end_at(self, addresses: Collection[str]) -> None:
        """Ends the streams that were asked for by these addresses of the table."""
        for attended in self._attended.values():
            for one in attended.listeners:
                if one.at in addresses:
                    one.end()


def missed_much(room: Room, after: int | None) -> bool:
    """Whether somebody who has seen the event `after`, or nothing yet, is told the whole game."""
    return after is None or after > room.seq or room.seq - after > MOST_MISSED


def missed(room: Room, watcher: Watcher, present: list[bool], after: int | None) -> Iterator[tuple[int, bytes]]:
    """The messages, with their events, for somebody who has seen the event `after`, or nothing yet: one for
    each event since, also of those that happen meanwhile, or the whole game first."""
    if after is None or missed_much(room, after):
        after = room.seq
        yield after, whole_game(room, watcher, present, *_around(after))
    while after < room.seq:
        after += 1
        yield after, event_message(Announcement(room, present, after), watcher)


def event_message(announcement: Announcement, watcher: Watcher) -> bytes:
    """The game after an event as a server-sent event for a watcher."""
    shown = announcement.to(watcher)
    before, after = _around(shown.seq)
    return before + _encode(shown) + after


def _around(seq: int) -> tuple[bytes, bytes]:
    """What makes a game a server-sent event; its id is the number of the game's event."""
    return b"id: %d\nevent: game\ndata: " % seq, b"\n\n"
