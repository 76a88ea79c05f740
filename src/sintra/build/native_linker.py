"""Links an object to a shared library, with the system's C compiler or with the one of the package `ziglang`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import tempfile
from importlib.util import find_spec
from pathlib import Path
from typing import Final

SUFFIXES: Final = {"darwin": ".dylib", "win32": ".dll"}
"""What names of libraries end with; elsewhere `.so`."""
_PLAIN: Final = ("-shared", "-nostdlib", "-Wl,--build-id=none", "-Wl,-s", "-Wl,-z,noexecstack")
"""The library needs `malloc`, `free` and the like from the process that loads it, whose C library that is: so one file
does for all of them. Nothing in it depends on where and when it was linked."""
_OPTIONS: Final = {"darwin": ("-shared", "-undefined", "dynamic_lookup", "-Wl,-x"), "win32": ("-shared", "-s")}


class NativeLinkError(Exception):
    """No linker, or one that failed."""


def linker() -> list[str]:
    """The command of a linker that is there."""
    if found := shutil.which("cc") or shutil.which("gcc") or shutil.which("clang"):
        return [found]
    if find_spec("ziglang") is not None:
        return [sys.executable, "-m", "ziglang", "cc"]
    raise NativeLinkError("there is no linker: install a C compiler, or pip install ziglang")


def link(data: bytes) -> bytes:
    """The object as a shared library for this machine."""
    with tempfile.TemporaryDirectory() as folder:
        source, target = Path(folder) / "sintra.o", Path(folder) / "sintra.so"
        source.write_bytes(data)
        options = _OPTIONS.get(sys.platform, _PLAIN)
        command = [*linker(), *options, "-o", str(target), str(source)]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode:
            raise NativeLinkError(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
        return target.read_bytes()
