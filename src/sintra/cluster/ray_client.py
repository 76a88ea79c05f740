"""The Ray client process, the only one that joins the cluster: it submits jobs and returns their results.

Ray writes to the terminal, handles signals, and kills a process that has lost its cluster. A process of its own, which
is talked to through pipes, keeps all that away from the command that has the work.
"""

from __future__ import annotations

import contextlib
import logging
import os
import pickle
import sys
import threading
from collections.abc import Callable
from typing import Any, Final

from sintra.cluster.connection import AUTO, ClusterError, check_listening
from sintra.cluster.tasks import LOST, UNFIT
from sintra.processes.worker import PIPE_CLOSED

NAMESPACE: Final = "sintra"
_NOT_RUNNING: Final = "no Ray cluster runs on this machine: start one with `ray start --head`, or give its address"
_UNREACHABLE: Final = (
    "machines of the cluster cannot reach this one: open all ports between them, and if the cluster was started "
    "without a token, set RAY_AUTH_MODE=disabled"
)


def worker_main(preparation: dict[str, Any]) -> None:
    """Reads the address, how to submit jobs, then numbered jobs. Sends `ready` with the number of processors, or
    `refused` and why; then the number of each job with its outcome."""
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    devnull = os.open(os.devnull, os.O_RDWR)
    for channel in (1, 2):
        os.dup2(devnull, channel)
    writing = threading.Lock()

    def send(*message: Any) -> None:
        with writing, contextlib.suppress(OSError):
            answers.write(pickle.dumps(message))
            answers.flush()

    def report(number: int, outcome: Any) -> None:
        from ray.exceptions import LocalRayletDiedError, OwnerDiedError

        try:
            send(number, *outcome.result())
        except LocalRayletDiedError:
            os._exit(1)
        except OwnerDiedError:
            send(number, UNFIT, _UNREACHABLE)
        except Exception as error:
            send(number, LOST, f"{type(error).__name__} in the cluster")

    with contextlib.suppress(*PIPE_CLOSED):
        address, make_submit, arguments = pickle.load(jobs)
        try:
            processors = _join(address)
            submit: Callable[..., Any] = make_submit(*arguments)
        except Exception as error:
            send("refused", _one_line(error))
            os._exit(0)
        send("ready", processors)
        while True:
            number, arguments = pickle.load(jobs)
            submit(*arguments).future().add_done_callback(lambda outcome, number=number: report(number, outcome))
    _leave()


def _join(address: str) -> int:
    """Joins the cluster; returns its number of processors."""
    import ray

    if address == AUTO:
        _check_local_cluster()
    else:
        os.environ.pop("RAY_ADDRESS", None)
    try:
        ray.init(address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.CRITICAL)
    except RuntimeError as error:
        if "ersion mismatch" not in str(error):
            raise
        raise ClusterError(f"the cluster has another Ray or Python: {_one_line(error)}") from None
    except ConnectionError:
        if address == AUTO:
            raise ClusterError(_NOT_RUNNING) from None
        what = f"whoever listens at {address} lets nobody in: it is no Ray cluster, or one that wants a token"
        raise ClusterError(f"{what}; then set RAY_AUTH_MODE=token, with the token in ~/.ray/auth_token") from None
    processors = int(ray.cluster_resources().get("CPU", 0))
    if not processors:
        raise ClusterError("the cluster has no processors: let a machine join it without --num-cpus=0")
    return processors


def _check_local_cluster() -> None:
    """Raises `ClusterError` if the cluster of this machine is gone: Ray remembers its address, and would retry for
    minutes."""
    from ray._private import services

    find: Callable[[str], str | None] | None = getattr(services, "canonicalize_bootstrap_address", None)
    try:
        if find is not None and (head := find(AUTO)):
            check_listening(head)
    except ConnectionError:
        raise ClusterError(_NOT_RUNNING) from None
    except ClusterError as error:
        raise ClusterError(f"the cluster of this machine is gone: {error}") from None


def _one_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _leave() -> None:
    """Leaves the cluster, which cancels the open jobs."""
    import ray

    with contextlib.suppress(Exception):
        ray.shutdown()
    os._exit(0)
