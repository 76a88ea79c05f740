"""What results are worth: confidence intervals, Elo, and the sequential test."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

ANCHOR: Final = "greedy"
ANCHOR_ELO: Final = 1000.0
_PER_ELO: Final = math.log(10) / 400
_Z95: Final = 1.959964

Matrix: TypeAlias = list[list[float]]
"""Numbers in rows."""


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
    won = [[0.0] * size for _ in names]
    for (a, b), n in wins.items():
        won[names.index(a)][names.index(b)] += n
    met = [(a, b) for a in range(size) for b in range(size) if won[a][b] + won[b][a] > 0]
    for one, other in met:
        won[one][other] += 0.5
    anchor = names.index(ANCHOR) if ANCHOR in names else 0
    free = [k for k in range(size) if k != anchor]
    elo = [0.0] * size
    curvature: Matrix = []
    for _ in range(100):
        slope, curvature = _slope_and_curvature(won, elo, free)
        step = [max(-200.0, min(200.0, one)) for one in solved(curvature, [[one] for one in slope])[0]] if free else []
        for k, by in zip(free, step, strict=True):
            elo[k] += by
        if all(abs(by) < 1e-6 for by in step):
            break
    margins = [0.0] * size
    for place, column in enumerate(solved(curvature, _identity(len(free)))):
        margins[free[place]] = _Z95 * math.sqrt(column[place])
    standings = [Standing(name, ANCHOR_ELO + elo[k], margins[k]) for k, name in enumerate(names)]
    return sorted(standings, key=lambda standing: -standing.elo)


def _slope_and_curvature(won: Matrix, elo: Sequence[float], free: Sequence[int]) -> tuple[list[float], Matrix]:
    """The first derivatives of the likelihood by the Elo of the players that are free, and the negative second ones."""
    slope = []
    curvature = [[1e-12 if a == b else 0.0 for b in free] for a in free]
    place = {player: k for k, player in enumerate(free)}
    for a in free:
        total = 0.0
        for b in range(len(elo)):
            played = won[a][b] + won[b][a]
            expected = 1 / (1 + math.exp(-_PER_ELO * (elo[a] - elo[b])))
            total += won[a][b] - played * expected
            information = _PER_ELO**2 * played * expected * (1 - expected)
            if a != b:
                curvature[place[a]][place[a]] += information
                if b in place:
                    curvature[place[a]][place[b]] -= information
        slope.append(_PER_ELO * total)
    return slope, curvature


def _identity(size: int) -> Matrix:
    return [[float(a == b) for b in range(size)] for a in range(size)]


def solved(matrix: Matrix, right: Matrix) -> Matrix:
    """The solutions of the linear equations with this matrix, one for each column of the right side (Gauss and
    Jordan)."""
    rows = [[*row, *ends] for row, ends in zip(matrix, right, strict=True)]
    size = len(rows)
    for k in range(size):
        pivot = max(range(k, size), key=lambda r: abs(rows[r][k]))
        rows[k], rows[pivot] = rows[pivot], rows[k]
        rows[k] = [one / rows[k][k] for one in rows[k]]
        for r in range(size):
            if r != k and rows[r][k]:
                share = rows[r][k]
                rows[r] = [one - share * other for one, other in zip(rows[r], rows[k], strict=True)]
    return [list(column) for column in zip(*(row[size:] for row in rows), strict=True)]


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
