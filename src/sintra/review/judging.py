"""What a position is worth: seat 0's chance to win, found by whoever is to move from their own view."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from sintra.errors import SintraError
from sintra.game.game import Game, View
from sintra.players.hints import Advice, Adviser, Evaluation
from sintra.players.thinking.prospects import Foresight
from sintra.review.looks import held_together

MAX_DECISIONS: Final = 1_000
"""Of how many decisions a judge caches the best moves."""
MAX_EVALUATIONS: Final = 20_000
"""How many evaluations a judge caches; a game needs some hundreds."""


@dataclass(frozen=True, slots=True)
class ReviewBudget:
    """How closely a review looks."""

    sims: int = 700
    """The simulations of one evaluation."""
    deep_factor: int = 6
    """How many times as many simulations are spent where a move seems bad."""
    deals: int = 12
    """How many worlds are evaluated after a move that ended a round: the tiles of the next one are drawn anew."""
    worlds: int = 6
    """How many worlds are evaluated after any other move, after the best move, and by `Reviewer.cost`."""

    def __post_init__(self) -> None:
        if self.sims < 2 or self.deep_factor < 1 or self.deals < 1 or self.worlds < 1:
            raise SintraError("a review needs at least 2 simulations, and 1 of everything else")


CHEAP: Final = ReviewBudget(sims=60, deep_factor=2, deals=6, worlds=4)
"""The budget for many games, where no single verdict matters."""


class Judge:
    """Evaluates positions with a fixed number of simulations; every position once, so that what ends one step of a
    review is what the next begins with."""

    def __init__(self, sims: int, seed: int = 0) -> None:
        self._evaluate = lru_cache(MAX_EVALUATIONS)(Adviser(sims, seed=seed).evaluate)
        self._best = lru_cache(MAX_DECISIONS)(self._held_together)
        self._foresight = Foresight(sims)

    def evaluate(self, game: Game) -> Evaluation:
        """Evaluates a game that is not over, from the view of the seat to move."""
        return self._evaluate(game.view(game.turn))

    def best(self, game: Game) -> tuple[Advice, ...]:
        """The best moves of the seat to move, with figures that can be held against each other."""
        return self._best(game.view(game.turn))

    def _held_together(self, view: View) -> tuple[Advice, ...]:
        return held_together(view, self._evaluate(view), self._foresight)

    def chance(self, game: Game) -> float:
        """Seat 0's chance to win; 1 or 0 when the game is over."""
        if game.result is not None:
            return float(game.result.winner == 0)
        best = self.evaluate(game).best.win
        return best if game.turn == 0 else 1.0 - best

    def lead(self, game: Game) -> float:
        """By how many points seat 0 is expected to be ahead in the end."""
        if game.result is not None:
            return float(game.result.scores[0] - game.result.scores[1])
        best = self.evaluate(game).best.lead
        return best if game.turn == 0 else -best
