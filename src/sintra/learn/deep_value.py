"""Learns the hidden layer of a value of boards; this needs PyTorch (the extra `learn`).

What a board is worth is learned from leads: the layer sees each board by itself, and the difference between both is
fitted to the lead at the end of the game. Two halves are fitted from different beginnings and averaged, which is one
layer again, and errs less than either.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from sintra.components import ROUNDS
from sintra.features.board import FEATURES
from sintra.learn.fitting import fit_scales
from sintra.players.thinking.evaluator import HIDDEN, INPUT_NAMES, SCORE, Evaluator, HiddenLayer
from sintra.rules.state import Array

HALVES: Final = 2
"""The parts of the layer that are fitted by themselves."""
EPOCHS: Final = 8
"""How often a fit goes through the boards."""
BATCH: Final = 1024
"""The boards of a training step."""
RATE: Final = 3e-3
"""The learning rate at its highest, in the middle of a fit."""
DECAY: Final = 0.1
"""The weight decay."""
POINTS: Final = 15.0
"""Leads are divided by this, so that they are about 1."""
MIN_DEVIATION: Final = 0.05
"""Inputs that hardly vary are not stretched more than by this."""
LEARNED_ROUNDS: Final = ROUNDS - 1
"""The rounds after which a value is needed."""


class HalfLayer(nn.Module):  # type: ignore[misc]
    """A part of the hidden layer, for training: its inputs are followed by which round it is."""

    def __init__(self) -> None:
        super().__init__()
        self.to_hidden = nn.Linear(len(INPUT_NAMES) + LEARNED_ROUNDS, HIDDEN // HALVES)
        self.from_hidden = nn.Linear(HIDDEN // HALVES, 1, bias=False)
        nn.init.zeros_(self.from_hidden.weight)

    def forward(self, boards: Any) -> Any:
        """What the layer adds to each board."""
        return self.from_hidden(torch.relu(self.to_hidden(boards)))[..., 0]


def fit_hidden(
    notes: Array, evaluator: Evaluator, seed: int = 0, tell: Callable[[str], None] = lambda line: None
) -> Evaluator:
    """A copy of the evaluator with the hidden layer that fits the leads of these games best, and new scales."""
    features = notes["features"][:, :LEARNED_ROUNDS]
    scores = notes["score"][:, :LEARNED_ROUNDS].astype(np.float32)
    worth = scores + np.einsum("grsf,rf->grs", features, evaluator.weights[:LEARNED_ROUNDS])
    rounds = np.broadcast_to(np.eye(LEARNED_ROUNDS, dtype=np.float32)[:, None], (*scores.shape, LEARNED_ROUNDS))
    inputs = np.concatenate([features, scores[..., None], rounds], -1).reshape(-1, 2, len(INPUT_NAMES) + LEARNED_ROUNDS)
    final = notes["final"].astype(np.float32)
    lead = np.repeat(final[:, 0] - final[:, 1], LEARNED_ROUNDS)
    mean = inputs.mean((0, 1))
    deviation = np.maximum(inputs.std((0, 1)), MIN_DEVIATION)
    expected = (worth[..., 0] - worth[..., 1]).reshape(-1)
    halves = [
        _fit_half((inputs - mean) / deviation, expected / POINTS, lead / POINTS, HALVES * seed + k, tell)
        for k in range(HALVES)
    ]
    layer = _together(halves, mean, deviation)
    made = Evaluator(evaluator.weights, evaluator.scales).with_network(evaluator.network)
    added = (
        np.maximum(
            features @ layer.to_hidden.array[:FEATURES]
            + scores[..., None] * layer.to_hidden.array[SCORE]
            + layer.hidden_bias.array[:LEARNED_ROUNDS, None],
            0,
        )
        @ layer.from_hidden.array
    )
    layer.bias[:LEARNED_ROUNDS] = -added.mean((0, 2))
    made.set_hidden(layer)
    fit_scales(made, worth + added, notes["final"])
    return made


def _fit_half(boards: Array, expected: Array, lead: Array, seed: int, tell: Callable[[str], None]) -> HalfLayer:
    """One part of the layer, fitted to what the lead is beyond what is expected already."""
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    x = torch.from_numpy(boards.astype(np.float32)).to(device)
    y = torch.from_numpy((lead - expected).astype(np.float32)).to(device)
    half = HalfLayer()
    half.to(device)
    optimizer = torch.optim.AdamW(half.parameters(), lr=RATE, weight_decay=DECAY)
    steps = EPOCHS * -(-len(x) // BATCH)
    schedule = torch.optim.lr_scheduler.OneCycleLR(optimizer, RATE, total_steps=steps)
    for epoch in range(EPOCHS):
        total = 0.0
        for part in torch.randperm(len(x), device=device).split(BATCH):
            values = half(x[part])
            loss = nn.functional.mse_loss(values[:, 0] - values[:, 1], y[part])
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += float(loss.detach()) * len(part)
        tell(f"value, epoch {epoch + 1}: leads are off by {POINTS * (total / len(x)) ** 0.5:.2f} points")
    return half


def _together(halves: list[HalfLayer], mean: Array, deviation: Array) -> HiddenLayer:
    """The average of all parts as one layer, which takes its inputs as they are."""
    weights = [half.to_hidden.weight.detach().cpu().numpy().T / deviation[:, None] for half in halves]
    bias = np.concatenate(
        [half.to_hidden.bias.detach().cpu().numpy() - mean @ own for half, own in zip(halves, weights, strict=True)]
    )
    to_hidden = np.concatenate(weights, 1)
    layer = HiddenLayer.blank()
    layer.to_hidden[:] = to_hidden[: len(INPUT_NAMES)]
    layer.hidden_bias[:LEARNED_ROUNDS] = bias + to_hidden[len(INPUT_NAMES) :]
    outputs = [half.from_hidden.weight.detach().cpu().numpy()[0] for half in halves]
    layer.from_hidden[:] = POINTS / len(halves) * np.concatenate(outputs)
    return layer
