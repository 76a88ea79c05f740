"""Builds the table that runs in a browser's tab: a static folder with the page, Python, and the package.

    make tab

Python comes from the npm package `pyodide`, which is why this is no command of an installed `sintra`; the wheels that
the service needs come from the package index. The package comes as bytecode, with the engine as WebAssembly: those of
its modules that the table needs. When the table runs, nothing is fetched from elsewhere.
"""

from __future__ import annotations

import argparse
import json
import shutil
import subprocess
import sys
import tempfile
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Final

import hatch_build

from sintra.build.building import WASM_FILE, build, is_built
from sintra.rules.library import BINDINGS, MANIFEST
from sintra.rules.sources import PACKAGE, sources_of, stamp_of

ROOT: Final = Path(__file__).parent.parent
FOLDER: Final = ROOT / "build" / "tab"
ENGINE: Final = ROOT / "build" / "wasm"
WHEELS: Final = ROOT / "build" / "tab-wheels"
WORKERS: Final = hatch_build.WEB / "tab"
PYODIDE: Final = hatch_build.TOOLS / "pyodide"
FROM_PYODIDE: Final = ("pyodide.mjs", "pyodide.asm.mjs", "pyodide.asm.wasm")
STDLIB: Final = PYODIDE / "python_stdlib.zip"
REQUIREMENTS: Final = Path(__file__).with_name("tab_requirements.txt")
"""The wheels that the service needs there, by their versions."""
PLATFORM: Final = ("pyemscripten_2026_0_wasm32", "3.14")
"""The platform and the Python of Pyodide, as pip calls them."""
MODULES: Final = ("sintra.tab.inside", "sintra.tab.jobs")
"""What runs in the tab; with these comes all that they import."""
DATA: Final = (".json", ".jsonl", ".npz")
"""What else comes of the package's files."""
PACKAGES: Final = "packages.zip"
SIZES: Final = "sizes.json"


def modules_of_tab() -> list[Path]:
    """The source files that are needed in the tab."""
    needed = set().union(*(sources_of(module) for module in MODULES))
    packages = {
        folder / "__init__.py" for one in needed for folder in one.parents if PACKAGE in (folder, *folder.parents)
    }
    return sorted(needed | {one for one in packages if one.is_file()} | set((PACKAGE / "rules").glob("*.py")))


def fetch_wheels() -> list[Path]:
    """Fetches the wheels, unless they are there."""
    WHEELS.mkdir(parents=True, exist_ok=True)
    platform, python = PLATFORM
    command = [sys.executable, "-m", "pip", "--quiet", "download", "--no-deps", "--only-binary", ":all:"]
    target = ["--platform", platform, "--platform", "any", "--python-version", python, "--implementation", "cp"]
    abis = ["--abi", f"cp{python.replace('.', '')}", "--abi", "none"]
    subprocess.run([*command, *target, *abis, "--dest", str(WHEELS), "-r", str(REQUIREMENTS)], check=True)
    return sorted(WHEELS.glob("*.whl"))


def build_engine() -> Path:
    """The folder with the engine as WebAssembly, built unless it is there from these sources."""
    if not is_built(ENGINE, ["wasm"]):
        build(
            ENGINE, ["wasm"], lambda target, done, total, what: print(f"{done:3} of {total}  {what}", file=sys.stderr)
        )
    return ENGINE


def lay_out(folder: Path, engine: Path, wheels: list[Path]) -> None:
    """Puts all that Python imports into a folder: the wheels, and of the package what is needed."""
    for wheel in wheels:
        with zipfile.ZipFile(wheel) as archive:
            archive.extractall(folder)
    for file in [*modules_of_tab(), *_data()]:
        target = folder / "sintra" / file.relative_to(PACKAGE)
        target.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(file, target)
    native = folder / "sintra" / "native"
    native.mkdir()
    for name in (BINDINGS, WASM_FILE):
        shutil.copy(engine / name, native)
    manifest = json.loads((engine / MANIFEST).read_text("utf-8"))
    # there are no sources beside the bytecode that could be others than the engine's
    manifest |= {"sources": [], "stamp": stamp_of([]), "entries": {}, "library": None}
    (native / MANIFEST).write_text(json.dumps(manifest), "utf-8")


def _data() -> Iterator[Path]:
    """The files of the package that its modules read."""
    outside = (PACKAGE / "native", PACKAGE / "table" / "page")
    for file in PACKAGE.rglob("*"):
        if file.suffix in DATA and not any(one in file.parents for one in outside):
            yield file


def build_tab(folder: Path, engine: Path) -> None:
    """Builds the folder."""
    hatch_build.fetch_tools("all")
    hatch_build.build_page_of_tab(folder)
    add_python(folder, engine)
    hatch_build.seal(folder)


def add_python(folder: Path, engine: Path) -> None:
    """Adds the workers, Python and the package to the folder with the page."""
    shutil.copytree(WORKERS, folder, dirs_exist_ok=True)
    inside = folder / "py"
    for name in FROM_PYODIDE:
        shutil.copy(PYODIDE / name, inside)
    lock = json.loads((PYODIDE / "pyodide-lock.json").read_text("utf-8"))
    (inside / "pyodide-lock.json").write_text(json.dumps(lock | {"packages": {}}), "utf-8")
    with tempfile.TemporaryDirectory() as work:
        lay_out(Path(work), engine, fetch_wheels())
        hatch_build._run_node(
            str(Path(__file__).with_name("tab_packages.mjs")), str(inside), work, str(STDLIB), *MODULES
        )
    sizes = {file.name: file.stat().st_size for file in sorted(inside.iterdir())}
    (inside / SIZES).write_text(json.dumps(sizes), "utf-8")


def is_tab(folder: Path) -> bool:
    """Whether a folder is one that was built here."""
    return (folder / "sw.js").is_file() and (folder / "py" / SIZES).is_file()


def put_in_place(folder: Path, make: Callable[[Path], None]) -> None:
    """Makes a folder anew, beside the one that is there and then in its place: visitors would else be sent what an
    earlier build left, and a build that fails leaves what there was."""
    folder.parent.mkdir(parents=True, exist_ok=True)
    with tempfile.TemporaryDirectory(dir=folder.parent, prefix=".tab-") as work:
        new, old = Path(work) / "new", Path(work) / "old"
        make(new)
        if folder.exists():
            folder.rename(old)
        new.rename(folder)


def main() -> None:
    """Builds the folder that the command line names."""
    parser = argparse.ArgumentParser(description="Builds the table that runs in a browser's tab: a static folder.")
    parser.add_argument("folder", nargs="?", type=Path, default=FOLDER, help=f"where to (default {FOLDER})")
    folder = parser.parse_args().folder.resolve()
    if folder.exists() and not is_tab(folder) and any(folder.iterdir()):
        parser.error(f"{folder} holds other files: name a new folder, an empty one, or one that this command made")

    def make(new: Path) -> None:
        build_tab(new, build_engine())
        hatch_build._run_node(str(Path(__file__).with_name("tab_compress.mjs")), str(new))

    put_in_place(folder, make)
    print(f"{folder} is ready: any server for static files will do, such as python -m http.server -d {folder}")


if __name__ == "__main__":
    main()
