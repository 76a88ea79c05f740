"""The page's unit tests, which run in Node, as one test here."""

from __future__ import annotations

import os
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]


def test_the_units_of_the_page() -> None:
    command = [sys.executable, "hatch_build.py", "test"]
    done = subprocess.run(
        command,
        cwd=ROOT,
        env=os.environ | {"NO_COLOR": "1"},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout
    assert " passed" in done.stdout, done.stdout


def test_strong_play_is_as_it_was_measured() -> None:
    """What a player's points by source stand beside is what the documents say of the champion."""
    opponents = (ROOT / "docs" / "opponents.md").read_text("utf-8").replace("\N{MINUS SIGN}", "-")
    row = re.search(r"^\| `champion` against itself \|(.*)\|$", opponents, re.MULTILINE)
    sums = (ROOT / "web" / "src" / "lib" / "progress" / "sums.ts").read_text("utf-8")
    figures = re.search(r"STRONG_PLAY\b[^=]*= \{([^}]*)\}", sums)
    assert row is not None
    assert figures is not None
    *sources, _, final = row[1].split("|")
    names = ("placement", "specials", "broken", "start_tile", "draws", "goals", "total")
    measured = dict(zip(names, map(float, [*sources, final]), strict=True))
    assert {name: float(value) for name, value in re.findall(r"(\w+): (-?[\d.]+)", figures[1])} == measured
