"""All that is made for a target or several: compiled side by side, linked, and put into folders."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterable, Sequence
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, Final, NamedTuple

from sintra.build import native_linker, wasm_linker
from sintra.build.bindings import bindings_of, manifest_entries
from sintra.build.compiling import BuildError, object_file
from sintra.build.native_linker import library_file
from sintra.build.processor import processor_check
from sintra.build.signatures import Signature, all_signatures, entry_modules
from sintra.build.targets import RELEASES, WASM, Kind, versions_of
from sintra.rules.library import BINDINGS, BROWSER, FOLDER, FORMAT, MANIFEST, NO_LIBRARY, digest_of, machine
from sintra.rules.sources import PACKAGE, sources_of, stamp_of

WASM_FILE: Final = "engine.wasm"
LIBRARY_FILE: Final = library_file(machine())
KINDS: Final[tuple[Kind, ...]] = ("library", "wasm")
ANY: Final = "any"
"""The folder of a release without a library."""

Report = Callable[[str, int, int, str], None]
"""Is told of a target how many of how many entries are done, and what is being done now."""


class Compiled(NamedTuple):
    """The engine compiled for some targets."""

    stamp: str
    sources: list[str]
    signatures: dict[str, Signature]
    results: dict[str, str]
    """What each entry returns."""
    objects: dict[str, list[bytes]]
    """By the names of the targets, one for each version."""


def build(folder: Path, kinds: Sequence[Kind] = KINDS, report: Report | None = None) -> list[Path]:
    """Builds the library for this machine, the wasm module, or both, with a manifest and bindings; returns the files
    written."""
    library = machine() if "library" in kinds else None
    targets = [*([library] if library else ()), *([WASM.name] if "wasm" in kinds else ())]
    compiled = compile_for(targets, report)
    return write(folder, compiled, library, _linked_wasm(compiled) if "wasm" in kinds else None)


def build_releases(folder: Path, report: Report | None = None) -> list[Path]:
    """Builds the libraries of all releases and the wasm module, and puts them into a folder for each machine, and one
    without a library; returns the folders."""
    compiled = compile_for([WASM.name, *RELEASES], report)
    wasm = _linked_wasm(compiled)
    write(folder / ANY, compiled, None, wasm)
    for name in RELEASES:
        if report is not None:
            report(name, len(compiled.signatures), len(compiled.signatures), "linking")
        write(folder / name, compiled, name, wasm, with_zig=True)
    return [folder / name for name in (ANY, *RELEASES)]


def compile_for(targets: Sequence[str], report: Report | None = None) -> Compiled:
    """Compiles the engine for some targets: for WebAssembly and for machines side by side, if there are two
    processors."""
    behind = sources()
    stamp = stamp_of(behind)
    by_kind = [[name for name in targets if (name == WASM.name) is is_wasm] for is_wasm in (True, False)]
    groups = [group for group in by_kind if group]
    with tempfile.TemporaryDirectory() as work:
        folder = Path(work)
        with ThreadPoolExecutor(min(len(groups), os.cpu_count() or 1)) as pool:
            list(pool.map(lambda group: _compile(group, folder, report), groups))
        results = json.loads((folder / "results.json").read_text("utf-8"))
        objects = {name: [object_file(folder, one).read_bytes() for one in versions_of(name)] for name in targets}
    return Compiled(stamp, behind, all_signatures(), results, objects)


def write(
    folder: Path, compiled: Compiled, library: str | None, wasm: bytes | None, *, with_zig: bool = False
) -> list[Path]:
    """Writes a folder with the library for a machine, if one is named, and the wasm module, if there is one. The
    manifest is written last: a build that was stopped leaves a folder that is not used, and so does one during which
    sources were edited. Files are replaced, never written into: a process may have loaded the library."""
    told: dict[str, Any] = {"library": None, "wasm": None}
    made: dict[str, bytes] = {}
    if library is not None:
        file = library_file(library)
        check = processor_check(library)
        made[file] = native_linker.link(compiled.objects[library], library, assembly=check, with_zig=with_zig)
        platforms = native_linker.platforms_of(library, with_zig=with_zig)
        told["library"] = {
            "file": file,
            "machine": library,
            "platforms": platforms,
            "digest": digest_of(made[file]),
        }
    if wasm is not None:
        made[WASM_FILE] = wasm
        told["wasm"] = {"file": WASM_FILE, "machine": BROWSER, "digest": digest_of(wasm)}
    made[BINDINGS] = bindings_of(compiled.signatures, compiled.results).encode()
    manifest = {
        "format": FORMAT,
        "stamp": compiled.stamp,
        "sources": compiled.sources,
        "bindings": digest_of(made[BINDINGS]),
        **told,
        "entries": manifest_entries(compiled.signatures, compiled.results),
    }
    made[MANIFEST] = (json.dumps(manifest, indent=1) + "\n").encode()
    folder.mkdir(parents=True, exist_ok=True)
    (folder / MANIFEST).unlink(missing_ok=True)
    for name, content in made.items():
        new = folder / f"{name}.new"
        new.write_bytes(content)
        new.replace(folder / name)
    return [folder / name for name in made]


def is_built(folder: Path, kinds: Sequence[Kind] = KINDS) -> bool:
    """Whether a folder holds this from the present sources, whole."""
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        parts = [manifest[kind] for kind in kinds]
        digests = {BINDINGS: manifest["bindings"]} | {one["file"]: one["digest"] for one in parts}
        return (
            manifest["stamp"] == stamp_of(sources())
            and manifest["format"] == FORMAT
            and ("library" not in kinds or manifest["library"]["machine"] == machine())
            and all(digest_of((folder / name).read_bytes()) == digest for name, digest in digests.items())
        )
    except (OSError, ValueError, KeyError, TypeError):
        return False


def sources() -> list[str]:
    """The source files behind the entries and the builder, as paths within the package."""
    files = set().union(*(sources_of(module) for module in (*entry_modules(), "sintra.build.building")))
    return sorted(file.relative_to(PACKAGE).as_posix() for file in files)


def _linked_wasm(compiled: Compiled) -> bytes:
    exports = [one.symbol for one in compiled.signatures.values()]
    (data,) = compiled.objects[WASM.name]
    return wasm_linker.link(data, exports)


def _compile(names: Sequence[str], folder: Path, report: Report | None) -> None:
    """Lets a process of its own compile for some targets, into a folder."""
    command = [sys.executable, "-m", "sintra.build.compiling", str(folder), *names]
    paths = os.pathsep.join(filter(None, (str(PACKAGE.parent), os.environ.get("PYTHONPATH"))))
    settings = {FOLDER: NO_LIBRARY, "PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "0", "NUMBA_BOUNDSCHECK": "0"}
    settings["NUMBA_CACHE_DIR"] = str(folder / "cache")
    error_file = folder / f"{names[0]}.errors"  # a pipe that nobody reads meanwhile could fill up
    with (
        error_file.open("wb") as errors,
        subprocess.Popen(
            command, env=os.environ | settings, stdout=subprocess.PIPE, stderr=errors, text=True
        ) as process,
    ):
        assert process.stdout is not None
        _report_lines(names[0], process.stdout, report)
    if process.returncode:
        told = error_file.read_text(errors="replace").strip()[-2000:]
        raise BuildError(f"the engine cannot be compiled for {', '.join(names)}: {told}")


def _report_lines(target: str, lines: Iterable[str], report: Report | None) -> None:
    for line in lines:
        done, total, what = line.split(maxsplit=2)
        if report is not None:
            report(target, int(done), int(total), what.strip())
