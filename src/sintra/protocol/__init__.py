"""The engine protocol: programs in any language as players, and our players as such a program.

Lines of text on standard input and output, in the spirit of chess's UCI: docs/engine-protocol.md has all of it.
"""

from __future__ import annotations

from sintra.protocol.asking import EngineFaultError, EngineProgram, TimeLimits

__all__ = ["EngineFaultError", "EngineProgram", "TimeLimits"]
