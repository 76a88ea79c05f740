"""How strong somebody plays, from what their decisions give away: a place on the ladder of levels, and how sure it is.

The square root of an error rate is about normally distributed from game to game. Its mean and standard deviation were
measured for each level (`bench/reviews.py` prints them); every strength of the ladder is weighed by how well it
explains what was seen, and by what is thought of a player before the first game.
"""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate
from typing import Final, NamedTuple

from sintra.players.levels import LEVELS


class Normal(NamedTuple):
    """A normal distribution."""

    mean: float
    sd: float
    """The standard deviation."""


ROOT_ERROR_BY_LEVEL: Final = {
    1: Normal(0.194, 0.037),
    2: Normal(0.180, 0.037),
    3: Normal(0.180, 0.035),
    4: Normal(0.166, 0.035),
    5: Normal(0.148, 0.033),
    6: Normal(0.108, 0.033),
    7: Normal(0.100, 0.018),
    8: Normal(0.089, 0.018),
    9: Normal(0.062, 0.010),
    10: Normal(0.037, 0.010),
    11: Normal(0.033, 0.010),
}
"""The square root of the error rate of each level, over games of `DECISIONS` decisions at the default budget. Means and
standard deviations never rise with strength: where the games had it the other way round (the means of levels 2 and 3),
or standard deviations are about the same, levels have their common one."""
DECISIONS: Final = 62
"""The real decisions of a seat in a game; over more or fewer of them, the standard deviation is that of a
mean."""
PRIOR_ELO: Final = Normal(1200.0, 400.0)
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


def between(x: float, places: Sequence[float], values: Sequence[float]) -> float:
    """The value at a place between others, by straight lines; beyond the ends, the value of the end."""
    k = bisect_right(places, x)
    if k == 0:
        return values[0]
    if k == len(places):
        return values[-1]
    share = (x - places[k - 1]) / (places[k] - places[k - 1])
    return values[k - 1] + share * (values[k] - values[k - 1])


class _Rung(NamedTuple):
    """A strength of the ladder."""

    elo: float
    prior: float
    """The logarithm of its weight before the first game."""
    root_error: Normal


def _rungs() -> Iterator[_Rung]:
    elos = [level.elo for level in LEVELS]
    means, sds = zip(*(ROOT_ERROR_BY_LEVEL[level.number] for level in LEVELS), strict=True)
    for elo in range(elos[0] - 300, elos[-1] + 201, STEP):
        prior = -(((elo - PRIOR_ELO.mean) / PRIOR_ELO.sd) ** 2) / 2
        yield _Rung(float(elo), prior, Normal(between(elo, elos, means), between(elo, elos, sds)))


_LADDER: Final = tuple(_rungs())
_STRONGEST: Final = min(rung.root_error.mean for rung in _LADDER)


def strength_of(error_rate: float, decisions: int) -> Strength:
    """The strength that an error rate speaks for that was seen over so many decisions."""
    logs = [rung.prior for rung in _LADDER]
    if decisions:
        widening = math.sqrt(DECISIONS / decisions)
        seen = max(math.sqrt(error_rate), _STRONGEST)  # fewer errors than the strongest level has speak for no less
        for k, (_, _, (mean, sd)) in enumerate(_LADDER):
            logs[k] -= ((seen - mean) / (sd * widening)) ** 2 / 2 + math.log(sd * widening)
    most = max(logs)
    raw = [math.exp(one - most) for one in logs]
    whole = sum(raw)
    weights = [one / whole for one in raw]
    elos = [rung.elo for rung in _LADDER]
    below = [total - own / 2 for total, own in zip(accumulate(weights), weights, strict=True)]
    low, high = (between(share, below, elos) for share in (TAIL_PROBABILITY, 1 - TAIL_PROBABILITY))
    return Strength(sum(weight * elo for weight, elo in zip(weights, elos, strict=True)), low, high)
