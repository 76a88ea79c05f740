"""Which games stay in memory."""

from __future__ import annotations

import os

from sintra.table.games.log import Created
from sintra.table.games.room import Room
from sintra.table.games.rooms import MAX_IDLE_GAMES, RECENTLY_S, RoomEvents, Rooms
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.games.storage import Stored
from sintra.tabletop.ruleset import RuleOptions
from table.handmade_time import HandmadeTime
from table.storages import in_a_loop


class Reads(SqliteStorage):
    """A storage that knows which logs were read."""

    def __init__(self) -> None:
        super().__init__(":memory:")
        self.logs: list[str] = []

    async def events(self, game: str, start: int = 0, most: int | None = None) -> list[Stored]:
        self.logs.append(game)
        return await super().events(game, start, most)


async def made(rooms: Rooms) -> Room:
    """A new game."""
    game = Created(
        seed=1,
        computer_seed=1,
        mode="screen",
        names=["Ann", "Ben"],
        goals=[],
        goal_count=3,
        options=RuleOptions(),
        opponent="",
    )
    return await rooms.create(game, {"own": os.urandom(32)})


@in_a_loop
async def test_a_thousand_games_that_are_used_are_not_read_again() -> None:
    storage = Reads()
    rooms = Rooms(storage, ticks=HandmadeTime())
    games = [(await made(rooms)).id for _ in range(1000)]
    for game in games:
        await rooms.open(game)
    assert storage.logs == []
    assert rooms.in_memory == len(games)
    await storage.close()


@in_a_loop
async def test_games_that_nobody_has_used_for_a_while_are_left_to_the_storage() -> None:
    storage, time = Reads(), HandmadeTime()
    rooms = Rooms(storage, ticks=time, events=RoomEvents(is_busy=lambda room: room is listened_to))
    listened_to = await made(rooms)
    forgotten = await made(rooms)
    used = await made(rooms)
    for _ in range(MAX_IDLE_GAMES):
        await made(rooms)
    time.seconds += RECENTLY_S
    await rooms.open(used.id)
    for _ in range(10):
        await made(rooms)
    assert rooms.in_memory == MAX_IDLE_GAMES
    assert await rooms.open(listened_to.id) is listened_to
    assert await rooms.open(used.id) is used
    assert storage.logs == []
    assert await rooms.open(forgotten.id) is not forgotten
    await storage.close()


@in_a_loop
async def test_games_in_memory_are_bounded_however_recently_they_were_used() -> None:
    storage = Reads()
    rooms = Rooms(storage, max_games=20, ticks=HandmadeTime())
    for _ in range(50):
        await made(rooms)
    assert rooms.in_memory == 20
    await storage.close()
