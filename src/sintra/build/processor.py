"""The function with which a library for x86-64 says whether a processor can run the version for x86-64-v3.

What that asks for is in the psABI of x86-64; the bits are those of the instruction `cpuid`, in Intel's manual. It is
assembly, which every linker's compiler takes for its machines: LLVM as Numba brings it knows only that of this one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sintra.build.targets import versions_of
from sintra.rules.library import HAS_V3

_LEAF_1_ECX: Final = {
    "SSE3": 0,
    "SSSE3": 9,
    "FMA": 12,
    "CMPXCHG16B": 13,
    "SSE4.1": 19,
    "SSE4.2": 20,
    "MOVBE": 22,
    "POPCNT": 23,
    "OSXSAVE": 27,
    "AVX": 28,
    "F16C": 29,
}
_LEAF_7_EBX: Final = {"BMI1": 3, "AVX2": 5, "BMI2": 8}
_EXTENDED_LEAF_1_ECX: Final = {"LAHF": 0, "LZCNT": 5}
_KEPT: Final = {"XMM": 1, "YMM": 2}
"""The registers that the system keeps for each process, which `xgetbv` says if there is OSXSAVE."""

_ASSEMBLY: Final = """\
.text
.globl {name}
{name}:
    pushq %rbx
    xorl %eax, %eax
    cpuid
    cmpl $7, %eax
    jb 1f
    movl $1, %eax
    cpuid
    andl ${leaf_1}, %ecx
    cmpl ${leaf_1}, %ecx
    jne 1f
    movl $7, %eax
    xorl %ecx, %ecx
    cpuid
    andl ${leaf_7}, %ebx
    cmpl ${leaf_7}, %ebx
    jne 1f
    movl $0x80000001, %eax
    cpuid
    andl ${extended_leaf_1}, %ecx
    cmpl ${extended_leaf_1}, %ecx
    jne 1f
    xorl %ecx, %ecx
    xgetbv
    andl ${kept}, %eax
    cmpl ${kept}, %eax
    jne 1f
    movl $1, %eax
    popq %rbx
    ret
1:
    xorl %eax, %eax
    popq %rbx
    ret
"""


def processor_check(name: str) -> str:
    """The function in assembly, which returns 1 or 0, for the library of a machine; nothing if that has one version."""
    if len(versions_of(name)) == 1:
        return ""
    return _ASSEMBLY.format(
        name=f"_{HAS_V3}" if name.startswith("darwin-") else HAS_V3,
        leaf_1=_mask(_LEAF_1_ECX.values()),
        leaf_7=_mask(_LEAF_7_EBX.values()),
        extended_leaf_1=_mask(_EXTENDED_LEAF_1_ECX.values()),
        kept=_mask(_KEPT.values()),
    )


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)
