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
"""The training steps."""
RATE: Final = 0.3
"""The learning rate of the first step; it falls to 0."""
DECAY: Final = 1e-4
"""The weight decay."""
BETAS: Final = (0.9, 0.99)
"""Adam's decay rates, for the gradient and its square."""


def logits_of(examples: Examples, row_bias: Array, opinion: Array) -> Array:
    """The logits of a linear policy for each choice."""
    padded = np.append(row_bias, 0.0)
    logits: Array = padded[examples.rows].sum(1) + opinion[examples.stages[examples.decision]] * examples.opinions
    return logits


def shares_of(examples: Examples, logits: Array) -> Array:
    """The softmax of the logits within each decision."""
    most = np.maximum.reduceat(logits, examples.first[:-1])
    weights = np.exp(logits - most[examples.decision])
    shares: Array = weights / np.add.reduceat(weights, examples.first[:-1])[examples.decision]
    return shares


def divergence(examples: Examples, logits: Array) -> float:
    """The weighted mean of the Kullback-Leibler divergence of a policy from the visits of the search."""
    shares, target = shares_of(examples, logits), examples.target
    there = target > 0
    apart = target[there] * np.log(target[there] / shares[there]) * examples.weight[examples.decision[there]]
    return float(apart.sum() / max(TINY, examples.weight.sum()))


class _Adam:
    """The optimizer Adam (Kingma and Ba) for an array, which it changes in place."""

    def __init__(self, parameters: Array) -> None:
        self._parameters = parameters
        self._mean = np.zeros_like(parameters)
        self._square = np.zeros_like(parameters)
        self._steps = 0

    def step(self, gradient: Array, rate: float) -> None:
        """One step, in place."""
        self._steps += 1
        self._mean += (1 - BETAS[0]) * (gradient - self._mean)
        self._square += (1 - BETAS[1]) * (gradient**2 - self._square)
        ahead = self._mean / (1 - BETAS[0] ** self._steps)
        self._parameters -= rate * ahead / (np.sqrt(self._square / (1 - BETAS[1] ** self._steps)) + 1e-8)


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
        for learner, gradient in zip(learners, (by_row + DECAY * row_bias, by_stage), strict=True):
            learner.step(gradient, rate)
    network = no_network()
    made = network.array
    made["row_bias"][0], made["opinion"][0] = row_bias, opinion
    made["is_there"] = 1
    return network
