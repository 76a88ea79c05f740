"""The way to a cluster: a porter's process, and what is told to it and heard from it."""

from __future__ import annotations

import contextlib
import itertools
import os
import pickle
import re
import socket
import subprocess
import threading
import time
from collections.abc import Callable
from concurrent.futures import Future, InvalidStateError
from importlib.util import find_spec
from typing import Any, Final

from sintra.errors import SintraError
from sintra.workers import GONE, WorkerLostError, end_process, result_of, start_life

AUTO: Final = "auto"
"""The cluster that runs on this machine."""
_CLIENT: Final = "ray://"
"""How addresses of Ray Client begin, with which a machine outside uses a cluster."""
_ADDRESS: Final = re.compile(r"(?P<host>[^\s:/]+):(?P<port>\d{1,5})")
_LAST_PORT: Final = 65535
_KNOCKING: Final = 5.0
_JOINING: Final = 60.0
_LEAVING: Final = 5.0
"""Seconds that these may take."""


class ClusterError(SintraError):
    """A cluster that cannot be used as asked."""


class ClusterLostError(ClusterError):
    """A cluster is there no more."""


class Link:
    """A process that hands jobs over to a cluster. `make_hand`, called there with some arguments, gives the function
    that is called with each errand and returns what Ray calls a reference: to how it went, and an answer."""

    def __init__(self, address: str, make_hand: Callable[..., Any], *arguments: Any) -> None:
        self._address = address = meant_by(address)
        knock_at(address)
        self.ready: Future[int] = Future()
        """How many processors there are, once the cluster is joined."""
        self._numbers = itertools.count()
        self._out: dict[int, Future[Any]] = {}
        self._changing = threading.Lock()
        self.lost = threading.Event()
        """Set when nothing more comes from there."""
        self.heard = time.monotonic()
        """When something came from there last."""
        self._popen = start_life("sintra.cluster.porter")
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._jobs, self._answers = self._popen.stdin, self._popen.stdout
        with contextlib.suppress(OSError):
            self._say((address, make_hand, arguments))
        self._late = threading.Timer(_JOINING, self._give_up)
        self._late.daemon = True
        self._late.start()
        threading.Thread(target=self._listen, name="sintra link", daemon=True).start()

    @property
    def is_lost(self) -> bool:
        """Whether nothing more comes from there."""
        return self.lost.is_set()

    def submit(self, *errand: Any) -> Future[Any]:
        """Has an errand done; who waits for it is told if the cluster is lost meanwhile."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # whoever stops waiting for it does not cancel what is under way
        with self._changing:
            number = next(self._numbers)
            self._out[number] = future
            try:
                if self.is_lost:
                    raise OSError
                self._say((number, errand))
            except OSError:
                del self._out[number]
                future.set_exception(self._loss())
        return future

    def close(self, seconds: float = _LEAVING) -> None:
        """Leaves the cluster, which goes on without us, within so many seconds; what it does for us is given up."""
        self._late.cancel()
        if not self.ready.done():
            self._popen.kill()
        with self._changing, contextlib.suppress(OSError):
            self._jobs.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        end_process(self._popen)

    def _say(self, message: Any) -> None:
        self._jobs.write(pickle.dumps(message))
        self._jobs.flush()

    def _listen(self) -> None:
        with contextlib.suppress(*GONE, ValueError):
            while True:
                message = pickle.load(self._answers)
                self.heard = time.monotonic()
                match message:
                    case ("ready", int(processors)):
                        self._late.cancel()
                        self._settle(processors)
                    case ("refused", str(why)):
                        self._settle(ClusterError(why))
                    case (int(number), str(how), told):
                        _resolve(self._out.pop(number), how, told)
        with self._changing:
            self.lost.set()
            lost, self._out = self._out, {}
        self._settle(ClusterError(f"{_named(self._address)} lets nobody in"))
        for future in lost.values():
            future.set_exception(self._loss())

    def _give_up(self) -> None:
        what = f"no answer from {_named(self._address)} within {_JOINING:.0f} seconds"
        way = "" if self._address == AUTO else f", as after `ray start --address={self._address}`"
        self._settle(ClusterError(f"{what}: this machine must belong to it{way}"))
        self._popen.kill()

    def _settle(self, found: int | ClusterError) -> None:
        """Tells those who wait for the cluster how many processors it has, or why it cannot be joined: the first word
        counts."""
        with contextlib.suppress(InvalidStateError):
            if isinstance(found, int):
                self.ready.set_result(found)
            else:
                self.ready.set_exception(found)

    def _loss(self) -> ClusterLostError:
        return ClusterLostError(f"{_named(self._address)} was lost: the same command goes on when it is back")


def _resolve(future: Future[Any], how: str, told: Any) -> None:
    """Tells whoever waits for a job what came of it."""
    try:
        if how == "unfit":
            raise ClusterError(told)
        if how == "lost":
            raise WorkerLostError(f"a process ended over its job: {told}")
        future.set_result(result_of(told))
    except Exception as error:
        future.set_exception(error)


def _named(address: str) -> str:
    return "the cluster on this machine" if address == AUTO else f"the cluster at {address}"


def meant_by(address: str) -> str:
    """An address as Ray understands it: for `auto`, RAY_ADDRESS if there is one. Refuses one that is none, or if there
    is no Ray to go there."""
    if find_spec("ray") is None:
        raise ClusterError("a cluster needs Ray: pip install 'sintra[cluster]'")
    named = address == AUTO and os.environ.get("RAY_ADDRESS")
    said, meant = (f"RAY_ADDRESS, {named!r},", named) if named else (repr(address), address)
    if meant == AUTO:
        return AUTO
    if meant.startswith(_CLIENT):
        host = meant.removeprefix(_CLIENT).partition(":")[0] or "HOST"
        raise ClusterError(
            f"{said} is for Ray Client, which does not do here: give the command on a machine of the cluster, with the "
            f"address that `ray start` takes, like {host}:6379, or auto"
        )
    found = _ADDRESS.fullmatch(meant)
    if not found or not 0 < int(found["port"]) <= _LAST_PORT:
        raise ClusterError(f"{said} is no address of a cluster: it reads like 10.0.0.5:6379, or auto")
    return meant


def knock_at(address: str) -> None:
    """Refuses an address where nobody listens: Ray itself would try for minutes."""
    if address == AUTO:
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _KNOCKING).close()
    except OSError as error:
        raise ClusterError(f"no cluster answers at {address}: {error.strerror or error}") from None
