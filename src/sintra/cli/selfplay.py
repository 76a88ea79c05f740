"""`sintra selfplay`: plays games and keeps their records, or their decisions as numbers."""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import TYPE_CHECKING, Any

from sintra.cli.files import output
from sintra.cli.options import add_cluster, count, jobs_of, need_numpy, whole_from
from sintra.cli.progress import progress_bar, tracked
from sintra.errors import SintraError
from sintra.rules.rule_options import RULE_OPTIONS, word_for

if TYPE_CHECKING:
    from sintra.arena.selfplay import Series


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "selfplay",
        help="play games between two players and keep the records",
        description="Plays games between two players, who change seats from game to game.",
    )
    command.add_argument(
        "--players",
        nargs=2,
        default=["random", "random"],
        metavar="NAME",
        help="two players by name, with parameters like random:seed=3 (default: random random)",
    )
    command.add_argument("--games", type=count, default=1, metavar="N", help="how many games (default 1)")
    command.add_argument("--seed", type=count, default=0, metavar="S", help="the same seed gives the same games")
    command.add_argument("--out", default="-", metavar="FILE", help="where to, - for standard output (default)")
    command.add_argument(
        "--format",
        choices=("records", "npz", "parquet"),
        default="records",
        help="records of the games (default), or their decisions as numbers for training elsewhere, with the visits of "
        "searches: for NumPy, or as Parquet, which needs pyarrow (pip install 'sintra[data]'); such a run, if stopped, "
        "goes on with the same command",
    )
    command.add_argument("--jobs", type=whole_from(1), metavar="J", help="games at once (default 1)")
    add_cluster(command)
    command.add_argument(
        "--goals",
        nargs="+",
        metavar="GOAL",
        help="3 or 4 goals by name, or first-game, or the number 3 or 4 to draw them at random (default 3)",
    )
    for option in RULE_OPTIONS:
        usual = word_for(option.default)
        about = f"{option.rule} (default {usual})"
        command.add_argument(f"--{option.name.replace('_', '-')}", choices=option.words, default=usual, help=about)
    command.add_argument("--legal", action="store_true", help="also note the number of legal moves before each move")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.arena.selfplay import Series

    rules = {option.name: option.words[getattr(options, option.name)] for option in RULE_OPTIONS}
    goals = options.goals
    if goals and len(goals) == 1 and goals[0] in ("3", "4"):
        goals = int(goals[0])
    elif goals:
        goals = ",".join(goals)
    series = Series(tuple(options.players), options.seed, rules, goals)
    if options.format != "records":
        return _decisions(options, series)
    jobs, cluster = jobs_of(options, 1), options.cluster
    records = series.records(options.games, jobs=jobs, legal=options.legal, cluster=cluster)
    with output(options.out) as file:
        for record in tracked(records, options.games, "games"):
            file.write(record.dumps() + "\n")
    return 0


def _decisions(options: argparse.Namespace, series: Series) -> int:
    """Plays games for their decisions, which go into a file, or through one to standard output."""
    need_numpy(f"--format {options.format}", "data")
    from sintra.learn.collecting import Collecting

    if options.legal:
        raise SintraError("--legal is for records: files of decisions have all legal choices anyway")
    if options.out == "-" and sys.stdout.isatty():
        raise SintraError(f"--format {options.format} is not for reading: give --out FILE.{options.format}")
    with TemporaryDirectory() as folder:
        out = Path(folder) / "decisions" if options.out == "-" else Path(options.out)
        collecting = Collecting(series, options.games, out, options.format)
        with progress_bar("games") as report:
            collecting.play(jobs_of(options, 1), report, options.cluster)
        with progress_bar("writing") as report:
            collecting.write(report)
        if options.out == "-":
            sys.stdout.flush()
            sys.stdout.buffer.write(out.read_bytes())
    return 0
