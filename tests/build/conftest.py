"""What the tests of the builder share."""

from __future__ import annotations

import fcntl
from pathlib import Path

import pytest

from sintra.build.building import build, sources
from sintra.rules.library import MANIFEST
from sintra.rules.sources import stamp_of, user_cache


@pytest.fixture(scope="session")
def built() -> Path:
    """A folder with the engine compiled ahead of time from these sources: made once, for all workers and later runs."""
    folder = user_cache() / f"built-{stamp_of(sources())}"
    folder.mkdir(parents=True, exist_ok=True)
    with (folder / "lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not (folder / MANIFEST).exists():
            build(folder)
    return folder
