"""A load test of the table: many games at once against a real server, some of them waiting for a strong computer.

    python bench/table_load.py --games 200 --thinking 20 --seconds 60 --reviews 1

Every client listens to its game and thinks about a second before each of its moves. Prints the moves a second
and how long a move's answer took. With `--reviews`, so many whole games are reviewed meanwhile, one after the
other, and it is told how long each took. With several kinds of `--durability`, each is measured in turn:

    python bench/table_load.py --games 60 --thinking 0 --seconds 10 --think 0.2 --durability normal full normal full
"""

from __future__ import annotations

import argparse
import asyncio
import gc
import os
import re
import statistics
import subprocess
import sys
import tempfile
import time
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import msgspec

from sintra.game.game import Game
from sintra.players import player
from sintra.records.record import Record
from sintra.table.shown.messages import GameShown
from tokens import a_token

_shown = msgspec.json.Decoder(GameShown)


@dataclass
class Tally:
    """What was measured."""

    answers: list[float] = field(default_factory=list)
    computers: int = 0
    refused: dict[str, int] = field(default_factory=dict)
    finished: int = 0
    reviews: list[float] = field(default_factory=list)


class Browser:
    """A keep-alive connection, with cookies."""

    def __init__(self, port: int) -> None:
        self._port = port
        self._cookies: dict[str, str] = {}
        self._reader: asyncio.StreamReader | None = None
        self._writer: asyncio.StreamWriter | None = None

    def _head(self, method: str, path: str, more: str = "") -> bytes:
        cookies = "; ".join(f"{name}={value}" for name, value in self._cookies.items())
        return f"{method} {path} HTTP/1.1\r\nhost: localhost\r\ncookie: {cookies}\r\n{more}\r\n".encode()

    async def ask(self, method: str, path: str, body: dict[str, Any] | None = None) -> tuple[int, Any]:
        """One request, and its answer."""
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
        """The messages about a game, as they come."""
        reader, writer = await asyncio.open_connection("127.0.0.1", self._port, limit=1 << 22)
        writer.write(self._head("GET", path))
        kind = b""
        try:
            while line := await reader.readline():
                if line.startswith(b"event: "):
                    kind = line
                elif line.startswith(b"data: ") and kind == b"event: game\n":
                    yield _shown.decode(line[6:])
        finally:
            writer.close()


async def play(browser: Browser, game: str, tally: Tally, think: float, until: float, seed: int) -> None:
    """Plays one seat until the game or the time is over."""
    dice = Random(seed)
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


async def load(port: int, options: argparse.Namespace, records: list[str]) -> Tally:
    """All clients at once."""
    tally = Tally()
    sitting: list[tuple[Browser, str]] = []
    for k in range(options.games):
        ann = Browser(port)
        if k < options.thinking:
            body = {"mode": "computer", "names": ["Ann"], "opponent": options.opponent}
            _, made = await ann.ask("POST", "/api/games", body)
            sitting.append((ann, made["game"]))
            continue
        _, made = await ann.ask("POST", "/api/games", {"mode": "friend", "names": ["Ann"]})
        ben = Browser(port)
        secret = made["links"]["friend"]
        await ben.ask("POST", f"/api/games/{made['game']}/enter", {"secret": secret, "name": "Ben"})
        sitting += [(ann, made["game"]), (ben, made["game"])]
    print(f"{options.games} games, {len(sitting)} clients", flush=True)
    gc.disable()  # the clients' own pauses are not the service's
    until = time.perf_counter() + options.seconds
    playing = [play(one, game, tally, options.think, until, k) for k, (one, game) in enumerate(sitting)]
    tasks = [asyncio.create_task(one) for one in (*playing, review(port, records, tally))]
    await asyncio.wait(tasks, timeout=options.seconds + 5)
    for task in tasks:
        task.cancel()
    return tally


def report(tally: Tally, seconds: float, asked: int) -> None:
    """What was measured, in a few lines."""
    answers = sorted(tally.answers)
    if len(answers) < 2:
        raise SystemExit("no moves were answered")
    cuts = statistics.quantiles(answers, n=100, method="inclusive")
    print(f"moves by clients: {len(answers)} ({len(answers) / seconds:.0f}/s), by computers: {tally.computers}")
    print(
        f"answer: p50 {1000 * cuts[49]:.1f} ms, p90 {1000 * cuts[89]:.1f} ms, p99 {1000 * cuts[98]:.1f} ms, "
        f"longest {1000 * answers[-1]:.1f} ms"
    )
    if asked:
        done = ", ".join(f"{one:.1f} s" for one in tally.reviews) or "none"
        print(f"reviews: {done}; asked for: {asked}")
    print(f"games finished: {tally.finished}, refused: {tally.refused or 'none'}")


def main() -> None:
    """Measures what is asked for."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=200)
    parser.add_argument("--thinking", type=int, default=20, help="games against the computer")
    parser.add_argument("--opponent", default="level:n=11", help="who it is")
    parser.add_argument("--seconds", type=float, default=60)
    parser.add_argument("--think", type=float, default=1.0, help="seconds that a client thinks, on average")
    parser.add_argument("--reviews", type=int, default=0, help="games that are reviewed meanwhile, one after the other")
    parser.add_argument("--durability", choices=("full", "normal"), nargs="+", default=["full"])
    options = parser.parse_args()
    records = [a_record(seed) for seed in range(options.reviews)]
    for durability in options.durability:
        if len(options.durability) > 1:
            print(f"durability {durability}:")
        measure(options, records, durability)


def measure(options: argparse.Namespace, records: list[str], durability: str) -> None:
    """Starts a server on a fresh database, loads it, stops it, and tells what was measured."""
    with tempfile.TemporaryDirectory() as folder:
        database = Path(folder) / "table.sqlite"
        command = [sys.executable, "-m", "sintra", "serve", "--port", "0", "--database", str(database)]
        command += ["--durability", durability, "--no-limits", "--quiet"]
        server = subprocess.Popen(command, stdout=subprocess.PIPE, env=os.environ)
        assert server.stdout is not None
        try:
            port = int(server.stdout.readline().decode().partition("127.0.0.1:")[2].partition(".")[0])
            asyncio.run(warm(port))
            before = _cpu(server.pid)
            tally = asyncio.run(load(port, options, records))
            print(f"server: {100 * (_cpu(server.pid) - before) / options.seconds:.0f} % of a core")
        finally:
            server.terminate()
            server.wait()
            server.stdout.close()
    report(tally, options.seconds, options.reviews)


def _cpu(pid: int) -> float:
    """The processor time of a process in seconds, where the system tells it."""
    try:
        fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    except OSError:
        return float("nan")
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


if __name__ == "__main__":
    main()
