"""How the rules are run: `kernel` for inner functions, `entry` for those called from Python, `rare_entry` for those
called seldom, and `shared` for small functions that both sides call.

Nobody else knows what becomes of them. In this order:

1. With `NUMBA_DISABLE_JIT=1` all stay as they are, so that the rules can be debugged and their coverage measured.
2. If there is a library that was made from these sources (`sintra.build`), entries are its functions.
3. If Numba is there, entries are compiled when they are first called, and kept on disk.

Otherwise the package can be imported, and whoever calls an entry is told what to do.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from enum import StrEnum
from functools import wraps
from importlib.util import find_spec
from typing import TYPE_CHECKING, Any, Final, NamedTuple, TypeVar

from sintra.rules.library import Library, LibraryError, NoEngineError, open_library
from sintra.rules.memory import RecordLayout, SharedArray

if TYPE_CHECKING:
    import numpy as np

F = TypeVar("F", bound=Callable[..., Any])


class Running(StrEnum):
    """How the rules are run."""

    LIBRARY = "compiled library"
    LIBRARY_V3 = "compiled library for x86-64-v3"
    JIT = "compiled while running"
    UNCOMPILED = "uncompiled"
    NOT_AT_ALL = "no compiled engine"


class Declared(NamedTuple):
    """An entry as it was declared."""

    function: Callable[..., Any]
    is_rare: bool


ENTRIES: Final[dict[str, Declared]] = {}
"""All entries of the modules that were imported, by their module (without the package) and name."""


def _is_set(name: str) -> bool:
    """Whether one of Numba's switches is on."""
    return os.environ.get(name, "0") not in ("", "0")


def _decide() -> tuple[Running, Library | None, str]:
    """How the rules are run, by which library, and why by none."""
    if _is_set("NUMBA_DISABLE_JIT"):
        return _running_with("numpy", Running.UNCOMPILED, "NUMBA_DISABLE_JIT is set")
    if _is_set("NUMBA_BOUNDSCHECK"):
        return _running_with("numba", Running.JIT, "NUMBA_BOUNDSCHECK is set")
    try:
        library = open_library()
    except LibraryError as error:
        return _running_with("numba", Running.JIT, str(error))
    return Running.LIBRARY_V3 if library.is_v3 else Running.LIBRARY, library, ""


def _running_with(package: str, running: Running, why: str) -> tuple[Running, None, str]:
    """How the rules are run without a library, which takes a package."""
    if find_spec(package) is None:
        return Running.NOT_AT_ALL, None, f"{why}, and {package} is not installed"
    if running is Running.JIT:
        try:
            from sintra.rules import jit  # noqa: F401
        except ImportError as error:  # another version than ours, or one for another machine
            return Running.NOT_AT_ALL, None, f"{why}, and {package} cannot be used: {error}"
    return running, None, why


RUNNING, _LIBRARY, WHY_NO_LIBRARY = _decide()
COMPILED: Final = RUNNING is not Running.UNCOMPILED
"""False when `NUMBA_DISABLE_JIT` is set."""
IS_JIT: Final = RUNNING is Running.JIT
"""Whether entries are compiled when they are first called, which takes a while."""

HAS_KERNELS: Final = RUNNING in (Running.JIT, Running.UNCOMPILED)
"""Whether kernels are compiled while running or run as they are, so that there is NumPy."""

if not TYPE_CHECKING:
    if not HAS_KERNELS:
        np = None
    else:
        import numpy as np
__all__ = ["np"]
"""NumPy, in whose words kernels are written; with a library nobody runs these, and there need not be any."""


def require_engine() -> None:
    """Raises `NoEngineError` if the rules cannot be run."""
    if RUNNING is Running.NOT_AT_ALL:
        raise NoEngineError(
            f"Sintra has no compiled engine for this machine ({WHY_NO_LIBRARY}): install a wheel that was made for it,"
            " or add the compiler with pip install 'sintra[compile]'"
        )


