"""What the service says: nobody has to read it, and nobody waits for it to be read."""

from __future__ import annotations

import fcntl
import json
import os
import re
import signal
import socket
import subprocess
import sys
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from io import StringIO
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import httpx
import pytest

from ports import free_ports
from sintra.cli import main
from sintra.table.base.output import MAX_LINES, NonBlockingOutput, non_blocking_output
from sintra.table.http.security import Hosts
from table.local_table import LocalTable, friends
from table.served import TIMEOUT_S, Served

# --- the server as a process --------------------------------------------------------------------


@contextmanager
def serving(database: Path, stderr: int, stdout: int = subprocess.PIPE) -> Iterator[tuple[Any, httpx.Client]]:
    """`sintra serve` that speaks to given channels, and somebody who asks it."""
    port = free_ports()
    command = [sys.executable, "-m", "sintra", "serve", "--port", str(port), "--database", str(database)]
    process = subprocess.Popen([*command, "--no-limits"], stdout=stdout, stderr=stderr)
    with process, httpx.Client(base_url=f"http://127.0.0.1:{port}", timeout=TIMEOUT_S) as person:
        try:
            while process.poll() is None:
                try:
                    person.get("/api/health")
                    break
                except httpx.ConnectError:
                    time.sleep(0.05)
            yield process, person
        finally:
            process.kill()


def ask_much(process: Any, person: httpx.Client) -> int:
    """Many requests, some of which go wrong in every way; then the code with which the server ends."""
    port = person.base_url.port
    for _ in range(150):
        assert person.get("/api/health").status_code == 200
    for _ in range(20):
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.sendall(b"NONSENSE\r\n\r\n")
            assert one.recv(100).startswith(b"HTTP/1.1 400")
    assert person.post("/api/games", json={"mode": "screen", "names": ["Ann", "Ben"]}).status_code == 200
    process.send_signal(signal.SIGTERM)
    code: int = process.wait(TIMEOUT_S)
    return code


