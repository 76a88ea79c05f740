"""Fits the value of boards to games.

At the end of each round both boards are noted, and at the end of the game what they still gained. A ridge regression
for each round gives the weights, a logistic fit the scales.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final

import numpy as np

from sintra.components import ROUNDS, SEATS
from sintra.features.board import FEATURES
from sintra.game.game import Game
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.tiler import Tiler

SAMPLE: Final = np.dtype(
    [("features", np.float32, (ROUNDS, 2, FEATURES)), ("score", np.int16, (ROUNDS, 2)), ("final", np.int16, 2)]
)
"""One game: the boards and scores after each round's tiling, and the final scores."""
RIDGE: Final = 30.0
"""The ridge penalty on the weights."""
LAST_SCALE: Final = 4.0
"""The scale of round 5, which is not fitted: after it the winner is known."""
SCALES: Final = np.geomspace(1.0, 40.0, 80)
"""The scales that are tried."""
TINY: Final = 1e-9
"""Keeps the logarithm of a chance, and a mean over no decisions, finite."""


def note_boards(notes: np.ndarray, game: Game, tiler: Tiler) -> None:
    """Notes both boards of a game as they will be tiled in this round."""
    for seat in range(SEATS):
        tiler.value(game.state, seat)
        notes["features"][0, game.round - 1, seat] = tiler.work["best_features"][0]
        notes["score"][0, game.round - 1, seat] = tiler.work["best_score"][0]


def fit(notes: np.ndarray, ridge: float = RIDGE, tell: Callable[[str], None] = print) -> Evaluator:
    """The evaluator whose weights predict best what each board still gained, with fitted scales."""
    weights = np.zeros((ROUNDS, FEATURES))
    scales = np.full(ROUNDS, LAST_SCALE)
    for r in range(ROUNDS - 1):
        x = notes["features"][:, r].reshape(-1, FEATURES).astype(np.float64)
        y = (notes["final"] - notes["score"][:, r]).reshape(-1).astype(np.float64)
        weights[r] = np.linalg.solve(x.T @ x + ridge * np.eye(FEATURES), x.T @ y)
        expected = notes["score"][:, r] + notes["features"][:, r] @ weights[r]
        scales[r] = _scale(expected[:, 0] - expected[:, 1], notes["final"][:, 0] > notes["final"][:, 1])
        error = y - x @ weights[r]
        spread = f"sd {y.std():.1f} → {error.std():.1f}, scale {scales[r]:.1f}"
        tell(f"round {r + 1}: {len(y)} boards, mean {y.mean():.1f}, {spread}")
    return Evaluator(weights, scales)


def fit_scales(evaluator: Evaluator, expected: np.ndarray, final: np.ndarray) -> None:
    """Sets the scales with which expected scores (by game, round and seat) predict the winners best."""
    for r in range(ROUNDS - 1):
        evaluator.scales[r] = _scale(expected[:, r, 0] - expected[:, r, 1], final[:, 0] > final[:, 1])


def _scale(lead: np.ndarray, won: np.ndarray) -> float:
    """The scale of the logistic curve that fits best."""
    chance = 1 / (1 + np.exp(-lead[:, None] / SCALES))
    loss = -np.where(won[:, None], np.log(chance + TINY), np.log(1 - chance + TINY)).mean(0)
    return float(SCALES[np.argmin(loss)])
