"""Learns a network with its hidden layer; this needs PyTorch (the extra `learn`), and is quick on a GPU."""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import numpy as np
import torch
from torch import nn

from sintra.features.inputs import INPUTS
from sintra.features.rows import ROWS
from sintra.learn.examples import Examples
from sintra.learn.fitting import TINY
from sintra.players.thinking.evaluator import TEMPERATURE
from sintra.players.thinking.network import ARRAYS, HIDDEN, STAGES, no_network
from sintra.rules.state import Array

BATCH: Final = 2048
"""The examples of a training step."""
RATE: Final = 3e-3
"""The learning rate."""
RATE_FROM: Final = 1e-3
"""The learning rate of a fit that begins with a network, so that it does not forget what is there."""
DECAY: Final = 1e-5
"""The weight decay."""
DROPOUT: Final = 0.2
"""The share of hidden units that are dropped in training."""
STOP_AFTER: Final = 3
"""Training stops after this many epochs without progress on held-out examples."""
MAX_EPOCHS: Final = 40
"""The epochs of a fit at most."""


@dataclass(frozen=True, slots=True)
class Fitted:
    """A fitted network."""

    network: Array
    """The network."""
    held_out: float
    """Its divergence on held-out examples."""
    training: float
    """Its divergence on the examples that it was trained on."""
    epochs: int
    """How often the fit went through the examples."""
    seconds: float
    """How long it took."""


class PolicyNetwork(nn.Module):  # type: ignore[misc]
    """The network of `players.thinking.network`, for training."""

    def __init__(self, start: Array | None = None) -> None:
        super().__init__()
        self.inputs = nn.Parameter(torch.empty(INPUTS, HIDDEN))
        self.bias = nn.Parameter(torch.zeros(HIDDEN))
        self.rows = nn.Parameter(torch.empty(ROWS, HIDDEN))
        self.row_bias = nn.Parameter(torch.zeros(ROWS))
        self.opinion = nn.Parameter(torch.full((STAGES,), 1 / TEMPERATURE))
        self.dropout = nn.Dropout(DROPOUT)
        with torch.no_grad():
            self.inputs.normal_(0, 0.05)
            self.rows.normal_(0, 0.05)
            if start is not None and start["is_there"][0]:
                self._take(start.array)

    def _take(self, start: Array) -> None:
        for name in ARRAYS:
            getattr(self, name)[:] = torch.from_numpy(start[name][0].copy())

    def forward(self, inputs: Any, stages: Any, decision: Any, rows: Any, opinions: Any) -> Any:
        """The logit of each choice; `decision` says to which of the decisions it belongs.

        What each row is worth is computed once for a decision, so that a choice only adds up a few numbers."""
        there = torch.zeros(len(inputs), INPUTS + 1, device=inputs.device)
        there = there.scatter_add(1, inputs, torch.ones_like(inputs, dtype=there.dtype))[:, :INPUTS]
        hidden = self.dropout(torch.relu(there @ self.inputs + self.bias))
        worth = nn.functional.pad(hidden @ self.rows.T + self.row_bias, (0, 1))
        places = decision[:, None] * (ROWS + 1) + rows
        of_rows = worth.reshape(-1).gather(0, places.reshape(-1)).reshape(places.shape).sum(1)
        return of_rows + self.opinion.index_select(0, stages).index_select(0, decision) * opinions

    def network(self) -> Array:
        """The parameters, in the form that the search reads."""
        network = no_network()
        made = network.array
        for name in ARRAYS:
            made[name][0] = getattr(self, name).detach().cpu().numpy()
        made["is_there"] = 1
        return network


class _Tensors:
    """Examples as tensors on the device where the network is trained."""

    def __init__(self, examples: Examples, device: Any) -> None:
        def tensor(array: Array, kind: Any) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device).to(kind)

        self.inputs = tensor(examples.inputs, torch.int16)
        self.stages = tensor(examples.stages, torch.int64)
        self.first = tensor(examples.first, torch.int64)
        self.rows = tensor(examples.rows, torch.int16)
        self.opinions = tensor(examples.opinions, torch.float32)
        self.target = tensor(examples.target, torch.float32)
        self.weight = tensor(examples.weight, torch.float32)
        self.device = device

    def __len__(self) -> int:
        return len(self.stages)

    def losses(self, model: PolicyNetwork, chosen: Any) -> Any:
        """The divergence of each of some decisions."""
        sizes = self.first[chosen + 1] - self.first[chosen]
        decision = torch.repeat_interleave(torch.arange(len(chosen), device=self.device), sizes)
        starts = torch.cumsum(sizes, 0) - sizes
        places = torch.arange(len(decision), device=self.device) + (self.first[chosen] - starts)[decision]
        logits = model(
            self.inputs[chosen].long(), self.stages[chosen], decision, self.rows[places].long(), self.opinions[places]
        )
        most = torch.full((len(chosen),), -1e9, device=self.device).scatter_reduce(0, decision, logits, "amax")
        shifted = logits - most.detach().index_select(0, decision)
        total = torch.zeros(len(chosen), device=self.device).index_add(0, decision, shifted.exp())
        target = self.target[places]
        spread = torch.where(target > 0, target * target.clamp_min(1e-9).log(), 0.0)
        apart = spread - target * (shifted - total.log().index_select(0, decision))
        return torch.zeros(len(chosen), device=self.device).index_add(0, decision, apart)

    def loss(self, model: PolicyNetwork, chosen: Any) -> Any:
        """The weighted mean of the divergence over some decisions."""
        weight = self.weight[chosen]
        return (weight * self.losses(model, chosen)).sum() / weight.sum()

    def divergence(self, model: PolicyNetwork) -> float:
        """The weighted mean over all decisions."""
        model.eval()
        with torch.no_grad():
            parts = torch.arange(len(self), device=self.device).split(4 * BATCH)
            apart = sum(float((self.weight[part] * self.losses(model, part)).sum()) for part in parts)
        return apart / max(TINY, float(self.weight.sum()))


def fit_deep(
    examples: Examples,
    held_out: Examples,
    seed: int = 0,
    tell: Callable[[str], None] = lambda line: None,
    start: Array | None = None,
) -> Fitted:
    """The network that fits the held-out examples best while it is trained. Training begins with `start` if it is
    given, which is also the result if nothing better is found, and with random numbers otherwise."""
    began = time.monotonic()
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = PolicyNetwork(start).to(device)
    training, checked = _Tensors(examples, device), _Tensors(held_out, device)
    rate = RATE if start is None else RATE_FROM
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=DECAY)
    best, best_network, since, epoch = float("inf"), model.network(), 0, 0
    if start is not None:
        best = checked.divergence(model)
        tell(f"it begins with {best:.4f}")
    while epoch < MAX_EPOCHS and since < STOP_AFTER:
        epoch += 1
        model.train()
        for part in torch.randperm(len(training), device=device).split(BATCH):
            optimizer.zero_grad()
            training.loss(model, part).backward()
            optimizer.step()
        now = checked.divergence(model)
        tell(f"epoch {epoch}: {now:.4f}")
        since += 1
        if now < best:
            best, best_network, since = now, model.network(), 0
        else:
            for group in optimizer.param_groups:
                group["lr"] *= 0.4
    return Fitted(best_network, best, training.divergence(model), epoch, time.monotonic() - began)
