"""One figure for how well somebody decided: what lichess made known as accuracy.

A move that loses so many percentage points of the chance to win has 103.17 e^(-0.0435 loss) - 3.17 of 100. A game's
accuracy is half a mean that weighs moves by how much was at stake around them, half a harmonic mean, which a few bad
moves pull down.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

_SCALE: Final = 103.1668
_DECAY: Final = 0.04354
_OFFSET: Final = 3.1669
_MIN_WEIGHT: Final = 0.5
_MAX_WEIGHT: Final = 12.0
_WINDOW_SHARE: Final = 10
"""A window around a move has one of so many parts of the game."""
_WINDOW: Final = (2, 8)
"""The shortest window, and the longest, in plies."""


def accuracy_of_move(cost: float) -> float:
    """The accuracy of a decision that gave away a share of a win."""
    return min(100.0, max(0.0, _SCALE * math.exp(-_DECAY * 100 * cost) - _OFFSET))


def accuracy_of(course: Sequence[float], decisions: Sequence[tuple[int, float]]) -> float:
    """The accuracy of decisions, each a ply and what it gave away, in a game of this course; 100 for none."""
    if not decisions:
        return 100.0
    low, high = _WINDOW
    width = min(high, max(low, len(course) // _WINDOW_SHARE))
    found, weights = [], []
    for ply, cost in decisions:
        start = max(0, min(ply + 1 - width // 2, len(course) - width))
        around = [100 * chance for chance in course[start : start + width]]
        weights.append(min(_MAX_WEIGHT, max(_MIN_WEIGHT, _deviation(around))))
        found.append(accuracy_of_move(cost))
    weighted = sum(one * weight for one, weight in zip(found, weights, strict=True)) / sum(weights)
    harmonic = len(found) / sum(1 / max(one, 1.0) for one in found)
    return (weighted + harmonic) / 2


def _deviation(values: Sequence[float]) -> float:
    """The standard deviation, some 40 times as fast as `statistics.pstdev`, which calculates with fractions."""
    mean = math.fsum(values) / len(values)
    return math.sqrt(math.fsum((one - mean) ** 2 for one in values) / len(values))
