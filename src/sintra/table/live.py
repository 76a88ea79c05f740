"""Who listens to a game, and what they are sent: server-sent events that can be resumed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator, Callable, Collection, Iterator
from typing import Final

import msgspec

from sintra.table.games.room import Room
from sintra.table.portions import Portions, pieces
from sintra.table.shown.game import Watcher, clock_shown, game_shown, telling, whole_game
from sintra.table.shown.messages import Presence

HEARTBEAT: Final = 15.0
MOST_WAITING: Final = 100
"""A listener who is so many messages behind is cut off, and resumes."""
MOST_MISSED: Final = 30
"""Who has missed more events than that gets the whole game instead."""
PATIENCE: Final = 180.0
"""Seconds that a friend is away, while the other stays, before the game can be claimed."""
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


class Hub:
    """All open streams, by game."""

    def __init__(self, patience: float = PATIENCE, portions: Portions | None = None) -> None:
        self._portions = portions or Portions()
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self.patience = patience
        self._timers: dict[tuple[str, int], asyncio.TimerHandle] = {}
        self._gone: set[tuple[str, int]] = set()
        self.on_presence: Callable[[Room], None] = lambda room: None
        self.stopping = False

    def listeners(self, room: Room) -> int:
        """How many listen to a game."""
        return len(self._listeners.get(room.id, ()))

    @property
    def streams(self) -> int:
        """How many listen to any game."""
        return sum(map(len, self._listeners.values()))

    def present(self, room: Room) -> list[bool]:
        """Which seats are at the table now; the computer always is."""
        seats = {seat for one in self._listeners.get(room.id, ()) for seat in one.watcher.seats}
        return [seat in seats or room.is_computer(seat) for seat in (0, 1)]

    def gone(self, room: Room) -> list[int]:
        """Which seats have been away for so long that the other may claim the game."""
        return [seat for seat in (0, 1) if (room.id, seat) in self._gone]

    def _watch_absence(self, room: Room) -> None:
        """Counts the time that a friend is away while the other stays; it begins anew when either comes
        or goes."""
        counts = room.created.mode == "friend" and room.now.status == "playing"
        present = self.present(room)
        for seat in (0, 1):
            key = (room.id, seat)
            if present[seat] or not present[1 - seat] or not counts:
                self._gone.discard(key)
                if key in self._timers:
                    self._timers.pop(key).cancel()
            elif key not in self._gone and key not in self._timers:
                loop = asyncio.get_running_loop()
                self._timers[key] = loop.call_later(self.patience, self._give_up, room, seat)

    def _give_up(self, room: Room, seat: int) -> None:
        del self._timers[(room.id, seat)]
        self._gone.add((room.id, seat))
        self._tell_presence(room)

    def publish(self, room: Room, seq: int) -> None:
        """Tells every listener of an event, each what they may know."""
        self._watch_absence(room)
        made: dict[Watcher, bytes] = {}
        present = self.present(room)
        for one in list(self._listeners.get(room.id, ())):
            if one.seq is None or one.seq >= seq:
                continue
            one.seq = seq
            if one.watcher not in made:
                made[one.watcher] = event_message(room, one.watcher, present, seq)
            self._send(room, one, made[one.watcher])

    def _send(self, room: Room, one: Listener, message: bytes) -> None:
        if not one.send(message):
            self._listeners[room.id].remove(one)
            one.end()

    def _tell_presence(self, room: Room) -> None:
        self._watch_absence(room)
        self.on_presence(room)
        spectators = sum(not one.watcher.seats for one in self._listeners.get(room.id, ()))
        clock = clock_shown(room, room.now)
        data = _encode(Presence(self.present(room), spectators, self.gone(room), clock)).decode()
        message = f"event: presence\ndata: {data}\n\n".encode()
        for one in list(self._listeners.get(room.id, ())):
            self._send(room, one, message)

    async def stream(self, room: Room, watcher: Watcher, after: int | None, at: str = "") -> AsyncIterator[bytes]:
        """What a listener is sent: first what they have missed, then what happens."""
        listener = Listener(watcher, at)
        self._listeners[room.id].append(listener)
        try:
            self._tell_presence(room)
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
            if listener in self._listeners[room.id]:
                self._listeners[room.id].remove(listener)
            if not self._listeners[room.id]:
                del self._listeners[room.id]
            if not self.stopping:
                self._tell_presence(room)

    def stop(self) -> None:
        """Ends all streams; the browsers will come back to the next server."""
        self.stopping = True
        for timer in self._timers.values():
            timer.cancel()
        for listeners in self._listeners.values():
            for one in listeners:
                one.end()

    def end_at(self, addresses: Collection[str]) -> None:
        """Ends the streams that were asked for by these addresses of the table."""
        for listeners in self._listeners.values():
            for one in listeners:
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
        yield after, event_message(room, watcher, present, after)


def event_message(room: Room, watcher: Watcher, present: list[bool], seq: int) -> bytes:
    """The game after an event, as a server-sent event."""
    before, after = _around(seq)
    return before + _encode(game_shown(room, watcher, present, seq=seq)) + after


def _around(seq: int) -> tuple[bytes, bytes]:
    """What makes a game a server-sent event; its id is the number of the game's event."""
    return b"id: %d\nevent: game\ndata: " % seq, b"\n\n"
