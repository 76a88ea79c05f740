"""What results are worth: confidence intervals, Elo, and the sequential test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np

ANCHOR: Final = "greedy"
ANCHOR_ELO: Final = 1000.0
_PER_ELO: Final = math.log(10) / 400
_Z95: Final = 1.959964


def wilson(wins: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a win rate."""
    if games == 0:
        return 0.0, 1.0
    rate = wins / games
    spread = _Z95 * math.sqrt(rate * (1 - rate) / games + _Z95**2 / (4 * games**2))
    low, high = (rate + _Z95**2 / (2 * games) + sign * spread for sign in (-1, 1))
    return max(0.0, low / (1 + _Z95**2 / games)), min(1.0, high / (1 + _Z95**2 / games))


@dataclass(frozen=True, slots=True)
class Standing:
    """A player on the ladder, with the 95 % interval of its Elo relative to the anchor."""

    name: str
    elo: float
    margin: float


def ladder(wins: Mapping[tuple[str, str], int], names: Sequence[str]) -> list[Standing]:
    """Elo from a round robin: `wins[a, b]` games that a won against b.

    Maximum likelihood of the logistic model, with half a game won and lost added to each pair
    that met, so that a clean sweep stays finite. `greedy` is 1000; without it the first player is.
    """
    size = len(names)
    won = np.zeros((size, size))
    for (a, b), n in wins.items():
        won[names.index(a), names.index(b)] += n
    met = (won + won.T) > 0
    won[met] += 0.5
    played = won + won.T
    anchor = names.index(ANCHOR) if ANCHOR in names else 0
    free = [k for k in range(size) if k != anchor]
    elo = np.zeros(size)
    curvature = np.eye(size)
    for _ in range(100):
        expected = 1 / (1 + np.exp(-_PER_ELO * (elo[:, None] - elo[None, :])))
        slope = _PER_ELO * (won - played * expected).sum(1)
        information = _PER_ELO**2 * played * expected * (1 - expected)
        curvature = np.diag(information.sum(1)) - information
        if not free:
            break
        inner = curvature[np.ix_(free, free)] + 1e-12 * np.eye(len(free))
        step = np.clip(np.linalg.solve(inner, slope[free]), -200, 200)
        elo[free] += step
        if np.abs(step).max() < 1e-6:
            break
    margins = np.zeros(size)
    if free:
        spread = np.linalg.inv(curvature[np.ix_(free, free)] + 1e-12 * np.eye(len(free)))
        margins[free] = _Z95 * np.sqrt(np.diag(spread))
    standings = [Standing(name, ANCHOR_ELO + elo[k], margins[k]) for k, name in enumerate(names)]
    return sorted(standings, key=lambda standing: -standing.elo)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Where a sequential test stands: the log-likelihood ratio between its bounds."""

    ratio: float
    low: float
    high: float

    @property
    def decision(self) -> str:
        """`stronger` (H1), `not stronger` (H0) or `open`."""
        if self.ratio >= self.high:
            return "stronger"
        return "not stronger" if self.ratio <= self.low else "open"


def sequential_test(pairs: Sequence[float], elo0: float, elo1: float, error: float = 0.05) -> Verdict:
    """The generalized sequential probability ratio test over paired deals.

    Each entry is the share of the two games of one deal that the first player won (0, 0.5 or 1);
    the two games share their luck, so the pair is the unit. H0 says elo0, H1 elo1.
    """
    low, high = math.log(error / (1 - error)), math.log((1 - error) / error)
    n = len(pairs)
    if n < 2:
        return Verdict(0.0, low, high)
    scores = [1 / (1 + 10 ** (-elo / 400)) for elo in (elo0, elo1)]
    mean = sum(pairs) / n
    spread = max(sum((pair - mean) ** 2 for pair in pairs) / n, 0.25 / n)
    ratio = n * (scores[1] - scores[0]) * (2 * mean - scores[0] - scores[1]) / (2 * spread)
    return Verdict(ratio, low, high)
