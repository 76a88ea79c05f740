"""The queue in a Ray cluster that all services share: jobs of their players wait there.

There is one for each version of Sintra, an actor that stays when services go. It has the one queue, so a short thought
of one service goes before a long one of another, and hands its jobs out as tasks, one for each processor.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import pickle
import socket
import threading
import time
from collections.abc import Callable
from typing import Any, Final

from sintra.cluster.errands import Luggage, as_tasks
from sintra.cluster.porter import NAMESPACE
from sintra.table.workers.queueing import MAX_WAITING, BusyError, ThoughtQueue

_LOOKING: Final = 5.0
"""Seconds after which the queue looks again how many processors the cluster has."""


_WATCHING: Final = 1.0
"""Seconds between two looks whether the cluster is still there,"""
_KNOCKING: Final = 5.0
"""and for how long one waits for an answer."""


class SharedQueue:
    """In the cluster: thoughts that wait for a processor."""

    def __init__(self, version: str) -> None:
        self._hand = as_tasks(version, Luggage())
        self._queue = ThoughtQueue(1, self._do)
        self._looked = 0.0

    async def think(self, job: bytes, seconds: float) -> tuple[str, Any]:
        """Has a thought of about so many seconds done in its turn."""
        await self._look()
        try:
            answer: tuple[str, Any] = await self._queue.ask(job, seconds)
        except BusyError as error:
            return "done", pickle.dumps((False, error))
        return answer

    async def _look(self) -> None:
        """As many thoughts are done at once as the cluster has processors, which come and go."""
        if time.monotonic() < self._looked + _LOOKING and self._looked:
            return
        self._looked = time.monotonic()
        import ray

        resources = await asyncio.to_thread(ray.cluster_resources)
        self._queue.size = max(1, int(resources.get("CPU", 1)))

    async def _do(self, job: bytes) -> Any:
        return await self._hand(job)


def as_thoughts(version: str) -> Callable[[bytes, float], Any]:
    """In a process that is joined to a cluster: what brings a job to the queue, which is made if there is none."""
    import ray

    head = ray.get_runtime_context().gcs_address
    threading.Thread(target=_leave_with, args=(head,), name="sintra watch", daemon=True).start()
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

    def hand(job: bytes, seconds: float) -> Any:
        return queue.think.remote(job, seconds)

    return hand


def _leave_with(head: str) -> None:
    """Ends this process soon after the head of its cluster is gone: Ray would wait a minute for it, and so would
    whoever plays against a computer."""
    host, _, port = head.rpartition(":")
    with contextlib.suppress(OSError):
        while True:
            socket.create_connection((host.strip("[]"), int(port)), _KNOCKING).close()
            time.sleep(_WATCHING)
    os._exit(1)
