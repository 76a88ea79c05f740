"""`sintra learn`: a policy that learns from its own games."""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any, Final

from sintra.cli.options import above_zero, add_cluster, need_numpy, whole_from
from sintra.cli.progress import progress_bar

_number: Final = whole_from(1)
_minutes: Final = above_zero("a number of minutes", 7 * 24 * 60)
_share: Final = above_zero("a share", 1)


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "learn",
        help="let the search learn from its own games",
        description="Plays games of the search against itself, learns a network from all that were ever played into "
        "the folder, lets it play against the one before, keeps the better one, and begins again, until the time is "
        "up. The folder holds everything: stop the run, kill it, copy the notes of another machine into FOLDER/notes; "
        "the same command goes on. FOLDER/best.npz is the network that plays: search:policy=FOLDER/best.npz.",
    )
    command.add_argument("folder", metavar="FOLDER", type=Path, help="where everything is kept")
    command.add_argument("--minutes", type=_minutes, default=10.0, metavar="M", help="how long (default 10)")
    command.add_argument("--games", type=_number, default=2000, metavar="N", help="games of an iteration (2000)")
    command.add_argument("--deep", type=_number, default=1000, metavar="S", help="simulations of a deep search (1000)")
    command.add_argument("--share", type=_share, default=0.12, metavar="P", help="how many decisions those are (0.12)")
    command.add_argument("--quick", type=_number, default=150, metavar="S", help="simulations elsewhere (150)")
    command.add_argument(
        "--targets",
        choices=("deep", "all"),
        default="deep",
        help="the decisions that are noted and learned from: deep (those searched deeply, default), or all that are "
        "searched, the quick ones weighted by their simulations",
    )
    command.add_argument("--trial", type=_number, default=200, metavar="N", help="games that try a network (200)")
    command.add_argument("--trial-sims", type=_number, default=300, metavar="S", help="their simulations (300)")
    command.add_argument(
        "--kind",
        choices=("deep", "linear"),
        default="deep",
        help="a network with a hidden layer, which needs PyTorch (pip install 'sintra[learn]'), or without",
    )
    command.add_argument(
        "--start",
        default="packaged",
        metavar="WHO",
        help="who plays the first games of a new folder: packaged (the network that comes with the package, default), "
        "hand (opinions made by hand: learning from nothing), or the file of a network",
    )
    command.add_argument(
        "--fit-from",
        choices=("nothing", "best"),
        default="nothing",
        help="what each fit begins with: nothing (default), or best, the network that plays",
    )
    command.add_argument("--jobs", type=_number, metavar="J", help="games at once (default: as many as processors)")
    add_cluster(command)
    command.add_argument("--seed", type=int, default=0, metavar="S", help="for the trials and for learning")
    command.set_defaults(run=_learn)


def _learn(options: argparse.Namespace) -> int:
    need_numpy("learning", "learn")
    from sintra.learn.loop import Plan, Run
    from sintra.learn.playing import Budget

    plan = Plan(
        games=options.games,
        budget=Budget(options.deep, options.share, options.quick, targets=options.targets),
        trial_games=options.trial + options.trial % 2,
        trial_sims=options.trial_sims,
        kind=options.kind,
        seed=options.seed,
        jobs=options.jobs,
        start=options.start,
        cluster=options.cluster,
        fit_from=options.fit_from,
    )
    with progress_bar("compiling") as report:

        def show(what: str, done: int, total: int) -> None:
            report(done, total=total, what=what)

        Run(options.folder, plan, lambda line: print(line, flush=True), show).go_on(options.minutes)
    return 0
