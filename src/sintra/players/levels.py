"""`level`: opponents for people, from gentle to as strong as we can.

A weak level is weak as people are, not by throwing games away. It sees less: it searches little, knows less well where
to look (`attention`; 0: all choices look alike) and values boards with less `foresight` (0: only the points of this
round). It misjudges: a plan, say blue on line 4, seems better or worse than it is, and goes on seeming so all round.
And it is greedy: what fills a line now seems better than it is. How far this leads it astray is bounded: the search
must value the move within `slack` (a share of a win) of the best, and it must not break more tiles than the best move.
Tiling is always the best for what the level cares about.

`LEVELS` is the one place to calibrate them; `bench/ladder.py` measures.
"""

from __future__ import annotations

import math
import random
from dataclasses import dataclass
from typing import Final

from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.players.base import Clock, PlayerError, Seeded, register
from sintra.players.champion import MAX_SIMULATIONS, ChampionPlayer
from sintra.players.search import Searcher, SearchPlayer
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.tabletop.moves import LayPlate, Move, TakeTiles, move_of


@dataclass(frozen=True, slots=True)
class Level:
    """How a level plays, and how strong that is (docs/opponents.md)."""

    number: int
    """The number of the level, from 1."""
    name: str
    """Its name."""
    sims: int
    """The simulations of a move; of the champion at most."""
    attention: float
    """How well it knows where to look: the strength of its policy."""
    foresight: float
    """How far ahead it values boards."""
    slack: float
    """How much worse than the best a move may be, as a share of a win."""
    misjudges: float
    """How far plans are misjudged, as a share of a win."""
    greed: float
    """How much a full line is overrated, as a share of a win."""
    elo: int
    """Its strength, measured or estimated."""


UNSURE: Final = 0.15
"""How much worse a move seems that was tried once, as a share of a win; with n tries, this is divided by the root of
n."""
LEVELS: Final = (
    Level(1, "Novice", 60, 0.1, 0.0, 0.34, 0.30, 0.22, 770),
    Level(2, "Apprentice", 50, 0.16, 0.0, 0.24, 0.17, 0.17, 945),
    Level(3, "Helper", 45, 0.25, 0.0, 0.163, 0.095, 0.125, 1135),
    Level(4, "Journeyman", 40, 0.4, 0.1, 0.115, 0.068, 0.084, 1315),
    Level(5, "Tiler", 44, 0.6, 0.3, 0.085, 0.045, 0.05, 1505),
    Level(6, "Artisan", 66, 0.9, 0.7, 0.045, 0.025, 0.02, 1665),
    Level(7, "Mosaicist", 110, 1.0, 1.0, 0.0, 0.0, 0.0, 1820),
    Level(8, "Master", 290, 1.0, 1.0, 0.0, 0.0, 0.0, 1965),
    Level(9, "Grand master", 1000, 1.0, 1.0, 0.0, 0.0, 0.0, 2100),
    Level(10, "Court tiler", 5500, 1.0, 1.0, 0.0, 0.0, 0.0, 2285),
    Level(11, "Royal tiler", MAX_SIMULATIONS, 1.0, 1.0, 0.0, 0.0, 0.0, 2445),
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
        self._strong: SearchPlayer | None = None
        self._searcher: Searcher | None = None
        if self.level.number == len(LEVELS):
            self._strong = ChampionPlayer(seed=seed)
        elif self.level.slack == 0:
            self._strong = SearchPlayer(self.level.sims, seed=seed)
        else:
            evaluator = (
                standard_evaluator().with_policy_strength(self.level.attention).with_foresight(self.level.foresight)
            )
            self._searcher = Searcher(self.level.sims, 1, evaluator)

    @property
    def strong(self) -> SearchPlayer | None:
        """The search that plays for one of the strong levels, which make no mistakes on purpose."""
        return self._strong

    @property
    def searcher(self) -> Searcher:
        """The searcher of the player."""
        searcher = self._strong.searcher if self._strong else self._searcher
        assert searcher is not None
        return searcher

    def new_game(self, seed: int) -> None:
        """Begins a game with other dice and other misjudgements."""
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
        self._searcher.run(view, self.seed_for(view))
        return self._liked(view)

    def _liked(self, view: View) -> Move:
        """The move that seems best to the level, of those within its bounds."""
        assert self._searcher is not None
        state = view.states
        candidates = self._searcher.candidates(state)
        path = self._searcher.best(state)
        best = move_of(path, state, 0)
        least = next((one.value for one in candidates if one.path == path), 0.0) - self.level.slack
        allowed, _ = _effects(view, best)
        seeming: dict[Move, float] = {}
        for one in candidates:
            if one.value < least:
                continue
            move = move_of(one.path, state, 0)
            losses, fills = _effects(view, move)
            if losses <= allowed:
                seeming[move] = one.value - UNSURE / math.sqrt(one.visits) + self._misjudgement(view, move)
                seeming[move] += self.level.greed if fills else 0.0
        return max(seeming, key=lambda move: (seeming[move], str(move)), default=best)

    def _misjudgement(self, view: View, move: Move) -> float:
        """How much better a plan seems than it is, which stays so for a round."""
        taste = random.Random(derive(self._seed, self._game, "taste", view.round, _plan(move)))
        return self.level.misjudges * taste.gauss(0, 1)


def _plan(move: Move) -> str:
    """What a move is for: a colour on a line, from whichever factory, or a plate on a slot, however turned."""
    if isinstance(move, TakeTiles):
        return f"{move.color.name} {move.line}"
    return f"{move.plate} {move.slot}" if isinstance(move, LayPlate) else str(move)


def _effects(view: View, move: Move) -> tuple[int, bool]:
    """How many tiles a move breaks, and whether it fills a line."""
    if not isinstance(move, TakeTiles):
        return 0, False
    effect = view.preview(move)
    return effect.broken + effect.to_tower, effect.completes_line
