"""`sintra review`: what decisions and chance did in a finished game."""

from __future__ import annotations

import argparse
import json
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from sintra.cli.files import add_game, chosen_record, output
from sintra.cli.options import whole_from
from sintra.cli.progress import progress_bar
from sintra.records.record import Record

if TYPE_CHECKING:
    from sintra.review import GameReview


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "review",
        help="what decisions and chance did in a finished game",
        description="Looks at every decision of a finished game and prints how the chance to win went, what each "
        "player's decisions and what chance did to it, which adds up to the result, and the turns that gave something "
        "away. A turn is blamed only if a deeper look agrees.",
    )
    add_game(command)
    command.add_argument(
        "--format",
        choices=("text", "json", "html", "svg"),
        default="text",
        help="for reading (default), programs, browsers, or the plots of the game",
    )
    command.add_argument(
        "--sims", type=whole_from(2), default=700, metavar="S", help="simulations of a look (default 700)"
    )
    command.add_argument("--out", default="-", metavar="FILE", help="where to, - for standard output (default)")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    from sintra.review import ReviewBudget, review
    from sintra.review.report import as_html, as_text

    record = chosen_record(options)
    record.check()
    with progress_bar("looking at every move") as report:
        found = review(record, ReviewBudget(sims=options.sims), report)
    with output(options.out) as file:
        if options.format == "json":
            file.write(json.dumps(found.to_dict()) + "\n")
        elif options.format == "svg":
            file.write(_plotted(found, record) + "\n")
        else:
            file.write(as_html(found, record) if options.format == "html" else as_text(found, record) + "\n")
    return 0


def _plotted(found: GameReview, record: Record) -> str:
    from sintra.drawing.plot import plot
    from sintra.records.pictures import course_of
    from sintra.review.chances import chances_of

    return plot(replace(course_of(record), chances=chances_of(found, record)))
