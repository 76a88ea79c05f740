"""Engines for tests: the example, and one that misbehaves as it is told."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

from processes import is_running

ROOT: Final = Path(__file__).parents[2]
EXAMPLE: Final = [sys.executable, str(ROOT / "examples" / "engine.py")]
TIMEOUT_S: Final = 120
"""Seconds after which something is taken never to happen."""


def odd(what: str, path: Path | None = None) -> list[str]:
    """The command of an engine that does one thing wrong."""
    script = str(Path(__file__).with_name("odd_engine.py"))
    return [sys.executable, script, what, *([str(path)] if path else [])]


def pids_in(path: Path) -> list[int]:
    """The processes that an engine wrote down, as soon as it has."""
    until = time.monotonic() + TIMEOUT_S
    while not path.exists():
        assert time.monotonic() < until, "the engine never came to its move"
        time.sleep(0.01)
    return [int(word) for word in path.read_text("utf-8").split()]


def wait_until_gone(pids: list[int]) -> None:
    """Returns when none of some processes is running."""
    until = time.monotonic() + TIMEOUT_S
    while any(map(is_running, pids)):
        assert time.monotonic() < until, "a process was left"
        time.sleep(0.01)
