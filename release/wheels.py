"""Builds what a release consists of, on one machine: wheels for all platforms, and the source distribution.

    make wheels

The engine is compiled once for each kind of machine, and to WebAssembly; the page is built once. Then each wheel is
made of the same files with another library, or, for all other platforms, without one. What comes out lies in `dist`.
Every library is read, to make sure that it asks for no more than its wheel promises. Then pip chooses a wheel for this
Python and for all that are named by `--python`, installs it in a bare environment, and two games are played there. They
may be for other processors, if the system runs them.
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

ROOT: Final = Path(__file__).parent.parent
ENGINES: Final = ROOT / "build" / "engines"
DIST: Final = ROOT / "dist"
TRIAL: Final = "selfplay --players level:n=5 greedy --games 2".split()
"""What an installed `sintra` is tried with."""
MACHINE: Final = "from sintra.rules.library import machine; print(machine())"


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


def try_installed(python: str) -> tuple[str, str]:
    """Lets pip choose a wheel for a Python, installs it in a bare environment and plays; returns the machine, as
    libraries name it, and what `sintra --version` says there."""
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([python, "-m", "venv", "--without-pip", folder], check=True)
        installed = str(Path(folder) / ("Scripts/python.exe" if sys.platform == "win32" else "bin/python"))
        pip = [sys.executable, "-m", "pip", "--quiet", "--python", installed, "install", "--only-binary", ":all:"]
        subprocess.run([*pip, "--no-index", "--find-links", str(DIST), "--no-deps", "sintra"], check=True)
        subprocess.run([*pip, "sintra"], check=True)  # what it needs
        name = _output_of([installed, "-I", "-c", MACHINE], folder)
        _output_of([installed, "-I", "-m", "sintra", *TRIAL], folder)
        version = _output_of([installed, "-I", "-m", "sintra", "--version"], folder)
    if "compiled library" not in version:
        raise SystemExit(f"{python} got a wheel without a library for {name}: {version}")
    return name, version


def _output_of(command: list[str], folder: str) -> str:
    done = subprocess.run(command, cwd=folder, check=False, capture_output=True, text=True)
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
    return done.stdout.strip()


def main() -> None:
    """Builds, checks and tries."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--engines", action="store_true", help="take the engines that lie in build/engines already")
    parser.add_argument("--python", nargs="+", default=[], metavar="PYTHON", help="try the wheels with these, too")
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
    tried = set()
    for python in [sys.executable, *options.python]:
        name, version = try_installed(python)
        print(f"{name}: {version} was installed by pip and played, with {python}")
        tried.add(name)
    for name in RELEASES:
        if name not in tried:
            print(f"{name}: not tried, since no Python for it was given")


if __name__ == "__main__":
    main()