def test_a_full_disk_under_the_log_disturbs_nobody(tmp_path: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    with serving(tmp_path / "table.sqlite", stderr=full) as (process, person):
        assert ask_much(process, person) == 0
    os.close(full)


def test_a_log_that_nobody_reads_disturbs_nobody(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    fcntl.fcntl(writer, fcntl.F_SETPIPE_SZ, 4096)
    with serving(tmp_path / "table.sqlite", stderr=writer) as (process, person):
        assert ask_much(process, person) == 0
    os.close(writer)
    os.close(reader)


def test_a_log_whose_reader_has_gone_disturbs_nobody(tmp_path: Path) -> None:
    reader, writer = os.pipe()
    os.close(reader)
    with serving(tmp_path / "table.sqlite", stderr=writer) as (process, person):
        assert ask_much(process, person) == 0
    os.close(writer)


def test_a_greeting_that_cannot_be_written_keeps_nobody_from_the_table(tmp_path: Path) -> None:
    full = os.open("/dev/full", os.O_WRONLY)
    with serving(tmp_path / "table.sqlite", stderr=full, stdout=full) as (process, person):
        assert ask_much(process, person) == 0
    os.close(full)


def test_a_mistake_is_a_mistake_where_it_cannot_be_told() -> None:
    command = [sys.executable, "-m", "sintra", "serve", "--host", "192.0.2.1"]
    with Path("/dev/full").open("wb") as full:
        assert subprocess.run(command, stdout=full, stderr=full, check=False).returncode == 2


def test_whoever_goes_away_is_no_error(tmp_path: Path) -> None:
    """In the middle of a body, before an answer, and in the middle of a stream."""
    with Served(tmp_path / "table.sqlite") as served:
        game, ann, _ = served.friends()
        port = ann.base_url.port
        secrets = "; ".join(f"{one.name}={one.value}" for one in ann.cookies.jar)
        begun = f"POST /api/games/{game}/undo HTTP/1.1\r\nhost: localhost\r\ncontent-type: application/json\r\n"
        for rest in ("content-length: 100\r\n\r\n{", "transfer-encoding: chunked\r\n\r\n5\r\n{"):
            with socket.create_connection(("127.0.0.1", port)) as one:
                one.sendall((begun + rest).encode())
        with socket.create_connection(("127.0.0.1", port)) as one:
            one.sendall(f"GET /api/games/{game} HTTP/1.1\r\nhost: localhost\r\ncookie: {secrets}\r\n\r\n".encode())
        with ann.stream("GET", f"/api/games/{game}/events") as stream:
            assert next(stream.iter_lines()).startswith("id: ")
        while ann.get(f"/api/games/{game}").json()["players"][0]["present"]:
            pass
        served.kill(signal.SIGTERM)
    assert served.code == 0
    lines = [json.loads(line) for line in served.errors.splitlines() if line.startswith("{")]
    assert not [line for line in lines if "level" in line]
    assert "Traceback" not in served.errors
    assert [line["status"] for line in lines if line["route"].endswith("/undo")] == [499, 499]
    assert [line["status"] for line in lines if line["route"].endswith("/events")] == [200]


# --- non-blocking output -----------------------------------------------------------------------


class Raw:
    """A file that takes bytes only while it may, and fails while it must."""

    def __init__(self) -> None:
        self.free = threading.Event()
        self.failing = False
        self.taken = bytearray()
        self.asked = threading.Semaphore(0)

    def write(self, data: bytes) -> int:
        self.asked.release()
        self.free.wait()
        if self.failing:
            raise OSError(28, "full")
        self.taken += data[:7]
        return len(data[:7])


class Channel(StringIO):
    """A channel to such a file."""

    def __init__(self) -> None:
        super().__init__()
        self.raw = Raw()
        self.buffer = SimpleNamespace(raw=self.raw)  # type: ignore[misc, assignment]


@pytest.fixture
def channel() -> Channel:
    return Channel()


def lost_in(text: str) -> list[int]:
    return [int(count) for count in re.findall(r'"what": "lines lost", "lines": (\d+)', text)]


def test_lines_that_find_no_room_are_counted(channel: Channel) -> None:
    output = NonBlockingOutput(channel)
    print("the first", file=output)
    channel.raw.asked.acquire()
    for k in range(MAX_LINES + 50):
        print("line", k, file=output)
    channel.raw.free.set()
    output.finish()
    text = channel.raw.taken.decode()
    assert text.startswith("the first\n")
    assert f"line {MAX_LINES - 1}\n" in text
    assert f"line {MAX_LINES}\n" not in text
    assert lost_in(text) == [50]


def test_lines_that_cannot_be_written_are_counted(channel: Channel) -> None:
    raw = channel.raw
    raw.failing = True
    raw.free.set()
    output = NonBlockingOutput(channel)
    for k in range(5):
        print("line", k, file=output)
    output.finish()
    assert raw.taken == b""
    raw.failing = False
    raw.free.clear()
    output = NonBlockingOutput(channel)
    print("lost", file=output)
    raw.failing = True
    raw.free.set()
    while output._failed < 1:
        pass
    raw.failing = False
    print("kept", file=output)
    output.finish()
    text = raw.taken.decode()
    assert lost_in(text) == [1]
    assert text.endswith("kept\n")


def test_the_end_does_not_wait_for_a_reader(channel: Channel) -> None:
    output = NonBlockingOutput(channel)
    print("never read", file=output)
    output.finish()
    assert output._writer.is_alive()
    channel.raw.free.set()


def test_everything_goes_through_the_voices_and_nothing_is_lost(capsys: pytest.CaptureFixture[str]) -> None:
    with non_blocking_output():
        print("to the one", "and", end=" ")
        print("more")
        sys.stderr.write("to the other\nwithout an end")
    said = capsys.readouterr()
    assert said.out == "to the one and more\n"
    assert said.err == "to the other\nwithout an end"


def test_a_mistake_is_told_after_the_voices_have_gone(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["serve", "--host", "192.0.2.1"]) == 2
    assert "cannot listen on 192.0.2.1" in capsys.readouterr().err


# --- who asks, and from where -------------------------------------------------------------------


@pytest.mark.parametrize(
    "origin",
    ["http://[", "http://[::1", "http://a]b", "http://[::1]x", "null", "", "//", "\xff", "http://\u2100", "localhost"],
)
def test_a_page_whose_address_makes_no_sense_is_a_foreign_one(local: LocalTable, origin: str) -> None:
    game, ann, _, _ = friends(local)
    body = {"id": "post-00001", "seq": 1}
    headers = {b"origin": origin.encode("latin-1", "replace")}
    assert ann.refused("POST", f"/games/{game}/undo", body, headers=headers) == (403, "foreign_page")
    assert ann.refused("POST", f"/games/{game}/undo", body, headers={"origin": "http://localhost"})[0] == 409


@pytest.mark.parametrize(
    "host", ["[", "[::1", "localhost:[", "localhost:x", "localhost:80:80", "localhost/a", "ann@localhost", "[::1]x", ""]
)
def test_a_host_that_makes_no_sense_is_a_wrong_one(local: LocalTable, host: str) -> None:
    ann = local.person()
    for method, path, body in (("GET", "/health", None), ("POST", "/games", {"mode": "computer", "names": ["Ann"]})):
        assert ann.refused(method, path, body, headers={"host": host}) == (421, "wrong_host")
    assert ann.ask("GET", "/", headers={"host": host}).status_code == 421
    for good in ("localhost", "LOCALHOST:8765", "127.0.0.1:1", "[::1]:8765", "localhost:"):
        assert ann.ask("GET", "/", headers={"host": good}).status_code == 200


def test_a_name_that_makes_no_sense_opens_the_table_to_nobody() -> None:
    with LocalTable(hosts=Hosts(["http://table.example", ""])) as local:
        assert local.person().refused("GET", "/health", headers={"host": "["}) == (421, "wrong_host")
