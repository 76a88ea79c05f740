"""Ray clusters of several nodes on this machine, for tests: each node can be killed by itself."""

from __future__ import annotations

import os
import shutil
import signal
import socket
import subprocess
import sys
import tempfile
import time
from contextlib import suppress
from pathlib import Path
from types import TracebackType
from typing import Final, Self

import sintra
from ports import free_ports

HERE: Final = "127.0.0.1"
SOURCES: Final = str(Path(sintra.__file__).parent.parent)

START_TIMEOUT_S: Final = 240
"""A node that has not started until then never does."""
OVERLOADED: Final = "timed out during startup"
"""What Ray says of a node that did not start within half a minute, which cannot be set."""


class Rays:
    """A cluster; the first node is its head. Whoever leaves it kills all that is left of it."""

    def __init__(self, nodes: int = 2, processors: int = 1) -> None:
        """So many nodes with so many processors each."""
        self.processors = processors
        """How many the next node has."""
        self._folder = Path(tempfile.mkdtemp(prefix="rays"))
        self.shared = self._folder / "shared"
        """What is in here can be imported on all nodes."""
        self.shared.mkdir()
        self.port = free_ports()
        self.address = f"{HERE}:{self.port}"
        self.environment = os.environ | {
            "RAY_TMPDIR": str(self._folder),
            "RAY_ADDRESS": self.address,
            # a dead node is noticed after a second, not after a quarter of a minute; a slow one may take its time
            "RAY_health_check_initial_delay_ms": "1000",
            "RAY_health_check_period_ms": "300",
            "RAY_health_check_timeout_ms": "120000",
            "RAY_health_check_failure_threshold": "2",
            "PYTHONPATH": os.pathsep.join([SOURCES, str(self.shared), *filter(None, [os.environ.get("PYTHONPATH")])]),
        }
        self.groups: list[int] = []
        try:
            for _ in range(nodes):
                self.start_node()
        except BaseException:
            self.close()
            raise

    def start_node(self) -> None:
        """Adds a node, or makes the first one; where Ray gives up on a busy machine, starts it again."""
        deadline = time.monotonic() + START_TIMEOUT_S
        while OVERLOADED in (said := self._try_to_start()):
            assert time.monotonic() < deadline, said
            with suppress(ProcessLookupError):
                self.kill_node(-1)
            while not self.groups and _answers(self.port):
                time.sleep(0.02)
        assert not said, said

    def _try_to_start(self) -> str:
        """Starts a node; what Ray said if it failed."""
        where = (
            [f"--address={self.address}"] if self.groups else ["--head", f"--port={self.port}", "--include-dashboard=0"]
        )
        small = [
            f"--num-cpus={self.processors}",
            "--object-store-memory=80000000",
            "--min-worker-port=0",
            "--max-worker-port=0",
        ]
        command = [sys.executable, "-m", "ray.scripts.scripts", "start", *where, *small, f"--node-ip-address={HERE}"]
        with tempfile.TemporaryFile() as said:
            process = subprocess.Popen(
                [*command, "--disable-usage-stats"],
                stdin=subprocess.DEVNULL,
                stdout=said,
                stderr=said,
                env=self.environment,
                cwd=self._folder,
                start_new_session=True,
            )
            self.groups.append(process.pid)
            code = process.wait(START_TIMEOUT_S)
            said.seek(0)
            return said.read().decode() or f"ended with {code}" if code else ""

    def kill_node(self, which: int) -> None:
        """Ends all processes of a node at once, but for its workers, which follow."""
        os.killpg(self.groups.pop(which), signal.SIGKILL)

    def stop(self) -> None:
        """Kills all nodes, and waits until nobody listens any more; the next one is a new head at the same address."""
        for group in self.groups:
            with suppress(ProcessLookupError):
                os.killpg(group, signal.SIGKILL)
        self.groups.clear()
        while _answers(self.port):
            time.sleep(0.02)

    def have(self, nodes: int) -> None:
        """Makes it a cluster of so many nodes with a processor each, if it is not."""
        if self.processors != 1 or len(self.groups) > nodes:
            self.stop()
            self.processors = 1
        while len(self.groups) < nodes:
            self.start_node()

    def close(self) -> None:
        """Ends everything."""
        self.stop()
        shutil.rmtree(self._folder, ignore_errors=True)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None) -> None:
        self.close()


def _answers(port: int) -> bool:
    """Whether somebody listens on a port: a killed process may for a moment."""
    with socket.socket() as knocking:
        return knocking.connect_ex((HERE, port)) == 0
