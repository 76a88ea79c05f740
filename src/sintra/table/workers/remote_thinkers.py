"""Computers that think in a Ray cluster, while it can be reached.

A thread joins the cluster, waits until it is lost, and joins it again; meanwhile `think` raises
`ClusterUnavailableError`.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sintra import __version__
from sintra.cluster.connection import ClusterConnection, ClusterError
from sintra.processes.worker import WorkerLostError, pickle_job
from sintra.table.base.log import LOGGER
from sintra.table.workers.queueing import BusyError, ThinkingError
from sintra.table.workers.shared_queue import make_enqueue
from sintra.table.workers.warm_up import warm_players

_RECONNECT_AFTER_S: Final = 3.0
"""Seconds between two attempts to join the cluster."""
_TIMEOUT_FACTOR: Final = 3
_TIMEOUT_EXTRA_S: Final = 10.0
"""A job of n seconds that the cluster has not answered after `_TIMEOUT_FACTOR` · n + `_TIMEOUT_EXTRA_S` seconds runs
locally instead; if the cluster sent nothing at all meanwhile, it counts as lost."""


class ClusterUnavailableError(Exception):
    """The cluster cannot be reached, or was lost."""


class RemoteThinkers:
    """Thinkers in a cluster, which may come and go."""

    def __init__(self, address: str) -> None:
        self._address = address
        self._connection: ClusterConnection | None = None
        self._closed = threading.Event()
        self._submitting = ThreadPoolExecutor(1, "sintra remote thinkers")
        self._joining = threading.Thread(target=self._stay_joined, name="sintra remote thinkers", daemon=True)
        self.done = 0
        """How many jobs the cluster has finished."""

    def start(self) -> None:
        """Starts the thread that joins the cluster."""
        self._joining.start()

    @property
    def is_connected(self) -> bool:
        """Whether the cluster is joined."""
        connection = self._connection
        return connection is not None and connection.ready.done() and not connection.is_lost

    async def think(self, job: bytes, seconds: float) -> Any:
        """Runs a job in the cluster that takes about so many seconds."""
        connection = self._connection
        if connection is None or not self.is_connected:
            raise ClusterUnavailableError
        loop = asyncio.get_running_loop()
        begun = time.monotonic()
        try:
            async with asyncio.timeout(_TIMEOUT_FACTOR * seconds + _TIMEOUT_EXTRA_S):
                submitted = await loop.run_in_executor(self._submitting, connection.submit, job, seconds)
                answer = await asyncio.wrap_future(submitted)
        except TimeoutError:
            if connection.heard < begun:
                threading.Thread(
                    target=connection.close, args=(0.0,), name="sintra remote thinkers", daemon=True
                ).start()
            raise ClusterUnavailableError from None
        # the executor raises RuntimeError after `close`, and so does a job whose own error could not be pickled
        except (ClusterError, WorkerLostError, RuntimeError) as error:
            raise ClusterUnavailableError from error
        except BusyError:
            raise
        except Exception as error:
            raise ThinkingError(f"{type(error).__name__} while a computer was thinking") from error
        self.done += 1
        return answer

    def close(self) -> None:
        """Leaves the cluster at once."""
        self._closed.set()
        if (connection := self._connection) is not None:
            connection.close(0.0)
        self._submitting.shutdown(wait=False, cancel_futures=True)

    def _stay_joined(self) -> None:
        said = ""
        while not self._closed.is_set():
            why = ""
            try:
                connection = self._connection = ClusterConnection(self._address, make_enqueue, __version__)
                if self._closed.is_set():
                    connection.close(0.0)
                processors = connection.ready.result()
                for _ in range(processors):
                    connection.submit(pickle_job(warm_players), 0.0)
                if not self._closed.is_set():
                    LOGGER.info({"what": "cluster", "there": True})
                    said = ""
                    connection.lost.wait()
                    why = "it was lost"
            except ClusterError as error:
                why = str(error)
            if (lost := self._connection) is not None:
                self._connection = None
                with contextlib.suppress(OSError):
                    lost.close(0.0)
            if why != said and not self._closed.is_set():
                LOGGER.warning({"what": "cluster", "there": False, "why": why})
                said = why
            self._closed.wait(_RECONNECT_AFTER_S)
