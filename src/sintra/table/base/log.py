"""The log of the service, by `logging`: a line of JSON for each request and each failure.

A message is a dictionary; its line has the time before it and, for all but requests, the level.
"""

from __future__ import annotations

import json
import logging
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from sintra.table.base.times import time_now

LOGGER: Final = logging.getLogger("sintra.table")
"""The parent of the service's loggers. Until a handler is added it logs nothing."""
LOGGER.addHandler(logging.NullHandler())
REQUESTS: Final = LOGGER.getChild("requests")
"""The logger of requests."""


class JsonFormatter(logging.Formatter):
    """Formats messages as JSON. `process` is the number of the process that writes them, if there are several."""

    def __init__(self, process: int | None = None) -> None:
        super().__init__()
        self._process = {} if process is None else {"process": process}

    def format(self, record: logging.LogRecord) -> str:
        """One line, without its end."""
        assert isinstance(record.msg, dict)
        level = {} if record.name == REQUESTS.name else {"level": record.levelname.lower()}
        return json.dumps({"time": time_now(), **level, **record.msg, **self._process})


@contextmanager
def logging_to(handler: logging.Handler, process: int | None = None) -> Iterator[None]:
    """Logs to a handler within the context: to one whose stream does not block, as `non_blocking_output` makes it."""
    handler.setFormatter(JsonFormatter(process))
    before = LOGGER.level
    LOGGER.setLevel(logging.INFO)
    LOGGER.addHandler(handler)
    try:
        yield
    finally:
        LOGGER.removeHandler(handler)
        LOGGER.setLevel(before)
