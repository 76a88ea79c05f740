"""Ends what tests have started and left, whatever ended the tests: as a program, it waits for that beside them.

A test that hangs is ended together with its process, and could not end its servers and browsers any more.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
import sys
from contextlib import suppress
from pathlib import Path
from typing import Final

MARK: Final = "SINTRA_STARTED_BY_TESTS"
"""A variable that all processes inherit which a process of tests starts."""


_watchers: Final[list[subprocess.Popen[bytes]]] = []


def watch() -> None:
    """Kills all processes that this one starts from now on, once this one is gone. Only Linux tells who they are."""
    os.environ[MARK] = secrets.token_hex(8)
    command = [sys.executable, "-IS", __file__, os.environ[MARK]]
    _watchers.append(subprocess.Popen(command, stdin=subprocess.PIPE, start_new_session=True))


def kill(mark: str) -> None:
    """Kills all processes with a mark but this one."""
    for folder in Path("/proc").glob("[0-9]*"):
        with suppress(OSError):
            if f"{MARK}={mark}\0".encode() in (folder / "environ").read_bytes() and folder.name != str(os.getpid()):
                os.kill(int(folder.name), signal.SIGKILL)


if __name__ == "__main__":
    sys.stdin.read()  # ends with the process that holds the other end
    kill(sys.argv[1])
