"""Builds what a release consists of, on one machine: wheels for all platforms, and the source distribution.

    make wheels

The engine is compiled once for each kind of machine, and to WebAssembly; the page is built once. Then each wheel is
made of the same files with another library, or, for all other platforms, without one. What comes out lies in `dist`.
Every library is read, to make sure that it asks for no more than its wheel promises, and the wheel for this machine is
installed in a bare environment and plays.
"""

from __future__ import annotations

import argparse
import os
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path
from typing import Final

from binaries import check_library
from sintra.build.__main__ import reporter
from sintra.build.building import ANY, build_releases
from sintra.build.native_linker import library_file
from sintra.build.targets import RELEASES
from sintra.rules.library import machine

ROOT: Final = Path(__file__).parent.parent
ENGINES: Final = ROOT / "build" / "engines"
DIST: Final = ROOT / "dist"
TRIAL: Final = "selfplay --players level:n=5 greedy --games 2".split()
"""What an installed `sintra` is tried with."""


def build_distributions(engines: list[Path]) -> list[Path]:
    """Builds a wheel with each of these engines, and the source distribution."""
    shutil.rmtree(DIST, ignore_errors=True)
    subprocess.run([sys.executable, str(ROOT / "hatch_build.py")], check=True)
    hatchling = [sys.executable, "-m", "hatchling", "build", "--directory", str(DIST)]
    subprocess.run([*hatchling, "--target", "sdist"], cwd=ROOT, check=True)
    for engine in engines:
        settings = os.environ | {"SINTRA_BUILD": str(engine)}
        subprocess.run([*hatchling, "--target", "wheel"], cwd=ROOT, env=settings, check=True)
    return sorted(DIST.iterdir())


def try_wheel(wheel: Path) -> str:
    """What `sintra --version` says where this wheel is installed, after it has played."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([sys.executable, "-m", "venv", "--without-pip", folder], check=True)
        python = Path(folder) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python")
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", str(python), "install"]
        subprocess.run([*pip, str(wheel)], check=True)
        for arguments in (TRIAL, ["--version"]):
            done = subprocess.run(
                [str(python), "-I", "-m", "sintra", *arguments], cwd=folder, check=False, capture_output=True, text=True
            )
            if done.returncode:
                raise SystemExit(f"{wheel.name}: sintra {' '.join(arguments)} failed: {done.stderr.strip()[-2000:]}")
        return done.stdout.strip()


def main() -> None:
    """Builds, checks and tries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", action="store_true", help="take the engines that lie in build/engines already")
    options = parser.parse_args()
    folders = [ENGINES / name for name in (ANY, *RELEASES)]
    if not options.engines:
        shutil.rmtree(ENGINES, ignore_errors=True)
        folders = build_releases(ENGINES, reporter())
    for name in RELEASES:
        needs = check_library(ENGINES / name / library_file(name), name)
        print(f"{name}: {needs}")
    for made in build_distributions(folders):
        print(f"{made.stat().st_size:11,} bytes  {made.name}")
    for name in RELEASES:
        platform = RELEASES[name].platforms.split(".")[0]
        (wheel,) = DIST.glob(f"*-{platform}*.whl")
        if name == machine():
            print(f"{wheel.name} was installed and played: {try_wheel(wheel)}")
        else:
            print(f"{wheel.name} was not tried: this is {machine()}")


if __name__ == "__main__":
    main()
