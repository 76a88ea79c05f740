"""`random`: any legal move, all equally likely."""

from __future__ import annotations

from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.players.base import Clock, register
from sintra.tabletop.moves import Move


@register("random", "any legal move, all equally likely", seed=int)
class RandomPlayer:
    """Plays uniformly over the legal moves."""

    def __init__(self, seed: int = 0) -> None:
        self.name = "random"
        self._seed = seed
        self._game = 0

    def new_game(self, seed: int) -> None:
        """Other dice for another game."""
        self._game = seed

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """A legal move at random; its dice follow from its seed and from what it sees."""
        moves = view.legal_moves
        return moves[derive(self._seed, self._game, view.key) % len(moves)]
