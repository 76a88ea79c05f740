"""`random`: any legal move, all equally likely."""

from __future__ import annotations

from sintra.game.game import View
from sintra.players.base import Clock, Seeded, register
from sintra.tabletop.moves import Move


@register("random", "any legal move, all equally likely", seed=int)
class RandomPlayer(Seeded):
    """Plays uniformly over the legal moves."""

    def __init__(self, seed: int = 0) -> None:
        super().__init__("random", seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """A legal move at random."""
        moves = view.legal_moves
        return moves[self.seed_for(view) % len(moves)]
