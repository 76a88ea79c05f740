"""What code is made for: a machine, as LLVM describes it."""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import Final, Literal

import llvmlite.binding as llvm

Kind = Literal["library", "wasm"]


@dataclass(frozen=True, slots=True)
class Target:
    """A machine that code is made for."""

    kind: Kind
    triple: str
    cpu: str
    features: str
    pointer_bits: int

    def machine(self) -> llvm.TargetMachine:
        """LLVM's description of the machine, with all optimisation."""
        llvm.initialize_all_targets()
        llvm.initialize_all_asmprinters()
        relocation = "static" if self.kind == "wasm" else "pic"
        return llvm.Target.from_triple(self.triple).create_target_machine(
            cpu=self.cpu, features=self.features, opt=3, reloc=relocation, codemodel="default"
        )


WASM: Final = Target(
    "wasm",
    "wasm32-unknown-unknown",
    "",
    "+bulk-memory,+bulk-memory-opt,+sign-ext,+nontrapping-fptoint,+mutable-globals",
    32,
)
"""WebAssembly as all browsers of the last years have it. Vector instructions would gain under 2 %."""


def this_machine() -> Target:
    """The machine that this runs on, with nothing that another one of its kind may lack. Code for just this processor
    would be 3 % faster."""
    return Target("library", llvm.get_process_triple(), "generic", "", 64 if sys.maxsize > 1 << 32 else 32)


def target_of(kind: Kind) -> Target:
    """The target of a kind."""
    return WASM if kind == "wasm" else this_machine()
