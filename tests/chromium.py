"""The browser of the tests: finds a Chromium, and gets one where there is none
(`python tests/chromium.py`): Debian's package where it may be installed, else Playwright's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")


def installed() -> str | None:
    """A Chromium of this machine, named by SINTRA_CHROMIUM or found on the path."""
    named = os.environ.get("SINTRA_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def playwrights_own() -> str | None:
    """The Chromium that Playwright has downloaded, if it has."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def get() -> None:
    """Installs a Chromium if there is none."""
    if installed() or playwrights_own():
        return
    if sys.platform == "linux" and shutil.which("apt-get") and os.geteuid() == 0:
        environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
        for arguments in (["update", "-qq"], ["install", "-qq", "-y", "--no-install-recommends", "chromium"]):
            subprocess.run(["apt-get", *arguments], env=environment, check=False, stdout=sys.stderr)
        if installed():
            return
    subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


if __name__ == "__main__":
    get()
    print(installed() or playwrights_own())
