"""Computers that think in a Ray cluster: services share it in one order, and think by themselves while it is away."""

from __future__ import annotations

import asyncio
import json
import re
import signal
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from rays import Rays
from sintra import Game, player
from sintra.cli import main
from sintra.processes.worker import pickle_job
from sintra.table.base.opponents import OPPONENTS
from sintra.table.workers.queueing import ThinkingError
from sintra.table.workers.remote_thinkers import ClusterUnavailableError, RemoteThinkers
from sintra.table.workers.thinkers import Thinkers, choose_move
from table.log_lines import logged
from table.served import TIMEOUT_S, Served


@pytest.fixture
def rays(cluster: Rays) -> Rays:
    """A cluster with one processor."""
    cluster.have(1)
    return cluster


def until(is_so: Callable[[], bool]) -> None:
    """Waits until something is so."""
    deadline = time.monotonic() + TIMEOUT_S
    while not is_so():
        assert time.monotonic() < deadline, f"it did not happen within {TIMEOUT_S} s"
        time.sleep(0.05)


def job(level: int, seed: int = 1) -> tuple[bytes, float]:
    """A job for a cluster, and how long it takes."""
    game = Game.new(seed=3)
    opponent = OPPONENTS[f"level:n={level}"]
    return pickle_job(choose_move, opponent.player, seed, game.view(game.turn).to_bytes()), opponent.seconds


@pytest.fixture
def patient(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine may take longer for a job than services wait for it."""
    monkeypatch.setattr("sintra.table.workers.remote_thinkers._TIMEOUT_EXTRA_S", TIMEOUT_S)


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_services_share_one_queue_in_which_short_jobs_go_first(rays: Rays) -> None:
    """Two services; the one that made the queue leaves, and the other one thinks on."""
    services = [RemoteThinkers(rays.address), RemoteThinkers(rays.address)]
    for one in services:
        one.start()
    until(lambda: all(one.is_connected for one in services))
    done: list[str] = []

    async def ask(service: RemoteThinkers, level: int, name: str) -> str:
        token = str(await service.think(*job(level)))
        done.append(name)
        return token

    async def work() -> None:
        first, second = services
        await ask(second, 1, "warm")
        long = [asyncio.create_task(ask(first, 11, f"long {k}")) for k in range(3)]
        short = [asyncio.create_task(ask(second, level, "short")) for level in (1, 2)]
        await asyncio.gather(*long, *short)
        assert sorted(done[1:]) == ["long 0", "long 1", "long 2", "short", "short"]
        assert done[-1].startswith("long"), "what came last was not left to the end"
        first.close()
        with pytest.raises(ClusterUnavailableError):
            await first.think(*job(1))
        expected = player("level:n=1")
        expected.new_game(17)
        game = Game.new(seed=3)
        assert await second.think(*job(1, 17)) == str(expected.choose(game.view(game.turn)))
        wrong = game.view(1 - game.turn).to_bytes()
        with pytest.raises(ThinkingError, match="NotToMoveError while a computer was thinking"):
            await second.think(pickle_job(choose_move, "level:n=1", 0, wrong), 0.0)

    try:
        asyncio.run(work())
    finally:
        for one in services:
            one.close()


@pytest.mark.long
@pytest.mark.usefixtures("patient")
def test_a_thought_that_is_given_up_disturbs_no_other(rays: Rays) -> None:
    remote = RemoteThinkers(rays.address)
    remote.start()
    until(lambda: remote.is_connected)
    connection = remote._connection
    assert connection is not None

    async def work() -> None:
        given_up = asyncio.create_task(remote.think(*job(11)))
        while not connection._open:
            await asyncio.sleep(0.01)
        await asyncio.sleep(0.2)
        given_up.cancel()
        while connection._open:
            await asyncio.sleep(0.01)
        assert await remote.think(*job(1))

    try:
        asyncio.run(work())
    finally:
        remote.close()


class Table:
    """A game against a computer at a service, and what the service says of its jobs."""

    def __init__(self, served: Served) -> None:
        self._served = served
        self.person: httpx.Client = served.person()
        asked = {"mode": "computer", "names": ["Ann"], "opponent": "level:n=1"}
        self.game: str = self.person.post("/api/games", json=asked).json()["game"]

    def play(self, moves: int) -> None:
        """Somebody moves so many times, and the computer between."""
        for _ in range(moves):
            self._served.wait_for(self.person, self.game, lambda shown: "options" in shown)
            self._served.play_one(self.game, self.person)
        self._served.wait_for(self.person, self.game, lambda shown: "options" in shown)

    def play_until_the_cluster_thinks(self) -> float:
        """Plays until another move came from the cluster, which may be late on a busy machine; returns how many did."""
        before = self.metric("sintra_cluster_jobs_total")
        self.wait_for_cluster(True)
        while (now := self.metric("sintra_cluster_jobs_total")) == before:
            self.play(1)
        return now

    def metric(self, name: str) -> float:
        """What the service says of itself."""
        found = re.search(rf"^{name} (\S+)$", self.person.get("/metrics").text, re.MULTILINE)
        assert found, name
        return float(found[1])

    def wait_for_cluster(self, is_connected: bool) -> None:
        """Waits until the cluster is there, or away."""
        until(lambda: self.metric("sintra_cluster_connected") == is_connected)


@pytest.mark.long
def test_a_cluster_that_goes_away_and_comes_back(rays: Rays, tmp_path: Path) -> None:
    with Served(tmp_path / "table.sqlite", "--thinkers", f"ray:{rays.address}") as served:
        table = Table(served)
        there = table.play_until_the_cluster_thinks()
        rays.stop()
        table.wait_for_cluster(False)
        before = table.metric("sintra_job_seconds_count")
        table.play(3)
        assert table.metric("sintra_cluster_jobs_total") == there
        assert table.metric("sintra_job_seconds_count") > before
        rays.start_node()
        assert table.play_until_the_cluster_thinks() > there
        served.kill(signal.SIGTERM)
    assert served.code == 0
    assert "Traceback" not in served.errors
    lines: list[dict[str, Any]] = [json.loads(line) for line in served.errors.splitlines() if line.startswith("{")]
    told = [line["there"] for line in lines if line.get("what") == "cluster"]
    assert [told[0], told[-1], False in told] == [True, True, True]


def test_where_no_cluster_can_be_is_said_at_once(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", "--thinkers", "ray:nowhere"])
    assert "'nowhere' is no address of a cluster: it reads like" in capsys.readouterr().err


@pytest.mark.long
def test_a_pool_whose_cluster_was_never_there_thinks_by_itself() -> None:
    async def work() -> None:
        remote = RemoteThinkers("127.0.0.1:1")
        thinkers = Thinkers(1, remote)
        remote.start()
        game = Game.new(seed=3)
        try:
            assert await thinkers.choose(OPPONENTS["level:n=1"], 0, game.view(game.turn))
        finally:
            await asyncio.to_thread(until, lambda: bool(log.lines))
            thinkers.close()

    with logged() as log:
        asyncio.run(work())
    line = log.lines[0]
    assert (line["level"], line["what"], line["there"]) == ("warning", "cluster", False)
    assert line["why"].startswith("no cluster answers at 127.0.0.1:1: ")
