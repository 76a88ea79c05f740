"""A small library with a manifest and bindings, made like the real one, in a moment instead of minutes."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import Any, Final

import llvmlite.binding as llvm

from sintra.build import native_linker
from sintra.build.bindings import bindings_of, manifest_entries
from sintra.build.building import LIBRARY_FILE
from sintra.build.signatures import Leaf, Signature
from sintra.build.targets import Target, this_machine
from sintra.rules.library import BINDINGS, FORMAT, HAS_V3, MANIFEST, V3, digest_of, machine
from sintra.rules.sources import stamp_of

CODE: Final = """
target triple = "{triple}"

@step = internal global [2 x i64] [i64 1, i64 2]
@steps = internal global ptr getelementptr ([2 x i64], ptr @step, i32 0, i32 1)

define i64 @toy_add(ptr %block) {{
  %address = load i64, ptr %block
  %numbers = inttoptr i64 %address to ptr
  %third = getelementptr i64, ptr %block, i32 2
  %i = load i64, ptr %third
  %at = getelementptr i16, ptr %numbers, i64 %i
  %short = load i16, ptr %at
  %number = sext i16 %short to i64
  %second = load volatile ptr, ptr @steps
  %more = load i64, ptr %second
  %sum = add i64 %number, %more
  store i64 %sum, ptr @step
  ret i64 %sum
}}

define i32 @toy_is_first(ptr %block) {{
  %i = load i64, ptr %block
  %first = icmp eq i64 %i, 0
  %result = zext i1 %first to i32
  ret i32 %result
}}

define void @toy_split(ptr %block) {{
  %i = load i64, ptr %block
  %after = getelementptr i64, ptr %block, i32 1
  %address = load i64, ptr %after
  %out = inttoptr i64 %address to ptr
  %tens = sdiv i64 %i, 10
  %ones = srem i64 %i, 10
  store i64 %tens, ptr %out
  %second = getelementptr i64, ptr %out, i32 1
  store i64 %ones, ptr %second
  ret void
}}
"""
SIGNATURES: Final = {
    "toy.add": Signature("toy_add", ("numbers", "i"), (Leaf("numbers", "array", "i", 2, 1), Leaf("i", "int")), ()),
    "toy.is_first": Signature("toy_is_first", ("i",), (Leaf("i", "int"),), ()),
    "toy.split": Signature("toy_split", ("out",), (Leaf("out", "int"),), ()),
}
"""Adds 2 to an element, asks whether a number is 0, and takes a number apart."""
RESULTS: Final = {"toy.add": "int", "toy.is_first": "bool", "toy.split": "ints:2"}
SOURCES: Final = ("components.py",)


def toy_object(target: Target) -> bytes:
    """The object of the toy."""
    return _object(CODE.format(triple=target.triple), target)


def toy_object_v3(target: Target, says: int) -> bytes:
    """The object of another version of the toy, which adds 20, and says this of the processor."""
    code = CODE.format(triple=target.triple).replace("i64 1, i64 2]", "i64 1, i64 20]")
    renamed = re.sub("@toy_[a-z_]+", lambda found: found[0] + V3, code)
    return _object(f"{renamed}\ndefine i32 @{HAS_V3}() {{ ret i32 {says} }}", target)


def _object(code: str, target: Target) -> bytes:
    made: bytes = target.machine().emit_object(llvm.parse_assembly(code))
    return made


def write_toy(folder: Path, *, v3: int | None = None, **changes: Any) -> None:
    """Writes the folder of the toy's library, with these changes of its manifest; with the version for x86-64-v3, if it
    is said whether the processor has that."""
    folder.mkdir(exist_ok=True)
    objects = [toy_object(this_machine()), *([] if v3 is None else [toy_object_v3(this_machine(), v3)])]
    library = native_linker.link(objects, machine())
    bindings = bindings_of(SIGNATURES, RESULTS).encode()
    (folder / LIBRARY_FILE).write_bytes(library)
    (folder / BINDINGS).write_bytes(bindings)
    manifest = {
        "format": FORMAT,
        "stamp": stamp_of(SOURCES),
        "sources": SOURCES,
        "bindings": digest_of(bindings),
        "library": {
            "file": LIBRARY_FILE,
            "machine": machine(),
            "platforms": native_linker.platforms_of(machine()),
            "digest": digest_of(library),
        },
        "wasm": None,
        "entries": manifest_entries(SIGNATURES, RESULTS),
    }
    (folder / MANIFEST).write_text(json.dumps(manifest | changes), "utf-8")
