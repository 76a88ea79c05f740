"""Numba, made to compile for another target than the process it runs in.

Numba sets itself up for this machine; then the code generator of its target context is replaced by one with another
target machine. Numba goes on believing in 64-bit integers and sizes, so that integers mean the same everywhere; only
LLVM knows how wide a pointer is. Replacing the triple of finished code instead would be wrong: Numba's early passes fix
where an array's fields lie.

This uses private parts of Numba, so the project bounds its version.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import llvmlite.binding as llvm
import numba
from llvmlite import ir
from numba.core import cgutils
from numba.core.codegen import JITCodeLibrary, JITCPUCodegen
from numba.core.compiler_lock import global_compiler_lock
from numba.core.registry import cpu_target
from numba.core.runtime import rtsys
from numba.core.runtime.nrtdynmod import create_nrt_module

from sintra.build.targets import Target
from sintra.rules.jit import KernelCache


class LinkedLibrary(JITCodeLibrary):  # type: ignore[misc]
    """Code that is only linked, and never run in this process."""

    def _optimize_final_module(self) -> None:
        pass

    def _finalize_final_module(self) -> None:
        self._finalized = True

    def get_pointer_to_function(self, name: str) -> int:
        """Returns no address, since there is no machine code."""
        return 0


class _NoEngine:
    """Stands for the engine that would run code."""

    def is_symbol_defined(self, name: str) -> bool:
        """Says that nothing is defined outside."""
        return False


class AheadCodegen(JITCPUCodegen):  # type: ignore[misc]
    """Numba's code generator with another target machine."""

    _library_class = LinkedLibrary

    def __init__(self, target: Target) -> None:
        self.target = target
        super().__init__("sintra")

    def _init(self, llvm_module: Any) -> None:
        self._tm_features = self.target.features
        self._tm = self.target.machine()
        self._target_data = self._tm.target_data
        self._data_layout = str(self._target_data)
        self._engine = _NoEngine()
        self._loopvect = False
        self._opt_level = 0

    def _create_empty_module(self, name: str) -> Any:
        module = ir.Module(cgutils.normalize_ir_text(name))
        module.triple = self.target.triple
        if self._data_layout:
            module.data_layout = self._data_layout
        return module

    def _add_module(self, module: Any) -> None:
        pass

    def set_env(self, name: str, environment: Any) -> None:
        """Ignores the environment: code for elsewhere has none."""

    def empty_module(self, name: str) -> Any:
        """A module of LLVM's with nothing in it."""
        return llvm.parse_assembly(str(self._create_empty_module(name)))


_NOINLINE: Final = re.compile(r"^(attributes #\d+ = \{.*?) noinline\b", re.MULTILINE)
_MACHINE: Final = re.compile(r"^target (triple|datalayout) = .*$", re.MULTILINE)


def optimise(code: str, target: Target) -> Any:
    """Optimises the code of a whole module for a target; returns a module whose exports have the names of the target's
    version."""
    codegen = AheadCodegen(target)
    made = _parse_for(code, codegen)
    for function in made.functions:
        if function.linkage == llvm.Linkage.external and not function.is_declaration:
            function.name += target.version
    for options in ({"loop_vectorize": False, "slp_vectorize": False, "opt": 0, "cost": "cheap"}, {}):
        passes, builder = codegen._module_pass_manager(**options)
        passes.run(made, builder)
    # nothing is pruned any more: now the counting of references may be put where it happens
    made = llvm.parse_assembly(_NOINLINE.sub(r"\1", str(made)))
    passes, builder = codegen._module_pass_manager()
    passes.run(made, builder)
    return made


def object_of(optimised: Any, target: Target) -> bytes:
    """Makes an object file of a module that was optimised for a target, or for the same processor with another
    system."""
    codegen = AheadCodegen(target)
    made: bytes = codegen._tm.emit_object(_parse_for(str(optimised), codegen))
    return made


def _parse_for(code: str, codegen: AheadCodegen) -> Any:
    machine = {"triple": codegen.target.triple, "datalayout": codegen._data_layout}
    return llvm.parse_assembly(_MACHINE.sub(lambda found: f'target {found[1]} = "{machine[found[1]]}"', code))


_BYTE: Final = ir.IntType(8)
_I64: Final = ir.IntType(64)
_BLOCK: Final = 128
"""The bytes of a record that are copied at once: every processor has registers for them."""


def _store(
    plain: Callable[..., None], builder: Any, kind: Any, value: Any, place: Any, align: int | None = None
) -> None:
    """Stores a value as Numba does, but a record block by block: Numba reads all of it first, for which most processors
    have too few registers."""
    if not isinstance(kind, numba.types.Record):
        plain(builder, kind, value, place, align)
        return
    source, target = (builder.bitcast(one, _BYTE.as_pointer()) for one in (value, place))
    for start in range(0, kind.size, _BLOCK):
        block = ir.ArrayType(_BYTE, min(_BLOCK, kind.size - start)).as_pointer()
        at = [ir.Constant(_I64, start)]
        read, written = (builder.bitcast(builder.gep(one, at), block) for one in (source, target))
        builder.store(builder.load(read, align=1), written, align=1)


def retarget(target: Target) -> Any:
    """Lets Numba compile for a target from here on; returns its context. It stays so until the process ends."""
    numba.njit(lambda x: x).compile((numba.types.int64,))
    KernelCache.is_on = False
    context = cpu_target.target_context
    context._internal_codegen = AheadCodegen(target)
    context.pack_value = partial(_store, context.pack_value)
    module, library = create_nrt_module(context)
    with global_compiler_lock:
        library.add_ir_module(module)
        library.finalize()
    rtsys._library = library
    context.cached_internal_func.clear()
    return context
