"""The connection to a Ray cluster: a client process (`ray_client.py`) and the messages exchanged with it."""

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

from sintra.cluster.tasks import LOST, UNFIT
from sintra.errors import SintraError
from sintra.processes.worker import PIPE_CLOSED, WorkerLostError, job_result, kill_and_reap, start_worker_process

AUTO: Final = "auto"
"""The address of the cluster that runs on this machine."""
_CLIENT: Final = "ray://"
"""The prefix of Ray Client's addresses, by which a machine outside uses a cluster."""
_ADDRESS: Final = re.compile(r"(?P<host>[^\s:/]+):(?P<port>\d{1,5})")
_LAST_PORT: Final = 65535
_CONNECT_TIMEOUT_S: Final = 5.0
_JOIN_TIMEOUT_S: Final = 60.0
_LEAVE_TIMEOUT_S: Final = 5.0


class ClusterError(SintraError):
    """The cluster cannot be used as requested."""


class ClusterLostError(ClusterError):
    """The connection to the cluster was lost."""


class ClusterConnection:
    """A process that submits jobs to a cluster. There `make_submit`, called with some arguments, returns the function
    that submits a job and returns Ray's reference to its outcome and result."""

    def __init__(self, address: str, make_submit: Callable[..., Any], *arguments: Any) -> None:
        self._address = address = resolve_address(address)
        check_listening(address)
        self.ready: Future[int] = Future()
        """The number of processors, once the cluster is joined."""
        self._numbers = itertools.count()
        self._open: dict[int, Future[Any]] = {}
        self._changing = threading.Lock()
        self.lost = threading.Event()
        """Set when the client process has ended."""
        self.heard = time.monotonic()
        """When the last message arrived, by `time.monotonic`."""
        self._popen = start_worker_process("sintra.cluster.ray_client")
        assert self._popen.stdin is not None and self._popen.stdout is not None
        self._jobs, self._answers = self._popen.stdin, self._popen.stdout
        with contextlib.suppress(OSError):
            self._send((address, make_submit, arguments))
        self._late = threading.Timer(_JOIN_TIMEOUT_S, self._give_up)
        self._late.daemon = True
        self._late.start()
        threading.Thread(target=self._listen, name="sintra cluster", daemon=True).start()

    @property
    def is_lost(self) -> bool:
        """Whether the client process has ended."""
        return self.lost.is_set()

    def submit(self, *arguments: Any) -> Future[Any]:
        """Submits a job; its future raises `ClusterLostError` if the cluster is lost meanwhile."""
        future: Future[Any] = Future()
        future.set_running_or_notify_cancel()  # so that a waiter that gives up does not cancel the job
        with self._changing:
            number = next(self._numbers)
            self._open[number] = future
            try:
                if self.is_lost:
                    raise OSError
                self._send((number, arguments))
            except OSError:
                del self._open[number]
                future.set_exception(self._loss())
        return future

    def close(self, seconds: float = _LEAVE_TIMEOUT_S) -> None:
        """Leaves the cluster within so many seconds, and cancels the open jobs."""
        self._late.cancel()
        if not self.ready.done():
            self._popen.kill()
        with self._changing, contextlib.suppress(OSError):
            self._jobs.close()
        with contextlib.suppress(subprocess.TimeoutExpired):
            self._popen.wait(seconds)
        kill_and_reap(self._popen)

    def _send(self, message: Any) -> None:
        self._jobs.write(pickle.dumps(message))
        self._jobs.flush()

    def _listen(self) -> None:
        with contextlib.suppress(*PIPE_CLOSED, ValueError):
            while True:
                message = pickle.load(self._answers)
                self.heard = time.monotonic()
                match message:
                    case ("ready", int(processors)):
                        self._late.cancel()
                        self._settle(processors)
                    case ("refused", str(why)):
                        self._settle(ClusterError(why))
                    case (int(number), str(how), reply):
                        _resolve(self._open.pop(number), how, reply)
        with self._changing:
            self.lost.set()
            lost, self._open = self._open, {}
        self._settle(ClusterError(f"{_named(self._address)} lets nobody in"))
        for future in lost.values():
            future.set_exception(self._loss())

    def _give_up(self) -> None:
        what = f"no answer from {_named(self._address)} within {_JOIN_TIMEOUT_S:.0f} seconds"
        way = "" if self._address == AUTO else f", as after `ray start --address={self._address}`"
        self._settle(ClusterError(f"{what}: this machine must belong to it{way}"))
        self._popen.kill()

    def _settle(self, found: int | ClusterError) -> None:
        """Resolves `ready` with the number of processors, or with why the cluster cannot be joined; the first call
        counts."""
        with contextlib.suppress(InvalidStateError):
            if isinstance(found, int):
                self.ready.set_result(found)
            else:
                self.ready.set_exception(found)

    def _loss(self) -> ClusterLostError:
        return ClusterLostError(f"{_named(self._address)} was lost: the same command goes on when it is back")


def _resolve(future: Future[Any], how: str, reply: Any) -> None:
    """Resolves the future of a job by what the client process reports."""
    try:
        if how == UNFIT:
            raise ClusterError(reply)
        if how == LOST:
            raise WorkerLostError(f"a worker died while running a job: {reply}")
        future.set_result(job_result(reply))
    except Exception as error:
        future.set_exception(error)


def _named(address: str) -> str:
    return "the cluster on this machine" if address == AUTO else f"the cluster at {address}"


def resolve_address(address: str) -> str:
    """The address that Ray is given; RAY_ADDRESS replaces `auto`. Raises `ClusterError` for an invalid address, or if
    Ray is not installed."""
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


def check_listening(address: str) -> None:
    """Raises `ClusterError` if nobody listens at an address: Ray itself would retry for minutes."""
    if address == AUTO:
        return
    host, _, port = address.rpartition(":")
    try:
        socket.create_connection((host.strip("[]"), int(port)), _CONNECT_TIMEOUT_S).close()
    except OSError as error:
        raise ClusterError(f"no cluster answers at {address}: {error.strerror or error}") from None
