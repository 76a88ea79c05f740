"""How strong somebody plays, from what their decisions give away: a place on the ladder of levels, and how sure it is.

The square root of an error rate is about normally distributed from game to game. Its mean and standard deviation were
measured for each level (`bench/reviews.py` prints them); every strength of the ladder is weighed by how well it
explains what was seen, and by what is thought of a player before the first game.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final, NamedTuple

import numpy as np

from sintra.players.levels import LEVELS


class Normal(NamedTuple):
    """A normal distribution."""

    mean: float
    sd: float
    """The standard deviation."""


ROOT_ERROR_BY_LEVEL: Final = {
    1: Normal(0.200, 0.037),
    2: Normal(0.180, 0.037),
    3: Normal(0.156, 0.032),
    4: Normal(0.154, 0.032),
    5: Normal(0.134, 0.027),
    6: Normal(0.094, 0.025),
    7: Normal(0.091, 0.025),
    8: Normal(0.065, 0.021),
    9: Normal(0.031, 0.017),
    10: Normal(0.025, 0.016),
    11: Normal(0.024, 0.009),
}
"""The square root of the error rate of each level, over games of `DECISIONS` decisions at the default budget. The means
fall with strength, and the standard deviations never rise: where the games had it the other way round (levels 1 and 2,
3 and 4, 6 and 7), both levels have their common one."""
DECISIONS: Final = 62
"""The real decisions of a seat in a game; over more or fewer of them, the standard deviation is that of a
mean."""
PRIOR_ELO: Final = Normal(1100.0, 400.0)
"""What is thought of a player before the first game: anything from a first game to a master."""
STEP: Final = 10
"""The distance, in Elo, of the strengths that are weighed."""
TAIL_PROBABILITY: Final = 0.025
"""The probability that a strength lies below the interval that is told, and that it lies above."""


@dataclass(frozen=True, slots=True)
class Strength:
    """A place on the ladder of levels."""

    elo: float
    """The expected strength."""
    low: float
    """The lower end of the 95 % interval."""
    high: float
    """The upper end of the 95 % interval."""

    def to_dict(self) -> dict[str, int]:
        """Returns the strength as a JSON object."""
        return {"elo": round(self.elo), "low": round(self.low), "high": round(self.high)}


_LADDER: Final = np.arange(LEVELS[0].elo - 300, LEVELS[-1].elo + 201, STEP, dtype=float)


def strength_of(error_rate: float, decisions: int) -> Strength:
    """The strength that an error rate speaks for that was seen over so many decisions."""
    elos = [level.elo for level in LEVELS]
    means = np.interp(_LADDER, elos, [ROOT_ERROR_BY_LEVEL[level.number].mean for level in LEVELS])
    sds = np.interp(_LADDER, elos, [ROOT_ERROR_BY_LEVEL[level.number].sd for level in LEVELS])
    weights = -(((_LADDER - PRIOR_ELO.mean) / PRIOR_ELO.sd) ** 2) / 2
    if decisions:
        sds = sds * math.sqrt(DECISIONS / decisions)
        seen = max(math.sqrt(error_rate), means.min())  # fewer errors than the strongest level has speak for no less
        weights = weights - ((seen - means) / sds) ** 2 / 2 - np.log(sds)
    weights = np.exp(weights - weights.max())
    weights /= weights.sum()
    low, high = np.interp((TAIL_PROBABILITY, 1 - TAIL_PROBABILITY), np.cumsum(weights) - weights / 2, _LADDER)
    return Strength(float(weights @ _LADDER), float(low), float(high))
