"""Links objects to a shared library: with the system's C compiler, or, for other machines too, with the one of the
package `ziglang`."""

from __future__ import annotations

import shutil
import subprocess
import sys
import sysconfig
import tempfile
from collections.abc import Sequence
from importlib.util import find_spec
from pathlib import Path
from typing import Final

from sintra.build.targets import RELEASES
from sintra.rules.library import machine

_SUFFIXES: Final = {"darwin": ".dylib", "win32": ".dll"}
"""What names of libraries end with, by operating system; elsewhere `.so`."""
_PLAIN: Final = ("-shared", "-nostdlib", "-Wl,--build-id=none", "-Wl,-s", "-Wl,-z,noexecstack")
"""The library needs `malloc`, `free` and the like from the process that loads it, whose C library that is: so one file
does for all of them. Nothing in it depends on where and when it was linked."""
_OPTIONS: Final = {"darwin": ("-shared", "-undefined", "dynamic_lookup", "-Wl,-x"), "win32": ("-shared", "-s")}


class NativeLinkError(Exception):
    """No linker, or one that failed."""


def library_file(name: str) -> str:
    """The name of the library's file for a machine."""
    return f"engine{_SUFFIXES.get(_system(name), '.so')}"


def _system(name: str) -> str:
    return name.partition("-")[0]


def linker(name: str, *, with_zig: bool = False) -> list[str]:
    """The command of a linker for a machine: the system's for this one, unless all are to be linked `with_zig`."""
    if name == machine() and not with_zig:
        if found := shutil.which("cc") or shutil.which("gcc") or shutil.which("clang"):
            return [found]
        missing = "there is no linker: install a C compiler, or pip install ziglang"
    else:
        missing = f"linking for {name} needs another linker: pip install ziglang"
    if find_spec("ziglang") is None:
        raise NativeLinkError(missing)
    for_target = ["-target", RELEASES[name].zig] if name in RELEASES else []
    return [sys.executable, "-m", "ziglang", "cc", *for_target]


def link(objects: Sequence[bytes], name: str, *, assembly: str = "", with_zig: bool = False) -> bytes:
    """The objects, and what is given in assembly, as a shared library for a machine."""
    with tempfile.TemporaryDirectory() as folder:
        target = Path(folder) / library_file(name)
        parts = {f"sintra{number}.o": data for number, data in enumerate(objects)}
        if assembly:
            parts["processor.s"] = assembly.encode()
        for part, data in parts.items():
            (Path(folder) / part).write_bytes(data)
        options = _OPTIONS.get(_system(name), _PLAIN)
        command = [*linker(name, with_zig=with_zig), *options, "-o", str(target), *parts]
        done = subprocess.run(command, capture_output=True, text=True, check=False, cwd=folder)
        if done.returncode:
            raise NativeLinkError(f"{' '.join(command)} failed: {done.stderr.strip()[-2000:]}")
        return target.read_bytes()


def platforms_of(name: str, *, with_zig: bool = False) -> str:
    """The platforms of a wheel with this library: those of a release, or what this system calls itself."""
    if with_zig:
        return RELEASES[name].platforms
    if sys.platform == "darwin":
        import platform

        version = ".".join(platform.mac_ver()[0].split(".")[:2])
        return f"macosx_{version.replace('.', '_')}_{platform.machine()}"
    return sysconfig.get_platform().replace("-", "_").replace(".", "_")
