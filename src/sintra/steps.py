"""Work that is done step by step: a generator that yields after each step and returns what it made."""

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
