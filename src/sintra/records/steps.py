"""Long work as a generator: it yields after each step and returns what it made, so that others can run in between."""

from __future__ import annotations

from collections.abc import Generator
from typing import TypeVar

Made = TypeVar("Made")


def run_to_completion(steps: Generator[None, None, Made]) -> Made:
    """Runs all steps one after the other and returns what they make."""
    while True:
        try:
            next(steps)
        except StopIteration as done:
            made: Made = done.value
            return made
