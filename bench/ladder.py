"""The ladder from `random` to the champion in one connected table: neighbours play paired games (each deal twice, seats
swapped) on all cores, and every game is written down at once (`make ladder` plays all of it):

    python bench/ladder.py ladder.jsonl --games 200 --minutes 9          the same command goes on where it stopped
    python bench/ladder.py low.jsonl --players greedy simple level:n=1 level:n=2 --games 100
    python bench/ladder.py ladder.jsonl --minutes 0                      only the tables of what was played

Elo by maximum likelihood with 95 % intervals, `greedy` = 1000. Besides neighbours, pairs named with --also meet, which
ties the ladder more firmly together. A player can be a program: `engine:` and its command.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import sys
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from sintra.arena.match import Match, play_match, read_played
from sintra.arena.stats import ladder, wilson
from sintra.cli.progress import progress_bar
from sintra.errors import SintraError
from sintra.players.levels import LEVELS
from sintra.protocol import TimeLimits

PLAYERS: Final = ("random", "level:n=1", "simple", "greedy", *(f"level:n={level.number}" for level in LEVELS[1:]))
ALSO: Final = ("greedy~level:n=1", "level:n=1~level:n=2", "simple~level:n=2")
"""Pairs that are played besides neighbours: they would be neighbours without the yardstick between them."""
NEAREST: Final = 100
FARTHEST: Final = 230
"""The Elo range in which the distance of neighbouring levels should be."""


class _TimeIsUpError(Exception):
    """Raised when the time is up; the next run plays the games that were not finished."""


def play(match: Match, pairs: Sequence[tuple[str, str]], out: Path, jobs: int, minutes: float) -> None:
    """Plays the missing games until the time is up, with a progress bar on a terminal, and else a line now and then."""
    end = time.monotonic() + 60 * minutes
    said = time.monotonic()
    total = len(list(match.jobs(pairs)))
    with progress_bar("games") as report_progress:

        def on_game(now: Match) -> None:
            nonlocal said
            report_progress(len(now.played), total=total)
            if not sys.stderr.isatty() and time.monotonic() > said + 30:
                said = time.monotonic()
                print(f"{len(now.played)} of {total} games", flush=True)
            if time.monotonic() >= end:
                raise _TimeIsUpError

        try:
            play_match(match, jobs=jobs, out=out, pairs=pairs, on_game=on_game)
        except _TimeIsUpError:
            print("time is up; the same command goes on")


def read(match: Match, out: Path) -> None:
    """Reads the games that were played, and plays none."""
    for line in out.read_text("utf-8").splitlines():
        one = read_played(json.loads(line))
        if set(one.names) <= set(match.players):
            match.played.append(one)


def elo_of(share: float) -> float:
    """The Elo difference that this share of wins stands for."""
    return 400 * math.log10(share / (1 - share)) if 0 < share < 1 else math.copysign(math.inf, share - 0.5)


def report(match: Match, pairs: Sequence[tuple[str, str]]) -> str:
    """The results of all pairs with the distances that they speak for, the table of those that are connected with the
    first player, and the neighbouring levels that are too near to each other or too far apart."""
    lines = ["| match | games | won by the second | 95 % | Elo apart | 95 % |", "|---|---|---|---|---|---|"]
    astray = []
    levels = {f"level:n={level.number}": level.number for level in LEVELS}
    for names in pairs:
        games = [one for one in match.played if one.names == names]
        row = f"| `{names[0]}` : `{names[1]}` | {len(games)} |"
        if not games:
            lines.append(f"{row} | | | |")
            continue
        won = sum(not one.won for one in games)
        low, high = wilson(won, len(games))
        apart = elo_of(won / len(games))
        lines.append(
            f"{row} {won} ({100 * won / len(games):.1f} %) | {100 * low:.1f} to {100 * high:.1f} %"
            f" | {apart:.0f} | {elo_of(low):.0f} to {elo_of(high):.0f} |"
        )
        are_neighbours = all(name in levels for name in names) and levels[names[1]] - levels[names[0]] == 1
        if are_neighbours and not NEAREST <= apart <= FARTHEST:
            astray.append(f"`{names[0]}` : `{names[1]}` ({apart:.0f})")
    wins = match.wins()
    met = {name for pair in wins for name in pair}
    lines += ["", "| player | Elo | ± 95 % |", "|---|---|---|"]
    for one in reversed(ladder(wins, [name for name in match.players if name in met])) if met else ():
        lines.append(f"| `{one.name}` | {one.elo:.0f} | {one.margin:.0f} |")
    if astray:
        lines += ["", f"Neighbours that are not {NEAREST} to {FARTHEST} Elo apart: {', '.join(astray)}"]
    return "\n".join(lines)


def pairs_of(players: Sequence[str], also: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours and further pairs, each once, in the order of the players."""
    found = list(pairwise(players))
    for text in also:
        one, _, other = text.partition("~")
        if one in players and other in players:
            first, second = sorted((one, other), key=list(players).index)
            if (first, second) not in found:
                found.append((first, second))
    return found


def main() -> None:
    """Plays and reports."""
    form = argparse.RawDescriptionHelpFormatter
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=form)
    parser.add_argument("out", type=Path, metavar="FILE", help="where the games are written, one a line")
    parser.add_argument("--players", nargs="+", default=list(PLAYERS), metavar="P", help="from weak to strong")
    parser.add_argument("--also", nargs="*", default=list(ALSO), metavar="A~B", help="other pairs that meet")
    parser.add_argument("--games", type=int, default=200, metavar="N", help="of each pair (default 200)")
    parser.add_argument("--minutes", type=float, default=9.0, metavar="M", help="stop after so long (default 9)")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1, metavar="J", help="games at once")
    parser.add_argument("--engine-time", type=float, default=10.0, metavar="SECONDS", help="of a program for a move")
    parser.add_argument("--engine-start", type=float, default=60.0, metavar="SECONDS", help="of a program to be ready")
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the deals (default 1)")
    options = parser.parse_args()
    limits = TimeLimits(options.engine_time, options.engine_start)
    match = Match(tuple(options.players), options.games, options.seed, limits=limits)
    pairs = pairs_of(options.players, options.also)
    try:
        if options.minutes > 0:
            play(match, pairs, options.out, max(1, options.jobs), options.minutes)
        else:
            read(match, options.out)
    except (SintraError, OSError, ValueError, LookupError) as error:
        parser.error(str(error))
    print(report(match, pairs))


if __name__ == "__main__":
    main()
