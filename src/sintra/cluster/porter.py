"""The process that is joined to a Ray cluster, and the only one: it hands jobs over and brings back what came of them.

Ray speaks to the terminal, minds signals, and ends the process that has lost its cluster. Whoever has work for it keeps
out of that: they start this process, and talk to it through pipes.
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

from sintra.cluster.link import AUTO, ClusterError, knock_at
from sintra.workers import GONE

NAMESPACE: Final = "sintra"
_NONE_RUNS: Final = "no Ray cluster runs on this machine: start one with `ray start --head`, or give its address"
_UNHEARD: Final = (
    "machines of the cluster cannot reach this one: open all ports between them, and if the cluster was started "
    "without a token, set RAY_AUTH_MODE=disabled"
)


def live(preparation: dict[str, Any]) -> None:
    """The life of this process: it is told where to go and how to hand over jobs, then jobs with their numbers. It says
    `ready` with the number of processors, or `refused` and why; then the number of a job and what came of it."""
    jobs, answers = sys.stdin.buffer, os.fdopen(os.dup(1), "wb")
    silence = os.open(os.devnull, os.O_RDWR)
    for channel in (1, 2):
        os.dup2(silence, channel)
    speaking = threading.Lock()

    def tell(*message: Any) -> None:
        with speaking, contextlib.suppress(OSError):
            answers.write(pickle.dumps(message))
            answers.flush()

    def bring(number: int, came: Any) -> None:
        from ray.exceptions import LocalRayletDiedError, OwnerDiedError

        try:
            tell(number, *came.result())
        except LocalRayletDiedError:
            os._exit(1)
        except OwnerDiedError:
            tell(number, "unfit", _UNHEARD)
        except Exception as error:
            tell(number, "lost", f"{type(error).__name__} in the cluster")

    with contextlib.suppress(*GONE):
        address, make_hand, arguments = pickle.load(jobs)
        try:
            processors = _join(address)
            hand: Callable[..., Any] = make_hand(*arguments)
        except Exception as error:
            tell("refused", _in_a_line(error))
            os._exit(0)
        tell("ready", processors)
        while True:
            number, errand = pickle.load(jobs)
            hand(*errand).future().add_done_callback(lambda came, number=number: bring(number, came))
    _leave()


def _join(address: str) -> int:
    """Joins a cluster; returns how many processors it has."""
    import ray

    if address == AUTO:
        _look_here()
    else:
        os.environ.pop("RAY_ADDRESS", None)
    try:
        ray.init(address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.CRITICAL)
    except RuntimeError as error:
        if "ersion mismatch" not in str(error):
            raise
        raise ClusterError(f"the cluster has another Ray or Python: {_in_a_line(error)}") from None
    except ConnectionError:
        if address == AUTO:
            raise ClusterError(_NONE_RUNS) from None
        what = f"whoever listens at {address} lets nobody in: it is no Ray cluster, or one that wants a token"
        raise ClusterError(f"{what}; then set RAY_AUTH_MODE=token, with the token in ~/.ray/auth_token") from None
    processors = int(ray.cluster_resources().get("CPU", 0))
    if not processors:
        raise ClusterError("the cluster has no processors: let a machine join it without --num-cpus=0")
    return processors


def _look_here() -> None:
    """Refuses a machine whose cluster is gone. Ray remembers where it was, and would try to reach it for minutes."""
    from ray._private import services

    find: Callable[[str], str | None] | None = getattr(services, "canonicalize_bootstrap_address", None)
    try:
        if find is not None and (head := find(AUTO)):
            knock_at(head)
    except ConnectionError:
        raise ClusterError(_NONE_RUNS) from None
    except ClusterError as error:
        raise ClusterError(f"the cluster of this machine is gone: {error}") from None


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _leave() -> None:
    """Leaves the cluster, which ends what it still does for us."""
    import ray

    with contextlib.suppress(Exception):
        ray.shutdown()
    os._exit(0)
