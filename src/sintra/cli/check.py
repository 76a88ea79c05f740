"""`sintra check`: replays records."""

from __future__ import annotations

import argparse
import sys
from typing import Any

from sintra.cli.files import records_in
from sintra.cli.progress import tracked
from sintra.errors import RecordError


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "check",
        help="replay records and verify every move, legal count and result",
        description="Replays records and verifies every move, the optional legal counts and the result. "
        "On a mismatch it prints the exact place and exits with code 1.",
    )
    command.add_argument("files", nargs="+", metavar="FILE", help="game records, - for standard input")
    command.add_argument("--quiet", action="store_true", help="print nothing when all is well")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    faults = 0
    for name in options.files:
        try:
            records = records_in(name)
            if not records:
                raise RecordError("holds no game", source=name)
        except RecordError as error:
            print(error, file=sys.stderr)
            faults += 1
            continue
        wrong = 0
        for index, record in enumerate(tracked(records, len(records), name)):
            try:
                record.check()
            except RecordError as error:
                ply = "" if error.ply is None else f", ply {error.ply}"
                print(f"{name}, game {index}{ply}: {error.reason}", file=sys.stderr)
                wrong += 1
        if not wrong and not options.quiet:
            print(f"{name}: {len(records)} game{'s' if len(records) != 1 else ''}, all as the rules say")
        faults += wrong
    return 1 if faults else 0
