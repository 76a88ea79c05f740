"""What the services in this process log."""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from sintra.table.base.log import logging_to


class LogLines(logging.Handler):
    """A handler that keeps everything that is logged."""

    def __init__(self) -> None:
        super().__init__()
        self._records: list[logging.LogRecord] = []

    def emit(self, record: logging.LogRecord) -> None:
        self._records.append(record)

    @property
    def lines(self) -> list[dict[str, Any]]:
        """The lines so far, read back from their JSON."""
        return [json.loads(self.format(record)) for record in self._records]


@contextmanager
def logged() -> Iterator[LogLines]:
    """Keeps what all services of this process log within the context."""
    handler = LogLines()
    with logging_to(handler):
        yield handler
