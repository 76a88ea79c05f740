"""What a position is worth: seat 0's chance to win, found by whoever is to move from their own view."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from sintra.errors import SintraError
from sintra.game.game import Game
from sintra.players.hints import Adviser, Evaluation

MOST_KEPT: Final = 20_000
"""So many looks are kept; a game has some hundreds."""


@dataclass(frozen=True, slots=True)
class ReviewBudget:
    """How closely a review looks: simulations of a look, how many times as many where a move seems bad, and how
    many worlds are looked at in which chance comes out differently (of the tiles of a round, and of all else)."""

    sims: int = 700
    deeper: int = 6
    deals: int = 12
    worlds: int = 6

    def __post_init__(self) -> None:
        if self.sims < 2 or self.deeper < 1 or self.deals < 1 or self.worlds < 1:
            raise SintraError("a review needs at least 2 simulations, and 1 of everything else")


CHEAP: Final = ReviewBudget(sims=60, deeper=2, deals=6, worlds=4)
"""For many games, where no single verdict matters."""


class Judge:
    """Evaluates positions with a fixed number of simulations; every position once, so that what ends one step of a
    review is what the next begins with."""

    def __init__(self, sims: int, seed: int = 0) -> None:
        self._adviser = Adviser(sims, seed=seed)
        self._kept: dict[int, Evaluation] = {}

    def look(self, game: Game) -> Evaluation:
        """What whoever is to move thinks of a game that is not over, from their view."""
        view = game.view(game.turn)
        found = self._kept.get(view.key)
        if found is None:
            if len(self._kept) >= MOST_KEPT:
                self._kept.clear()
            found = self._kept[view.key] = self._adviser.evaluate(view)
        return found

    def chance(self, game: Game) -> float:
        """Seat 0's chance to win; 1 or 0 when the game is over."""
        if game.result is not None:
            return float(game.result.winner == 0)
        best = self.look(game).best.win
        return best if game.turn == 0 else 1.0 - best

    def lead(self, game: Game) -> float:
        """By how many points seat 0 is expected to be ahead in the end."""
        if game.result is not None:
            return float(game.result.scores[0] - game.result.scores[1])
        best = self.look(game).best.lead
        return best if game.turn == 0 else -best
