"""Several processes on one port: all answer, those that die are replaced, and none outlives the one above them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any, ClassVar

import httpx
import pytest

from ports import free_ports
from processes import children_of, is_running
from sintra.cli import main
from sintra.processes.worker import WorkerLostError
from sintra.table.games.opening import open_storage
from sintra.table.http import supervisor
from sintra.table.http.server import Settings, bind
from table import supervised
from table.postgres_server import PostgresServer
from table.served import TIMEOUT_S
from table.storages import in_a_loop
from table.storages import until as happened

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")


class Supervised:
    """Processes that serve, and the one that supervises them."""

    def __init__(self, process: subprocess.Popen[bytes], said: Path) -> None:
        self.process = process
        self._said = said
        assert process.stdout is not None
        self.line = process.stdout.readline().decode()
        self.address = self.line.split()[-1].rstrip(".")
        self.port = int(self.address.rpartition(":")[2])

    def lines(self) -> list[dict[str, Any]]:
        return [json.loads(line) for line in self._said.read_text().splitlines()]

    def deaths(self) -> list[dict[str, Any]]:
        return [line for line in self.lines() if line.get("what") == "process ended"]

    def pids(self) -> list[int]:
        """The processes that serve."""
        return children_of(self.process.pid)

    def numbers(self, asked: int = 12) -> set[str]:
        """The numbers of those that answer."""
        return {number_at(self.port) for _ in range(asked)}

    def stop(self, how: signal.Signals = signal.SIGTERM) -> int:
        self.process.send_signal(how)
        return self.process.wait(TIMEOUT_S)


@contextmanager
def running(folder: Path, count: int, **settings: object) -> Iterator[Supervised]:
    said = folder / "said.log"
    words = [f"{name}={value}" for name, value in settings.items()]
    with said.open("ab") as log:
        command = [sys.executable, supervised.__file__, str(count), *words]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        with process:
            try:
                yield Supervised(process, said)
            finally:
                process.kill()


def number_at(port: int) -> str:
    """The number of the process that answers there."""
    found = re.search(r'process="(\d+)"', asked(port, "/metrics")[1])
    assert found
    return found[1]


def asked(port: int, path: str) -> tuple[int, str]:
    """The status and text of an answer on a connection of its own."""
    with contextlib.closing(HTTPConnection("127.0.0.1", port, timeout=TIMEOUT_S)) as one:
        one.request("GET", path)
        answer = one.getresponse()
        return answer.status, answer.read().decode()


def until(fits: Callable[[], Any]) -> Any:
    """Waits for something that happens."""
    for _ in range(1200):
        if found := fits():
            return found
        time.sleep(0.05)
    raise AssertionError("it did not happen within a minute")


@pytest.mark.long
def test_processes_share_a_port_and_end_together(tmp_path: Path) -> None:
    ports = free_ports(2)
    with running(tmp_path, 2, metrics_port=ports) as table:
        assert table.line == f"The table is at {table.address}.\n"
        assert len(table.pids()) == 2
        until(lambda: table.numbers() == {"0", "1"})
        for number in (0, 1):
            assert number_at(ports + number) == str(number), "each has a port for its metrics"
        assert asked(ports, "/api/health")[0] == 404, "and for nothing else"
        pids = table.pids()
        assert table.stop() == 0
        assert not any(map(is_running, pids))
        lines = table.lines()
    assert {line["process"] for line in lines} == {0, 1}
    assert not [line for line in lines if "level" in line]


@pytest.mark.long
def test_the_command_serves_one_table_with_several_processes(tmp_path: Path, postgres: PostgresServer) -> None:
    command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--workers", "2", "--thinkers", "1"]
    said = tmp_path / "said.log"
    with said.open("wb") as log:
        command += ["--database", postgres.new_database()]
        process = subprocess.Popen(command, stdout=subprocess.PIPE, stderr=log, stdin=subprocess.DEVNULL)
        with process, contextlib.ExitStack() as people:
            try:
                assert process.stdout is not None
                address = process.stdout.readline().decode().split()[4].rstrip(".")
                ann = people.enter_context(httpx.Client(base_url=address, timeout=TIMEOUT_S))
                made = ann.post("/api/games", json={"mode": "friend", "names": ["Ann"]}).json()
                until(lambda: ann.get("/api/health").json()["status"] == "ok")
                answers = []
                while {line["process"] for line in looks_in(said)} != {0, 1}:
                    one = people.enter_context(httpx.Client(base_url=address, timeout=TIMEOUT_S, cookies=ann.cookies))
                    answers.append(one.get(f"/api/games/{made['game']}").json())
                assert all(one == answers[0] for one in answers)
                process.send_signal(signal.SIGTERM)
                assert process.wait(TIMEOUT_S) == 0
            finally:
                process.kill()
    assert said.read_text().endswith("The table is closed; games in progress are kept.\n")


def looks_in(said: Path) -> list[dict[str, Any]]:
    """What a log tells of looks at a game."""
    lines = [json.loads(line) for line in said.read_text().splitlines()]
    return [line for line in lines if line.get("route") == "/api/games/{game}" and line["status"] == 200]


@pytest.mark.long
def test_requests_in_flight_are_answered_and_streams_end(tmp_path: Path) -> None:
    """When a process is told to end, and so when one after the other is replaced."""
    with running(tmp_path, 1) as table, httpx.Client(base_url=table.address, timeout=TIMEOUT_S) as ann:
        made = ann.post("/api/games", json={"mode": "screen", "names": ["Ann", "Ben"]}).json()
        (first,) = table.pids()
        path = f"/api/games/{made['game']}"
        body = json.dumps({"mode": "screen", "names": ["Ann", "Ben"]}).encode()
        head = f"host: localhost\r\ncontent-type: application/json\r\ncontent-length: {len(body)}\r\n"
        with (
            ann.stream("GET", f"{path}/events") as stream,
            socket.create_connection(("127.0.0.1", table.port)) as slow,
            slow.makefile("rb") as answer,
        ):
            lines = stream.iter_lines()
            assert next(lines).startswith("id: ")
            slow.sendall(f"POST /api/games HTTP/1.1\r\n{head}expect: 100-continue\r\n\r\n".encode())
            assert answer.readline() == b"HTTP/1.1 100 Continue\r\n", "it waits for the rest of the request"
            assert answer.readline() == b"\r\n"
            table.process.send_signal(signal.SIGHUP)
            assert "event: presence" in list(lines), "the stream came to its proper end"
            slow.sendall(body)
            assert answer.readline() == b"HTTP/1.1 200 OK\r\n"
        (second,) = until(lambda: [pid for pid in table.pids() if pid != first])
        assert asked(table.port, "/api/health")[0] == 200, "the next one answers"
        assert not is_running(first)
        assert table.stop(signal.SIGINT) == 0
        assert not is_running(second)
        assert not table.deaths(), "none of them died"


@pytest.mark.long
def test_one_that_dies_is_replaced_as_soon_as_that_can_be(tmp_path: Path, postgres: PostgresServer) -> None:
    """Its database is of no use for a while: it is tried again, later and later, and the other serves on."""
    address = postgres.new_database()
    with running(tmp_path, 2, database=address) as table:
        postgres.ask("UPDATE sintra.about SET schema = schema + 1", address)
        victim = table.pids()[0]
        os.kill(victim, signal.SIGKILL)
        until(lambda: len(table.deaths()) >= 2)
        assert asked(table.port, "/api/health")[0] == 200
        postgres.ask("UPDATE sintra.about SET schema = schema - 1", address)
        until(lambda: len(table.pids()) == 2 and table.numbers() == {"0", "1"})
        assert victim not in table.pids()
        lost, *others = table.deaths()
        assert lost["why"] == "a process of the table was lost"
        assert all("this version of Sintra knows" in one["why"] for one in others)
        pauses = [one["again_after_s"] for one in (lost, *others)]
        assert pauses[0] < pauses[1]
        assert pauses == sorted(pauses)
        assert table.stop() == 0


@pytest.mark.long
def test_none_outlives_a_supervisor_that_is_killed(tmp_path: Path) -> None:
    with running(tmp_path, 2) as table:
        pids = table.pids()
        table.process.kill()
        until(lambda: not any(map(is_running, pids)))
        assert not [line for line in table.lines() if "level" in line]


@pytest.mark.long
def test_what_cannot_start_is_told_once(tmp_path: Path) -> None:
    """Nothing listens there, whoever could ask."""
    address = f"postgresql://ann:hunter2@127.0.0.1:{free_ports()}/games"
    command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--workers", "2", "--database", address]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr.count("\n") == 1
    assert done.stderr.startswith("sintra serve: cannot use ")
    assert "hunter2" not in done.stderr


class ToldWorker:
    """A process that begins to serve at once; what happens to all of them is told."""

    told: ClassVar[list[str]] = []

    def __init__(self, pass_fds: Sequence[int]) -> None:
        self._tells = os.dup(pass_fds[1])
        self._ended = threading.Event()

    def do(self, function: object, settings: Settings, *channels: int) -> None:
        self.number = settings.process
        self.told.append(f"{self.number} listens")
        os.write(self._tells, b".")
        os.close(self._tells)
        self._ended.wait()
        raise WorkerLostError("it ended")

    def terminate(self) -> None:
        self.told.append(f"{self.number} is told to end")
        self._ended.set()

    def kill(self) -> None:
        self._ended.set()

    def join(self) -> None:
        pass


@in_a_loop
async def test_the_next_is_replaced_only_when_the_one_before_listens(monkeypatch: pytest.MonkeyPatch) -> None:
    """Also if that one had died before, and its successor is still to come."""
    monkeypatch.setattr(supervisor, "Worker", ToldWorker)
    monkeypatch.setattr(supervisor, "_RESTART_DELAYS_S", (0.3,))
    told = ToldWorker.told = []
    with contextlib.closing(bind("127.0.0.1", 0)) as listener:
        one = supervisor._Supervisor([Settings(process=k, logs=False) for k in range(2)], listener)
        running = asyncio.create_task(one.run(lambda address, links: told.append("begun")))
        await happened(lambda: "begun" in told)
        told.clear()
        one._workers[0].kill()
        await happened(lambda: 0 not in one._workers)
        one._begin_rolling()
        await happened(lambda: len(told) >= 3)
        one._stopping.set()
        await running
    assert told[:3] == ["0 listens", "1 is told to end", "1 listens"]


@pytest.mark.long
@pytest.mark.parametrize("more", [(), ("--workers", "2")], ids=["one", "several"])
def test_a_database_that_takes_nothing_is_told_once(more: tuple[str, ...], postgres: PostgresServer) -> None:
    address = postgres.new_database()
    name = postgres.name_of(address)
    asyncio.run(_make(address))
    postgres.ask(f"ALTER DATABASE {name} SET default_transaction_read_only = on")
    command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--database", address, *more]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    assert (done.returncode, done.stdout) == (2, "")
    assert done.stderr == (
        f"sintra serve: cannot use the database at {postgres.folder}/{name}: it is read-only at the moment\n"
    )


async def _make(address: str) -> None:
    """A database with all that a table needs, and no game."""
    await (await open_storage(address)).close()


@pytest.mark.parametrize(
    ("words", "platform", "why"),
    [
        (("--database", "table.sqlite"), "linux", "an SQLite file belongs to one process"),
        ((), "linux", "an SQLite file belongs to one process"),
        (("--database", "postgresql://x/y"), "win32", "on Windows processes cannot share a port"),
        (("--database", "postgresql://x/y", "--network"), "linux", "--network is for one process"),
    ],
)
def test_where_one_process_must_do_more_are_refused(
    words: tuple[str, ...],
    platform: str,
    why: str,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(sys, "platform", platform)
    assert main(["serve", "--workers", "2", *words]) == 2
    said = capsys.readouterr()
    assert (said.out, said.err.count("\n")) == ("", 1)
    assert why in said.err
    assert list(tmp_path.iterdir()) == []
