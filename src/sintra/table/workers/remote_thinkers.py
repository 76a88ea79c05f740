"""A Ray cluster in which a service's computers think while it is there.

A thread joins it, waits until it is lost, and joins it again; who has a thought meanwhile is told that it is away.
"""

from __future__ import annotations

import asyncio
import contextlib
import threading
import time
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, Final

from sintra import __version__
from sintra.cluster.link import ClusterError, Link
from sintra.table.base.times import time_now
from sintra.table.workers.queueing import BusyError, ThinkingError
from sintra.table.workers.shared_queue import as_thoughts
from sintra.table.workers.warm_up import warm_players
from sintra.workers import WorkerLostError, job_of

_PAUSE: Final = 3.0
"""Seconds between two tries to join a cluster."""
_LONGEST: Final = 10.0
"""Seconds that a thought may take beyond its length before it is thought here instead. If the cluster has not answered
anything for so long, it is taken to be away."""
_LONGER: Final = 3
"""So many times as long as alone may a thought take."""


class AwayError(Exception):
    """The cluster is not there, or was lost."""


def far_thinkers(address: str, log: Callable[[dict[str, Any]], None] | None) -> RemoteThinkers:
    """The way to a cluster; that it comes and goes is written to a log."""

    def tell(is_there: bool, why: str) -> None:
        if log is not None:
            level = "info" if is_there else "warning"
            log(
                {"time": time_now(), "level": level, "what": "cluster", "there": is_there}
                | ({"why": why} if why else {})
            )

    return RemoteThinkers(address, tell)


class RemoteThinkers:
    """The way to a cluster that comes and goes."""

    def __init__(self, address: str, tell: Callable[[bool, str], None] = lambda is_there, why: None) -> None:
        """`tell` is called by a thread, with whether the cluster is there now, and if not, why."""
        self._address = address
        self._tell = tell
        self._link: Link | None = None
        self._closed = threading.Event()
        self._handing = ThreadPoolExecutor(1, "sintra far thinkers")
        self._joining = threading.Thread(target=self._stay_joined, name="sintra far thinkers", daemon=True)
        self.done = 0
        """How many thoughts were thought there."""

    def start(self) -> None:
        """Begins to look for the cluster."""
        self._joining.start()

    @property
    def is_there(self) -> bool:
        """Whether the cluster is there."""
        link = self._link
        return link is not None and link.ready.done() and not link.is_lost

    async def think(self, job: bytes, seconds: float) -> Any:
        """Has a job done there that takes about so many seconds."""
        link = self._link
        if link is None or not self.is_there:
            raise AwayError
        loop = asyncio.get_running_loop()
        begun = time.monotonic()
        try:
            async with asyncio.timeout(_LONGEST + _LONGER * seconds):
                handed = await loop.run_in_executor(self._handing, link.submit, job, seconds)
                answer = await asyncio.wrap_future(handed)
        except TimeoutError:
            if link.heard < begun:
                threading.Thread(target=link.close, args=(0.0,), name="sintra far thinkers", daemon=True).start()
            raise AwayError from None
        except (ClusterError, WorkerLostError, RuntimeError) as error:
            raise AwayError from error
        except BusyError:
            raise
        except Exception as error:
            raise ThinkingError(f"{type(error).__name__} while a computer was thinking") from error
        self.done += 1
        return answer

    def close(self) -> None:
        """Leaves the cluster at once."""
        self._closed.set()
        if (link := self._link) is not None:
            link.close(0.0)
        self._handing.shutdown(wait=False, cancel_futures=True)

    def _stay_joined(self) -> None:
        said = ""
        while not self._closed.is_set():
            why = ""
            try:
                link = self._link = Link(self._address, as_thoughts, __version__)
                if self._closed.is_set():
                    link.close(0.0)
                processors = link.ready.result()
                for _ in range(processors):
                    link.submit(job_of(warm_players), 0.0)
                if not self._closed.is_set():
                    self._tell(True, "")
                    said = ""
                    link.lost.wait()
                    why = "it was lost"
            except ClusterError as error:
                why = str(error)
            if (lost := self._link) is not None:
                self._link = None
                with contextlib.suppress(OSError):
                    lost.close(0.0)
            if why != said and not self._closed.is_set():
                self._tell(False, why)
                said = why
            self._closed.wait(_PAUSE)
