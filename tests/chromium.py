"""The browser of the tests: finds a Chromium, and gets one where there is none
(`python tests/chromium.py`): Debian's packages where they may be installed, else Playwright's."""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
from pathlib import Path

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable")
SHELL = "chromium-headless-shell"
"""Chromium's headless shell: quicker, but without notifications and installing."""


def installed() -> str | None:
    """A Chromium of this machine, named by SINTRA_CHROMIUM or found on the path."""
    named = os.environ.get("SINTRA_CHROMIUM")
    return named or next(filter(None, map(shutil.which, NAMES)), None)


def shell() -> str | None:
    """The headless shell, unless another Chromium is asked for."""
    return None if "SINTRA_CHROMIUM" in os.environ else shutil.which(SHELL)


def playwrights_own() -> str | None:
    """The Chromium that Playwright has downloaded, if there is one."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as playwright:
        path = playwright.chromium.executable_path
    return path if Path(path).exists() else None


def get() -> None:
    """Installs a Chromium if there is none, and Debian's quicker one beside Debian's."""
    if "SINTRA_CHROMIUM" in os.environ or (not installed() and playwrights_own()):
        return
    wanted = [name for name, path in (("chromium", installed()), (SHELL, shell())) if not path]
    if wanted and sys.platform == "linux" and shutil.which("apt-get") and os.geteuid() == 0:
        _apt_get("update")
        for package in wanted:
            _apt_get("install", "-y", "--no-install-recommends", package)
    if not installed():
        subprocess.run([sys.executable, "-m", "playwright", "install", "chromium"], check=True)


def _apt_get(*arguments: str) -> None:
    """Runs `apt-get`; whoever needs what it installs sees whether it is there."""
    environment = {**os.environ, "DEBIAN_FRONTEND": "noninteractive"}
    subprocess.run(["apt-get", "-qq", *arguments], env=environment, check=False, stdout=sys.stderr)


if __name__ == "__main__":
    get()
    print(shell() or "", installed() or playwrights_own())
