"""The function with which a library for x86-64 says whether a processor can run the version for x86-64-v3.

What that asks for is in the psABI of x86-64; the bits are those of the instruction `cpuid`, in Intel's manual.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from sintra.build.targets import Target, versions_of
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

_CODE: Final = """
define internal {{i32, i32, i32, i32}} @cpuid(i32 %leaf) {{
  %told = call {{i32, i32, i32, i32}} asm sideeffect "cpuid", "={{ax}},={{bx}},={{cx}},={{dx}},{{ax}},{{cx}}"(
    i32 %leaf, i32 0)
  ret {{i32, i32, i32, i32}} %told
}}

define i32 @{name}() {{
  %leaf0 = call {{i32, i32, i32, i32}} @cpuid(i32 0)
  %last = extractvalue {{i32, i32, i32, i32}} %leaf0, 0
  %enough = icmp uge i32 %last, 7
  br i1 %enough, label %basic, label %no
basic:
  %leaf1 = call {{i32, i32, i32, i32}} @cpuid(i32 1)
  %ecx1 = extractvalue {{i32, i32, i32, i32}} %leaf1, 2
  %there1 = and i32 %ecx1, {ecx1}
  %all1 = icmp eq i32 %there1, {ecx1}
  br i1 %all1, label %more, label %no
more:
  %leaf7 = call {{i32, i32, i32, i32}} @cpuid(i32 7)
  %ebx7 = extractvalue {{i32, i32, i32, i32}} %leaf7, 1
  %there7 = and i32 %ebx7, {ebx7}
  %all7 = icmp eq i32 %there7, {ebx7}
  br i1 %all7, label %extended, label %no
extended:
  %leafx = call {{i32, i32, i32, i32}} @cpuid(i32 u0x80000001)
  %ecxx = extractvalue {{i32, i32, i32, i32}} %leafx, 2
  %therex = and i32 %ecxx, {ecxx}
  %allx = icmp eq i32 %therex, {ecxx}
  br i1 %allx, label %system, label %no
system:
  %xcr0 = call {{i32, i32}} asm sideeffect "xgetbv", "={{ax}},={{dx}},{{cx}}"(i32 0)
  %eax = extractvalue {{i32, i32}} %xcr0, 0
  %kept = and i32 %eax, {kept}
  %keeps = icmp eq i32 %kept, {kept}
  br i1 %keeps, label %yes, label %no
yes:
  ret i32 1
no:
  ret i32 0
}}
"""


def processor_check(target: Target) -> str:
    """The text of the function, for the version that every processor of a machine can run; nothing for all others."""
    if target.version or len(versions_of(target.name)) == 1:
        return ""
    return _CODE.format(
        name=HAS_V3,
        ecx1=_mask(_LEAF_1_ECX.values()),
        ebx7=_mask(_LEAF_7_EBX.values()),
        ecxx=_mask(_EXTENDED_LEAF_1_ECX.values()),
        kept=_mask(_KEPT.values()),
    )


def _mask(bits: Iterable[int]) -> int:
    return sum(1 << bit for bit in bits)
