"""Tests that never end, for `test_timeouts.py`; nothing else runs them. Each leaves a file once it waits."""

from __future__ import annotations

import os
import subprocess
import sys
import time
from pathlib import Path

import pytest
from playwright.sync_api import sync_playwright

from table.browser.browsers import chromium

LEFT = Path(os.environ.get("LEFT_BEHIND", os.devnull))


@pytest.mark.timeout(10)
def test_waits_for_a_child() -> None:
    child = subprocess.Popen([sys.executable, "-c", "import time; time.sleep(3600)"], start_new_session=True)
    (LEFT / "child").write_text(str(child.pid))
    child.wait()


@pytest.mark.timeout(40)
def test_waits_for_a_page() -> None:
    with sync_playwright() as playwright, chromium(playwright) as browser:
        page = browser.new_page()
        (LEFT / "page").touch()
        page.wait_for_function("false", timeout=0)


@pytest.fixture
def stuck() -> None:
    (LEFT / "fixture").touch()
    while True:
        time.sleep(1)


@pytest.mark.timeout(10)
@pytest.mark.usefixtures("stuck")
def test_waits_in_a_fixture() -> None:
    pass


def test_ends() -> None:
    pass
