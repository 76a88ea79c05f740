"""Settings of the search against the search as it is: paired games (each deal twice, seats swapped) on all cores, the
same deals for all variants. After each number of games the better half goes on; every game is written down at once:

    python bench/levers.py levers.jsonl --try explore=1 temperature=1.2 first_play=0,explore=1.2 --games 200 400 800
    python bench/levers.py levers.jsonl --try explore=1 temperature=1.2 first_play=0,explore=1.2 --games 200 400 800
                                            the same command goes on where it stopped, after --seconds for example
    python bench/levers.py long.jsonl --against search:sims=4000 --try explore=1 explore=1,sims=3600 --games 400
    python bench/levers.py levers.jsonl --seconds 0 --summary docs/learning/levers.jsonl
                                            only the tables, and one line for each pair of players

A variant is what is added to the player named by --against: settings (`SearchSettings` in `players/thinking/tree.py`)
or any other parameter; where one is named twice the last one counts. So a variant that takes longer for a simulation is
compared at equal time by giving it fewer of them: the table says how long each took for a move, as a share of what the
other took. Intervals are of 95 %; of many variants the best one looks better than it is, so let it play on deals of
another --seed before believing it.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, Future, wait
from itertools import islice
from pathlib import Path
from typing import Any, Final, NamedTuple

from sintra.arena.match import Job, play_job
from sintra.arena.stats import wilson
from sintra.errors import SintraError
from sintra.players import player
from sintra.processes.worker import WorkerPool

AGAINST: Final = "search:sims=600"
NOT_PLAYED: Final = "-"


class Result(NamedTuple):
    """A game of a variant; its own figures come first."""

    players: tuple[str, str]
    """The variant and its opponent."""
    seed: int
    """The seed of the match."""
    deal: int
    """The number of the deal."""
    swapped: bool
    """Whether the variant sat at seat 1."""
    won: bool
    """Whether the variant won."""
    scores: tuple[int, int]
    """The scores."""
    ms: tuple[float, float]
    """Milliseconds for a decision."""

    @property
    def key(self) -> tuple[Any, ...]:
        """What tells this game from all others."""
        return self.players, self.seed, self.deal, self.swapped


def play(job: Job) -> Result:
    """Plays one game, in a worker process."""
    record = json.loads(play_job(job))
    notes = record["arena"]
    mine, theirs = (1, 0) if job.swapped else (0, 1)
    scores = record["result"]["scores"]
    ms = [1000 * seconds / max(1, n) for seconds, n in zip(notes["seconds"], notes["decisions"], strict=True)]
    return Result(
        players=job.names,
        seed=job.seed,
        deal=job.deal,
        swapped=job.swapped,
        won=record["result"]["winner"] == mine,
        scores=(scores[mine], scores[theirs]),
        ms=(round(ms[mine], 2), round(ms[theirs], 2)),
    )


def read(path: Path) -> list[Result]:
    """The games in a file; a line that was cut off is left out."""
    found = []
    for line in path.read_text("utf-8").splitlines(keepends=True) if path.exists() else ():
        if line.endswith("\n"):
            data = json.loads(line)
            data |= {name: tuple(data[name]) for name in ("players", "scores", "ms")}
            found.append(Result(**data))
    return found


def varied(against: str, variant: str) -> str:
    """The player's name with the settings of a variant."""
    return f"{against}{',' if ':' in against else ':'}{variant}"


