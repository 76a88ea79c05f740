"""How functions are compiled while the program runs, with Numba: kernels, entries, and what they are made of.

Only `compiled` uses this module, and only where there is no library: Numba is a compiler of 200 MB.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, suppress
from functools import cached_property
from typing import Any, BinaryIO, ClassVar, Final, TypeVar

import numba
from llvmlite.binding import Linkage, parse_bitcode
from numba.core import ir
from numba.core.caching import Cache, CompileResultCacheImpl, InTreeCacheLocator, NullCache, _Cache
from numba.core.codegen import CodeLibrary, JITCodeLibrary
from numba.core.compiler import Compiler, CompileResult, compile_result
from numba.core.compiler_machinery import LoweringPass, register_pass
from numba.core.event import Listener, install_listener
from numba.core.typed_passes import NativeLowering
from numba.extending import overload, register_jitable

from sintra.rules.sources import cache_folder

F = TypeVar("F", bound=Callable[..., Any])


def _widened(kind: numba.types.Type) -> numba.types.Type:
    """Returns the type that an argument of a kernel gets: 64 bits for every integer, and no constants."""
    if isinstance(kind, numba.types.Integer):
        return numba.types.int64
    if isinstance(kind, numba.types.Boolean | numba.types.BooleanLiteral):
        return numba.types.boolean
    return kind


class KernelLibrary(JITCodeLibrary):
    """A kernel's code before it is optimised: that is done once, in each entry that it is put into.

    Numba would optimise every kernel together with all that it calls, and make machine code of it that
    nobody runs: that took more than a third of the first compilation.
    """

    _together: Any = None

    @classmethod
    def loaded(cls, codegen: Any, name: str, bitcode: bytes) -> KernelLibrary:
        """A kernel with all that it calls, as another process has left it."""
        library = cls(codegen, name)
        library._final_module = library._together = parse_bitcode(bitcode)
        library._finalized = True
        return library

    def finalize(self) -> None:
        """Lets the code be put into several entries."""
        self._raise_if_finalized()
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.external:
                function.linkage = "linkonce_odr"
        for library in self._linking_libraries:
            self._reload_init.update(library._reload_init)
        self._finalized = True

    def _get_module_for_linking(self) -> Any:
        """The kernel and all that it calls, callers first: the linker takes only what is called already."""
        if self._together is None:
            self._together = self._final_module.clone()
            libraries: list[CodeLibrary] = [self]
            for library in libraries:
                is_kernel = isinstance(library, KernelLibrary)
                if library is not self:
                    module = library._final_module if is_kernel else library._get_module_for_linking()
                    self._together.link_in(module, preserve=True)
                if is_kernel:
                    libraries += [one for one in library._linking_libraries if one not in libraries]
        return self._together

    @property
    def codegen(self) -> KernelLibrary:
        """Returns the object that Numba tells the environment of the machine code, of which there is none."""
        return self

    def set_env(self, name: str, environment: Any) -> None:
        """Ignores the environment: a kernel has no machine code."""


class EntryLibrary(JITCodeLibrary):
    """An entry's code with all kernels that it calls, which are its own copies.

    What can be called from nowhere else can be changed together with its callers: no kernel raises anything,
    for instance, so that nobody has to ask whether it did. That makes the search quicker by a quarter.
    They have no name outside either: code of somebody else that holds the same kernel must not find these.
    """

    def _optimize_final_module(self) -> None:
        for function in self._final_module.functions:
            if not function.is_declaration and function.linkage == Linkage.linkonce_odr:
                function.linkage = "private"
        self._optimize_together()

    def _optimize_together(self) -> None:
        super()._optimize_final_module()


class RareEntryLibrary(EntryLibrary):
    """An entry's code with its kernels as they are: made in half the time, and a quarter slower."""

    def _optimize_together(self) -> None:
        passes, builder = self._codegen._module_pass_manager(opt=0)
        passes.run(self._final_module, builder)