if IS_JIT:
    from sintra.rules import jit


def kernel(function: F) -> F:
    """An inner function of the engine: compiled into whichever entry calls it.

    Arguments are widened, so that there is one version of each function and not one for each
    mixture of integer widths and constants: that halves the first compilation.
    """
    if IS_JIT:
        return jit.compile_kernel(function)
    if COMPILED:
        return function

    @wraps(function)
    def widened(*arguments: Any) -> Any:
        return function(*[int(one) if isinstance(one, np.integer) else one for one in arguments])

    return widened


def entry(function: F) -> F:
    """A function that Python calls, run without the interpreter lock. The types of its arguments are its annotations
    (`array_types`)."""
    return _entry(function, is_rare=False)


def rare_entry(function: F) -> F:
    """A function that Python calls seldom: while running it is compiled in less time than an `entry`, and optimised
    less."""
    return _entry(function, is_rare=True)


def _entry(function: F, *, is_rare: bool) -> F:
    name = f"{function.__module__.removeprefix('sintra.')}.{function.__name__}"
    ENTRIES[name] = Declared(function, is_rare)
    if _LIBRARY is not None:
        return _LIBRARY.entry(name, function)
    if RUNNING is Running.NOT_AT_ALL:
        return _refused(function)
    return _with_arrays(function, jit.compile_entry(function, is_rare=is_rare) if IS_JIT else function)


def _with_arrays(function: F, compiled: F) -> F:
    """The compiled function with NumPy's arrays in place of our memory, also within named tuples. It is written for the
    arguments of the function, since a general one would take as long as many a call does."""
    names = function.__code__.co_varnames[: function.__code__.co_argcount]
    given = (_handed_over(one, function) for one in names)
    scope = {"compiled": compiled, "array_of": array_of}
    return wraps(compiled)(eval(f"lambda {', '.join(names)}: compiled({', '.join(given)})", scope))


def _handed_over(name: str, function: Callable[..., Any]) -> str:
    """The expression for an argument as compiled code takes it."""
    annotation = function.__annotations__.get(name)
    if annotation in _NUMBERS:
        return name
    is_array = hasattr(function.__globals__.get(annotation), "__metadata__")
    return f"getattr({name}, 'array', {name})" if is_array else f"array_of({name})"


_NUMBERS: Final = frozenset({"int", "float", "bool"})


def array_of(given: Any) -> Any:
    """A NumPy array for memory, and a tuple of such."""
    if isinstance(given, SharedArray):
        return given.array
    return type(given)(*map(array_of, given)) if isinstance(given, tuple) else given


def layout(fields: Sequence[tuple[Any, ...]]) -> Any:
    """The layout of a record, as kernels take it: NumPy's dtype where they are compiled while running or not at
    all."""
    made = RecordLayout(fields)
    return made.dtype if HAS_KERNELS else made


def frozen(array: SharedArray) -> Any:
    """An array that does not change, as kernels take it."""
    return array.array if HAS_KERNELS else array


def constants(values: Sequence[Any], kind: str) -> Any:
    """Numbers that do not change: an array where kernels are compiled with it or run as they are, and otherwise what
    was given, since the library has its own."""
    return np.array(values, kind) if HAS_KERNELS else values


def _refused(function: F) -> F:
    @wraps(function)
    def refused(*_: Any) -> Any:
        require_engine()

    return refused


def shared(function: F) -> F:
    """A small function that Python calls as it is and that is compiled into whichever kernel calls it."""
    return jit.compile_shared(function) if IS_JIT else function


def at(states: Any, i: int) -> Any:
    """State i of an array, with its fields as attributes, compiled or not. Compiled, it is a pointer that does not
    keep the array alive: a function that makes an array and looks at it this way must `keep` it."""
    return states.view(np.recarray)[i]


if IS_JIT:
    jit.compile_at(at)


@kernel
def keep(made: Any) -> None:
    """Says that an array is alive up to here, which compiled code otherwise frees after its last mention."""
