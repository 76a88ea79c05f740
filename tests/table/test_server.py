"""The server as a process: the address it says, the network on request, ports, and mistakes."""

from __future__ import annotations

import asyncio
import os
import signal
import socket
import sqlite3
import subprocess
import sys
from collections.abc import Iterator
from contextlib import closing, contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import httpx
import pytest

from sintra.cli import main
from sintra.errors import SintraError
from sintra.table.http import server
from sintra.table.http.network import PORT, host_and_port, is_loopback, own_addresses
from sintra.table.http.server import Settings, _NetworkListener, bind, serve
from sintra.table.service.live import Hub
from sintra.table.service.service import Service
from sintra.table.workers.warm_up import warm_engine, warm_forecasts
from table.served import TIMEOUT_S, Served

pytestmark = pytest.mark.usefixtures("hears_ctrl_c")


def test_network_is_opened_and_closed_while_it_runs(tmp_path: Path) -> None:
    with Served(tmp_path / "table.sqlite") as served:
        ann = served.person()
        if not own_addresses():
            assert ann.post("/api/network", json={"open": True}).json()["code"] == "no_network"
            return
        game, *_ = served.friends()
        shown = ann.post("/api/network", json={"open": True}).json()
        assert shown["open"]
        assert shown["may_change"]
        outside = shown["addresses"][0]
        about = httpx.get(f"{outside}/api/about", timeout=TIMEOUT_S).json()
        assert not about["network"]["may_change"]
        assert httpx.post(f"{outside}/api/network", json={"open": False}, timeout=TIMEOUT_S).status_code == 403
        assert httpx.get(f"{outside}/api/games/{game}", timeout=TIMEOUT_S).status_code == 404
        assert not ann.post("/api/network", json={"open": False}).json()["open"]
        with pytest.raises(httpx.ConnectError):
            httpx.get(f"{outside}/api/health", timeout=TIMEOUT_S)
        ann.post("/api/network", json={"open": True})
        served.kill(signal.SIGINT)
        assert served.code == 0
        assert "Traceback" not in served.errors
        assert "The table is closed" in served.errors


