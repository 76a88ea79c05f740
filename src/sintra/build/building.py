"""All that is made for a target or several: compiled side by side, linked, and put into a folder."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final

from sintra.build import native_linker, wasm_linker
from sintra.build.bindings import bindings_of, manifest_entries
from sintra.build.compiling import ALLOCATE, BuildError
from sintra.build.signatures import all_signatures, entry_modules
from sintra.build.targets import Kind
from sintra.rules.library import BINDINGS, FOLDER, FORMAT, MANIFEST, NO_LIBRARY, digest_of, machine
from sintra.rules.sources import PACKAGE, sources_of, stamp_of

WASM_FILE: Final = "engine.wasm"
LIBRARY_FILE: Final = f"engine{native_linker.SUFFIXES.get(sys.platform, '.so')}"
KINDS: Final[tuple[Kind, ...]] = ("library", "wasm")

Report = Callable[[Kind, int, int, str], None]
"""Is told of a target how many of how many entries are done, and what is being done now."""


def build(folder: Path, kinds: Sequence[Kind] = KINDS, report: Report | None = None) -> list[Path]:
    """Builds the library, the wasm module, or both, with a manifest and bindings; returns the files written. The
    manifest is written last: a build that was stopped leaves a folder that is not used, and so does one during which
    sources were edited. Files are replaced, never written into: a process may have loaded the library."""
    behind = sources()
    stamp = stamp_of(behind)
    with tempfile.TemporaryDirectory() as work:
        objects = {kind: Path(work) / f"{kind}.o" for kind in kinds}
        with ThreadPoolExecutor(len(kinds)) as pool:
            list(pool.map(lambda kind: _compile(kind, objects[kind], report), kinds))
        results = json.loads(objects[kinds[0]].with_suffix(".json").read_text("utf-8"))
        signatures = all_signatures()
        made: dict[str, bytes] = {}
        if "library" in kinds:
            made[LIBRARY_FILE] = native_linker.link(objects["library"].read_bytes())
        if "wasm" in kinds:
            exports = [ALLOCATE, *(one.symbol for one in signatures.values())]
            made[WASM_FILE] = wasm_linker.link(objects["wasm"].read_bytes(), exports)
        made[BINDINGS] = bindings_of(signatures, results).encode()
    made[MANIFEST] = _manifest(made, manifest_entries(signatures, results), stamp, behind)
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, content in made.items():
        new = folder / f"{name}.new"
        new.write_bytes(content)
        new.replace(folder / name)
    return [folder / name for name in made]


def sources() -> list[str]:
    """The source files behind the entries and the builder, as paths within the package."""
    files = set().union(*(sources_of(module) for module in (*entry_modules(), "sintra.build.building")))
    return sorted(file.relative_to(PACKAGE).as_posix() for file in files)


def _manifest(made: dict[str, bytes], entries: dict[str, Any], stamp: str, behind: list[str]) -> bytes:
    library = made.get(LIBRARY_FILE)
    wasm = made.get(WASM_FILE)
    told = {
        "format": FORMAT,
        "stamp": stamp,
        "sources": behind,
        "bindings": digest_of(made[BINDINGS]),
        "library": library and {"file": LIBRARY_FILE, "machine": machine(), "digest": digest_of(library)},
        "wasm": wasm and {"file": WASM_FILE, "digest": digest_of(wasm)},
        "entries": entries,
    }
    return (json.dumps(told, indent=1) + "\n").encode()


def _compile(kind: Kind, object_file: Path, report: Report | None) -> None:
    """Lets a process of its own compile for one target."""
    command = [sys.executable, "-m", "sintra.build.compiling", kind, str(object_file)]
    paths = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
    settings = {FOLDER: NO_LIBRARY, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}
    error_file = object_file.with_suffix(".errors")  # a pipe that nobody reads meanwhile could fill up
    with (
        error_file.open("wb") as errors,
        subprocess.Popen(
            command, env=os.environ | settings, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None
        _report_lines(kind, process.stdout, report)
    if process.returncode:
        raise BuildError(f"the {kind} cannot be compiled: {error_file.read_text(errors='replace').strip()[-2000:]}")


def _report_lines(kind: Kind, lines: Iterable[str], report: Report | None) -> None:
    for line in lines:
        done, total, what = line.split(maxsplit=2)
        if report is not None:
            report(kind, int(done), int(total), what.strip())
