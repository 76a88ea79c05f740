"""Pearson's test, in a few lines: SciPy would make every process of the tests start later, since Numba loads it too."""

from __future__ import annotations

import math
from collections.abc import Sequence


def chi_squared(observed: Sequence[float], expected: Sequence[float] | None = None) -> float:
    """How likely counts so far from those expected (or more so) are, if what is expected is true; without
    `expected`, all should be equal."""
    wanted = expected or [sum(observed) / len(observed)] * len(observed)
    assert math.isclose(sum(observed), sum(wanted), rel_tol=1e-8)
    distance = sum((found - want) ** 2 / want for found, want in zip(observed, wanted, strict=True))
    return upper_tail(distance, len(wanted) - 1)


def upper_tail(distance: float, freedom: int) -> float:
    """The share of the chi-squared distribution above a distance: for 1 and 2 degrees of freedom it is known, and
    each two more add a term."""
    half = distance / 2
    odd = freedom % 2
    share = math.erfc(math.sqrt(half)) if odd else 0.0
    power = odd / 2
    while power < freedom / 2:
        if half > 0:
            share += math.exp(power * math.log(half) - half - math.lgamma(power + 1))
        elif power == 0:
            share = 1.0
        power += 1
    return share
