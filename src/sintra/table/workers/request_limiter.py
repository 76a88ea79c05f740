"""Bounds the requests that wait for something: in all, and for each client."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator

from sintra.table.games.refusals import RefusalError


class RequestLimiter:
    """Bounds the requests that wait for work to be done: in all, and for each client."""

    def __init__(self, max_total: int, max_per_client: int) -> None:
        self._max_total = max_total
        self._max_per_client = max_per_client
        self._total = 0
        self._by_client: Counter[str] = Counter()

    @contextlib.contextmanager
    def slot(self, client: str | None) -> Iterator[None]:
        """Counts a request within the context; raises `RefusalError` if there are too many. A client of None is bounded
        by the total alone."""
        if client is not None and self._by_client[client] >= self._max_per_client:
            raise too_many_requests(5)
        if self._total >= self._max_total:
            raise RefusalError(503, "busy", "The computer has much to look into: try again.", retry_after=5)
        self._total += 1
        if client is not None:
            self._by_client[client] += 1
        try:
            yield
        finally:
            self._total -= 1
            if client is not None:
                self._by_client -= Counter({client: 1})


def too_many_requests(retry_after: int) -> RefusalError:
    """The refusal of a client that has too many requests open."""
    said = f"Wait for what you have asked for already: try again in {retry_after} s."
    return RefusalError(429, "too_many", said, retry_after=retry_after)
