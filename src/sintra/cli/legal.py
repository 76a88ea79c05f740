"""`sintra legal`: the legal moves of a position."""

from __future__ import annotations

import argparse
from typing import Any

from sintra.cli.files import add_game, add_ply, chosen_record


def add_command(commands: Any) -> None:
    """Adds the command."""
    about = "the legal moves of a position, sorted, one per line"
    command = commands.add_parser("legal", help=about, description=f"Prints {about}.")
    add_game(command)
    add_ply(command)
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    for token in sorted(map(str, chosen_record(options).replay(options.ply).legal_moves)):
        print(token)
    return 0
