"""Work that is done step by step: a generator that yields after each step and returns what it made."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def at_once(steps: Generator[None, None, Made]) -> Made:
    """What the steps make in the end, for those who have nothing else to do meanwhile."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            made: Made = done.value
            return made
