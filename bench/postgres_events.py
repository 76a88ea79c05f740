"""How many events a second PostgreSQL takes from several processes, and how long one waits.

    PYTHONPATH=tests python bench/postgres_events.py --flush 0 2 --processes 1 3

A server is started here. Each process writes to many games at once, to each as fast as it is answered. A flush of 0 ms
is the disk as it is, others let each commit wait for so much longer, as a slower disk would.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import multiprocessing
import time
from statistics import median
from typing import Final

from sintra.table.games.postgres import PostgresStorage
from sintra.table.games.storage import Stored
from table.postgres_server import PostgresServer

_ACT: Final = json.dumps({"kind": "move", "move": "x" * 150})


async def _write(address: str, name: str, games: int, start: float, until: float) -> list[float]:
    """Writes to so many games until a moment: the seconds that each event took, once all have started."""
    storage = await PostgresStorage.open(address)
    waits: list[float] = []

    async def play(game: str) -> None:
        seq = 0
        while time.monotonic() < until:
            begun = time.monotonic()
            await storage.append(game, Stored(seq, f"post {seq}", "2026-01-01T00:00:00Z", _ACT))
            if begun >= start:
                waits.append(time.monotonic() - begun)
            seq += 1

    await asyncio.gather(*(play(f"{name} {k}") for k in range(games)))
    await storage.close()
    return waits


def _process(work: tuple[str, str, int, float, float]) -> list[float]:
    return asyncio.run(_write(*work))


def main() -> None:
    """Measures each case and prints a line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--flush", type=float, nargs="+", default=[0.0, 2.0], help="ms that a commit waits (0 2)")
    parser.add_argument("--processes", type=int, nargs="+", default=[1, 3], help="processes that write (1 3)")
    parser.add_argument("--games", type=int, default=60, help="games of each that are written at once (60)")
    parser.add_argument("--seconds", type=float, default=8.0, help="of each case (8)")
    options = parser.parse_args()
    for flush in options.flush:
        server = PostgresServer(fsync="on", commit_delay=str(round(1000 * flush)), commit_siblings="0")
        try:
            for processes in options.processes:
                address = server.new_database()
                asyncio.run(_write(address, "first", 1, 0.0, time.monotonic() + 1))
                start = time.monotonic() + 3
                with multiprocessing.get_context("spawn").Pool(processes) as pool:
                    works = [
                        (address, f"process {k}", options.games, start, start + options.seconds)
                        for k in range(processes)
                    ]
                    waits = sorted(wait for one in pool.map(_process, works, chunksize=1) for wait in one)
                print(
                    f"flush +{flush:g} ms, {processes} processes x {options.games} games:"
                    f" {len(waits) / options.seconds:8,.0f} events/s,"
                    f" p50 {1000 * median(waits):.1f} ms, p99 {1000 * waits[len(waits) * 99 // 100]:.1f} ms",
                    flush=True,
                )
        finally:
            server.close()


if __name__ == "__main__":
    main()
