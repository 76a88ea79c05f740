"""Streams and presence: who listens to a game, and the server-sent events that they get, which can be resumed."""

from __future__ import annotations

import asyncio
from collections import deque
from collections.abc import AsyncGenerator, Callable, Collection, Iterator
from typing import Final

import msgspec

from sintra.table.base.scheduler import Scheduler, pieces
from sintra.table.base.times import Ticks, Timer
from sintra.table.games.room import Room
from sintra.table.shown.game import Announcement, Watcher, clock_shown, telling, whole_game
from sintra.table.shown.messages import Presence

HEARTBEAT_S: Final = 15.0
"""Seconds of silence after which a listener is sent a heartbeat."""
MAX_WAITING: Final = 100
"""Messages that may wait for a slow listener; one that is further behind is disconnected, and resumes."""
MAX_MISSED: Final = 30
"""Events that a listener is sent one by one; one that has missed more gets the whole game."""
CLAIM_AFTER_S: Final = 180.0
"""Seconds for which a friend has to be away, while the other stays, before the game can be claimed."""
_STILL_HERE: Final = b": still here\n\n"
_encode: Final = msgspec.json.Encoder().encode


class Outlet:
    """Where the messages of a stream go: to whoever reads the stream, or, where there is a `write`, straight to the
    connection, which wakes nobody."""

    __slots__ = ("write",)

    def __init__(self) -> None:
        self.write: Callable[[bytes], bool] | None = None
        """Sends a message at once; False if it would have to wait, and then nothing of it was sent."""


class Listener:
    """One open stream of server-sent events."""

    def __init__(self, watcher: Watcher, at: str = "", outlet: Outlet | None = None) -> None:
        self.watcher = watcher
        self._outlet = outlet or Outlet()
        self.at = at
        """The address of the table at which the stream was asked for."""
        self.seq: int | None = None
        """The event that was sent last; None until all that the listener had missed was sent."""
        self._loop = asyncio.get_running_loop()
        self._messages: deque[bytes | None] = deque()
        self._news: asyncio.Future[None] | None = None
        self._sent_at = self._loop.time()
        self._heartbeat = self._loop.call_later(HEARTBEAT_S, self._beat)

    def send(self, message: bytes) -> bool:
        """Sends a message, or queues it while others wait; False if the listener is too slow."""
        write, news = self._outlet.write, self._news
        if write is not None and news is not None and not news.done() and write(message):
            self._sent_at = self._loop.time()
            return True
        if len(self._messages) >= MAX_WAITING:
            return False
        self._put(message)
        return True

    def _put(self, message: bytes | None) -> None:
        self._sent_at = self._loop.time()
        self._messages.append(message)
        if self._news is not None and not self._news.done():
            self._news.set_result(None)

    def _beat(self) -> None:
        """Sends a heartbeat if nothing else was sent for a while. One timer that is set anew is cheaper than a new one
        for each message."""
        silent_s = self._loop.time() - self._sent_at
        if silent_s >= HEARTBEAT_S:
            self.send(_STILL_HERE)
            silent_s = 0
        self._heartbeat = self._loop.call_later(HEARTBEAT_S - silent_s, self._beat)

    async def next(self) -> bytes | None:
        """The next message; None at the end."""
        if not self._messages:
            self._news = self._loop.create_future()
            await self._news
        return self._messages.popleft()

    def end(self) -> None:
        """Ends the stream, whatever waits in it."""
        self._heartbeat.cancel()
        self._messages.clear()
        self._put(None)


class _Attended:
    """A game to which somebody listens, and who is present."""

    def __init__(self, room: Room) -> None:
        self.room = room
        self.listeners: list[Listener] = []
        self.seats: frozenset[int] = frozenset()
        self.away_since: list[float | None] = [None, None]
        """Since when each seat has been away while the other stayed; None where that does not count."""
        self.counted = False
        self.timer: Timer | None = None

    @property
    def counts(self) -> bool:
        """Whether absence counts: friends are playing."""
        return self.room.created.mode == "friend" and self.room.now.status == "playing"

    def look(self, now: float) -> None:
        """Notes who is present now. An absence begins anew when somebody comes or goes."""
        seats = frozenset(seat for one in self.listeners for seat in one.watcher.seats)
        if seats != self.seats:
            self.away_since = [None, None]
        self.seats, self.counted = seats, self.counts
        for seat in (0, 1):
            if not self.counted or seat in seats or 1 - seat not in seats:
                self.away_since[seat] = None
            elif self.away_since[seat] is None:
                self.away_since[seat] = now


