"""Who does jobs at once: processes here, or a cluster."""

from __future__ import annotations

import os
import threading
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from types import TracebackType
from typing import Any, Final, Self, TypeVar

from sintra import __version__
from sintra.cluster.errands import Luggage, as_tasks
from sintra.cluster.link import ClusterError, ClusterLostError, Link
from sintra.workers import Crew, WorkerLostError, job_of

R = TypeVar("R")

_ATTEMPTS: Final = 3
"""So often a job is handed over again when the way to the cluster was lost."""


class ClusterCrew:
    """A cluster that does jobs at once; whoever leaves it gives up those that are not done, and the cluster stays.

    A job whose machine is lost is done again on another. If this machine's own part of the cluster is lost, the crew
    joins the cluster again and hands over anew what was out; each job has one result."""

    def __init__(self, address: str, jobs: int | None, luggage: Luggage) -> None:
        """By default as many jobs at once as the cluster has processors."""
        self._begin: Callable[[], Link] = lambda: Link(address, as_tasks, __version__, luggage)
        self._changing = threading.Lock()
        self._closed = False
        self._link = self._begin()
        try:
            processors = self._link.ready.result()
        except BaseException:
            self._link.close()
            raise
        self.size = jobs or processors
        self._threads = ThreadPoolExecutor(self.size, "sintra crew")

    def submit(self, function: Callable[..., R], *arguments: Any) -> Future[R]:
        """Has a job done as soon as fewer are done than may be at once."""
        return self._threads.submit(self._do, job_of(function, *arguments))

    def _do(self, job: bytes) -> Any:
        for attempt in range(1, _ATTEMPTS + 1):
            try:
                link = self._linked()
                link.ready.result()
            except ClusterError as error:
                told = f"the cluster was lost, and now {error}; the same command goes on when it is back"
                raise ClusterLostError(told) from error
            try:
                return link.submit(job).result()
            except ClusterLostError:
                if attempt == _ATTEMPTS:
                    raise
        raise AssertionError

    def _linked(self) -> Link:
        """The way to the cluster, a new one if it was lost."""
        with self._changing:
            if self._closed:
                raise WorkerLostError("the work was given up")
            if self._link.is_lost:
                self._link.close()
                self._link = self._begin()
            return self._link

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        with self._changing:
            self._closed = True
            self._link.close()
        self._threads.shutdown(wait=True, cancel_futures=True)


def crew(jobs: int | None, cluster: str | None, pack: Callable[[], Luggage]) -> Crew | ClusterCrew:
    """So many who do jobs at once, by default one for each processor: processes here, or the cluster of an address,
    which gets what is packed for it."""
    return Crew(jobs or os.cpu_count() or 1) if cluster is None else ClusterCrew(cluster, jobs, pack())
