"""Options that several commands have, and what is said when a number is wrong."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from importlib.util import find_spec
from math import inf
from typing import Final

from sintra.errors import SintraError


def whole_from(least: int, most: float = inf, what: str = "a whole number") -> Callable[[str], int]:
    """Makes a reader of whole numbers between two limits; `what` names them in an error."""
    limits = f", {least} or more" if most == inf else f" from {least} to {most}"

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or not least <= int(text) <= most:
            raise argparse.ArgumentTypeError(f"{text!r} must be {what}{limits}")
        return int(text)

    return read


count: Final = whole_from(0)
"""Reads a whole number, 0 or more."""


def above_zero(what: str, most: int) -> Callable[[str], float]:
    """Makes a reader of numbers above 0 and at most so large; `what` names them in an error."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} must be {what} above 0, at most {most}")
        return number

    return read


def need_numpy(what: str, extra: str) -> None:
    """Refuses what needs NumPy where it is missing."""
    if find_spec("numpy") is None:
        raise SintraError(f"{what} needs NumPy: pip install 'sintra[{extra}]'")


def add_cluster(command: argparse.ArgumentParser) -> None:
    """Adds `--cluster` to a command that has `--jobs`."""
    command.add_argument(
        "--cluster",
        metavar="ADDRESS",
        help="play on a Ray cluster (needs pip install 'sintra[cluster]'): its address, like 10.0.0.5:6379, or auto "
        "for the one that runs on this machine; by default as many games at once as it has processors",
    )


def jobs_of(options: argparse.Namespace, usual: int) -> int | None:
    """Returns how many jobs are done at once: as the options say, else `usual`; None leaves it to a cluster."""
    if options.jobs is not None:
        return max(1, int(options.jobs))
    return None if options.cluster else usual
