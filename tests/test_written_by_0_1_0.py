"""What version 0.1.0 wrote is read: a database with three games, their records and their positions."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import pytest

from sintra import Game, Record
from sintra.table.games.opening import open_storage
from sintra.table.games.room import Room

WRITTEN: Final = Path(__file__).parent / "written_by_0_1_0"
GAMES: Final[dict[str, dict[str, Any]]] = json.loads((WRITTEN / "games.json").read_text("utf-8"))
"""Against the computer, with a friend and on one screen: what 0.1.0 said of each game at its end."""


@pytest.mark.parametrize("name", GAMES)
def test_a_record_is_read_and_replayed(name: str) -> None:
    record = Record.from_dict(GAMES[name]["record"])
    assert record.to_dict() == GAMES[name]["record"]
    record.check()
    game = record.replay()
    assert (game.ply, game.rules.to_dict()) == (GAMES[name]["ply"], GAMES[name]["rules"])


@pytest.mark.parametrize("name", GAMES)
def test_a_position_is_read(name: str) -> None:
    text = GAMES[name]["position"]
    assert Game.from_position(text).position == text


async def _read(path: Path, name: str) -> tuple[list[str], Room]:
    storage = await open_storage(str(path))
    try:
        return await storage.games(), Room(name, await storage.events(name))
    finally:
        await storage.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_goes_on_at_the_table(tmp_path: Path, name: str) -> None:
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript((WRITTEN / "games.sql").read_text("utf-8"))
    names, room = asyncio.run(_read(path, name))
    assert sorted(names) == sorted(GAMES)
    said = GAMES[name]
    assert (room.now.status, room.game.ply, room.game.position) == (said["status"], said["ply"], said["position"])
    assert room.rules.to_dict() == said["rules"]
    assert room.created.opponent == ("level:n=5" if room.created.mode == "computer" else "")


def test_the_games_are_of_all_kinds() -> None:
    assert sorted(game["status"] for game in GAMES.values()) == ["over", "over", "playing"]
    assert {game["rules"]["draw_at_zero"] for game in GAMES.values()} == {"forced", "free"}
