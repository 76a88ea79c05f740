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

from sintra.workers import GONE

NAMESPACE: Final = "sintra"
_NONE_RUNS: Final = "no Ray cluster runs on this machine: start one with `ray start --head`, or give its address"


class UnfitError(Exception):
    """A cluster that cannot be joined; says why."""


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
        try:
            tell(number, *came.result())
        except Exception as error:
            tell(number, "lost", f"{type(error).__name__} in the cluster")

    with contextlib.suppress(*GONE):
        address, make_hand, arguments = pickle.load(jobs)
        try:
            processors = _join(address)
            hand: Callable[..., Any] = make_hand(*arguments)
        except Exception as error:
            tell("refused", str(error) if isinstance(error, UnfitError) else _in_a_line(error))
            os._exit(0)
        tell("ready", processors)
        while True:
            number, errand = pickle.load(jobs)
            hand(*errand).future().add_done_callback(lambda came, number=number: bring(number, came))
    _leave()


def _join(address: str) -> int:
    """Joins a cluster; returns how many processors it has."""
    import ray

    if address != "auto":
        os.environ.pop("RAY_ADDRESS", None)
    try:
        ray.init(address, namespace=NAMESPACE, log_to_driver=False, logging_level=logging.CRITICAL)
    except RuntimeError as error:
        if "ersion mismatch" not in str(error):
            raise
        raise UnfitError(f"the cluster has another Ray or Python: {_in_a_line(error)}") from None
    except ConnectionError as error:
        if address != "auto":
            raise
        raise UnfitError(_NONE_RUNS) from error
    return max(1, int(ray.cluster_resources().get("CPU", 1)))


def _in_a_line(error: Exception) -> str:
    return " ".join(str(error).split()) or type(error).__name__


def _leave() -> None:
    """Leaves the cluster, which ends what it still does for us."""
    import ray

    with contextlib.suppress(Exception):
        ray.shutdown()
    os._exit(0)
