"""Who listens to a game, and what they are sent: server-sent events that can be resumed."""

from __future__ import annotations

import asyncio
from collections import defaultdict
from collections.abc import AsyncIterator
from typing import Final

import msgspec

from sintra.table.messages import GameShown, Presence
from sintra.table.rooms import Room
from sintra.table.watching import Watcher, game_shown

HEARTBEAT: Final = 15.0
MOST_WAITING: Final = 100
"""A listener who is so many messages behind is cut off, and resumes."""
MOST_MISSED: Final = 30
"""Who has missed more events than that gets the whole game instead."""
_encode: Final = msgspec.json.Encoder().encode


class Listener:
    """One open stream."""

    def __init__(self, watcher: Watcher) -> None:
        self.watcher = watcher
        self.seq = -1
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

    def __init__(self) -> None:
        self._listeners: dict[str, list[Listener]] = defaultdict(list)
        self.stopping = False

    def listeners(self, room: Room) -> int:
        """How many listen to a game."""
        return len(self._listeners.get(room.id, ()))

    def present(self, room: Room) -> list[bool]:
        """Which seats are at the table now; the computer always is."""
        seats = {seat for one in self._listeners.get(room.id, ()) for seat in one.watcher.seats}
        return [seat in seats or room.is_computer(seat) for seat in (0, 1)]

    def publish(self, room: Room, seq: int) -> None:
        """Tells every listener of an event, each what they may know."""
        made: dict[Watcher, bytes] = {}
        present = self.present(room)
        for one in list(self._listeners.get(room.id, ())):
            if one.seq >= seq:
                continue
            one.seq = seq
            if one.watcher not in made:
                made[one.watcher] = game_message(game_shown(room, one.watcher, present, seq=seq))
            self._send(room, one, made[one.watcher])

    def _send(self, room: Room, one: Listener, message: bytes) -> None:
        if not one.send(message):
            self._listeners[room.id].remove(one)
            one.end()

    def _tell_presence(self, room: Room) -> None:
        spectators = sum(not one.watcher.seats for one in self._listeners.get(room.id, ()))
        data = _encode(Presence(self.present(room), spectators)).decode()
        message = f"event: presence\ndata: {data}\n\n".encode()
        for one in list(self._listeners.get(room.id, ())):
            self._send(room, one, message)

    async def stream(self, room: Room, watcher: Watcher, after: int | None) -> AsyncIterator[bytes]:
        """What a listener is sent: first what they have missed, then what happens."""
        listener = Listener(watcher)
        self._listeners[room.id].append(listener)
        try:
            for message in missed(room, watcher, self.present(room), after):
                listener.send(message)
            listener.seq = room.seq
            self._tell_presence(room)
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
        for listeners in self._listeners.values():
            for one in listeners:
                one.end()


def missed(room: Room, watcher: Watcher, present: list[bool], after: int | None) -> list[bytes]:
    """The messages for somebody who has seen the event `after`, or nothing yet."""
    if after is None or after > room.seq or room.seq - after > MOST_MISSED:
        return [game_message(game_shown(room, watcher, present, log_too=True))]
    return [game_message(game_shown(room, watcher, present, seq=seq)) for seq in range(after + 1, room.seq + 1)]


def game_message(shown: GameShown) -> bytes:
    """A game as a server-sent event; its id is the number of the game's event."""
    return b"id: %d\nevent: game\ndata: %s\n\n" % (shown.seq, _encode(shown))
