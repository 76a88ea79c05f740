"""`python -m sintra.build`: the engine compiled ahead of time."""

from __future__ import annotations

import argparse
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Final, get_args

from sintra.build.building import KINDS, build
from sintra.build.compiling import BuildError
from sintra.build.native_linker import NativeLinkError
from sintra.build.targets import Kind
from sintra.build.wasm_linker import WasmLinkError
from sintra.rules.library import FOLDER, NATIVE

_DESCRIPTION: Final = f"""\
Compiles the engine, the players and the table ahead of time, so that Sintra starts at once and needs no compiler.

  python -m sintra.build                    a library for this machine and a WebAssembly module, into the package
  python -m sintra.build --only library     one of them
  python -m sintra.build --out FOLDER       into another folder; {FOLDER}=FOLDER lets Sintra use it

It takes some minutes, and a linker: a C compiler, or pip install ziglang. The library is used as long as it fits the
sources: after an edit Sintra compiles while it runs, as if there were none. `sintra --version` says which it does;
{FOLDER}=none leaves the library aside.
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Builds what the command line asks for."""
    parser = argparse.ArgumentParser(
        prog="python -m sintra.build", description=_DESCRIPTION, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, default=NATIVE, metavar="FOLDER", help=f"where to (default: {NATIVE})")
    parser.add_argument("--only", choices=get_args(Kind), help="build this and nothing else")
    options = parser.parse_args(arguments)
    began = time.monotonic()

    def report(kind: Kind, done: int, total: int, what: str) -> None:
        print(f"{time.monotonic() - began:5.0f} s  {kind:7}  {done:3} of {total}  {what}", file=sys.stderr, flush=True)

    try:
        made = build(options.out, [options.only] if options.only else KINDS, report)
    except (BuildError, NativeLinkError, WasmLinkError, OSError) as error:
        print(f"sintra.build: {error}", file=sys.stderr)
        return 1
    for file in made:
        print(f"{file.stat().st_size:9,} bytes  {file}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
