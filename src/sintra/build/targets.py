"""What code is made for: WebAssembly, and the machines for which there are wheels, as LLVM, Zig and pip call them."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final, Literal

import llvmlite.binding as llvm

from sintra.rules.library import V3, machine

Kind = Literal["library", "wasm"]


@dataclass(frozen=True, slots=True)
class Target:
    """A machine that code is made for."""

    name: str
    """`wasm`, or the machine as a library's manifest names it."""
    triple: str
    cpu: str
    features: str
    pointer_bits: int
    version: str = ""
    """What the names of its functions end with."""

    @property
    def kind(self) -> Kind:
        """What is made for it."""
        return "wasm" if self.name == "wasm" else "library"

    @property
    def processor(self) -> str:
        """The kind of processor."""
        return self.name.rpartition("-")[2]

    def machine(self) -> llvm.TargetMachine:
        """LLVM's description of the machine, with all optimisation."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, features=self.features, opt=3, reloc="pic", codemodel="default"
        )


@dataclass(frozen=True, slots=True)
class Release:
    """A kind of machine for which releases have a library."""

    triple: str
    """LLVM's name."""
    zig: str
    """Zig's name, with the oldest system that a library is linked for."""
    platforms: str
    """The platforms of its wheel."""


RELEASES: Final = {
    "linux-x86_64": Release(
        "x86_64-unknown-linux-gnu",
        "x86_64-linux-gnu.2.17",
        "manylinux_2_17_x86_64.manylinux2014_x86_64.musllinux_1_1_x86_64",
    ),
    "linux-aarch64": Release(
        "aarch64-unknown-linux-gnu",
        "aarch64-linux-gnu.2.17",
        "manylinux_2_17_aarch64.manylinux2014_aarch64.musllinux_1_1_aarch64",
    ),
    "darwin-x86_64": Release("x86_64-apple-macosx11.0.0", "x86_64-macos.11.0", "macosx_11_0_x86_64"),
    "darwin-aarch64": Release("arm64-apple-macosx11.0.0", "aarch64-macos.11.0", "macosx_11_0_arm64"),
    "win32-x86_64": Release("x86_64-pc-windows-gnu", "x86_64-windows-gnu", "win_amd64"),
}
"""By machine. A library for Linux takes `malloc` and the like from the process that loads it, so that one does for
glibc and for musl; Python 3.11 itself asks for at least these systems."""

WASM: Final = Target(
    "wasm",
    "wasm32-unknown-emscripten",
    "",
    "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals",
    32,
)
"""WebAssembly as all browsers of the last years have it. Vector instructions would gain under 2 %."""


def target_of(name: str) -> Target:
    """The target of this name, which for a machine has nothing that another of its kind may lack. A machine without
    releases is a target on such a machine alone."""
    if name == WASM.name:
        return WASM
    if name in RELEASES:
        return Target(name, RELEASES[name].triple, "generic", "", 64)
    assert name == machine(), name
    return Target(name, llvm.get_process_triple(), "generic", "", 64 if sys.maxsize > 1 << 32 else 32)


def versions_of(name: str) -> tuple[Target, ...]:
    """The targets of this name: one that every processor of its kind can run, and for x86-64 another that those with
    x86-64-v3 can, which most of the last ten years have."""
    target = target_of(name)
    is_x86_64 = target.triple.startswith("x86_64-")
    return (target, replace(target, cpu="x86-64-v3", version=V3)) if is_x86_64 else (target,)


def by_processor(targets: Iterable[Target]) -> list[list[Target]]:
    """The targets in groups with the same processor: those of a group differ in nothing but the system."""
    groups: dict[tuple[str, str], list[Target]] = {}
    for target in targets:
        groups.setdefault((target.processor, target.cpu), []).append(target)
    return list(groups.values())


def this_machine() -> Target:
    """The machine that this runs on."""
    return target_of(machine())
