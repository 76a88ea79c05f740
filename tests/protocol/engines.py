"""Engines for tests: the example, and one that misbehaves as it is told."""

from __future__ import annotations

import sys
import time
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[2]
EXAMPLE: Final = [sys.executable, str(ROOT / "examples" / "engine.py")]
LONGEST: Final = 120
"""Seconds after which something is taken never to happen."""


def odd(what: str, path: Path | None = None) -> list[str]:
    """The command of an engine that does one thing wrong."""
    script = str(Path(__file__).with_name("odd_engine.py"))
    return [sys.executable, script, what, *([str(path)] if path else [])]


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended (one that has may wait for its parent to notice)."""
    try:
        state = Path(f"/proc/{pid}/stat").read_text("utf-8").rpartition(")")[2].split()[0]
    except FileNotFoundError:
        return False
    return state not in "ZX"


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and that have not ended."""
    found = Path(f"/proc/{pid}/task/{pid}/children").read_text("utf-8")
    return [int(word) for word in found.split()]


def pids_in(path: Path) -> list[int]:
    """The processes that an engine wrote down, as soon as it has."""
    until = time.monotonic() + LONGEST
    while not path.exists():
        assert time.monotonic() < until, "the engine never came to its move"
        time.sleep(0.01)
    return [int(word) for word in path.read_text("utf-8").split()]


def wait_until_gone(pids: list[int]) -> None:
    """Returns when none of some processes is running."""
    until = time.monotonic() + LONGEST
    while any(map(is_running, pids)):
        assert time.monotonic() < until, "a process was left"
        time.sleep(0.01)
