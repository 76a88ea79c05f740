"""`sintra puzzles`: makes, shows and proves puzzles."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from sintra.cli.options import above_zero, count, whole_from
from sintra.cli.progress import progress_bar
from sintra.errors import SintraError

if TYPE_CHECKING:
    from sintra.puzzles import Puzzle

_PACKAGED: Final = "packaged"
_ABOUT_FILE: Final = f"puzzles, one a line, or {_PACKAGED}: those that come with the package"
_minutes: Final = above_zero("a number of minutes", 7 * 24 * 60)


def add_command(commands: Any) -> None:
    """Adds the command."""
    command = commands.add_parser(
        "puzzles",
        help="make, show and prove puzzles",
        description="Puzzles are positions from games of the levels with one answer: the best tiling of a board "
        "(tiling), the one move that wins in round 5 (win), the one move that keeps the game (keep).",
    )
    acts = command.add_subparsers(dest="act", metavar="ACT", required=True, help="what to do with them")
    making = acts.add_parser(
        "make",
        help="make puzzles from games that levels play",
        description="Lets levels play against each other and keeps the positions that are puzzles: a few "
        "from a game at most, proved, and graded by the levels that find the answer. Each is written to the file at "
        "once; the same command goes on where it stopped.",
    )
    making.add_argument("out", metavar="OUT", type=Path, help="the file; if it exists, puzzles are added")
    making.add_argument("--minutes", type=_minutes, metavar="M", help="for so long")
    making.add_argument("--games", type=whole_from(1), metavar="N", help="from the first N games of the seed")
    making.add_argument(
        "--kind", nargs="+", choices=("tiling", "win", "keep"), metavar="KIND", help="tiling, win, keep (default: all)"
    )
    making.add_argument("--seed", type=count, default=0, metavar="S", help="the same seed gives the same games")
    making.add_argument("--jobs", type=whole_from(1), default=1, metavar="J", help="games at once (default 1)")
    making.add_argument(
        "--per-level",
        type=whole_from(1),
        metavar="N",
        help="keep at most N of a kind that the same level finds: as many hard ones as easy ones",
    )
    making.set_defaults(run=_make)
    showing = acts.add_parser("show", help="show a puzzle", description="Draws a puzzle, and asks its question.")
    showing.add_argument("file", metavar="FILE", help=_ABOUT_FILE)
    showing.add_argument("number", metavar="N", type=count, help="which one, from 0")
    showing.add_argument("--answer", action="store_true", help="also the answer, and what explains it")
    showing.set_defaults(run=_show)
    checking = acts.add_parser(
        "check",
        help="prove every puzzle again",
        description="Proves every puzzle again: tilings by trying all ways, wins by searching all moves to the end of "
        "the game, the others by looking again with other dice. Prints what does not hold and exits with code 1.",
    )
    checking.add_argument("file", metavar="FILE", help=_ABOUT_FILE)
    checking.set_defaults(run=_check)


def _make(options: argparse.Namespace) -> int:
    from sintra.puzzles import KINDS, make

    if options.minutes is None and options.games is None:
        raise SintraError("say how long or from how many games: --minutes M, --games N, or both")
    kinds = [kind for kind in KINDS if not options.kind or kind in options.kind]
    with progress_bar("games") as report:
        made = make(
            options.out,
            minutes=options.minutes,
            games=options.games,
            kinds=kinds,
            seed=options.seed,
            jobs=options.jobs,
            per_level=options.per_level,
            on_game=lambda progress: report(progress.share, f"{progress.puzzles} puzzles"),
        )
    print(f"{options.out}: {_how_many(made)}")
    return 0


def _how_many(puzzles: list[Puzzle]) -> str:
    """Says how many puzzles there are, by kind."""
    from sintra.puzzles import KINDS

    parts = [f"{sum(one.kind == kind for one in puzzles)} {kind}" for kind in KINDS]
    return f"{len(puzzles)} puzzle{'s' if len(puzzles) != 1 else ''} ({', '.join(parts)})"


def _read(name: str) -> list[Puzzle]:
    from sintra.puzzles import load, read_puzzles

    return list(load()) if name == _PACKAGED else read_puzzles(name)


def _show(options: argparse.Namespace) -> int:
    puzzles = _read(options.file)
    if options.number >= len(puzzles):
        last = f"puzzles 0 to {len(puzzles) - 1}" if puzzles else "no puzzle"
        raise SintraError(f"there is no puzzle {options.number}: {options.file} has {last}")
    puzzle = puzzles[options.number]
    print(puzzle.view)
    print()
    print(f"Puzzle {puzzle.id}, rating {puzzle.grade.rating} (level {puzzle.grade.level}). {_question(puzzle)}")
    if options.answer:
        for line in _answer(puzzle):
            print(line)
    return 0


def _question(puzzle: Puzzle) -> str:
    seat = puzzle.seat
    if puzzle.kind == "tiling":
        return f"Seat {seat} tiles: which way makes the most points{', goals included' * puzzle.counts_goals}?"
    if puzzle.kind == "win":
        return f"Seat {seat} is to move, and one move wins. Which?"
    return f"Seat {seat} is to move, and one move keeps the game. Which?"


def _answer(puzzle: Puzzle) -> Iterator[str]:
    between = " " if puzzle.kind == "tiling" else " or "
    best, second = _value(puzzle, puzzle.best), _value(puzzle, puzzle.second)
    yield f"Answer: {between.join(puzzle.answer)}, {best}; nothing else more than {second}."
    explained = puzzle.explanation
    if explained.line:
        yield f"Then: {' '.join(explained.line)}"
    if explained.natural_value is not None and explained.natural_value < puzzle.best:
        answered = f", answered by {' '.join(explained.refutation)}" if explained.refutation else ""
        natural, value = " ".join(explained.natural), _value(puzzle, explained.natural_value)
        yield f"A simple player's try: {natural}, {value}{answered}."
    if not puzzle.grade.found:
        return
    yield f"Found by levels 1 to {len(puzzle.grade.found)}: {' '.join(map(str, puzzle.grade.found))} times."


def _value(puzzle: Puzzle, value: float) -> str:
    """Writes a value in the puzzle's unit."""
    if puzzle.kind == "keep":
        return f"{100 * value:.0f} %"
    return f"{value:+g} points"


def _check(options: argparse.Namespace) -> int:
    from sintra.puzzles import prove

    puzzles = _read(options.file)
    wrong = 0
    with progress_bar("proving") as report:
        for number, puzzle in enumerate(puzzles):
            try:
                prove(puzzle)
            except SintraError as error:
                print(f"{options.file}, puzzle {number} ({puzzle.id}): {error}", file=sys.stderr)
                wrong += 1
            report((number + 1) / len(puzzles), f"{wrong} wrong")
    if not wrong:
        print(f"{options.file}: {_how_many(puzzles)}, all as they say")
    return 1 if wrong else 0
