"""The table in a tab: answers are those of the service, kept before they leave, and games can be carried as a file."""

from __future__ import annotations

import asyncio
import itertools
import json
import sqlite3
from pathlib import Path
from random import Random
from typing import Any

import pytest

from helpers import TASTES, played, some
from sintra.players.base import Clock
from sintra.processes.worker import WorkerLostError
from sintra.tab.cookies import CookieJar
from sintra.tab.halves import CHAMPION
from sintra.tab.storage import TabStorage
from sintra.tab.thinking import PageWorker
from sintra.table.base.opponents import OPPONENTS
from sintra.table.games.moving import copy_storage
from sintra.table.games.sqlite import SqliteStorage
from sintra.table.workers.queueing import ThinkingError
from sintra.table.workers.thinkers import ATTEMPTS, ThinkingJob
from tab.small_browser import Answer, JsBytes, SmallBrowser, SmallPage

_posts = itertools.count()


def create(page: SmallPage, mode: str = "screen", **more: Any) -> str:
    names = ["Ann", "Ben"] if mode == "screen" else ["Ann"]
    game: str = page.post("/api/games", {"mode": mode, "names": names} | more)["game"]
    return game


def move(page: SmallPage, game: str, taste: str = "drawing") -> int:
    """Makes a move for whoever is to move; returns the status of the answer."""
    room = page.runner.run(page.tab._table.rooms.open(game))
    token = str(TASTES[taste](room.game, Random(room.seq)))
    body = {"id": f"post-{next(_posts):06}", "seq": room.seq, "token": token}
    return page.ask("POST", f"/api/games/{game}/moves", body).status


