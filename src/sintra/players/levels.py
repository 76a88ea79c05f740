"""`level`: opponents for people, from gentle to as strong as we can.

A weak level is weak by looking less far and caring less, not by throwing games away. It searches
little, values boards with less `foresight` (0: only the points of this round), and in a share
`lapses` of its turns takes a move that is a little worse. How much worse is bounded: the search
must value the move within `slack` (a share of a win) of the best, and it must not break more tiles
than the best move. Tiling is always the best for what the level cares about.
"""

from __future__ import annotations

import random
from dataclasses import dataclass
from typing import Final

from sintra.game.game import View
from sintra.players.base import Clock, PlayerError, Seeded, register
from sintra.players.search import ClassicPlayer, Searcher
from sintra.players.thinking.evaluator import hand_made_evaluator
from sintra.tabletop.moves import Move, TakeTiles, move_of


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays: its budget, how far ahead it values boards, how much it lets slip, and how
    strong that was measured to be (docs/opponents.md)."""

    number: int
    name: str
    sims: int
    foresight: float
    slack: float
    lapses: float
    elo: int
    trees: int = 1


LEVELS: Final = (
    Level(1, "Novice", 48, 0.0, 0.4, 1.0, 782),
    Level(2, "Apprentice", 32, 0.0, 0.2, 0.95, 916),
    Level(3, "Helper", 20, 0.0, 0.12, 0.7, 1075),
    Level(4, "Journeyman", 30, 0.1, 0.07, 0.45, 1246),
    Level(5, "Tiler", 40, 0.5, 0.06, 0.4, 1418),
    Level(6, "Artisan", 60, 0.8, 0.045, 0.3, 1603),
    Level(7, "Mosaicist", 100, 1.0, 0.02, 0.15, 1734),
    Level(8, "Master", 160, 1.0, 0.0, 0.0, 1884),
    Level(9, "Grand master", 350, 1.0, 0.0, 0.0, 2030),
    Level(10, "Court tiler", 1000, 1.0, 0.0, 0.0, 2202),
    Level(11, "Royal tiler", 8000, 1.0, 0.0, 0.0, 2393, trees=2),
)


def level_named(text: str) -> Level:
    """A level by number or name."""
    for level in LEVELS:
        if text in (str(level.number), level.name.lower()):
            return level
    raise PlayerError(f"unknown level {text!r}: there are 1 to {len(LEVELS)}")


@register("level", "an opponent for people: n=1 (gentle) to n=11 (the strongest)", n=str, seed=int)
class LevelPlayer(Seeded):
    """Plays like one of the levels."""

    def __init__(self, n: str = "3", seed: int = 0) -> None:
        self.level = level_named(n)
        super().__init__(f"level:n={self.level.number}", seed)
        strong = self.level.slack == 0
        self._strong = ClassicPlayer(self.level.sims, self.level.trees, seed=seed) if strong else None
        evaluator = hand_made_evaluator().caring(self.level.foresight)
        self._searcher = None if strong else Searcher(self.level.sims, 1, evaluator)

    def new_game(self, seed: int) -> None:
        """Other dice for another game."""
        super().new_game(seed)
        if self._strong:
            self._strong.new_game(seed)

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """A move that this level would make."""
        if self._strong:
            return self._strong.choose(view, clock)
        assert self._searcher is not None
        if settled := self._searcher.settled(view):
            return settled
        state = view.state
        seed = self.seed_for(view)
        self._searcher.run(view, seed)
        best = move_of(self._searcher.best(state), state, 0)
        dice = random.Random(seed)
        if dice.random() >= self.level.lapses:
            return best
        return self._lapse(view, best, dice)

    def _lapse(self, view: View, best: Move, dice: random.Random) -> Move:
        """A move that is a little worse than the best, within the level's bounds."""
        assert self._searcher is not None
        state = view.state
        candidates = self._searcher.candidates(state)
        top = max(candidate.value for candidate in candidates)
        near = [one for one in candidates if one.value >= top - self.level.slack]
        moves = [move_of(one.path, state, 0) for one in near]
        allowed = _losses(view, best)
        fair = [move for move in moves if _losses(view, move) <= allowed]
        return dice.choice(fair or [best])


def _losses(view: View, move: Move) -> int:
    """How many tiles a move breaks."""
    if not isinstance(move, TakeTiles):
        return 0
    effect = view.preview(move)
    return effect.broken + effect.to_tower