def jobs_of(names: Sequence[str], against: str, seed: int, games: int) -> Iterator[Job]:
    """The jobs for so many games of each variant, deal by deal."""
    for deal in range(games // 2):
        for name in names:
            for swapped in (False, True):
                yield Job((name, against), deal, swapped, seed)


def play_all(pool: WorkerPool, jobs: Iterator[Job], out: Path, results: list[Result], end: float) -> bool:
    """Plays games and writes each down; returns whether all were played before the time was up."""
    running: set[Future[Result]] = {pool.submit(play, job) for job in islice(jobs, 2 * pool.size)}
    with out.open("a", encoding="utf-8") as file:
        while running and time.monotonic() < end:
            finished, running = wait(running, max(0.0, end - time.monotonic()), FIRST_COMPLETED)
            for one in finished:
                results.append(one.result())
                file.write(json.dumps(results[-1]._asdict()) + "\n")
            file.flush()
            running |= {pool.submit(play, job) for job in islice(jobs, len(finished))}
    return not running


def halve(names: Sequence[str], results: Sequence[Result], keep: float) -> list[str]:
    """The share of the players to keep, at least one, that won most; in the order in which they were named."""
    share = {name: [one.won for one in results if one.players[0] == name] for name in names}
    best = sorted(names, key=lambda name: -sum(share[name]) / max(1, len(share[name])))
    kept = best[: max(1, math.ceil(keep * len(names)))]
    return [name for name in names if name in kept]


def pairs_of(results: Sequence[Result]) -> dict[tuple[tuple[str, str], int], list[Result]]:
    """The games of each pair of players and seed, best pair first."""
    found: dict[tuple[tuple[str, str], int], list[Result]] = {}
    for one in results:
        found.setdefault((one.players, one.seed), []).append(one)
    return dict(sorted(found.items(), key=lambda pair: -sum(one.won for one in pair[1]) / len(pair[1])))


def table(results: Sequence[Result]) -> str:
    """The table of results, pair by pair."""
    lines = ["| variant | against | seed | games | won | 95 % | mean scores | time |", f"|{'---|' * 8}"]
    for (names, seed), games in pairs_of(results).items():
        n, won = len(games), sum(one.won for one in games)
        low, high = wilson(won, n)
        mine, theirs = (sum(one.scores[k] for one in games) / n for k in range(2))
        spent, others = (sum(one.ms[k] for one in games) for k in range(2))
        lines.append(
            f"| `{names[0]}` | `{names[1]}` | {seed} | {n} | {won} ({100 * won / n:.1f} %)"
            f" | {100 * low:.1f} to {100 * high:.1f} % | {mine:.1f} : {theirs:.1f} | {spent / others:.2f} |"
        )
    return "\n".join(lines)


def summary(results: Sequence[Result]) -> str:
    """A line for each pair: how many games it won, and for each deal whether it won as first and as second seat."""
    lines = []
    for (names, seed), games in pairs_of(results).items():
        won = {(one.deal, one.swapped): "01"[one.won] for one in games}
        deals = range(1 + max(one.deal for one in games))
        line = {
            "players": names,
            "seed": seed,
            "games": len(games),
            "won": sum(one.won for one in games),
            "deals": " ".join(won.get((k, False), NOT_PLAYED) + won.get((k, True), NOT_PLAYED) for k in deals),
        }
        lines.append(json.dumps(line))
    return "\n".join(lines) + "\n"


def main() -> None:
    """Plays and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("out", type=Path, metavar="FILE", help="where the games are written, one a line")
    parser.add_argument("--against", default=AGAINST, metavar="P", help=f"the player that is varied ({AGAINST})")
    parser.add_argument("--try", nargs="+", default=[], metavar="V", dest="variants", help="what is added to it")
    parser.add_argument("--games", nargs="+", type=int, default=[200], metavar="N", help="of each, rung by rung (200)")
    parser.add_argument("--keep", type=float, default=0.5, metavar="S", help="share that stays for the next rung (0.5)")
    parser.add_argument("--seconds", type=float, default=540.0, metavar="S", help="stop after so long (540)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="games at once")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the deals (1)")
    parser.add_argument("--summary", type=Path, metavar="FILE", help="write a line for each pair of players")
    options = parser.parse_args()
    end = time.monotonic() + options.seconds
    names = [varied(options.against, variant) for variant in options.variants]
    try:
        results = read(options.out)
        for name in (options.against, *names):
            player(name)
    except (SintraError, OSError, ValueError, TypeError) as error:
        parser.error(str(error))
    if names and options.seconds > 0:
        with WorkerPool(max(1, options.jobs)) as pool:
            for games in options.games:
                done = {one.key for one in results}
                jobs = jobs_of(names, options.against, options.seed, games)
                ahead = (job for job in jobs if (job.names, job.seed, job.deal, job.swapped) not in done)
                if not play_all(pool, ahead, options.out, results, end):
                    print("time is up; the same command goes on")
                    break
                here = [one for one in results if one.seed == options.seed]
                names = halve(names, here, options.keep)
    print(table(results))
    if options.summary:
        options.summary.write_text(summary(results), "utf-8")


if __name__ == "__main__":
    main()
