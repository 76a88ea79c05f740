"""The ladder from `random` to the champion in one connected table: neighbours play paired games (each deal twice, seats
swapped) on all cores, and every game is written down at once:

    python bench/ladder.py ladder.jsonl --games 200 --minutes 9          the same command goes on where it stopped
    python bench/ladder.py low.jsonl --players greedy simple level:n=1 level:n=2 --games 100
    python bench/ladder.py ladder.jsonl --minutes 0                      only the table of what was played

Elo by maximum likelihood with 95 % intervals, `greedy` = 1000. Besides neighbours, pairs named with --also meet, which
ties the ladder more firmly together.
"""

from __future__ import annotations

import argparse
import os
import time
from collections.abc import Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

from sintra.arena.match import Match, play_match
from sintra.arena.stats import ladder, wilson
from sintra.errors import SintraError
from sintra.players.levels import LEVELS

PLAYERS: Final = ("random", "level:n=1", "simple", "greedy", *(f"level:n={level.number}" for level in LEVELS[1:]))
ALSO: Final = ("greedy~level:n=1", "level:n=1~level:n=2", "simple~level:n=2")
"""Those that would be neighbours without the two yardsticks between them."""


class _TimeIsUpError(Exception):
    """The minutes are over; what is half played is played by the next run."""


def play(match: Match, pairs: Sequence[tuple[str, str]], out: Path, jobs: int, minutes: float) -> None:
    """Plays what is missing until the time is up."""
    end = time.monotonic() + 60 * minutes
    said = time.monotonic()

    def on_game(now: Match) -> None:
        nonlocal said
        if time.monotonic() > said + 30:
            said = time.monotonic()
            print(f"{len(now.played)} games", flush=True)
        if time.monotonic() >= end:
            raise _TimeIsUpError

    try:
        play_match(match, jobs=jobs, out=out, pairs=pairs, on_game=on_game)
    except _TimeIsUpError:
        print("time is up; the same command goes on")


def report(match: Match, pairs: Sequence[tuple[str, str]]) -> str:
    """The results of all pairs, and the table of those that are connected with the first player."""
    lines = ["| match | games | won | 95 % |", "|---|---|---|---|"]
    for names in pairs:
        games = [one for one in match.played if one.names == names]
        won = sum(one.won for one in games)
        low, high = wilson(won, len(games))
        share = f"{100 * low:.1f} to {100 * high:.1f} %" if games else "—"
        lines.append(f"| `{names[0]}` against `{names[1]}` | {len(games)} | {won} | {share} |")
    wins = match.wins()
    met = {name for pair in wins for name in pair}
    lines += ["", "| player | Elo | ± 95 % |", "|---|---|---|"]
    for one in reversed(ladder(wins, [name for name in match.players if name in met])) if met else ():
        lines.append(f"| `{one.name}` | {one.elo:.0f} | {one.margin:.0f} |")
    return "\n".join(lines)


def pairs_of(players: Sequence[str], also: Sequence[str]) -> list[tuple[str, str]]:
    """Neighbours, and what else is to be played, each pair once in the order of the players."""
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
    parser.add_argument("--seed", type=int, default=1, metavar="S", help="of the deals (default 1)")
    options = parser.parse_args()
    match = Match(tuple(options.players), options.games, options.seed)
    pairs = pairs_of(options.players, options.also)
    try:
        play(match, pairs, options.out, max(1, options.jobs), options.minutes)
    except SintraError as error:
        parser.error(str(error))
    print(report(match, pairs))


if __name__ == "__main__":
    main()
