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
from sintra.players.thinking.evaluator import TEMPERATURE
from sintra.players.thinking.network import HIDDEN, STAGES, no_network
from sintra.rules.state import Array

BATCH: Final = 2048
RATE: Final = 3e-3
RATE_FROM: Final = 1e-3
"""The rate of a fit that begins with a network, so that it does not forget what is there."""
DECAY: Final = 1e-5
DROPOUT: Final = 0.2
PATIENCE: Final = 3
"""After so many rounds through the examples without progress on those set aside, it is enough."""
MOST_EPOCHS: Final = 40


@dataclass(frozen=True, slots=True)
class Fitted:
    """A network, its divergence on the examples set aside and on those it learned from, and how long it took."""

    network: Array
    aside: float
    learned: float
    epochs: int
    seconds: float


class PolicyNetwork(nn.Module):
    """The network of `players.thinking.network`, for training."""

    def __init__(self, start: Array | None = None) -> None:
        super().__init__()
        self.inputs = nn.EmbeddingBag(INPUTS + 1, HIDDEN, mode="sum", padding_idx=INPUTS)
        self.bias = nn.Parameter(torch.zeros(HIDDEN))
        self.rows = nn.EmbeddingBag(ROWS + 1, HIDDEN, mode="sum", padding_idx=ROWS)
        self.row_bias = nn.EmbeddingBag(ROWS + 1, 1, mode="sum", padding_idx=ROWS)
        self.opinion = nn.Parameter(torch.full((STAGES,), 1 / TEMPERATURE))
        self.dropout = nn.Dropout(DROPOUT)
        with torch.no_grad():
            self.inputs.weight[:INPUTS].normal_(0, 0.05)
            self.rows.weight[:ROWS].normal_(0, 0.05)
            self.row_bias.weight.zero_()
            if start is not None and start["is_there"][0]:
                self._take(start)

    def _take(self, start: Array) -> None:
        self.inputs.weight[:INPUTS] = torch.from_numpy(start["inputs"][0].copy())
        self.bias[:] = torch.from_numpy(start["bias"][0].copy())
        self.rows.weight[:ROWS] = torch.from_numpy(start["rows"][0].copy())
        self.row_bias.weight[:ROWS, 0] = torch.from_numpy(start["row_bias"][0].copy())
        self.opinion[:] = torch.from_numpy(start["opinion"][0].copy())

    def forward(self, inputs: Any, stages: Any, decision: Any, rows: Any, opinions: Any) -> Any:
        """The logit of each choice; `decision` says to which of the decisions it belongs."""
        hidden = self.dropout(torch.relu(self.inputs(inputs) + self.bias))
        own = self.row_bias(rows)[:, 0] + self.opinion[stages[decision]] * opinions
        return own + (hidden[decision] * self.rows(rows)).sum(1)

    def network(self) -> Array:
        """The numbers, for the search."""
        made = no_network()
        made["inputs"][0] = self.inputs.weight[:INPUTS].detach().cpu().numpy()
        made["bias"][0] = self.bias.detach().cpu().numpy()
        made["rows"][0] = self.rows.weight[:ROWS].detach().cpu().numpy()
        made["row_bias"][0] = self.row_bias.weight[:ROWS, 0].detach().cpu().numpy()
        made["opinion"][0] = self.opinion.detach().cpu().numpy()
        made["is_there"] = 1
        return made


class _Tensors:
    """Examples on the device where they are learned from."""

    def __init__(self, examples: Examples, device: Any) -> None:
        def tensor(array: Array, kind: Any) -> Any:
            return torch.from_numpy(np.ascontiguousarray(array)).to(device).to(kind)

        self.inputs = tensor(examples.inputs, torch.int32)
        self.stages = tensor(examples.stages, torch.int64)
        self.first = tensor(examples.first, torch.int64)
        self.rows = tensor(examples.rows, torch.int32)
        self.opinions = tensor(examples.opinions, torch.float32)
        self.target = tensor(examples.target, torch.float32)
        self.device = device

    def __len__(self) -> int:
        return len(self.stages)

    def loss(self, model: PolicyNetwork, chosen: Any) -> Any:
        """The summed divergence of some decisions."""
        sizes = self.first[chosen + 1] - self.first[chosen]
        decision = torch.repeat_interleave(torch.arange(len(chosen), device=self.device), sizes)
        starts = torch.cumsum(sizes, 0) - sizes
        places = torch.arange(len(decision), device=self.device) + (self.first[chosen] - starts)[decision]
        logits = model(self.inputs[chosen], self.stages[chosen], decision, self.rows[places], self.opinions[places])
        most = torch.full((len(chosen),), -1e9, device=self.device).scatter_reduce(0, decision, logits, "amax")
        shifted = logits - most.detach()[decision]
        total = torch.zeros(len(chosen), device=self.device).index_add(0, decision, shifted.exp())
        target = self.target[places]
        spread = torch.where(target > 0, target * target.clamp_min(1e-9).log(), 0.0)
        return (spread - target * (shifted - total.log()[decision])).sum()

    def divergence(self, model: PolicyNetwork) -> float:
        """The mean over all decisions."""
        model.eval()
        with torch.no_grad():
            chosen = torch.arange(len(self), device=self.device)
            return sum(float(self.loss(model, part)) for part in chosen.split(4 * BATCH)) / max(1, len(self))


def fit_deep(
    examples: Examples,
    aside: Examples,
    seed: int = 0,
    tell: Callable[[str], None] = lambda line: None,
    start: Array | None = None,
) -> Fitted:
    """The network that fits the examples, as far as those set aside say so; it begins with `start`, and is that one if
    nothing better is found, or else from nothing."""
    began = time.monotonic()
    torch.manual_seed(seed)
    device = torch.device("cuda" if torch.cuda.is_available() else "cpu")
    model = PolicyNetwork(start).to(device)
    learned, checked = _Tensors(examples, device), _Tensors(aside, device)
    rate = RATE if start is None else RATE_FROM
    optimizer = torch.optim.AdamW(model.parameters(), lr=rate, weight_decay=DECAY)
    best, best_network, since, epoch = float("inf"), model.network(), 0, 0
    if start is not None:
        best = checked.divergence(model)
        tell(f"it begins with {best:.4f}")
    while epoch < MOST_EPOCHS and since < PATIENCE:
        epoch += 1
        model.train()
        for part in torch.randperm(len(learned), device=device).split(BATCH):
            optimizer.zero_grad()
            (learned.loss(model, part) / len(part)).backward()
            optimizer.step()
        now = checked.divergence(model)
        tell(f"epoch {epoch}: {now:.4f}")
        since += 1
        if now < best:
            best, best_network, since = now, model.network(), 0
        else:
            for group in optimizer.param_groups:
                group["lr"] *= 0.4
    return Fitted(best_network, best, learned.divergence(model), epoch, time.monotonic() - began)
