"""Numbers that options take, and what is said when one is wrong."""

from __future__ import annotations

import argparse
from collections.abc import Callable


def whole_from(least: int) -> Callable[[str], int]:
    """Reads a whole number that is at least so large."""

    def read(text: str) -> int:
        if not text.isascii() or not text.isdigit() or int(text) < least:
            raise argparse.ArgumentTypeError(f"{text!r} must be a whole number, {least} or more")
        return int(text)

    return read


def above_zero(what: str, most: int) -> Callable[[str], float]:
    """Reads a number above 0 and at most so large."""

    def read(text: str) -> float:
        try:
            number = float(text)
        except ValueError:
            number = 0.0
        if not 0 < number <= most:
            raise argparse.ArgumentTypeError(f"{text!r} must be {what} above 0, at most {most}")
        return number

    return read
