"""The files that commands read and write, and the options that choose a game in them."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from typing import TextIO

from sintra.cli.options import count
from sintra.errors import RecordError, SintraError
from sintra.records.files import read_records, replacing
from sintra.records.record import Record


@contextmanager
def output(path: str) -> Iterator[TextIO]:
    """Opens standard output, or a file that appears only when it is complete."""
    if path == "-":
        yield sys.stdout
        return
    try:
        with replacing(path) as file:
            yield file
    except OSError as error:
        raise SintraError(f"cannot write {path}: {error.strerror}") from None


def records_in(name: str) -> list[Record]:
    """Reads the records of a file, or of standard input."""
    return read_records(sys.stdin.buffer if name == "-" else name)


def add_game(command: argparse.ArgumentParser, is_needed: bool = True) -> None:
    """Adds the options that choose a game of a file."""
    nargs = None if is_needed else "?"
    command.add_argument("file", nargs=nargs, metavar="FILE", help="game records, - for standard input")
    command.add_argument("--game", type=count, default=0, metavar="I", help="which game of the file (default 0)")


def add_ply(command: argparse.ArgumentParser) -> None:
    """Adds the option that chooses a position of a game."""
    command.add_argument("--ply", type=count, metavar="K", help="the position after K moves (default: all)")


def chosen_record(options: argparse.Namespace) -> Record:
    """Reads the game that the options choose."""
    records = records_in(str(options.file))
    if options.game >= len(records):
        last = f"games 0 to {len(records) - 1}" if records else "no game"
        raise RecordError(f"there is no game {options.game}: the file has {last}", source=options.file)
    return records[int(options.game)]
