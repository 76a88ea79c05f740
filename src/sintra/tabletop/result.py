"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal["resigned", "timeout"]
"""Why a game ended early."""


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: by the rules (R6), or early."""

    scores: tuple[int, int]
    """The points of both seats."""
    winner: int
    """The seat that won."""
    goals: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    """The points of each goal for each seat; None if the game ended early."""
    reason: Reason | None = None
    """Why the game ended early; None if it ended by the rules."""
