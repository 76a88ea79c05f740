"""Which version of the library's functions a processor can run, and that its versions calculate the same."""

from __future__ import annotations

import ctypes
import platform
import re
from pathlib import Path
from typing import Final

import llvmlite.binding as llvm
import pytest

from sintra.build import native_linker
from sintra.build.codegen import optimise
from sintra.build.processor import processor_check
from sintra.build.targets import RELEASES, WASM, by_processor, versions_of
from sintra.rules.library import HAS_V3, V3, machine

X86_64: Final = [name for name in RELEASES if name.endswith("x86_64")]
V3_FLAGS: Final = set("avx avx2 bmi1 bmi2 f16c fma abm movbe xsave cx16 lahf_lm popcnt pni ssse3 sse4_1 sse4_2".split())
"""What Linux calls the parts of x86-64-v3."""
CODE: Final = """
target triple = "x86_64-unknown-unknown"
target datalayout = "e"
define double @product_and_sum(double %a, double %b, double %c) {
  %product = fmul double %a, %b
  %sum = fadd double %product, %c
  ret double %sum
}
"""


def test_only_libraries_for_x86_64_have_two_versions() -> None:
    assert {name: len(versions_of(name)) for name in (WASM.name, *RELEASES)} == {
        name: 2 if name in X86_64 else 1 for name in (WASM.name, *RELEASES)
    }
    assert X86_64


def test_code_is_optimised_once_for_each_kind_of_processor() -> None:
    groups = by_processor(version for name in RELEASES for version in versions_of(name))
    assert [(group[0].processor, group[0].cpu, len(group)) for group in groups] == [
        ("x86_64", "generic", 3),
        ("x86_64", "x86-64-v3", 3),
        ("aarch64", "generic", 2),
    ]


def test_only_they_ask_the_processor() -> None:
    assert [name for name in (WASM.name, *RELEASES) if processor_check(name)] == X86_64


@pytest.mark.skipif(
    platform.machine() != "x86_64" or not Path("/proc/cpuinfo").exists(), reason="Linux tells the flags"
)
def test_a_processor_is_known(tmp_path: Path) -> None:
    flags = next(line for line in Path("/proc/cpuinfo").read_text("utf-8").splitlines() if line.startswith("flags"))
    file = tmp_path / native_linker.library_file(machine())
    file.write_bytes(native_linker.link([], machine(), assembly=processor_check(machine())))
    assert ctypes.CDLL(str(file))[HAS_V3]() == (set(flags.split()) >= V3_FLAGS)


@pytest.mark.parametrize("name", X86_64)
def test_products_and_sums_are_rounded_one_by_one(name: str) -> None:
    """Fused, they would have other results than on other processors."""
    newer = versions_of(name)[1]
    optimised = optimise(CODE, newer)
    assembly = newer.machine().emit_assembly(optimised)
    assert f"product_and_sum{V3}" in assembly
    assert "vmulsd" in assembly
    assert "vfm" not in assembly
    may_be_fused = llvm.parse_assembly(re.sub(r"\b(fmul|fadd) ", r"\1 contract ", str(optimised)))
    assert "vfm" in newer.machine().emit_assembly(may_be_fused)
