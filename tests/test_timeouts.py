"""A test that hangs is ended and named, nothing that it started is left, and the other tests go on."""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

import hangs
from processes import is_running

pytestmark = pytest.mark.long


def test_a_test_that_hangs_is_ended_with_all_that_it_started(tmp_path: Path) -> None:
    done = subprocess.run(
        [
            sys.executable,
            *"-m pytest -n 2 --dist worksteal -p no:cacheprovider -o faulthandler_timeout=2".split(),
            hangs.__file__,
        ],
        env=os.environ | {"LEFT_BEHIND": str(tmp_path)},
        cwd=Path(hangs.__file__).parent.parent,
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 1, done.stdout + done.stderr
    named = set(re.findall(r"^FAILED tests/hangs\.py::(\w+)", done.stdout, re.MULTILINE))
    assert named == {"test_waits_for_a_child", "test_waits_for_a_page", "test_waits_in_a_fixture"}
    assert "3 failed, 1 passed" in done.stdout
    assert {path.name for path in tmp_path.iterdir()} == {"child", "fixture", "page"}
    assert "in test_waits_for_a_child" in done.stderr, "it is shown where a test hangs"
    pid = int((tmp_path / "child").read_text())
    while is_running(pid):
        time.sleep(0.05)
