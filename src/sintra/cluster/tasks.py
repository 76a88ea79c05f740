"""Jobs as Ray tasks: Ray repeats a task that is lost with its machine on another one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

DONE: Final = "done"
"""The outcome of a job that ran; its reply is what `run_job` returned."""
UNFIT: Final = "unfit"
"""The outcome of a job that a machine cannot run; its reply says why."""
LOST: Final = "lost"
"""The outcome of a job whose process was lost; its reply says how."""
MAX_RETRIES: Final = 10
"""How often Ray starts a task again whose process or machine was lost."""


@dataclass(frozen=True, slots=True)
class RuntimeFiles:
    """What jobs need on another machine."""

    files: dict[str, bytes] = field(default_factory=dict)
    """The content of files, by their names on this machine."""
    modules: tuple[str, ...] = ()
    """Modules that register players."""


def make_submit(version: str, sent: RuntimeFiles) -> Callable[[bytes], Any]:
    """The function that submits a job to the cluster which this process has joined, for machines with this version."""
    import ray

    # pickled by value, so that a machine without Sintra, or with another version, can report it
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    task = ray.remote(num_cpus=1, max_retries=MAX_RETRIES)(run_in_cluster)
    files = ray.put(sent.files)
    return lambda job: task.remote(version, sent.modules, files, job)


def run_in_cluster(version: str, modules: tuple[str, ...], files: dict[str, bytes], job: bytes) -> tuple[str, Any]:
    """Runs a job on a machine of the cluster: `DONE` and its result, or `UNFIT` and why this machine cannot run it."""
    import platform

    here = platform.node() or "a machine"
    try:
        import sintra
    except ImportError:
        return UNFIT, f"{here}, of the cluster, has no Sintra: install {version} there"
    if sintra.__version__ != version:
        found = sintra.__version__
        return UNFIT, f"{here}, of the cluster, has Sintra {found}, and this is {version}: install the same"
    from sintra.processes.sent_files import unpack_files
    from sintra.processes.worker import run_job

    for name in modules:
        try:
            __import__(name)
        except ImportError as error:
            return UNFIT, f"{here}, of the cluster, cannot import {name}, which registers a player: {error}"
    unpack_files(files)
    return DONE, run_job(job)
