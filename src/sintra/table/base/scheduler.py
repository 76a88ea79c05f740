"""Cooperative scheduling: long work runs in time slices, so that no other request waits for it."""

from __future__ import annotations

import asyncio
from collections.abc import Generator, Iterator
from time import perf_counter
from typing import Final, TypeVar

Made = TypeVar("Made")
"""What a job returns."""
SLICE_S: Final = 0.001
"""Seconds that a slice of long work takes before everything else gets a turn."""
_PIECE: Final = 256 * 1024
"""Bytes of a long answer that are sent before everything else gets a turn."""


class Scheduler:
    """Runs long jobs in turns: however many there are, one slice of one of them runs between two iterations of the
    event loop."""

    def __init__(self) -> None:
        self._turn = asyncio.Lock()

    async def run(self, steps: Generator[None, None, Made]) -> Made:
        """Runs a job step by step and returns its result. A job that needs one slice only runs at once if no other
        waits; after a longer one, the event loop gets a turn first."""
        is_short = True
        while True:
            async with self._turn:
                until = perf_counter() + SLICE_S
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
    """Splits a long answer into pieces, each to be sent before the next is made."""
    for start in range(0, len(answer), _PIECE):
        yield answer[start : start + _PIECE]
