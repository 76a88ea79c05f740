"""What was written while seats recalled by which ways plates had come (positions with `recalls`, and states of the
older layout) is read: positions, views, a database with a game that began with such a position, and notes."""

from __future__ import annotations

import asyncio
import json
import sqlite3
from contextlib import closing
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

from game.knowing import assert_nobody_is_wrong
from helpers import legal_choices, some
from sintra import Game, View
from sintra.learn.notes import Notes, NotesError
from sintra.rules.limits import field_out_of_limits
from sintra.rules.older_layout import OLDER_SIZE, older_bytes
from sintra.rules.state import STATE
from sintra.table.games.opening import open_storage
from sintra.table.games.room import Room

WRITTEN: Final = Path(__file__).parent / "written_with_recalls"
POSITIONS: Final[list[dict[str, Any]]] = json.loads((WRITTEN / "positions.json").read_text("utf-8"))
GAMES: Final[dict[str, dict[str, Any]]] = json.loads((WRITTEN / "games.json").read_text("utf-8"))


def without_recalls(text: str) -> str:
    """A position without what its seats recalled; there was something."""
    lines = [line for line in text.splitlines(keepends=True) if not line.startswith(("0 recalls", "1 recalls"))]
    assert len(lines) < len(text.splitlines())
    return "".join(lines)


@pytest.mark.parametrize("written", POSITIONS)
def test_a_position_is_read_as_one_that_recalls_nothing(written: dict[str, Any]) -> None:
    game = Game.from_position(written["position"])
    assert game.position == without_recalls(written["position"])
    assert game == Game.from_position(without_recalls(written["position"]))
    assert_nobody_is_wrong(game.state)


@pytest.mark.parametrize("written", POSITIONS)
def test_a_view_is_read_as_one_that_recalls_nothing(written: dict[str, Any]) -> None:
    for observer, text in enumerate(written["views"]):
        view = View.from_position(text)
        assert view.seat == observer
        assert view.position == (without_recalls(text) if "recalls" in text else text)
        assert View.of_state(view.sample_state(1), 0, observer) == view
    assert any("recalls" in text for text in written["views"])


async def _read(path: Path, name: str) -> Room:
    storage = await open_storage(str(path))
    try:
        return Room(name, await storage.events(name))
    finally:
        await storage.close()


@pytest.mark.parametrize("name", GAMES)
def test_a_game_that_began_with_such_a_position_goes_on(tmp_path: Path, name: str) -> None:
    sql = (WRITTEN / "games.sql").read_text("utf-8")
    assert "recalls" in sql
    path = tmp_path / "games.db"
    with closing(sqlite3.connect(path)) as db:
        db.executescript(sql)
    room = asyncio.run(_read(path, name))
    assert room.game.ply == GAMES[name]["ply"]
    assert room.game.position == without_recalls(GAMES[name]["position"])
    room.game.push(room.game.legal_moves[0])


def test_notes_of_the_older_layout_are_read(tmp_path: Path) -> None:
    with np.load(WRITTEN / "notes.npz") as arrays:
        old = arrays["states"]
    notes = Notes.load(WRITTEN / "notes.npz")
    assert old.shape == (len(notes.states), OLDER_SIZE)
    assert field_out_of_limits(notes.states) is None
    is_kept = np.frombuffer(older_bytes(b"\1" * STATE.itemsize), np.uint8) == 1
    for k, states in some(enumerate(np.split(notes.states, len(notes.states)))):
        assert old[k][is_kept].tobytes() == states.tobytes()
        assert set(old[k][~is_kept].tolist()) - {0, 255}, "these views recalled something"
        assert sorted(legal_choices(states)) == notes.choices[notes.first[k] : notes.first[k + 1]].tolist()
    notes.save(tmp_path / "again.npz")
    assert Notes.load(tmp_path / "again.npz").states.tobytes() == notes.states.tobytes()


@pytest.mark.parametrize("size", [STATE.itemsize - 4, STATE.itemsize + 4, OLDER_SIZE - 4, OLDER_SIZE + 4])
def test_notes_of_another_layout_are_refused(tmp_path: Path, size: int) -> None:
    with np.load(WRITTEN / "notes.npz") as arrays:
        kept = dict(arrays)
    kept["states"] = np.resize(kept["states"], (len(kept["states"]), size))
    np.savez_compressed(tmp_path / "notes.npz", **kept)
    with pytest.raises(NotesError, match="another version"):
        Notes.load(tmp_path / "notes.npz")
