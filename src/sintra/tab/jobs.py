"""What a worker of the page does that thinks: one job after the other."""

from __future__ import annotations

from sintra.processes.worker import run_job
from sintra.tab.browser import Bytes


def run(job: Bytes) -> bytes:
    """Runs a job of `processes.worker.pickle_job`; returns the reply for `job_result`."""
    return run_job(job.to_bytes())
