"""`sintra bench`: how fast the engine is on this machine."""

from __future__ import annotations

import argparse
from typing import Any, Final

from sintra.cli.options import above_zero

_seconds: Final = above_zero("a number of seconds", 3600)


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "bench",
        help="measure the engine's speed on this machine",
        description="Measures the engine on one core and prints a table; --out writes the figures as JSON.",
    )
    command.add_argument("--out", metavar="FILE.json", help="also write the figures here")
    command.add_argument("--seconds", type=_seconds, default=1.0, metavar="S", help="how long each measurement runs")
    command.add_argument("--quick", action="store_true", help="skip the start-up measurements (about a minute)")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.cli.measuring import print_figures

    print_figures(options.seconds, start_up=not options.quick, out=options.out)
    return 0
