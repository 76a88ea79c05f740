"""Jobs as Ray's tasks: a task that is lost with its machine is done again on another one."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Final

ATTEMPTS: Final = 10
"""So often a task is begun again whose process or machine was lost."""


@dataclass(frozen=True, slots=True)
class Luggage:
    """What jobs need where they are done: files by their names here, and modules that register players."""

    files: dict[str, bytes] = field(default_factory=dict)
    modules: tuple[str, ...] = ()


def as_tasks(version: str, luggage: Luggage) -> Callable[[bytes], Any]:
    """In a process that is joined to a cluster: what makes a task of a job, for machines with this Sintra."""
    import ray

    # a machine without Sintra, or with another one, can say so
    ray.cloudpickle.register_pickle_by_value(sys.modules[__name__])
    task = ray.remote(num_cpus=1, max_retries=ATTEMPTS)(done_there)
    files = ray.put(luggage.files)
    return lambda job: task.remote(version, luggage.modules, files, job)


def done_there(version: str, modules: tuple[str, ...], files: dict[str, bytes], job: bytes) -> tuple[str, Any]:
    """On a machine of the cluster: `done` and the answer to a job, or `unfit` and why this is no place for it."""
    import platform

    here = platform.node() or "a machine"
    try:
        import sintra
    except ImportError:
        return "unfit", f"{here}, of the cluster, has no Sintra: install {version} there"
    if sintra.__version__ != version:
        found = sintra.__version__
        return "unfit", f"{here}, of the cluster, has Sintra {found}, and this is {version}: install the same"
    from sintra.copies import unpack
    from sintra.workers import answer

    for name in modules:
        try:
            __import__(name)
        except ImportError as error:
            return "unfit", f"{here}, of the cluster, cannot import {name}, which registers a player: {error}"
    unpack(files)
    return "done", answer(job)
