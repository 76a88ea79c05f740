"""Three processes serve one table from one PostgreSQL, with a player's browser at the first, the friend's at the second
and a spectator's at the third. Processes are killed and started again at random moments while a whole game is played,
one is paused for so long that it loses its games, and PostgreSQL is stopped and started: nothing is lost, nothing is
doubled, and every page knows the end."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import ExitStack
from pathlib import Path
from random import Random
from typing import Any

import httpx
import pytest
from playwright.sync_api import APIResponse, Browser, Page, expect
from playwright.sync_api import Error as PageError

import soak
from ports import free_ports
from table.browser.browsers import Browsers, Table, game_of, start_game, words
from table.postgres_server import PostgresServer
from table.served import any_token

pytestmark = pytest.mark.long

_LISTEN = """() => {
    window.heard = [];
    window.EventSource = class extends EventSource {
        constructor(...more) {
            super(...more);
            this.addEventListener("open", () => heard.push(null));
            this.addEventListener("game", (message) => {
                const game = JSON.parse(message.data);
                heard.push([game.seq, "log" in game]);
            });
        }
    };
}"""
"""What a page is told of its game is kept: the number of each event, and whether the whole game came with it; nothing
where a stream begins."""
KILLS = soak.pick(4, 24)
STOPS = soak.pick(1, 2)
PAUSE_S = soak.pick(12, 30)
"""Seconds for which a process is paused: longer than one that is not heard of keeps its leases."""
MOVES_A_KILL = 6
RECOVERY_TIMEOUT_S = 600
"""How long a table that was killed may take to come back."""


@pytest.fixture
def own_postgres() -> Iterator[PostgresServer]:
    """A server of this test alone, which it may stop."""
    server = PostgresServer(fsync="on", full_page_writes="on")
    yield server
    server.close()


class Reaper(threading.Thread):
    """Kills one process after the other, and starts it again; in between it pauses one, and stops the database."""

    def __init__(self, tables: dict[int, Table], postgres: PostgresServer, address: str, game: str) -> None:
        """`tables` by the ports at which other processes reach them; the owner of `game` is paused."""
        super().__init__(daemon=True)
        self._by_port = tables
        self._tables = list(tables.values())
        self._postgres = postgres
        self._address = address
        self._game = game
        self._dice = Random(11)
        self.kills = 0
        self.stops = 0
        self.failure: BaseException | None = None

    def run(self) -> None:
        try:
            for kill in range(KILLS):
                time.sleep(self._dice.uniform(0.0, 0.6))
                table = self._tables[kill % len(self._tables)]
                table.kill(signal.SIGKILL)
                time.sleep(self._dice.uniform(0.0, 0.3))
                if kill * STOPS // KILLS != (kill + 1) * STOPS // KILLS:
                    self._stop_postgres()
                table.start()
                self.kills += 1
                if self.kills == KILLS // 2:
                    self._pause(self._owner())
        except BaseException as error:
            self.failure = error

    def _owner(self) -> Table:
        """The process that owns the game, once there is one that lives."""
        query = f"SELECT address FROM sintra.owners JOIN sintra.processes ON id = process WHERE name = '{self._game}'"
        deadline = time.monotonic() + RECOVERY_TIMEOUT_S
        while not (found := self._postgres.ask(query, self._address)):
            assert time.monotonic() < deadline, "nobody owns the game"
            time.sleep(0.05)
        return self._by_port[int(found[0][0].rpartition(":")[2])]

    def _pause(self, table: Table) -> None:
        """Another process takes over what it owns; it comes back as if nothing had happened."""
        os.kill(table.pid, signal.SIGSTOP)
        try:
            time.sleep(PAUSE_S)
        finally:
            os.kill(table.pid, signal.SIGCONT)

    def _stop_postgres(self) -> None:
        if self.stops % 2:
            self._postgres.crash()
        else:
            self._postgres.stop()
        time.sleep(self._dice.uniform(0.2, 1.0))
        self._postgres.start()
        self.stops += 1


class Players:
    """The two who play, each by the page's own browser at their own process; what is not answered is asked again."""

    def __init__(self, pages: list[Page], reaper: Reaper) -> None:
        self._pages = pages
        self._reaper = reaper
        self._dice = Random(5)
        self.game = game_of(pages[0])
        self.posted: list[str] = []

    def ask(self, page: Page, method: str, path: str, body: dict[str, Any] | None = None) -> APIResponse:
        """An answer that is one, however long the service is away."""
        deadline = time.monotonic() + RECOVERY_TIMEOUT_S
        while True:
            assert self._reaper.failure is None, self._reaper.failure
            try:
                answer = page.context.request.fetch(path, method=method, data=body, timeout=20_000)
            except PageError:
                pass
            else:
                if answer.status < 500:
                    return answer
            assert time.monotonic() < deadline, "the table did not come back"
            page.wait_for_timeout(50)

    def shown(self, page: Page) -> dict[str, Any]:
        answer = self.ask(page, "GET", f"/api/games/{self.game}")
        assert answer.status == 200, answer.text()
        found: dict[str, Any] = answer.json()
        return found

    def move(self) -> bool:
        """A move of whoever has to; whether the game goes on."""
        for page in self._pages:
            shown = self.shown(page)
            if shown["status"] == "over":
                return False
            if "options" in shown:
                post = f"post-{len(self.posted):05}"
                body = {"id": post, "seq": shown["seq"], "token": any_token(shown, self._dice)}
                answer = self.ask(page, "POST", f"/api/games/{self.game}/moves", body)
                if answer.status == 409 and answer.json()["code"] == "stale":
                    return True  # this process had not heard of the latest move
                assert answer.status == 200, answer.text()
                assert answer.json()["seq"] == shown["seq"] + 1
                self.posted.append(post)
                return True
        return True


