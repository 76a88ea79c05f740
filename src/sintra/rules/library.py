"""The library that `sintra.build` has made of the package's entries: whether it can be used, and how it is called.

A folder holds the library, a manifest and generated bindings. The library is used if the manifest says that it was made
from these sources for this machine, and the file is whole; everything else is a `LibraryError`. On x86-64 it has each
function twice, for all processors and for those with x86-64-v3, and says itself which this one is.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import platform
import sys
from collections.abc import Callable
from functools import wraps
from importlib.machinery import SourceFileLoader
from importlib.util import module_from_spec, spec_from_loader
from pathlib import Path
from types import ModuleType
from typing import Any, Final, TypeVar

from sintra.rules.memory import SharedArray, address_of, refusal, words
from sintra.rules.sources import PACKAGE, stamp_of

F = TypeVar("F", bound=Callable[..., Any])

FOLDER: Final = "SINTRA_LIBRARY"
"""The environment variable with another folder for the library; `none` for no library."""
NO_LIBRARY: Final = "none"
NATIVE: Final = PACKAGE / "native"
"""Where the package has its library."""
MANIFEST: Final = "manifest.json"
BINDINGS: Final = "bindings.py"
BROWSER: Final = "emscripten-wasm32"
"""The machine that Python runs on in a browser, whose library is the WebAssembly module."""
FORMAT: Final = 5
"""The version of manifest and bindings."""
V3: Final = "_v3"
"""What the names of functions for x86-64-v3 end with."""
HAS_V3: Final = "has_v3"
"""The function of a library that says whether this processor has x86-64-v3. A library without it has one version."""


class LibraryError(Exception):
    """Why there is no library that can be used."""


class NoEngineError(Exception):
    """There is neither a library that can be used nor a compiler; says what to do."""


class Library:
    """The functions of a library, by the names of the entries."""

    is_v3: bool
    """Whether they are those for x86-64-v3."""

    def __init__(self, file: Path, bindings: ModuleType) -> None:
        try:
            library = ctypes.CDLL(str(file))
            self.is_v3 = hasattr(library, HAS_V3) and library[HAS_V3]() == 1
            self._entries: dict[str, Callable[..., Any]] = bindings.bind(library, V3 if self.is_v3 else "")
        except (OSError, AttributeError) as error:
            raise LibraryError(f"{file} cannot be loaded: {error}") from None

    def entry(self, name: str, function: F) -> F:
        """The library's function in place of an entry; one that it lacks can be declared, but not be called."""
        found = self._entries.get(name)

        @wraps(function)
        def missing(*_: Any) -> Any:
            raise LibraryError(f"the library has no {name}: set {FOLDER}={NO_LIBRARY} to compile it while running")

        return wraps(function)(found or missing)


def machine() -> str:
    """The operating system and the processor that a library is made for. On Windows Python may be for another processor
    than the computer's, which runs it all the same."""
    if sys.platform == "win32":
        import sysconfig

        processor = sysconfig.get_platform().rpartition("-")[2]
    else:
        processor = platform.machine().lower()
    return f"{sys.platform}-{ {'amd64': 'x86_64', 'arm64': 'aarch64'}.get(processor, processor) }"


def digest_of(data: bytes) -> str:
    """A hash of a file."""
    return hashlib.blake2b(data, digest_size=16).hexdigest()


def open_library() -> Library:
    """The library of the package, or of the folder that `SINTRA_LIBRARY` names."""
    named = os.environ.get(FOLDER)
    if named == NO_LIBRARY:
        raise LibraryError(f"{FOLDER} is {NO_LIBRARY}")
    folder = Path(named) if named else NATIVE
    try:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
    except FileNotFoundError:
        raise LibraryError(f"there is none in {folder}") from None
    except (OSError, ValueError) as error:
        raise LibraryError(f"{folder / MANIFEST} cannot be read: {error}") from None
    try:
        return _opened(folder, manifest)
    except (KeyError, TypeError) as error:
        raise LibraryError(f"{folder / MANIFEST} is damaged: {error!r}") from None


def _opened(folder: Path, manifest: dict[str, Any]) -> Library:
    if manifest["format"] != FORMAT:
        raise LibraryError(f"the library in {folder} is of another version of Sintra")
    library = manifest["wasm" if machine() == BROWSER else "library"]
    if library is None:
        raise LibraryError(f"{folder} has none for any machine")
    if library["machine"] != machine():
        raise LibraryError(f"the library in {folder} is for {library['machine']}, this is {machine()}")
    try:
        is_ours = stamp_of(manifest["sources"]) == manifest["stamp"]
        whole = {name: digest_of((folder / name).read_bytes()) for name in (library["file"], BINDINGS)}
    except OSError as error:
        raise LibraryError(f"the library in {folder} cannot be read: {error}") from None
    if not is_ours:
        raise LibraryError(f"the library in {folder} was made from other sources")
    if whole != {library["file"]: library["digest"], BINDINGS: manifest["bindings"]}:
        raise LibraryError(f"the library in {folder} is damaged")
    loader = SourceFileLoader("sintra.native.bindings", str(folder / BINDINGS))
    spec = spec_from_loader(loader.name, loader)
    assert spec is not None
    bindings = module_from_spec(spec)
    loader.exec_module(bindings)
    return Library(folder / library["file"], bindings)


# --- what the bindings call ---------------------------------------------------------------------------

_DATA: Final = object.__basicsize__
"""Where a NumPy array's pointer to its data lies: NumPy's binary interface begins with it, after what all objects
have."""
_pointer_at: Final = ctypes.c_void_p.from_address


def words_of(array: Any, code: str) -> bytes:
    """The address of an array and its shape, as a function of the library takes them. `code` says what is wanted: a
    kind of number or `V` with the size of a record, and the number of axes. The array is our own, NumPy's, or any other
    writable buffer: one axis of such elements, or of bytes."""
    if isinstance(array, SharedArray):
        if array.code == code or array.described() == code:
            return array.words
        raise TypeError(refusal(array.code, code))
    kind, axes = code.split(".")
    size, ndim = int(kind[1:]), int(axes)
    if type(array).__module__ == "numpy":
        return _words_of_numpy(array, code, kind[0], size, ndim)
    if ndim > 1:
        raise TypeError(refusal(repr(type(array)), code))
    length = memoryview(array).nbytes
    if length % size:
        raise TypeError(f"{length} bytes are no whole number of elements of {size} bytes")
    return words(address_of(array), length // size)


def _words_of_numpy(array: Any, code: str, letter: str, size: int, ndim: int) -> bytes:
    """The address of a NumPy array and its shape. NumPy's own ways to an array's memory describe its dtype first, which
    takes ten times as long as the call."""
    dtype = array.dtype
    if dtype.itemsize != size or dtype.kind != letter or array.ndim != ndim or not array.flags.carray:
        raise TypeError(refusal(f"an array of {dtype} with {array.ndim} axes", code))
    return words(_pointer_at(id(array) + _DATA).value or 0, *array.shape)