def test_a_page_plays(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page:
        game = create(page)
        assert [move(page, game) for _ in range(3)] == [200] * 3
        shown = page.get(f"/api/games/{game}")
        assert shown["seq"] == 3
        assert page.ask("GET", "/api/games/unknown").status == 404
        made = page.ask("POST", "/api/games", {"mode": "screen", "names": ["Ann", "Ben"]})
        assert "set-cookie" not in dict(made.headers)
        assert dict(made.headers)["content-type"] == "application/json"


def test_what_was_answered_is_kept(tmp_path: Path) -> None:
    """After each answer the tab could be killed."""
    with SmallPage(tmp_path) as page:
        game = create(page)
        for done in range(1, 4):
            assert move(page, game) == 200
            with SmallPage(tmp_path, page.browser.kept) as later:
                assert later.get(f"/api/games/{game}")["seq"] == done


def test_what_cannot_be_kept_is_refused_and_kept_later(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page:
        game = create(page)
        page.browser.is_full = True
        assert move(page, game) == 503
        assert json.loads(page.ask("GET", "/api/health").body)["database"] == "read_only"
        page.browser.is_full = False
        assert page.get("/api/health")["database"] == "ok"
        with SmallPage(tmp_path, page.browser.kept) as later:
            seq = later.get(f"/api/games/{game}")["seq"]
        assert page.get(f"/api/games/{game}")["seq"] == seq


def test_streams_go_on_until_nobody_listens(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page:
        game = create(page)

        async def listen() -> tuple[bytes, bytes]:
            answer = page.browser.answers["stream"] = Answer()
            page.tab.start("stream", "GET", f"/api/games/{game}/events", "{}", JsBytes(b""))
            while not answer.body:
                await asyncio.sleep(0)
            first = answer.body
            page.tab.cancel("stream")
            await answer.done.wait()
            return first, answer.body

        first, whole = page.runner.run(listen())
        assert whole.startswith(first)
        assert b"data:" in first


def test_a_computer_moves_and_a_dead_worker_is_replaced(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page:
        page.browser.deaths = 1
        game = create(page, "computer", opponent="level:n=1", first="me")

        assert page.runner.run(page.settled(game)).seq > 0
        assert page.browser.opened == 2
        assert page.browser.ended >= 1


def test_workers_that_always_die_are_given_up(tmp_path: Path) -> None:
    browser = SmallBrowser(tmp_path / "none")
    browser.deaths = ATTEMPTS
    worker = PageWorker(browser)
    with pytest.raises(ThinkingError):
        asyncio.run(worker.think(ThinkingJob(abs, (-1,))))
    assert asyncio.run(worker.think(ThinkingJob(abs, (-1,)))) == 1
    with pytest.raises(ThinkingError, match="ZeroDivisionError"):
        asyncio.run(worker.think(ThinkingJob(divmod, (1, 0))))
    worker.close()
    with pytest.raises(WorkerLostError):
        asyncio.run(worker.do(abs, -1))


def test_a_worker_without_work_is_ended(tmp_path: Path) -> None:
    """Its memory is given back; the next job has a new one."""
    browser = SmallBrowser(tmp_path / "none")

    async def works_and_rests() -> None:
        worker = PageWorker(browser, idle_s=0.0)
        for opened in (1, 2):
            assert await asyncio.gather(worker.do(abs, -1), worker.do(abs, -2)) == [1, 2]
            assert browser.opened == opened
            while browser.ended < opened:
                await asyncio.sleep(0)

    asyncio.run(works_and_rests())


def test_the_champion_moves_the_same_with_a_hand(tmp_path: Path) -> None:
    """Where there are two processors, each of its trees is searched in a worker of its own."""
    moved = []
    for processors in (1, 2):
        with SmallPage(tmp_path) as page:
            page.browser.processors = processors
            thinkers = page.tab._table.thinkers
            moved.append(
                [
                    page.runner.run(thinkers.choose(OPPONENTS[CHAMPION], 7, game.view(game.turn), Clock(0.5)))
                    for game in (played(seed, "uniform", most=most) for seed, most in ((1, 20), (2, 41), (3, 63)))
                ]
            )
            assert page.browser.opened == processors
    assert moved[0] == moved[1]


def test_cookies_are_for_their_paths() -> None:
    jar = CookieJar()
    jar.take("sintra-own=abc; HttpOnly; Max-Age=100; Path=/api/games/x; SameSite=strict")
    jar.take("sintra-seat-x=abc; Path=/api/study")
    assert jar.header_for("/api/games/x/moves") == "sintra-own=abc"
    assert jar.header_for("/api/games/xy") == ""
    assert jar.header_for("/api/study") == "sintra-seat-x=abc"
    jar.take('sintra-own=""; Max-Age=0; Path=/api/games/x')
    assert jar.header_for("/api/games/x") == ""


def test_games_go_to_another_browser_with_their_seats(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page, SmallPage(tmp_path) as other:
        games = [create(page) for _ in range(2)]
        move(page, games[0])
        file = page.ask("GET", "/tab/games").body
        carried = other.post("/tab/games", file)["games"]
        assert {one["game"] for one in carried} == set(games)
        assert all(one["at"] > 1_600_000_000_000 for one in some(carried))
        assert other.get(f"/api/games/{games[0]}")["seq"] == 1
        assert move(other, games[0]) == move(other, games[1]) == 200
        back = other.ask("GET", "/tab/games").body
        assert len(page.post("/tab/games", back)["games"]) == 2
        assert page.get(f"/api/games/{games[0]}")["seq"] == 2
        with SmallPage(tmp_path, other.browser.kept) as later:
            assert later.get(f"/api/games/{games[1]}")["seq"] == 1


def test_games_that_went_on_differently_stay_as_they_are(tmp_path: Path) -> None:
    with SmallPage(tmp_path) as page, SmallPage(tmp_path) as other:
        game = create(page)
        other.post("/tab/games", page.ask("GET", "/tab/games").body)
        for _ in range(2):
            move(page, game, "drawing")
        move(other, game, "uniform")
        before = other.get(f"/api/games/{game}")
        answer = other.ask("POST", "/tab/games", page.ask("GET", "/tab/games").body)
        assert (answer.status, json.loads(answer.body)["code"]) == (422, "bad_games")
        assert other.get(f"/api/games/{game}") == before


@pytest.mark.parametrize("data", [b"", b"no database at all", b"SQLite format 3\0" + bytes(100)])
def test_other_files_are_refused(tmp_path: Path, data: bytes) -> None:
    with SmallPage(tmp_path) as page:
        answer = page.ask("POST", "/tab/games", data)
        assert (answer.status, json.loads(answer.body)["code"]) == (422, "bad_games")
        assert create(page)


def test_games_come_from_a_table_and_go_back(tmp_path: Path) -> None:
    """From a table's file the tab's player gets all seats; `sintra tables copy` takes them to a table again."""
    with SmallPage(tmp_path) as page:
        game = create(page)
        friend = create(page, "friend")
        move(page, game)
        (tmp_path / "tab").write_bytes(page.ask("GET", "/tab/games").body)

    async def copy(source_file: Path, target_file: Path) -> None:
        source, target = SqliteStorage(source_file), SqliteStorage(target_file)
        await copy_storage(source, target, lambda share, what: None)
        await source.close()
        await target.close()

    asyncio.run(copy(tmp_path / "tab", tmp_path / "table.sqlite"))
    with sqlite3.connect(tmp_path / "table.sqlite") as db:
        assert not db.execute("SELECT name FROM sqlite_master WHERE name = 'cookies'").fetchall()
    with SmallPage(tmp_path) as page:
        games = page.post("/tab/games", (tmp_path / "table.sqlite").read_bytes())["games"]
        assert {one["game"] for one in games} == {game, friend}
        assert move(page, game) == 200
        assert page.get(f"/api/games/{friend}")["seq"] == 0


def test_all_of_the_database_is_in_its_file(tmp_path: Path) -> None:
    async def keep() -> None:
        assert not list(tmp_path.glob("*-journal"))
        assert not list(tmp_path.glob("*-wal"))

    async def use() -> None:
        storage = TabStorage(tmp_path / "one.sqlite", keep)
        await storage.add_secret("game", "own", b"hash")
        assert storage.dump()[:16] == (tmp_path / "one.sqlite").read_bytes()[:16]
        await storage.close()

    asyncio.run(use())
