"""The access log: a line for each request and for each failure."""

from __future__ import annotations

import json
from collections.abc import Callable
from typing import Any

from sintra.table.base.times import time_now
from sintra.table.games.storage import StorageError
from sintra.table.http.metrics import Metrics

LogWriter = Callable[[dict[str, Any]], None]
"""Writes one line of a log."""


class AccessLog:
    """Writes lines to the log, if there is one, and counts for the metrics; neither holds anything secret."""

    def __init__(self, metrics: Metrics, log: LogWriter | None = None) -> None:
        self.metrics = metrics
        self._log = log

    def note_request(self, method: str, route: str, status: int, waited: float, lasted: float) -> None:
        """Notes a request, with the seconds until its answer began and until it ended."""
        self.metrics.note_request(route, method, status, waited)
        if self._log is None:
            return
        ms = round(1000 * lasted, 1)
        self._log({"time": time_now(), "method": method, "route": route, "status": status, "ms": ms})

    def note_failure(self, error: BaseException) -> None:
        """Notes a failure, and where it happened."""
        self.metrics.note_failure(error)
        if self._log is None:
            return
        if isinstance(error, StorageError):
            reason = {"reason": error.reason} if error.reason else {}
            self._log({"time": time_now(), "level": "error", "what": "database", "why": str(error)} | reason)
            return
        trace = error.__traceback__
        where = []
        while trace is not None:
            code = trace.tb_frame.f_code
            where.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
            trace = trace.tb_next
        self._log({"time": time_now(), "level": "error", "what": type(error).__name__, "where": where[-6:]})


def json_lines(write: Callable[[str], Any], process: int | None = None) -> LogWriter:
    """A log of JSON lines; `process` is the number of the process that writes them, where there are several."""
    whose = {} if process is None else {"process": process}
    return lambda line: write(json.dumps(line | whose) + "\n")
