"""What boards are worth at the end of a round: weights for `features`, kept in `value.json`.

A board's value is the points its owner is expected still to gain, so that score plus value is an
expected final score. The difference of two expected scores gives a chance to win; how sure it is
depends on the round.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Final

import numpy as np

from sintra.components import ROUNDS
from sintra.features import FEATURES, NAMES
from sintra.players.base import PlayerError

_FILE: Final = "value.json"


@dataclass(frozen=True)
class Value:
    """Weights for each round's end (the last round needs none) and the scales of certainty."""

    weights: np.ndarray
    scales: np.ndarray

    @classmethod
    def blank(cls) -> Value:
        """A value that sees the score only."""
        return cls(np.zeros((ROUNDS, FEATURES)), np.array([14.0, 12.0, 10.0, 8.0, 4.0]))

    @classmethod
    def loads(cls, text: str) -> Value:
        """The value written by `dumps`; features it does not name weigh nothing."""
        data = json.loads(text)
        weights = np.zeros((ROUNDS, FEATURES))
        if not isinstance(data["weights"], dict):
            raise ValueError("its weights must be named")
        for name, row in data["weights"].items():
            if name in NAMES:
                weights[:, NAMES.index(name)] = row
        scales = np.array(data["scales"], np.float64)
        if scales.shape != (ROUNDS,) or not (scales > 0).all() or not np.isfinite(weights).all():
            raise ValueError("it needs five scales above 0 and weights that are numbers")
        return cls(weights, scales)

    def dumps(self) -> str:
        """The weights by the features' names, one a line."""
        rows = [
            f"  {json.dumps(name)}: {json.dumps([round(float(x), 4) for x in column])}"
            for name, column in zip(NAMES, self.weights.T, strict=True)
        ]
        scales = json.dumps([round(float(scale), 3) for scale in self.scales])
        return f'{{"scales": {scales},\n "weights": {{\n' + ",\n".join(rows) + "\n }}\n"

    def save(self, path: str | Path) -> None:
        """Writes the value to a file."""
        Path(path).write_text(self.dumps(), "utf-8")


@cache
def standard_value() -> Value:
    """The value that comes with the package."""
    return Value.loads(resources.files("sintra.players").joinpath(_FILE).read_text("utf-8"))


def load_value(path: str) -> Value:
    """The value in a file."""
    try:
        return Value.loads(Path(path).read_text("utf-8"))
    except (OSError, ValueError, KeyError, TypeError) as error:
        raise PlayerError(f"cannot read weights from {path}: {error}") from None
