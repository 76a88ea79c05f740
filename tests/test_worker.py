"""Processes that do one job at a time. How they end with the program is in `test_interrupts`."""

from __future__ import annotations

import os

import pytest

from sintra.processes.worker import Worker
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
