"""`python -m sintra.build`: the engine compiled ahead of time."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from sintra.rules.library import FOLDER, NATIVE

try:
    from sintra.build.building import KINDS, Report, build, is_built
    from sintra.build.compiling import BuildError
    from sintra.build.native_linker import NativeLinkError
    from sintra.build.targets import Kind
    from sintra.build.wasm_linker import WasmLinkError
except ImportError as error:
    sys.exit(f"sintra.build: the compiler cannot be used ({error}): pip install 'sintra[compile]' brings it")

_DESCRIPTION: Final = f"""\
Compiles the engine, the players and the table ahead of time, so that Sintra starts at once and needs no compiler.

  python -m sintra.build                    a library for this machine and a WebAssembly module, into the package
  python -m sintra.build --only library     one of them
  python -m sintra.build --out FOLDER       into another folder; {FOLDER}=FOLDER lets Sintra use it

It takes some minutes, unless all is there already, and a linker: a C compiler, or pip install ziglang. The library is
used as long as it fits the sources: after an edit Sintra compiles while it runs, as if there were none. `sintra
--version` says which it does; {FOLDER}=none leaves the library aside. Numba compiles: pip install 'sintra[compile]'.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m sintra.build", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=NATIVE, metavar="FOLDER", help=f"where to (default: {NATIVE})")
    parser.add_argument("--only", choices=get_args(Kind), help="build this and nothing else")
    options = parser.parse_args(arguments)
    kinds = [options.only] if options.only else KINDS
    if is_built(options.out, kinds):
        print(f"{options.out} is up to date")
        return 0
    try:
        made = build(options.out, kinds, reporter())
    except (BuildError, NativeLinkError, WasmLinkError, OSError) as error:
        print(f"sintra.build: {error}", file=sys.stderr)
        return 1
    for file in made:
        print(f"{file.stat().st_size:9,} bytes  {file}")
    return 0


def reporter() -> Report:
    """What writes to standard error how far a build is, and since when."""
    began = time.monotonic()

    def report(target: str, done: int, total: int, what: str) -> None:
        print(
            f"{time.monotonic() - began:5.0f} s  {target:14}  {done:3} of {total}  {what}", file=sys.stderr, flush=True
        )

    return report


if __name__ == "__main__":
    sys.exit(main())
