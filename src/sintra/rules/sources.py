"""The package's own source files: which are behind a module, and hashes of them, by which compiled code is known."""

from __future__ import annotations

import hashlib
import os
import re
from collections.abc import Iterable
from functools import cache
from pathlib import Path
from typing import Final

PACKAGE: Final = Path(__file__).resolve().parent.parent
"""The folder of the package, whose sources decide where compiled code is kept."""
BESIDE: Final = frozenset(PACKAGE / "rules" / name for name in ("library.py", "memory.py", "sources.py"))
"""Files that no compiled code comes from, though what is compiled imports them: how Python reaches it. A library that
is reached otherwise has another `FORMAT`."""
_IMPORT: Final = re.compile(r"^\s*from sintra(?:\.(\S+))? import ([\w, ]+|\(|\*)", re.MULTILINE)


@cache
def _read(source: Path) -> tuple[str, tuple[Path, ...]]:
    """The text of a source file, and the files of the package that it imports."""
    text = source.read_text("utf-8")
    found: list[Path] = []
    for module_name, names in _IMPORT.findall(text):
        folder = PACKAGE.joinpath(*filter(None, module_name.split(".")))
        inner = [folder / f"{name.strip()}.py" for name in names.split(",")]
        found += [folder.with_suffix(".py"), *inner]
        if not all(one.is_file() for one in inner):
            found.append(folder / "__init__.py")
    return text, tuple(one for one in dict.fromkeys(found) if one.is_file())


@cache
def sources_of(module: str) -> frozenset[Path]:
    """The source files of a module of the package and of all that it imports from the package."""
    found: set[Path] = set()
    first = PACKAGE.joinpath(*module.split(".")[1:]).with_suffix(".py")
    ahead = [first] if first.is_file() else []
    while ahead:
        source = ahead.pop()
        if source not in found and source not in BESIDE:
            found.add(source)
            ahead += _read(source)[1]
    return frozenset(found)


def stamp_of(names: Iterable[str]) -> str:
    """A hash of these source files, given by their paths within the package; raises OSError if one is missing."""
    digest = hashlib.blake2b(digest_size=16)
    for name in sorted(names):
        digest.update(name.encode() + b"\0" + PACKAGE.joinpath(name).read_bytes() + b"\0")
    return digest.hexdigest()


def user_cache() -> Path:
    """The folder under which compiled code is kept for this user."""
    if base := os.environ.get("NUMBA_CACHE_DIR"):
        return Path(base)
    home = os.environ.get("XDG_CACHE_HOME") or os.environ.get("LOCALAPPDATA") or Path.home() / ".cache"
    return Path(home) / "sintra"


@cache
def cache_folder(module: str) -> Path:
    """Where a module's code is kept that was compiled while running: one folder for each state of the sources behind
    it.

    Numba notices a change only in the file of the cached function, not in what it calls, so the
    folder's name is a hash of all these files: an edited rule can never meet stale code.
    """
    import numba
    import numpy as np

    digest = hashlib.blake2b(f"{numba.__version__} {np.__version__}".encode(), digest_size=8)
    for source in sorted(sources_of(module)):
        digest.update(f"{source.relative_to(PACKAGE)}\n{_read(source)[0]}".encode())
    return user_cache() / f"{module}-{digest.hexdigest()}"