_BORROWING: Final = frozenset({"getattr", "getitem", "static_getitem", "exhaust_iter", "cast", "build_tuple"})
"""The expressions that give arrays which somebody else keeps alive: parts of arrays, tuples and records."""


@register_pass(mutates_CFG=False, analysis_only=False)
class BorrowArrays(LoweringPass):
    """Turns the counting of references off in functions that neither make an array nor return one.

    All arrays there are parts of the arguments, which the caller keeps alive. Numba would count a reference for each
    mention of an array all the same: that was two thirds of the time of the search of endings.
    """

    _name = "borrow_arrays"

    def __init__(self) -> None:
        LoweringPass.__init__(self)

    def run_pass(self, state: Any) -> bool:
        """Lowers the function without references if it can be."""
        models = state.targetctx.data_model_manager
        counted = {name for name, kind in state.typemap.items() if models[kind].contains_nrt_meminfo()}
        made = [
            assignment
            for block in state.func_ir.blocks.values()
            for assignment in block.find_insts(ir.Assign)
            if assignment.target.name in counted and _makes_array(assignment.value, state.typemap)
        ]
        if not made and not models[state.return_type].contains_nrt_meminfo():
            state.targetctx = state.targetctx.subtarget(enable_nrt=False)
        return False


def _makes_array(value: Any, types: Mapping[str, Any]) -> bool:
    """Whether an expression whose type is an array, or holds some, may have made one."""
    if not isinstance(value, ir.Expr):
        return False
    if value.op == "getitem" and isinstance(types[value.index.name], numba.types.Array):
        return True
    return value.op not in _BORROWING


class BorrowingCompiler(Compiler):
    """Numba's compiler, without references where all arrays are borrowed."""

    def define_pipelines(self) -> list[Any]:
        """Puts `BorrowArrays` before the lowering."""
        (pipeline,) = super().define_pipelines()
        passes = [one for one, _ in pipeline.passes]
        pipeline.add_pass_after(BorrowArrays, passes[passes.index(NativeLowering) - 1])
        pipeline.finalize()
        return [pipeline]


class KernelCompiler(BorrowingCompiler):
    """Numba's compiler, with a library for kernels."""

    def _compile_bytecode(self) -> Any:
        """Compiles a kernel under a name that it has in every process, so that there is one of each among kernels that
        came from several; Numba would number the functions of a process."""
        self.state.func_id.unique_id = 0
        self.state.func_id.unique_name = self.state.func_id.func_qualname
        return super()._compile_bytecode()

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compiles a kernel."""
        self.state.library = KernelLibrary(self.state.targetctx.codegen(), function.__qualname__)
        return super().compile_extra(function)


class EntryCompiler(BorrowingCompiler):
    """Numba's compiler, with a library for entries."""

    library: type[EntryLibrary] = EntryLibrary

    def compile_extra(self, function: Callable[..., Any]) -> Any:
        """Compiles an entry, and lets it be kept on disk."""
        self.state.library = self.library(self.state.targetctx.codegen(), function.__qualname__)
        self.state.library.enable_object_caching()
        return super().compile_extra(function)


class RareEntryCompiler(EntryCompiler):
    """Numba's compiler, with a library for entries that are called seldom."""

    library = RareEntryLibrary


class _FunctionCounter(Listener):
    """Writes a byte for each function that Numba compiles in this process."""

    def __init__(self, file: BinaryIO) -> None:
        self._file = file

    def on_start(self, event: Any) -> None:
        """Does nothing: only finished functions count."""

    def on_end(self, event: Any) -> None:
        """Counts a function."""
        with suppress(OSError):
            self._file.write(b".")


def counting_functions(file: BinaryIO) -> AbstractContextManager[Any]:
    """A context in which a byte is written for each function that is compiled."""
    return install_listener("numba:compile", _FunctionCounter(file))


