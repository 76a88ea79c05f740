"""Learns the rows of a policy alone, without a hidden layer: NumPy is enough for that."""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.features.rows import ROWS
from sintra.learn.examples import Examples
from sintra.learn.fitting import TINY
from sintra.players.thinking.evaluator import TEMPERATURE
from sintra.players.thinking.network import STAGES, no_network
from sintra.rules.state import Array

STEPS: Final = 300
RATE: Final = 0.3
DECAY: Final = 1e-4
"""How strongly numbers are held down."""
MEMORY: Final = (0.9, 0.99)
"""Of Adam, for the slope and its square."""


def logits_of(examples: Examples, row_bias: Array, opinion: Array) -> Array:
    """What a linear policy says of each choice."""
    padded = np.append(row_bias, 0.0)
    logits: Array = padded[examples.rows].sum(1) + opinion[examples.stages[examples.decision]] * examples.opinions
    return logits


def shares_of(examples: Examples, logits: Array) -> Array:
    """The logits as shares that add up to 1 in each decision."""
    most = np.maximum.reduceat(logits, examples.first[:-1])
    weights = np.exp(logits - most[examples.decision])
    shares: Array = weights / np.add.reduceat(weights, examples.first[:-1])[examples.decision]
    return shares


def divergence(examples: Examples, logits: Array) -> float:
    """How far a policy is from the visits of the search, on weighted average (Kullback and Leibler)."""
    shares, target = shares_of(examples, logits), examples.target
    there = target > 0
    apart = target[there] * np.log(target[there] / shares[there]) * examples.weight[examples.decision[there]]
    return float(apart.sum() / max(TINY, examples.weight.sum()))


class _Adam:
    """Moves numbers down a slope, with its memory of earlier slopes (Kingma and Ba)."""

    def __init__(self, numbers: Array) -> None:
        self._numbers = numbers
        self._mean = np.zeros_like(numbers)
        self._square = np.zeros_like(numbers)
        self._steps = 0

    def step(self, slope: Array, rate: float) -> None:
        """One step, in place."""
        self._steps += 1
        self._mean += (1 - MEMORY[0]) * (slope - self._mean)
        self._square += (1 - MEMORY[1]) * (slope**2 - self._square)
        ahead = self._mean / (1 - MEMORY[0] ** self._steps)
        self._numbers -= rate * ahead / (np.sqrt(self._square / (1 - MEMORY[1] ** self._steps)) + 1e-8)


def fit_linear(examples: Examples, steps: int = STEPS) -> Array:
    """The network without a hidden layer that fits the examples best."""
    row_bias, opinion = np.zeros(ROWS), np.full(STAGES, 1 / TEMPERATURE)
    weight = (examples.weight / max(TINY, examples.weight.sum()))[examples.decision]
    stages = examples.stages[examples.decision]
    learners = (_Adam(row_bias), _Adam(opinion))
    for step in range(steps):
        error = (shares_of(examples, logits_of(examples, row_bias, opinion)) - examples.target) * weight
        by_row = np.bincount(examples.rows.ravel(), np.repeat(error, examples.rows.shape[1]), ROWS + 1)[:ROWS]
        by_stage = np.bincount(stages, error * examples.opinions, STAGES)
        rate = RATE * (1 - step / steps)
        for learner, slope in zip(learners, (by_row + DECAY * row_bias, by_stage), strict=True):
            learner.step(slope, rate)
    network = no_network()
    network["row_bias"][0], network["opinion"][0] = row_bias, opinion
    network["is_there"] = 1
    return network