class Hub:
    """All open streams, by game, and the presence of players."""

    def __init__(
        self,
        claim_after_s: float = CLAIM_AFTER_S,
        scheduler: Scheduler | None = None,
        ticks: Ticks | None = None,
        *,
        owns: Callable[[Room], bool] = lambda room: True,
        on_presence: Callable[[Room], None] = lambda room: None,
    ) -> None:
        """`owns` tells whether this process still owns a game; `on_presence` is called when somebody comes or goes."""
        self._scheduler = scheduler or Scheduler()
        self._ticks = ticks or Ticks()
        self._attended: dict[str, _Attended] = {}
        self.claim_after_s = claim_after_s
        self._owns = owns
        self._on_presence = on_presence
        self.stopping = False

    # --- who is there ---------------------------------------------------------------------------

    def listeners(self, room: Room) -> int:
        """The number of streams of a game."""
        attended = self._attended.get(room.id)
        return 0 if attended is None else len(attended.listeners)

    @property
    def streams(self) -> int:
        """The number of open streams."""
        return sum(len(one.listeners) for one in self._attended.values())

    def present(self, room: Room) -> list[bool]:
        """Whether each seat is present now; the computer always is."""
        attended = self._attended.get(room.id)
        seats = attended.seats if attended else frozenset()
        return [seat in seats or room.is_computer(seat) for seat in (0, 1)]

    def gone(self, room: Room) -> list[int]:
        """The seats that have been away for so long that the other may claim the game."""
        attended = self._attended.get(room.id)
        if attended is None or not attended.counts:
            return []
        now = self._ticks.now()
        away = enumerate(attended.away_since)
        return [seat for seat, since in away if since is not None and now - since >= self.claim_after_s]

    def _look(self, attended: _Attended) -> None:
        """Updates who is present, after somebody came or went or may be gone by now, and tells the listeners."""
        if self._attended.get(attended.room.id) is not attended:
            return
        now = self._ticks.now()
        attended.look(now)
        if attended.timer is not None:
            attended.timer.cancel()
            attended.timer = None
        if not attended.listeners:
            del self._attended[attended.room.id]
            return
        waits = [since + self.claim_after_s - now for since in attended.away_since if since is not None]
        if waits and min(waits) > 0:
            attended.timer = self._ticks.after(min(waits), lambda: self._look(attended))
        self._tell_presence(attended)

    # --- what they are told ---------------------------------------------------------------------

    def publish(self, room: Room, seq: int) -> None:
        """Sends an event to every listener, to each what they may know."""
        attended = self._attended.get(room.id)
        if attended is None:
            return
        if attended.counts != attended.counted:
            self._look(attended)
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
        self._on_presence(room)
        spectators = sum(not one.watcher.seats for one in attended.listeners)
        clock = clock_shown(room, room.now)
        data = _encode(Presence(self.present(room), spectators, self.gone(room), clock)).decode()
        message = f"event: presence\ndata: {data}\n\n".encode()
        for one in list(attended.listeners):
            self._send(attended, one, message)

    async def stream(
        self, room: Room, watcher: Watcher, after: int | None, at: str = "", outlet: Outlet | None = None
    ) -> AsyncGenerator[bytes, None]:
        """What a listener is sent: first what they have missed, then what happens, as far as it does not go to the
        `outlet`. The stream ends at once if another process owns the game by now."""
        if not self._owns(room):
            return
        listener = Listener(watcher, at, outlet)
        attended = self._attended.setdefault(room.id, _Attended(room))
        attended.listeners.append(listener)
        try:
            self._look(attended)
            if missed_much(room, after):
                await self._scheduler.run(telling(room, watcher.observer))
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
                message_or_end = await listener.next()
                if message_or_end is None:
                    return
                yield message_or_end
        finally:
            listener.end()
            if listener in attended.listeners:
                attended.listeners.remove(listener)
            self._look(attended)

    def end(self, room: Room) -> None:
        """Ends the streams of a game."""
        if (attended := self._attended.pop(room.id, None)) is not None:
            if attended.timer is not None:
                attended.timer.cancel()
            for one in attended.listeners:
                one.end()

    def stop(self) -> None:
        """Ends all streams; browsers reconnect by themselves."""
        self.stopping = True
        for attended in list(self._attended.values()):
            self.end(attended.room)

    def end_at(self, addresses: Collection[str]) -> None:
        """Ends the streams that were asked for at these addresses of the table."""
        for attended in self._attended.values():
            for one in attended.listeners:
                if one.at in addresses:
                    one.end()


def missed_much(room: Room, after: int | None) -> bool:
    """Whether somebody who has seen the event `after`, or nothing yet, gets the whole game."""
    return after is None or after > room.seq or room.seq - after > MAX_MISSED


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
    """What stands before and after a game in a server-sent event, whose id is the number of the game's event."""
    return b"id: %d\nevent: game\ndata: " % seq, b"\n\n"
