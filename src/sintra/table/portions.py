"""Long work in small portions, so that nobody else at the table waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from time import perf_counter
from typing import Final

from sintra.steps import Made

PORTION: Final = 0.001
"""Seconds of a long work before everybody else gets a turn."""
_PIECE: Final = 256 * 1024
"""Bytes of a long answer that are sent before everybody else gets a turn."""


class Portions:
    """Long works that take turns: however many there are, one portion of one of them is done between two
    looks at everything else."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def do(self, steps: Generator[None, None, Made]) -> Made:
        """What the steps make in the end. A work of one portion that finds no other is done at once; after
        more, others get a turn before anything is done with it."""
        is_short = True
        while True:
            async with self._turn:
                until = perf_counter() + PORTION
                try:
                    while perf_counter() < until:
                        next(steps)
                except StopIteration as done:
                    made: Made = done.value
                    if not is_short:
                        await asyncio.sleep(0)
                    return made
                is_short = False
                await asyncio.sleep(0)


def pieces(answer: bytes) -> Iterator[bytes]:
    """A long answer in pieces, each to be sent before the next is made."""
    for start in range(0, len(answer), _PIECE):
        yield answer[start : start + _PIECE]
