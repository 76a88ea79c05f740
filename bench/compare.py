"""Two versions of Sintra on the same machine: `sintra bench` of both, in turns, and the medians side by side.

    git worktree add /tmp/older 6d459d3
    python bench/compare.py /tmp/older --times 5                    with a checkout of another version
    python -m sintra.build --only library --out build/library
    python bench/compare.py --library build/library --times 5       a library with code compiled while running

Nothing has to be installed for the other version but what this one needs. A row that is slower by more than the
tolerance is marked, and then the exit status is 1.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
from pathlib import Path
from statistics import median
from typing import Final, NamedTuple

from rich.console import Console
from rich.progress import track
from rich.table import Table as Grid

HERE: Final = Path(__file__).parents[1]
RATES: Final = ("/s", "per s")
"""The units in which more is better; in all others less is."""


class Side(NamedTuple):
    """What is measured."""

    checkout: Path
    library: str = ""
    """The folder with its library; without one it is compiled while running."""


def figures_of(side: Side, seconds: float, folder: Path) -> dict[str, tuple[float, str]]:
    """Runs the bench of a checkout with compiled code of its own; returns value and unit by name."""
    out = folder / "figures.json"
    cache = folder / str(abs(hash(side.checkout)))
    surroundings = os.environ | {
        "PYTHONPATH": str(side.checkout / "src"),
        "NUMBA_CACHE_DIR": str(cache),
        "SINTRA_LIBRARY": side.library or "none",
    }
    command = [sys.executable, "-m", "sintra", "bench", "--quick", "--seconds", str(seconds), "--out", str(out)]
    done = subprocess.run(command, check=False, env=surroundings, cwd=folder, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"the bench of {side.checkout} failed:\n{done.stdout}{done.stderr}")
    told = json.loads(out.read_text("utf-8"))
    if side.library and "library" not in told["engine"]:
        raise SystemExit(f"the library in {side.library} does not belong to these sources")
    return {one["name"]: (one["value"], one["unit"]) for one in told["figures"]}


def main() -> None:
    """Measures both in turns, after one run each that compiles, and prints the ratios."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("other", nargs="?", type=Path, help="a checkout of the other version")
    parser.add_argument("--library", type=Path, metavar="FOLDER", help="measure this library, with no other version")
    parser.add_argument("--times", type=int, default=5, help="runs of each (default 5)")
    parser.add_argument("--seconds", type=float, default=0.5, help="for each row of a run (default 0.5)")
    parser.add_argument("--tolerance", type=float, default=5.0, help="per cent that a row may be slower (default 5)")
    options = parser.parse_args()
    if (options.other is None) == (options.library is None):
        parser.error("name another checkout, or a library")
    other = (options.other or HERE).resolve()
    if not (other / "src" / "sintra").is_dir():
        parser.error(f"{options.other} is no checkout of Sintra: there is no src/sintra in it")
    sides = {"other": Side(other), "this": Side(HERE, str(options.library.resolve()) if options.library else "")}
    runs: dict[str, list[dict[str, tuple[float, str]]]] = {side: [] for side in sides}
    with tempfile.TemporaryDirectory() as folder:
        for side in sides.values():
            figures_of(side, 0.01, Path(folder))
        for _ in track(range(options.times), "comparing", console=Console(stderr=True)):
            for name, side in sides.items():
                runs[name].append(figures_of(side, options.seconds, Path(folder)))
    slower = report(runs, options.tolerance)
    raise SystemExit(1 if slower else 0)


def report(runs: dict[str, list[dict[str, tuple[float, str]]]], tolerance: float) -> list[str]:
    """Prints the medians and how much quicker this version is; the rows that are slower than tolerated."""
    grid = Grid(title=f"medians of {len(runs['this'])}")
    for name in ("what", "other", "this", "unit", "this is"):
        grid.add_column(name, justify="left" if name in ("what", "unit") else "right")
    slower = []
    for name, (_, unit) in runs["this"][0].items():
        if any(name not in run for run in runs["other"]):
            continue
        then, now = (median(run[name][0] for run in runs[side]) for side in ("other", "this"))
        speed = now / then if unit.endswith(RATES) else then / now
        if speed < 1 - tolerance / 100:
            slower.append(name)
        mark = " ✗" if name in slower else ""
        grid.add_row(name, f"{then:,.4g}", f"{now:,.4g}", unit, f"{(speed - 1) * 100:+.1f} %{mark}")
    Console().print(grid)
    return slower


if __name__ == "__main__":
    main()
