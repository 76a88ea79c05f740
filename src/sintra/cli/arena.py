"""`sintra arena`: measures players against each other."""

from __future__ import annotations

import argparse
import os
from itertools import pairwise
from typing import Any, Final

from sintra.cli.files import output
from sintra.cli.options import above_zero, add_cluster, count, jobs_of
from sintra.cli.progress import progress_bar
from sintra.errors import SintraError

_seconds: Final = above_zero("a number of seconds", 3600)


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "arena",
        help="pit players against each other on paired deals and measure them",
        description="Every pair of players plays N games: each deal twice, with swapped seats. Prints win rates, "
        "the Elo ladder (greedy = 1000), where the points came from and the players' habits. With --out a match "
        "can be stopped and resumed. With --engine a program in any language plays too: it is sent what its seat may "
        "know as lines of text (docs/engine-protocol.md), and loses a game in which it crashes, answers too late, or "
        "makes an illegal move; it is started again for the next one.",
    )
    command.add_argument("players", nargs="*", metavar="PLAYER", help="like search:sims=400 greedy; two, with engines")
    command.add_argument(
        "--engine",
        action="append",
        default=[],
        dest="engines",
        metavar="COMMAND",
        help='a program that plays too, like --engine "python engine.py"; can be repeated',
    )
    command.add_argument(
        "--engine-time",
        type=_seconds,
        default=10.0,
        metavar="SECONDS",
        help="how long an engine has for a move (default 10)",
    )
    command.add_argument(
        "--engine-start",
        type=_seconds,
        default=60.0,
        metavar="SECONDS",
        help="how long an engine has to start, and to be ready for a game (default 60)",
    )
    command.add_argument("--games", type=count, default=100, metavar="N", help="games of each pair (default 100)")
    command.add_argument("--seed", type=count, default=0, metavar="S", help="the same seed gives the same deals")
    command.add_argument("--jobs", type=count, metavar="J", help="games at once (default: as many as processors)")
    add_cluster(command)
    command.add_argument("--out", metavar="FILE.jsonl", help="the records; if it exists, the match continues")
    command.add_argument("--plot", metavar="FILE.svg", help="a picture of the ladder")
    command.add_argument("--neighbours", action="store_true", help="only players named next to each other play")
    command.add_argument("--goals", metavar="GOALS", help="as for selfplay, with commas (default: 3 at random)")
    command.add_argument(
        "--sprt",
        nargs=2,
        type=float,
        metavar=("ELO0", "ELO1"),
        help="two players: stop as soon as the sequential test tells ELO1 from ELO0",
    )
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.arena import Match, play_match
    from sintra.arena.report import ladder_svg, print_report
    from sintra.protocol import TimeLimits
    from sintra.protocol.asking import ENGINE

    players = (*options.players, *(ENGINE + command for command in options.engines))
    if options.sprt and len(players) != 2:
        raise SintraError("--sprt compares two players")
    goals = int(options.goals) if options.goals in ("3", "4") else options.goals
    limits = TimeLimits(options.engine_time, options.engine_start)
    match = Match(players, options.games, options.seed, goals, limits=limits)
    pairs = None
    if options.neighbours:
        pairs = list(pairwise(players))
    total = len(list(match.jobs(pairs)))
    with progress_bar("games") as report:

        def show(match: Match) -> None:
            first = match.players[0]
            own = [one.won for one in match.played if one.names[0] == first]
            note = f"{first} wins {100 * sum(own) / len(own):.0f} %" if own else ""
            report(len(match.played), note, total=total)

        play_match(
            match,
            jobs=jobs_of(options, os.cpu_count() or 1),
            cluster=options.cluster,
            out=options.out,
            pairs=pairs,
            sprt=tuple(options.sprt) if options.sprt else None,
            on_game=show,
        )
    print_report(match, tuple(options.sprt) if options.sprt else None)
    if options.plot:
        with output(options.plot) as file:
            file.write(ladder_svg(match))
    return 0
