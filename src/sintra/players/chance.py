"""`random`: any legal move, all equally likely."""

from __future__ import annotations

import random

from sintra.moves import Move
from sintra.players.base import Clock, register
from sintra.view import View


@register("random", "any legal move, all equally likely", seed=int)
class RandomPlayer:
    """Plays uniformly over the legal moves."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._seed = seed
        self._random = random.Random(seed)

    def new_game(self, seed: int) -> None:
        """Starts its dice anew, from its own seed and the game's."""
        self._random = random.Random(f"{self._seed} {seed}")

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """A legal move at random."""
        return self._random.choice(view.legal_moves)
