"""Games of the search against itself, with notes for learning: a share of the decisions is searched deeply, the others
quickly, and the notes keep the deep ones, or all."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from sintra.game.game import Game, View
from sintra.learn.fitting import SAMPLE, note_boards
from sintra.learn.notes import Notes
from sintra.players.search import Searcher, is_unfinished
from sintra.players.thinking.evaluator import Evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.rules import engine
from sintra.rules.state import STATE, Source, Stage, copied
from sintra.tabletop.moves import move_of

MIN_VISITS: Final = 24
"""A choice within a move is noted if its node has so many visits."""
DEEP: Final = "deep"
"""The decisions that were searched deeply become targets."""
ALL: Final = "all"
"""All decisions that were searched become targets."""


@dataclass(frozen=True, slots=True)
class Budget:
    """How games for learning are played."""

    deep: int = 1000
    """Simulations of a deep search."""
    share: float = 0.12
    """The share of decisions that are searched deeply."""
    quick: int = 150
    """Simulations of a quick search."""
    straying: float = 0.03
    """The share of quick decisions that are made by chance instead, so that games differ."""
    targets: str = DEEP
    """The decisions that are noted: `deep`, or `all` that are searched. The games are the same."""


class _Noting:
    """The notes of one game while it is played."""

    def __init__(self) -> None:
        self._states: list[np.ndarray] = []
        self._sizes = [0]
        self._choices: list[int] = []
        self._visits: list[int] = []
        self._is_deep: list[bool] = []
        self.boards = np.zeros(1, SAMPLE)
        self._rounds = 0

    def add_decision(self, searcher: Searcher, view: View, is_deep: bool) -> None:
        """Notes how often the choices of a decision were tried, and of those that follow within the best move."""
        (tree,) = searcher.trees
        node, now = 0, copied(view.state)
        while node >= 0:
            children = tree.children(node)
            if len(children) < 2 or sum(child.visits for child in children.values()) < MIN_VISITS:
                return
            self._states.append(copied(now))
            self._sizes.append(len(children))
            self._choices += children
            self._visits += [child.visits for child in children.values()]
            self._is_deep.append(is_deep)
            best = max(children, key=lambda choice: (children[choice].visits, -choice))
            node = children[best].node
            engine.apply(now, 0, best)
            if not is_unfinished(now):
                return

    def add_boards(self, game: Game, tiler: Tiler) -> None:
        """Notes both boards as they will be tiled, once a round."""
        if game.stage is not Stage.TILING or self._rounds == game.round:
            return
        note_boards(self.boards, game, tiler)
        self._rounds = game.round

    def finish(self, game: Game) -> Notes:
        """The notes of the game, which is over."""
        self.boards["final"][0] = game.scores
        sources = np.array([[by[source] for source in Source] for by in game.points_by_source], np.int16)
        states = np.concatenate(self._states) if self._states else np.zeros(0, STATE)
        return Notes(
            states=states,
            first=np.cumsum(self._sizes),
            choices=np.array(self._choices, np.int16),
            visits=np.array(self._visits, np.int32),
            game=np.zeros(len(states), np.int32),
            boards=self.boards,
            sources=sources[None],
            is_deep=np.array(self._is_deep, np.bool_),
        )


class Noter:
    """Plays games with notes, with searchers that are made once."""

    def __init__(self, evaluator: Evaluator, budget: Budget) -> None:
        self._budget = budget
        self._deep = Searcher(budget.deep, 1, evaluator)
        self._quick = Searcher(budget.quick, 1, evaluator)
        self._tiler = Tiler(evaluator)

    def play(self, seed: int) -> Notes:
        """Plays one game and returns its notes."""
        dice = np.random.default_rng(seed)
        game = Game.new(seed=seed, goals=3 + seed % 2)
        noting = _Noting()
        while not game.is_over:
            noting.add_boards(game, self._tiler)
            view = game.view(game.turn)
            if settled := self._quick.settled(view):
                game.push(settled)
                continue
            is_deep = dice.random() < self._budget.share
            if not is_deep and dice.random() < self._budget.straying:
                moves = game.legal_moves
                game.push(moves[int(dice.integers(len(moves)))])
                continue
            searcher = self._deep if is_deep else self._quick
            searcher.run(view, int(dice.integers(1 << 62)))
            if is_deep or self._budget.targets == ALL:
                noting.add_decision(searcher, view, is_deep)
            game.push(move_of(searcher.best(view.state), view.state, 0))
        return noting.finish(game)
