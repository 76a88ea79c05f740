"""Objects with all entries for some targets, made in a process in which Numba compiles for nothing else."""

from __future__ import annotations

import json
import os
import sys
from collections.abc import Sequence
from concurrent.futures import ProcessPoolExecutor
from multiprocessing import get_context
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm
from numba.core.runtime import rtsys

from sintra.build.codegen import object_of, optimise, retarget
from sintra.build.exports import export_of
from sintra.build.runtime import runtime_module
from sintra.build.signatures import Signature, all_signatures
from sintra.build.targets import Target, by_processor, versions_of
from sintra.build.wasm_linker import FROM_OUTSIDE
from sintra.rules.compiled import ENTRIES
from sintra.rules.jit import compile_kernel

_OUTSIDE: Final = {
    "library": frozenset({"malloc", "free", "memcpy", "memmove", "memset", "memcmp", "bcmp"}),
    "wasm": FROM_OUTSIDE,
}
"""What compiled code may need from outside."""


class BuildError(Exception):
    """The engine cannot be compiled ahead of time."""


def compile_objects(names: Sequence[str], folder: Path) -> None:
    """Writes an object for each version of these targets into a folder (`object_file`), and what each entry returns
    (`results.json`). The targets have pointers of one size, so that all of them are made of one module: only then
    LLVM learns for which of them it is, in a process for each kind of processor. Says on standard output how many of
    the entries are done."""
    targets = [target for name in names for target in versions_of(name)]
    context = retarget(targets[0])
    codegen = context.codegen()
    signatures = all_signatures()
    whole = codegen.empty_module("sintra")
    results = {}
    for done, (entry, signature) in enumerate(signatures.items()):
        print(done, len(signatures), entry, flush=True)
        results[entry] = _add(context, whole, entry, signature)
    whole.link_in(rtsys.library._get_module_for_linking(), preserve=True)
    whole.link_in(llvm.parse_assembly(runtime_module(targets[0], codegen._data_layout)))
    _hide_all_but(whole, {one.symbol for one in signatures.values()})
    (folder / "results.json").write_text(json.dumps(results), "utf-8")
    groups = by_processor(targets)
    with ProcessPoolExecutor(min(len(groups), os.cpu_count() or 1), get_context("spawn")) as pool:
        jobs = [pool.submit(_write_objects, str(whole), group, folder, len(signatures)) for group in groups]
        for job in jobs:
            job.result()


def object_file(folder: Path, target: Target) -> Path:
    """Where the object for a target is."""
    return folder / f"{target.name}{target.version}.o"


def _write_objects(code: str, targets: Sequence[Target], folder: Path, entries: int) -> None:
    """Writes the objects for targets with the same processor, for which the code is optimised once."""
    first = targets[0]
    print(entries, entries, f"optimising for {first.processor} {first.cpu}", flush=True)
    optimised = optimise(code, first)
    for target in targets:
        print(entries, entries, f"making the object for {target.name} {target.cpu}", flush=True)
        _check_externals(optimised, target)
        object_file(folder, target).write_bytes(object_of(optimised, target))


def _add(context: Any, whole: Any, name: str, signature: Signature) -> str:
    """Compiles an entry into the whole module; returns what it returns."""
    dispatcher: Any = compile_kernel(ENTRIES[name].function)
    dispatcher.compile(signature.numba_types)
    (compiled,) = dispatcher.overloads.values()
    text, result = export_of(context, signature.symbol, compiled)
    whole.link_in(llvm.parse_assembly(text))
    whole.link_in(compiled.library._get_module_for_linking(), preserve=True)
    return result


def _hide_all_but(whole: Any, exports: set[str]) -> None:
    """Lets everything but the exports be changed together with its callers."""
    for function in whole.functions:
        if not function.is_declaration and function.name not in exports:
            function.linkage = "internal"
    for variable in whole.global_variables:
        if not variable.is_declaration:
            variable.linkage = "internal"
    whole.verify()


def _check_externals(module: Any, target: Target) -> None:
    """Makes sure that compiled code needs nothing that is not there."""
    needed = {one.name for one in module.functions if one.is_declaration and not one.name.startswith("llvm.")}
    if missing := needed - _OUTSIDE[target.kind]:
        raise BuildError(f"compiled code for {target.triple} needs {', '.join(sorted(missing))}")


if __name__ == "__main__":
    compile_objects(sys.argv[2:], Path(sys.argv[1]))
