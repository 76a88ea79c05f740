"""The pool that runs jobs: worker processes on this machine, or a Ray cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sintra import __version__
from sintra.cluster.connection import ClusterConnection, ClusterError, ClusterLostError
from sintra.cluster.tasks import RuntimeFiles, make_submit
from sintra.processes.worker import WorkerLostError, WorkerPool, pickle_job

R = TypeVar("R")

_MAX_ATTEMPTS: Final = 3
"""How often a job is submitted before a lost connection to the cluster fails it."""


class ClusterPool:
    """A cluster as a pool; leaving the context cancels the jobs that are not done, and the cluster stays.

    Ray repeats a job whose machine is lost. If this machine's own node is lost, the pool joins the cluster again and
    submits the open jobs anew; each job has one result."""

    def __init__(self, address: str, jobs: int | None, files: RuntimeFiles) -> None:
        """`jobs` run at a time, by default as many as the cluster has processors."""
        self._connect: Callable[[], ClusterConnection] = lambda: ClusterConnection(
            address, make_submit, __version__, files
        )
        self._changing = threading.Lock()
        self._closed = False
        self._connection = self._connect()
        try:
            processors = self._connection.ready.result()
        except BaseException:
            self._connection.close()
            raise
        self.size = jobs or processors
        self._threads = ThreadPoolExecutor(self.size, "sintra pool")

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Runs a job as soon as fewer than `size` are running."""
        return self._threads.submit(self._do, pickle_job(function, *arguments))

    def _do(self, job: bytes) -> Any:
        for attempt in range(1, _MAX_ATTEMPTS + 1):
            try:
                connection = self._connected()
                connection.ready.result()
            except ClusterError as error:
                told = f"the cluster was lost, and now {error}; the same command goes on when it is back"
                raise ClusterLostError(told) from error
            try:
                return connection.submit(job).result()
            except ClusterLostError:
                if attempt == _MAX_ATTEMPTS:
                    raise
        raise AssertionError

    def _connected(self) -> ClusterConnection:
        """The connection to the cluster; a new one if the last was lost."""
        with self._changing:
            if self._closed:
                raise WorkerLostError("the pool is closed")
            if self._connection.is_lost:
                self._connection.close()
                self._connection = self._connect()
            return self._connection

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._changing:
            self._closed = True
            self._connection.close()
        self._threads.shutdown(wait=True, cancel_futures=True)


def open_pool(jobs: int | None, cluster: str | None, files: Callable[[], RuntimeFiles]) -> WorkerPool | ClusterPool:
    """A pool of so many workers, by default one for each processor: processes on this machine, or the cluster at an
    address, which is sent `files()`."""
    return WorkerPool(jobs or os.cpu_count() or 1) if cluster is None else ClusterPool(cluster, jobs, files())
