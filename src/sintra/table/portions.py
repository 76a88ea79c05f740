"""Long work in small portions, so that nobody else at the table waits for it."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections.abc import Generator
from typing import Final

from sintra.steps import Made

PORTION: Final = 0.001
"""Seconds of a long work before everybody else gets a turn."""


class Portions:
    """Long works that take turns: however many there are, one portion of one of them is done between two
    looks at everything else."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def do(self, steps: Generator[None, None, Made]) -> Made:
        """What the steps make in the end. A work of one portion that finds no other is done at once."""
        with contextlib.closing(steps):
            while True:
                async with self._turn:
                    until = time.perf_counter() + PORTION
                    try:
                        while time.perf_counter() < until:
                            next(steps)
                    except StopIteration as done:
                        made: Made = done.value
                        return made
                    await asyncio.sleep(0)