class _SourceHashLocator(InTreeCacheLocator):
    """Says where the code of an entry is kept: in the folder that is named after the hash of all its sources, so that
    checkouts with the same sources share it."""

    def __init__(self, function: Callable[..., Any], file: str) -> None:
        super().__init__(function, file)
        self._cache_path = str(cache_folder(function.__module__))


class _EntryFiles(CompileResultCacheImpl):
    """How an entry's code is written and read."""

    _locator_classes: ClassVar = [_SourceHashLocator]


class _EntryCache(Cache):
    """The code of one entry on disk."""

    _impl_class = _EntryFiles


class _KernelFiles(_EntryFiles):
    """How a kernel's code is written and read: with all that it calls, before it is optimised."""

    def reduce(self, cres: CompileResult) -> tuple[Any, ...]:
        """What is written."""
        cres.fndesc.typemap = cres.fndesc.calltypes = None  # nobody needs them any more, and they are large
        bitcode = cres.library._get_module_for_linking().as_bitcode()
        return bitcode, cres.fndesc, cres.environment, cres.signature

    def rebuild(self, target_context: Any, payload: tuple[Any, ...]) -> CompileResult:
        """The kernel from what was written."""
        bitcode, described, environment, signature = payload
        library = KernelLibrary.loaded(target_context.codegen(), described.qualname, bitcode)
        return compile_result(
            target_context=target_context,
            typing_context=target_context.typing_context,
            library=library,
            environment=environment,
            entry_point=target_context.get_executable(library, described, environment),
            fndesc=described,
            signature=signature,
            objectmode=False,
            lifted=(),
            reload_init=[],
            referenced_envs=[],
        )


class _KernelFile(Cache):
    """The code of one kernel on disk."""

    _impl_class = _KernelFiles


class KernelCache(NullCache):
    """Keeps kernels on disk, because each process needs many that another has compiled already: half of all functions
    were compiled twice. The files are looked for when a kernel is first needed, not when its module is imported."""

    is_on = True
    """False where code is compiled for another machine."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self._function = function

    @cached_property
    def _file(self) -> _Cache:
        with suppress(RuntimeError):  # there is no folder that can be written to
            return _KernelFile(self._function)
        return NullCache()

    def load_overload(self, sig: Any, target_context: Any) -> Any:
        """The kernel for these arguments, if it was kept."""
        return self._file.load_overload(sig, target_context) if self.is_on else None

    def save_overload(self, sig: Any, cres: Any) -> None:
        """Keeps a kernel."""
        if self.is_on:
            self._file.save_overload(sig, cres)


def compile_kernel(function: F) -> F:
    """Compiles an inner function into whichever entry calls it, with widened arguments, and keeps it on disk."""
    compiled = numba.njit(
        no_cpython_wrapper=True, no_cfunc_wrapper=True, error_model="numpy", pipeline_class=KernelCompiler
    )(function)
    compiled._cache = KernelCache(function)
    as_typed = compiled.get_call_template
    compiled.get_call_template = lambda args, kws: as_typed(tuple(map(_widened, args)), kws)
    return compiled


def compile_entry(function: F, *, is_rare: bool) -> F:
    """Compiles a function when Python first calls it, keeps the code on disk, if that can be written to, and runs it
    without the interpreter lock; a rare one is compiled in less time and optimised less."""
    compiler = RareEntryCompiler if is_rare else EntryCompiler
    compiled = numba.njit(nogil=True, no_cfunc_wrapper=True, error_model="numpy", pipeline_class=compiler)(function)
    with suppress(RuntimeError):  # there is no folder that can be written to
        compiled._cache = _EntryCache(function)
    return compiled


def compile_shared(function: F) -> F:
    """Lets compiled code call a function that Python calls as it is."""
    return register_jitable(error_model="numpy")(function)


def compile_at(at: Callable[..., Any]) -> None:
    """Lets compiled code look at a state of an array: a pointer to it."""

    @overload(at, jit_options={"_nrt": False})
    def _at_compiled(states: Any, i: int) -> Any:
        def state_at(states: Any, i: int) -> Any:
            return states[i]

        return state_at
