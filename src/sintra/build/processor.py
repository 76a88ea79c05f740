"""The function with which a library for x86-64 says whether a processor can run the version for x86-64-v3.

What that asks for is in the psABI of x86-64; the bits are those of the instruction `cpuid`, in Intel's manual. It is
assembly, which every linker's compiler takes for its machines: LLVM as Numba brings it knows only that of this one.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sintra.build.targets import versions_of
from sintra.rules.library import HAS_V3

_NEEDED: Final = {
    (1, "ecx"): {
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
    },
    (7, "ebx"): {"BMI1": 3, "AVX2": 5, "BMI2": 8},
    (0x80000001, "ecx"): {"LAHF": 0, "LZCNT": 5},
}
"""The bits that have to be set, by the leaf of `cpuid` and the register in which they are."""
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
{leaves}
    xorl %ecx, %ecx
    xgetbv
{kept}
    movl $1, %eax
    popq %rbx
    ret
1:
    xorl %eax, %eax
    popq %rbx
    ret
"""
_LEAF: Final = """\
    movl ${leaf}, %eax
    xorl %ecx, %ecx
    cpuid
{check}"""
_CHECK: Final = """\
    andl ${mask}, %{register}
    cmpl ${mask}, %{register}
    jne 1f"""


def processor_check(name: str) -> str:
    """The function in assembly, which returns 1 or 0, for the library of a machine; nothing if that has one version."""
    if len(versions_of(name)) == 1:
        return ""
    leaves = [
        _LEAF.format(leaf=leaf, check=_check(register, bits.values())) for (leaf, register), bits in _NEEDED.items()
    ]
    return _ASSEMBLY.format(
        name=f"_{HAS_V3}" if name.startswith("darwin-") else HAS_V3,
        leaves="\n".join(leaves),
        kept=_check("eax", _KEPT.values()),
    )


def _check(register: str, bits: Iterable[int]) -> str:
    """Goes on if all these bits are set."""
    return _CHECK.format(register=register, mask=sum(1 << bit for bit in bits))
