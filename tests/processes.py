"""Which processes there are: what a test that starts or kills some asks of `/proc`."""

from __future__ import annotations

from pathlib import Path


def _parent(folder: Path) -> int | None:
    """The parent of a process; nothing of one that has ended, if only while it was asked."""
    try:
        state, parent = (folder / "stat").read_text("utf-8").rpartition(")")[2].split()[:2]
    except OSError:
        return None
    return None if state in "ZX" else int(parent)


def is_running(pid: int) -> bool:
    """Whether a process is there and has not ended (one that has may wait for its parent to notice)."""
    return _parent(Path(f"/proc/{pid}")) is not None


def children_of(pid: int) -> list[int]:
    """The processes that a process has started, and that have not ended."""
    return sorted(int(folder.name) for folder in Path("/proc").glob("[0-9]*") if _parent(folder) == pid)
