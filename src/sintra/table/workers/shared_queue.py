"""The queue in a Ray cluster that all services share: the jobs of their computers wait in it.

It is a detached actor, one for each version of Sintra. Since there is one queue, a short job of one service goes
before a long one of another; jobs are started as tasks, one for each processor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from sintra.cluster.connection import ClusterError, check_listening
from sintra.cluster.ray_client import NAMESPACE
from sintra.cluster.tasks import DONE, RuntimeFiles, make_submit
from sintra.processes.worker import pickle_error
from sintra.table.workers.queueing import MAX_WAITING, BusyError, JobQueue

_RESIZE_AFTER_S: Final = 5.0
"""Seconds after which the queue asks again how many processors the cluster has."""
_HEAD_CHECK_S: Final = 1.0
"""Seconds between two checks whether the head of the cluster can be reached."""


class SharedQueue:
    """The actor: jobs that wait for a processor of the cluster."""

    def __init__(self, version: str) -> None:
        self._submit = make_submit(version, RuntimeFiles())
        self._queue = JobQueue(1, self._do)
        self._resized = 0.0

    async def think(self, job: bytes, seconds: float) -> tuple[str, Any]:
        """Runs a job of about so many seconds when its turn comes."""
        await self._resize()
        try:
            answer: tuple[str, Any] = await self._queue.ask(job, seconds)
        except BusyError as error:
            return DONE, pickle_error(error)
        return answer

    async def _resize(self) -> None:
        """Follows the number of processors of the cluster, which come and go."""
        if time.monotonic() < self._resized + _RESIZE_AFTER_S and self._resized:
            return
        self._resized = time.monotonic()
        import ray

        resources = await asyncio.to_thread(ray.cluster_resources)
        self._queue.size = max(1, int(resources.get("CPU", 1)))

    async def _do(self, job: bytes) -> Any:
        return await self._submit(job)


def make_enqueue(version: str) -> Callable[[bytes, float], Any]:
    """The function that puts a job into the queue of the cluster which this process has joined; creates the queue if
    there is none."""
    import ray

    head = ray.get_runtime_context().gcs_address
    threading.Thread(target=_exit_with_head, args=(head,), name="sintra watch", daemon=True).start()
    queue = (
        ray.remote(SharedQueue)
        .options(
            name=f"thinkers of {version}",
            namespace=NAMESPACE,
            lifetime="detached",
            get_if_exists=True,
            max_restarts=-1,
            max_concurrency=2 * MAX_WAITING,
            num_cpus=0,
        )
        .remote(version)
    )

    def submit(job: bytes, seconds: float) -> Any:
        return queue.think.remote(job, seconds)

    return submit


def _exit_with_head(head: str) -> None:
    """Exits soon after the head of the cluster is gone: Ray itself would wait a minute, and so would the players."""
    with contextlib.suppress(ClusterError):
        while True:
            check_listening(head)
            time.sleep(_HEAD_CHECK_S)
    os._exit(1)
