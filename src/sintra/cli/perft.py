"""`sintra perft`: counts sequences of moves."""

from __future__ import annotations

import argparse
from typing import Any, Final

from sintra.cli.files import add_game, add_ply, chosen_record
from sintra.cli.options import count
from sintra.cli.progress import progress_bar

_MAX_DEPTH: Final = 200
"""No game has more moves."""


def add_command(commands: Any) -> None:
    """Adds the command."""
    about = "how many sequences of moves follow a position"
    command = commands.add_parser("perft", help=about, description=f"Prints {about}.")
    add_game(command)
    add_ply(command)
    command.add_argument("--depth", type=_depth, required=True, metavar="D", help="how many moves deep")
    command.set_defaults(run=_run)


def _depth(text: str) -> int:
    depth = count(text)
    if depth > _MAX_DEPTH:
        raise argparse.ArgumentTypeError(f"{text} is deeper than any game: give at most {_MAX_DEPTH}")
    return depth


def _run(options: argparse.Namespace) -> int:
    record = chosen_record(options)
    with progress_bar("counting") as report:
        leaves = record.perft(options.ply, options.depth, report)
    print(leaves)
    return 0
