"""A Ray cluster against processes of this machine, on the same cores: a match in turns, and its records compared.

    PYTHONPATH=tests python bench/cluster_match.py --games 100 --times 3

A cluster of one node with all processors is started here. Both have some games to start with, which are not timed; the
medians of the time for a game are compared. The exit status is 1 if the records differ, or if the cluster is slower by
more than the tolerance.
"""

from __future__ import annotations

import argparse
import json
import os
import tempfile
import time
from collections.abc import Sequence
from pathlib import Path
from statistics import median
from typing import Any

from rays import Rays
from sintra.arena.match import Match, play_match


def played(players: Sequence[str], games: int, jobs: int, cluster: str | None) -> tuple[float, list[Any]]:
    """Plays a match: returns the seconds for each game once all workers play, and the records without their times."""
    moments: list[float] = []
    with tempfile.TemporaryDirectory() as folder:
        out = Path(folder) / "match.jsonl"
        match = Match(tuple(players), games, seed=0)
        play_match(match, jobs=jobs, cluster=cluster, out=out, on_game=lambda now: moments.append(time.perf_counter()))
        records = [json.loads(line) for line in out.read_text("utf-8").splitlines()]
    for record in records:
        del record["arena"]["seconds"]
    begun = 2 * jobs
    records.sort(key=lambda record: (record["arena"]["deal"], record["arena"]["swapped"]))
    return (moments[-1] - moments[begun - 1]) / (games - begun), records


def main() -> int:
    """Plays both in turns and prints what was measured."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("players", nargs="*", default=["search", "greedy"], metavar="PLAYER", help="search greedy")
    parser.add_argument("--games", type=int, default=100, help="games of each match (default 100)")
    parser.add_argument("--times", type=int, default=3, help="matches of each (default 3)")
    parser.add_argument(
        "--tolerance", type=float, default=10.0, help="per cent that a cluster may be slower (default 10)"
    )
    options = parser.parse_args()
    jobs = os.cpu_count() or 1
    seconds: dict[str, list[float]] = {"processes": [], "cluster": []}
    records: list[list[Any]] = []
    with Rays(1, processors=jobs) as rays:
        for turn in range(options.times):
            for name, cluster in (("processes", None), ("cluster", rays.address)):
                one, made = played(options.players, options.games, jobs, cluster)
                seconds[name].append(one)
                records.append(made)
                print(f"{turn + 1}: {name:10} {1000 * one:8.1f} ms a game", flush=True)
    ratio = median(seconds["cluster"]) / median(seconds["processes"])
    is_same = all(made == records[0] for made in records)
    print(f"cluster / processes: {ratio:.3f}; the records are {'the same' if is_same else 'NOT the same'}")
    return 0 if is_same and ratio <= 1 + options.tolerance / 100 else 1


if __name__ == "__main__":
    raise SystemExit(main())
