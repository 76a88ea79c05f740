"""`sintra show`: a position, drawn for the terminal or into a file, a replay, the plots of a game."""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from pathlib import Path
from typing import Any, Final

from sintra.cli.files import add_game, add_ply, chosen_record, output
from sintra.cli.options import above_zero, count, whole_from
from sintra.cli.progress import Report, progress_bar
from sintra.components import SPECTATOR
from sintra.errors import RecordError, SintraError
from sintra.records.record import Record

_FILES: Final = ("svg", "png", "gif", "plot")
"""The options that name a file to draw into."""
_GOES_WITH: Final = {
    "board": ("svg", "png", "gif"),
    "move": ("svg", "png"),
    "theme": _FILES,
    "width": ("png", "gif", "plot"),
    "delay": ("gif",),
    "start": ("gif",),
    "review": ("plot",),
}
"""The files that each option is for."""
_PICTURES_OF_A_JOB: Final = 16
"""The pictures for which another process that draws is worth its start."""
_WRITTEN: Final = {"start": "--from"}
"""The options that are not called as their value is."""
_seconds: Final = above_zero("a number of seconds", 600)


def add_command(commands: Any) -> None:
    """Adds the command."""
    about = "a position, drawn for the terminal, or as a picture"
    command = commands.add_parser("show", help=about, description=f"Prints {about}.")
    add_game(command, is_needed=False)
    add_ply(command)
    command.add_argument(
        "--seat", choices=("0", "1", "spectator"), help="only what this seat (or a spectator) may know"
    )
    form = command.add_mutually_exclusive_group()
    form.add_argument(
        "--text", action="store_true", help="as a position text: editable, or with --seat what an engine is sent"
    )
    form.add_argument("--svg", nargs="?", const="-", metavar="FILE", help="as an SVG picture (default: printed)")
    form.add_argument("--png", metavar="FILE", help="as a PNG picture")
    form.add_argument("--gif", metavar="FILE", help="an animation of the game, move by move, up to this position")
    form.add_argument("--plot", metavar="FILE", help="scores by round and where the points came from, .svg or .png")
    command.add_argument("--board", type=int, choices=(0, 1), help="only the board of this seat")
    command.add_argument(
        "--move",
        metavar="TOKEN",
        help="with arrows for this move, for the record's next one, or for its last one, on the position before it",
    )
    command.add_argument("--theme", choices=("dark", "light"), help="the ground of pictures (default dark)")
    command.add_argument("--width", type=whole_from(1), metavar="W", help="pixels across, for PNG and GIF")
    command.add_argument("--delay", type=_seconds, metavar="S", help="seconds for each move of a GIF (default 1)")
    command.add_argument("--from", dest="start", type=count, metavar="K", help="where a GIF begins (default 0)")
    command.add_argument("--review", metavar="FILE", help="the game's review as JSON: its chances are plotted, too")
    command.set_defaults(run=_run)


def _run(options: argparse.Namespace) -> int:
    wanted = _wanted_file(options)
    record = chosen_record(options)
    if wanted:
        with progress_bar("drawing") as report:
            content = _drawn(options, record, report)
        with output(getattr(options, wanted)) as file:
            file.flush()
            file.buffer.write(content)
        return 0
    game = record.replay(options.ply)
    observer = _observer(options)
    table = game if observer is None else game.view(observer)
    print(table.position if options.text else table, end="" if options.text else "\n")
    return 0


def _observer(options: argparse.Namespace) -> int | None:
    """Whose knowledge is shown: that of a seat or a spectator; None for the whole position."""
    if options.seat is None:
        return None
    return SPECTATOR if options.seat == "spectator" else int(options.seat)


def _wanted_file(options: argparse.Namespace) -> str | None:
    """Returns the option that names a file to draw into, or None for the terminal; refuses options that do not go
    together."""
    if options.file is None and options.svg not in (None, "-"):
        options.file, options.svg = options.svg, "-"
    if options.file is None:
        raise SintraError("which game? name a FILE of records")
    wanted = next((name for name in _FILES if getattr(options, name) is not None), None)
    for name, fitting in _GOES_WITH.items():
        if getattr(options, name) is not None and wanted not in fitting:
            written = " or ".join(f"--{file}" for file in fitting)
            raise SintraError(f"{_WRITTEN.get(name, f'--{name}')} goes with {written}")
    if wanted == "plot" and options.seat is not None:
        raise SintraError("--plot shows what everybody knows; leave --seat out")
    return wanted


def _drawn(options: argparse.Namespace, record: Record, report: Report) -> bytes:
    """Draws the content of the file."""
    from sintra.drawing import raster

    theme = options.theme or "dark"
    observer = _observer(options)
    if options.plot is not None:
        return _plotted(options, record, theme)
    if options.gif is not None:
        from sintra.records.pictures import replay_pictures

        pictures = list(
            replay_pictures(
                record, options.start or 0, options.ply, observer=observer, board=options.board, theme=theme
            )
        )
        jobs = max(1, min(os.cpu_count() or 1, len(pictures) // _PICTURES_OF_A_JOB))
        return raster.gif(pictures, options.width or 800, delay=options.delay or 1.0, jobs=jobs, on_share=report)
    from sintra.records.pictures import picture_of

    ply, move = _position_and_move(options, record)
    picture = picture_of(record.replay(ply), move, observer=observer, board=options.board, theme=theme)
    return picture.png(options.width) if options.png is not None else f"{picture}\n".encode()


def _position_and_move(options: argparse.Namespace, record: Record) -> tuple[int | None, str | None]:
    """Returns the ply that is drawn, and the move on it."""
    ply = len(record.moves) if options.ply is None else options.ply
    if options.move not in ("last", "next") or ply > len(record.moves):
        return options.ply, options.move
    if options.move == "last":
        if ply == 0:
            raise RecordError("there is no last move at ply 0", source=options.file)
        return ply - 1, record.moves[ply - 1]
    if ply == len(record.moves):
        raise RecordError(f"there is no next move at ply {ply}: the record ends there", source=options.file)
    return ply, record.moves[ply]


def _plotted(options: argparse.Namespace, record: Record, theme: str) -> bytes:
    from sintra.drawing.plot import plot
    from sintra.records.pictures import course_of

    suffix = ".svg" if options.plot == "-" else Path(options.plot).suffix.lower()
    if suffix not in (".svg", ".png"):
        raise SintraError(f"a plot is an .svg or a .png file, not {options.plot}")
    course = course_of(record, options.ply)
    if options.review is not None:
        from sintra.review import GameReview
        from sintra.review.chances import chances_of

        chances = chances_of(GameReview.from_dict(_read_json(options.review)), record)
        course = replace(course, chances=chances if options.ply is None else chances.up_to(options.ply))
    picture = plot(course, theme=theme)
    return picture.png(options.width) if suffix == ".png" else f"{picture}\n".encode()


def _read_json(path: str) -> Any:
    try:
        return json.loads(Path(path).read_text("utf-8"))
    except OSError as error:
        raise SintraError(f"{path}: cannot be read: {error.strerror}") from None
    except (ValueError, RecursionError):
        raise SintraError(f"{path}: is no JSON") from None
