"""The storage: nothing is lost, doubled or changed, also when the service is killed."""

from __future__ import annotations

import os
import signal
import sqlite3
import sys
from pathlib import Path

import pytest

from sintra.table.games.database import SCHEMA, StorageError, default_database
from sintra.table.games.storage import ConflictError, SqliteStorage, Stored
from table.served import Served


def event(seq: int, post: str | None = None, act: str = "{}") -> Stored:
    return Stored(seq, post, "2026-01-01T00:00:00.000Z", act)


def test_events_come_back_in_order(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "table.sqlite"
    storage = SqliteStorage(path)
    storage.create("a", [event(0)], [("own", b"1")])
    for seq in range(1, 20):
        storage.append("a", event(seq, f"post {seq}"))
    storage.append("b", event(0))
    storage.close()
    again = SqliteStorage(path)
    assert again.events("a") == [event(0), *(event(seq, f"post {seq}") for seq in range(1, 20))]
    assert again.events("nowhere") == []
    assert again.games() == ["a", "b"]
    again.close()


def test_places_and_posts_are_unique(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite")
    storage.append("a", event(0, "first"))
    with pytest.raises(ConflictError):
        storage.append("a", event(0, "second"))
    with pytest.raises(ConflictError):
        storage.append("a", event(1, "first"))
    storage.append("a", event(1))
    storage.append("a", event(2))
    storage.append("b", event(0, "first"))
    with pytest.raises(ConflictError):
        storage.create("a", [event(0)], [("own", b"1")])
    with pytest.raises(ConflictError):
        storage.create("c", [event(0), event(0)], [("own", b"1")])
    assert storage.events("c") == []
    assert storage.roles("c", [b"1"]) == set()
    assert len(storage.events("a")) == 3
    storage.close()


def test_log_cannot_be_changed(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite")
    storage.append("a", event(0))
    for change in ("UPDATE events SET act = ''", "DELETE FROM events"):
        with pytest.raises(sqlite3.IntegrityError, match="append-only"):
            storage._db.execute(change)
    storage.close()


def test_secrets_open_roles_of_their_game_only(tmp_path: Path) -> None:
    storage = SqliteStorage(tmp_path / "table.sqlite")
    storage.create("a", [event(0)], [("own", b"1"), ("watch", b"2")])
    storage.create("b", [event(0)], [("own", b"3")])
    storage.add_secret("b", "friend", b"4")
    assert storage.roles("a", [b"1", b"3"]) == {"own"}
    assert storage.roles("b", [b"3", b"4", b"9"]) == {"own", "friend"}
    assert storage.roles("a", []) == set()
    storage.close()


def test_other_schemas_and_other_files_are_refused(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    storage = SqliteStorage(path)
    storage._db.execute(f"PRAGMA user_version = {SCHEMA + 1}")
    storage.close()
    with pytest.raises(StorageError, match=f"has schema {SCHEMA + 1}, this version of Sintra knows {SCHEMA}"):
        SqliteStorage(path)
    path.write_text("no database at all, but long enough to be looked at as one " * 20)
    with pytest.raises(StorageError, match="cannot use the database"):
        SqliteStorage(path)
    with pytest.raises(StorageError, match="cannot use the database"):
        SqliteStorage(tmp_path)


def test_files_are_private(tmp_path: Path) -> None:
    """The seeds of games lie in the log beside the database too. Modes tell of others on POSIX only."""
    others = 0o077 if os.name == "posix" else 0
    path = tmp_path / "table.sqlite"
    opened = []
    for was_open in (False, True):
        if was_open:
            for one in tmp_path.iterdir():
                one.chmod(0o644)
        opened.append(SqliteStorage(path))
        opened[-1].append("a", event(int(was_open)))
        files = list(tmp_path.iterdir())
        assert len(files) == 3
        assert all(one.stat().st_mode & others == 0 for one in files)
    for storage in opened:
        storage.close()
    folder = tmp_path / "folder"
    folder.mkdir(0o755)
    mode = folder.stat().st_mode
    with pytest.raises(StorageError):
        SqliteStorage(folder)
    assert folder.stat().st_mode == mode


@pytest.mark.parametrize(
    ("platform", "variables", "expected"),
    [
        ("linux", {"XDG_DATA_HOME": "/data"}, "/data/sintra/table.sqlite"),
        ("linux", {"HOME": "/home/ann"}, "/home/ann/.local/share/sintra/table.sqlite"),
        ("darwin", {"HOME": "/Users/ann"}, "/Users/ann/Library/Application Support/sintra/table.sqlite"),
        ("win32", {"LOCALAPPDATA": "/local"}, "/local/sintra/table.sqlite"),
    ],
)
def test_default_place(
    monkeypatch: pytest.MonkeyPatch, platform: str, variables: dict[str, str], expected: str
) -> None:
    for name in ("XDG_DATA_HOME", "LOCALAPPDATA"):
        monkeypatch.delenv(name, raising=False)
    for name, value in variables.items():
        monkeypatch.setenv(name, value)
    monkeypatch.setattr(sys, "platform", platform)
    assert default_database() == Path(expected)


def test_killed_service_resumes_exactly(tmp_path: Path) -> None:
    """Kill -9 after every few answered moves: no answered move is lost, none is doubled."""
    path = tmp_path / "table.sqlite"
    with Served(path) as served:
        game, ann, ben = served.friends()
        answered: list[int] = []
        for k in range(40):
            if k % 13 == 7:
                before = [person.get(f"/api/games/{game}").json() for person in (ann, ben)]
                served.kill(signal.SIGKILL)
                served.start()
                after = [person.get(f"/api/games/{game}").json() for person in (ann, ben)]
                assert after == before
                repeated = served.last_post
                assert served.repeat(repeated) == answered[-1]
            answered.append(served.play_one(game, ann, ben))
        log = ann.get(f"/api/games/{game}").json()["log"]
        assert [one["seq"] for one in log] == list(range(len(log)))
        assert [one["seq"] for one in log if one["kind"] == "move"] == answered


def test_computer_goes_on_after_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "table.sqlite"
    with Served(path) as served:
        ann = served.person()
        made = ann.post(
            "/api/games", json={"mode": "computer", "names": ["Ann"], "opponent": "level:n=11", "first": "me"}
        ).json()
        served.kill(signal.SIGKILL)
        served.start()
        shown = served.wait_for(ann, made["game"], lambda one: one["seq"] > 0)
        assert shown["log"][1]["kind"] == "move"
        served.kill(signal.SIGTERM)
        assert served.code == 0
        assert "Traceback" not in served.errors
