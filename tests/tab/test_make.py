"""`make tab` finds what it is made of, as a fresh clone runs it."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_command_of_make_imports_all_it_needs() -> None:
    lines = (ROOT / "Makefile").read_text("utf-8").splitlines()
    (command,) = [line.strip() for line in lines if "release/tab_folder.py" in line]
    bare = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    told = subprocess.run(
        f"{command.replace('$(PY)', sys.executable)} --help",
        shell=True,
        check=False,
        cwd=ROOT,
        env=bare,
        capture_output=True,
        text=True,
    )
    assert told.returncode == 0, told.stderr
    assert "static folder" in told.stdout
