"""What the page's worker does for Python: objects of JavaScript, described as Python sees them."""

from __future__ import annotations

from collections.abc import Awaitable
from typing import Protocol


class Bytes(Protocol):
    """An array of bytes in JavaScript."""

    def to_bytes(self) -> bytes:
        """Copies them."""


class ThinkingWorker(Protocol):
    """Another worker of the page with a Python of its own."""

    def run(self, job: bytes) -> Awaitable[Bytes]:
        """Runs a job of `processes.worker.pickle_job` there; raises if the worker dies."""

    def end(self) -> None:
        """Ends it at once."""


class Browser(Protocol):
    """The page's worker in which the table runs."""

    def head(self, request: str, status: int, headers: str) -> None:
        """Sends the status of an answer, and its headers as a JSON list of pairs."""

    def chunk(self, request: str, data: bytes) -> None:
        """Sends a part of an answer."""

    def end(self, request: str) -> None:
        """Says that an answer is complete."""

    def keep(self) -> Awaitable[None]:
        """Writes what has changed in the database's file to where the browser keeps it; returns once it would survive
        the end of the tab."""

    @property
    def processors(self) -> int:
        """How many there are, as far as the browser says."""

    def open_worker(self) -> ThinkingWorker:
        """Starts another worker."""
