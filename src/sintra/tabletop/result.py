"""How a game ended."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

Reason = Literal["resigned", "timeout"]


@dataclass(frozen=True, slots=True)
class Result:
    """How a game ended: R6, or early by `reason` (then without goals)."""

    scores: tuple[int, int]
    winner: int
    goals: tuple[tuple[int, ...], tuple[int, ...]] | None = None
    reason: Reason | None = None
