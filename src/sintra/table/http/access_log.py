"""The access log: a line for each request and for each failure."""

from __future__ import annotations

from sintra.table.base.log import LOGGER, REQUESTS
from sintra.table.games.storage import StorageError
from sintra.table.http.metrics import Metrics


class AccessLog:
    """Logs requests and failures and counts them for the metrics; neither holds anything secret."""

    def __init__(self, metrics: Metrics) -> None:
        self.metrics = metrics

    def note_request(self, method: str, route: str, status: int, waited: float, lasted: float) -> None:
        """Notes a request, with the seconds until its answer began and until it ended."""
        self.metrics.note_request(route, method, status, waited)
        REQUESTS.info({"method": method, "route": route, "status": status, "ms": round(1000 * lasted, 1)})

    def note_failure(self, error: BaseException) -> None:
        """Notes a failure, and where it happened."""
        self.metrics.note_failure(error)
        if isinstance(error, StorageError):
            reason = {"reason": error.reason} if error.reason else {}
            LOGGER.error({"what": "database", "why": str(error)} | reason)
            return
        trace = error.__traceback__
        where = []
        while trace is not None:
            code = trace.tb_frame.f_code
            where.append(f"{code.co_filename.rpartition('/')[2]}:{trace.tb_lineno} {code.co_name}")
            trace = trace.tb_next
        LOGGER.error({"what": type(error).__name__, "where": where[-6:]})
