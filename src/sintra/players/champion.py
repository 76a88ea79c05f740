"""`champion`: the search with all it has learned, for as long as a second lasts.

A simulation takes from 1 to 200 µs: late in a round the same positions come up again, and where many chips are held a
tiling has hundreds of ways. A fixed number of simulations would waste most of the second or overrun it. So each tree
counts what it does, and stops when that is about a second's work: the count follows from the view, the seed and the
budget alone, never from the clock, so the same move is found on any machine.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from functools import partial
from typing import Final

from sintra.game.game import View
from sintra.players.base import Clock, PlayerError, register
from sintra.players.search import SETTINGS, SMALL_BATCH, Searcher, SearchPlayer, Statistics, best_of, hurry_of
from sintra.players.thinking.endgame import is_within_reach
from sintra.players.thinking.tree import Tree
from sintra.rules.choices import MAX_CHOICES
from sintra.tabletop.moves import Move, move_of

TREES: Final = 2
"""The trees of a search: one for each of two cores."""
MAX_SIMULATIONS: Final = 140_000
"""The most simulations of a move, for both trees: more would not fit into them. Only positions with little left to find
take so many."""
MAX_SHARE: Final = 4.0
"""The largest `share` of the usual budget: more would need too much memory."""
ENDING_NODES: Final = 100_000
"""The budget of the exact search of round 5."""

WORK: Final = 800_000.0
"""The budget of a tree in µs, as the next constants count them (see `bench/champion_times.py`): the longest move takes
about a second, since some work is slower than they say."""
SIMULATION: Final = 1.9
"""Microseconds for a simulation."""
NODE: Final = 5.6
"""Microseconds for a position that is new to the tree, with its playout."""
CHOICE: Final = 0.53
"""Microseconds for each choice of a new position, which gets its prior."""
STEP: Final = 0.09
"""Microseconds for a step of a tiling."""
ENDING_NODE: Final = 1.7
"""Microseconds for a node of the exact search."""
EDGES_PER_NODE: Final = math.ceil((WORK / CHOICE + SMALL_BATCH * MAX_CHOICES) * TREES / MAX_SIMULATIONS)
"""For how many choices of each node a tree has room, on average: for all that the budget pays for."""


def work_of(one: Tree) -> float:
    """What a tree has done, in µs or so."""
    head = one.head.lists()
    done = SIMULATION * head["simulations"] + NODE * head["nodes"] + CHOICE * head["edges"]
    return float(done + STEP * one.work.get("steps"))


@register(
    "champion",
    "the strongest: the search in two trees, with as many simulations as fit into about a second",
    share=float,
    seed=int,
    value=str,
    policy=str,
    **SETTINGS,
)
class ChampionPlayer(SearchPlayer):
    """The strongest player. The same view, seed and share give the same move, on any machine."""

    def __init__(
        self,
        share: float = 1.0,
        seed: int = 0,
        value: str | None = None,
        policy: str | None = None,
        *,
        alone: int | None = None,
        **settings: float,
    ) -> None:
        """`share` of the usual budget (1: about a second on two cores); `alone`, if given, is the one of the trees that
        is searched here; the others as for `search`."""
        if not 0 < share <= MAX_SHARE:
            raise PlayerError(f"the champion's share is above 0 and at most {MAX_SHARE:g}")
        each = max(1, int(MAX_SIMULATIONS * share) // TREES)
        trees = TREES if alone is None else 1
        super().__init__(
            trees * each,
            trees,
            max(1, int(ENDING_NODES * share)),
            seed,
            value,
            policy,
            evaluator=None,
            searcher=partial(Searcher, first=alone or 0, edges_per_node=EDGES_PER_NODE),
            **settings,
        )
        self.work = WORK * share

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The best move found within the budget."""
        return self._searched(view, clock) or move_of(self.searcher.best(view.states), view.states, 0)

    def explore(self, view: View, clock: Clock | None = None) -> Move | Statistics:
        """The move where nothing has to be searched, otherwise what the one tree here knows of the moves."""
        return self._searched(view, clock) or Statistics.of(self.searcher.trees[0], view.states)

    def _searched(self, view: View, clock: Clock | None) -> Move | None:
        """Searches, unless the move is known without."""
        if settled := self.searcher.settled(view):
            return settled
        work = self.work
        if self.endgame and is_within_reach(view.states):
            if ending := self.ending(view):
                return move_of(ending.path, view.states, 0)
            work -= ENDING_NODE * self.endgame.nodes
        enough = work * hurry_of(clock)
        self.searcher.run(view, self.seed_for(view), has_enough=lambda one: work_of(one) >= enough)
        return None


def move_of_trees(view: View, found: Sequence[Statistics]) -> Move:
    """The best move by what trees have found that were searched in several places."""
    return move_of(best_of(found, view.states), view.states, 0)
