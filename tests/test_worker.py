"""Processes that do one job at a time. How they end with the program is in `test_interrupts`."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import warnings

import pytest

from sintra.processes.worker import Worker, kill_and_reap
from sintra.table.workers.restarting_worker import RestartingWorker


def test_a_killed_process_that_takes_its_time_gets_no_job(monkeypatch: pytest.MonkeyPatch) -> None:
    """A busy machine lets it end later; whoever has a job meanwhile gets a process that lives."""
    lasting = RestartingWorker("closed")
    first = lasting.do(os.getpid)
    assert lasting.do(os.getpid) == first
    dying = lasting._process
    assert dying is not None
    with monkeypatch.context() as patched:
        patched.setattr(dying._popen, "kill", lambda: None)
        dying.kill()
        assert lasting.do(os.getpid) != first
    dying.kill()
    dying.join()
    lasting.close()
    lasting.join()


def test_a_process_that_has_ended_is_not_alive() -> None:
    worker = Worker()
    assert worker.is_alive()
    worker._popen.kill()
    worker._popen.wait()
    assert not worker.is_alive()


class SlowToDie(subprocess.Popen[bytes]):
    """A process that a kill does not reach at once, as on a busy machine."""

    def kill(self) -> None:
        """Does nothing yet."""


def test_a_process_that_is_slow_to_die_is_reaped_later() -> None:
    """Nobody holds it any more, yet it is neither complained about nor left a zombie."""
    slow = SlowToDie([sys.executable, "-c", "import sys; sys.stdin.read()"], stdin=subprocess.PIPE)
    assert slow.stdin is not None
    kept = os.dup(slow.stdin.fileno())
    pid = slow.pid
    kill_and_reap(slow)
    with warnings.catch_warnings():
        warnings.simplefilter("error", ResourceWarning)
        del slow
        gc.collect()
    os.close(kept)
    os.waitid(os.P_PID, pid, os.WEXITED | os.WNOWAIT)
    other = Worker()
    other.kill()
    other.join(60)
    with pytest.raises(ChildProcessError):
        os.waitpid(pid, os.WNOHANG)