def test_a_table_that_cannot_be_opened_to_the_network_is_closed_properly(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tables: list[Service] = []

    class Noted(Service):
        def __init__(self, *arguments: Any, **more: Any) -> None:
            super().__init__(*arguments, **more)
            tables.append(self)

    monkeypatch.setattr(server, "Service", Noted)
    monkeypatch.setattr(server, "own_addresses", list)
    said: list[str] = []
    settings = Settings(port=0, database=tmp_path / "table.sqlite", network=True, thinkers=1, logs=False)
    with pytest.raises(SintraError, match="cannot be opened to the network"):
        serve(settings, lambda address, links: said.append(address))
    assert said == []
    (table,) = tables
    assert table.stopping
    assert all(worker.closed for worker in table.thinkers._all)
    with pytest.raises(sqlite3.ProgrammingError, match="closed"):
        asyncio.run(table.storage.games())


def test_a_listener_that_fails_is_not_waited_for_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    async def fail(self: object, sockets: list[socket.socket] | None = None) -> None:
        raise RuntimeError

    async def whole() -> None:
        opened = _NetworkListener(None, 0, Hub())
        with pytest.raises(OSError, match="listen"):
            await opened.change(True)
        assert await opened.change(False) == ([], 0)

    monkeypatch.setattr(server._Server, "serve", fail)
    monkeypatch.setattr(server, "own_addresses", lambda: ["127.0.0.1"])
    asyncio.run(asyncio.wait_for(whole(), TIMEOUT_S))


def test_closing_the_network_does_not_wait_for_a_guest_who_listens(tmp_path: Path) -> None:
    """The guest's stream ends by itself, not by the end of the grace."""
    with Served(tmp_path / "table.sqlite") as served:
        ann = served.person()
        opened = ann.post("/api/network", json={"open": True}).json()
        if opened.get("code") == "no_network":
            return
        made = ann.post("/api/games", json={"mode": "screen", "names": ["Ann", "Ben"]}).json()
        path = f"{opened['addresses'][0]}/api/games/{made['game']}"
        with httpx.Client(timeout=TIMEOUT_S) as guest:
            assert guest.post(f"{path}/enter", json={"secret": made["links"]["watch"]}).status_code == 200
            with guest.stream("GET", f"{path}/events") as stream:
                lines = stream.iter_lines()
                assert next(lines).startswith("id: ")
                assert not ann.post("/api/network", json={"open": False}).json()["open"]
                assert "event: presence" in list(lines), "the stream came to its proper end"


def test_next_free_port() -> None:
    taken = bind("127.0.0.1", 0)
    port = taken.getsockname()[1]
    with pytest.raises(SintraError, match=f"cannot listen on 127.0.0.1, port {port}"):
        bind("127.0.0.1", port)
    with pytest.raises(SintraError, match=r"port 65536: ports go up to 65535$"):
        bind("127.0.0.1", 65536)
    other = bind("127.0.0.1", port, search=True)
    assert port < other.getsockname()[1] < port + 50
    for one in (taken, other):
        assert one.proto == socket.IPPROTO_TCP, "asyncio sends without delay on such sockets only"
        one.close()


@contextmanager
def plain_sintra(**environment: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """Plain `sintra` without a browser, and its address."""
    process = subprocess.Popen(
        [sys.executable, "-m", "sintra", "--no-browser"],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env=os.environ | environment,
        start_new_session=True,
    )
    with process:
        assert process.stdout is not None
        line = process.stdout.readline().decode()
        assert line.startswith("The table is at http://127.0.0.1:")
        try:
            yield process, line.split()[4].rstrip(".")
        finally:
            process.kill()


def test_plain_sintra_serves_this_machine(tmp_path: Path) -> None:
    warm_engine()
    warm_forecasts()
    with plain_sintra(XDG_DATA_HOME=str(tmp_path)) as (process, address):
        assert int(address.rpartition(":")[2]) >= PORT
        made = httpx.post(f"{address}/api/games", json={"mode": "computer", "names": ["Ann"]}, timeout=TIMEOUT_S)
        assert made.status_code == 200
        health = httpx.get(f"{address}/api/health", timeout=TIMEOUT_S).json()
        assert (health["status"], health["progress"]) == ("ok", 1)
        process.send_signal(signal.SIGINT)
        rest, errors = process.communicate()
    assert (process.returncode, rest) == (0, b"")
    assert errors == b"The table is closed; games in progress are kept.\n"


@pytest.mark.long
def test_a_first_start_answers_and_can_be_stopped_while_it_compiles(tmp_path: Path) -> None:
    folders = {name: str(tmp_path) for name in ("XDG_DATA_HOME", "NUMBA_CACHE_DIR")}
    with plain_sintra(**folders, NUMBA_DISABLE_JIT="0") as (process, address):
        assert process.stdout is not None
        assert process.stdout.readline().startswith(b"The engine is being compiled for this machine")
        health = httpx.get(f"{address}/api/health", timeout=TIMEOUT_S).json()
        assert health["status"] == "preparing"
        assert 0 <= health["progress"] < 1
        with closing(HTTPConnection(address.removeprefix("http://"))) as asking:
            asking.request(
                "POST", "/api/games", '{"mode": "computer", "names": ["Ann"]}', {"Content-Type": "application/json"}
            )
            about = httpx.get(f"{address}/api/about", timeout=TIMEOUT_S)
            assert about.status_code == 200, "what came before has been read"
            asking.sock.settimeout(1)
            with pytest.raises(TimeoutError):
                asking.sock.recv(1)
            os.killpg(process.pid, signal.SIGINT)  # as a terminal does
            asking.sock.settimeout(None)
            assert b'"code":"stopping"' in asking.getresponse().read()
        _, errors = process.communicate()
    assert process.returncode == 0
    assert errors == b"The table is closed; games in progress are kept.\n"
    assert not list(tmp_path.glob("*/engine")), "it did not wait for the end of the compilation"


def test_loopback() -> None:
    assert is_loopback("127.0.0.1")
    assert is_loopback("::1")
    assert not is_loopback("192.0.2.1")
    assert not is_loopback("?")


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("10.0.0.5", ("10.0.0.5", 0)),
        ("10.0.0.5:9500", ("10.0.0.5", 9500)),
        ("fd00::5", ("fd00::5", 0)),
        ("[fd00::5]", ("fd00::5", 0)),
        ("[fd00::5]:9500", ("fd00::5", 9500)),
    ],
)
def test_a_private_address_may_have_a_port(text: str, found: tuple[str, int]) -> None:
    assert host_and_port(text) == found


@pytest.mark.parametrize("text", ["0.0.0.0", "0.0.0.0:9500", "::", "[::]:9500", "10.0.0.5:70000", ""])
def test_a_private_address_that_leads_nobody_here_is_refused(text: str, capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit):
        main(["serve", f"--private-address={text}"])
    assert "must be the address of this machine in a private network" in capsys.readouterr().err
