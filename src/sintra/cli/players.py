"""`sintra players`: lists the players."""

from __future__ import annotations

import argparse
from typing import Any


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser("players", help="list the players", description="Lists the players.")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.players import entries

    for entry in sorted(entries(), key=lambda entry: entry.name):
        parameters = ", ".join(f"{name} ({kind.__name__})" for name, kind in entry.parameters.items())
        print(f"{entry.name:10} {entry.summary}" + (f"\n{'':10} parameters: {parameters}" if parameters else ""))
    return 0