class Soloist:
    """Somebody who plays against a computer, and asks another process each time."""

    def __init__(self, tables: list[Table]) -> None:
        self._tables = tables
        self._http = httpx.Client(timeout=20)
        self._dice = Random(6)
        asked = {"mode": "computer", "names": ["Sol"], "opponent": "level:n=1"}
        self.game: str = self._ask("POST", "/api/games", asked)["game"]
        self.posted = 0

    def _ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> Any:
        """An answer of any process that gives one."""
        deadline = time.monotonic() + RECOVERY_TIMEOUT_S
        while True:
            try:
                answer = self._http.request(method, self._dice.choice(self._tables).address + path, json=body)
            except httpx.HTTPError:
                pass
            else:
                if answer.status_code < 500:
                    return answer.json()
            assert time.monotonic() < deadline, "no process answers"
            time.sleep(0.05)

    def move(self) -> bool:
        """A move, if it is this player's turn; whether the game goes on."""
        shown = self._ask("GET", f"/api/games/{self.game}")
        if "options" in shown:
            token = any_token(shown, self._dice)
            body = {"id": f"solo-{self.posted:05}-{shown['seq']}", "seq": shown["seq"], "token": token}
            self.posted += "code" not in self._ask("POST", f"/api/games/{self.game}/moves", body)
        return bool(shown["status"] == "playing")

    def close(self) -> None:
        self._http.close()


def check_told(heard: list[tuple[int, bool] | None]) -> None:
    """In a stream each event came once, after the one before, but where the whole game came. The next one left nothing
    out: it began with what the page had not shown yet."""
    last, is_new = None, True
    for one in heard:
        if one is None:
            is_new = True
            continue
        seq, is_whole = one
        if last is not None and not (is_whole and seq >= last):
            assert seq <= last + 1 if is_new else seq == last + 1, heard
        last, is_new = seq, False


@pytest.mark.soak
def test_a_whole_game_while_processes_are_killed(
    browser: Browser, own_postgres: PostgresServer, tmp_path: Path
) -> None:
    address = own_postgres.new_database()
    with ExitStack() as stack:
        by_port = {
            port: stack.enter_context(
                Table(
                    tmp_path / f"{port}.sqlite",
                    "--quiet",
                    "--thinkers=1",
                    f"--private-address=127.0.0.1:{port}",
                    address=address,
                )
            )
            for port in (free_ports() for _ in range(3))
        }
        tables = list(by_port.values())
        for table in tables:
            table.warm()
        at = [Browsers(browser, table) for table in tables]
        ann, ben, eve = pages = at[0].page(), at[1].page(name=""), at[2].page()
        for page in pages:
            page.add_init_script(f"({_LISTEN})()")
        start_game(ann, "friend", name="Ann")
        links = [ann.locator(f"#link-{role}").input_value() for role in ("friend", "watch")]
        to_ben, to_eve = (
            link.replace(tables[0].address, there.address) for link, there in zip(links, tables[1:], strict=True)
        )
        ben.goto(to_ben)
        ben.locator("#join-name").fill("Ben")
        ben.get_by_role("button", name=words("join.go")).click()
        eve.goto(to_eve)
        for page in pages:
            page.locator("[data-tour=log] li").first.wait_for()
        reaper = Reaper(by_port, own_postgres, address, game_of(ann))
        players, soloist = Players([ann, ben], reaper), Soloist(tables)
        for one in at:
            stack.enter_context(one.without_server())
        reaper.start()
        goes_on = True
        while goes_on or reaper.is_alive():
            may_move = len(players.posted) < MOVES_A_KILL * (reaper.kills + 1) or not reaper.is_alive()
            if goes_on and may_move:
                goes_on = players.move()
            else:
                ann.wait_for_timeout(20)
            soloist.move()
        reaper.join()
        assert reaper.failure is None
        assert (reaper.kills, reaper.stops) == (KILLS, STOPS)
        while soak.is_on and soloist.move():
            pass
        soloist.close()
        events = len(players.shown(ann)["log"])
        for page in pages:
            page.wait_for_function(f"() => heard.at(-1)?.[0] === {events - 1}")
            expect(page.get_by_text(words("page.reconnecting"))).to_be_hidden()
            check_told(page.evaluate("heard"))
        written = own_postgres.ask(
            f"SELECT post FROM sintra.events WHERE game = '{players.game}' ORDER BY seq", address
        )
        posts = [post.rpartition(":")[2] for (post,) in written if post is not None]
        assert posts == players.posted, "every move that was answered is in the log, once, and no other"
        (moves,) = own_postgres.ask(
            f"SELECT count(*) FROM sintra.events WHERE game = '{soloist.game}' AND post LIKE '%:moves:%'", address
        )
        assert moves[0] == soloist.posted
        for one in at:
            one.close()
            assert [fault for fault in one.faults if not fault.startswith("request:")] == []
    checked = subprocess.run(
        [sys.executable, "-m", "sintra", "tables", "check", address], capture_output=True, text=True, check=False
    )
    assert checked.returncode == 0, checked.stdout + checked.stderr
