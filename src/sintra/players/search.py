"""`search`: Monte-Carlo tree search over the round, exact tiling, and a value for what comes after."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Event

import numpy as np

from sintra.components import ROUNDS
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.players import tiler, tree
from sintra.players.base import Clock, PlayerError, register
from sintra.players.endgame import EndgameSolver
from sintra.players.value import Value, load_value, standard_value
from sintra.rules import choices, engine
from sintra.rules.state import Stage, States, copied
from sintra.tabletop.moves import Move, move_of

SIMULATIONS = 1000
"""The default budget: some 30 ms a move on one core, several times that where many chips are held."""
PORTION = 1000
"""Simulations that are run in one go."""
HURRY = 20.0
"""With a clock: below so many seconds left the budget shrinks, down to a twentieth."""
NODES_PER_SIMULATION = 12
"""The default bound on the exact search of round 5."""
MOST_TILES = 12
"""With more tiles on the factories round 5 is too long to be searched to its end."""


def tiles_on_factories(view: View) -> int:
    """How many tiles are still to be taken this round."""
    state = view.state
    return int(state["sun"].sum() + state["stack_height"].sum() + state["moon"].sum())


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=8, thread_name_prefix="sintra-search")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A choice the search has looked at: its share of visits and its mean value for the mover."""

    path: int
    visits: int
    value: float


class Searcher:
    """Runs trees for one player and reads moves from them; keeps their memory for the next move."""

    def __init__(self, simulations: int, trees: int, value: Value | None = None) -> None:
        self.simulations = simulations
        self.value = value or standard_value()
        self.trees = [tree.Tree(simulations // trees + 1) for _ in range(trees)]
        self.works = [tiler.new_work() for _ in range(trees)]

    def run(self, view: View, seed: int, share: float = 1.0) -> None:
        """Thinks about a view with the budget, or a share of it; the trees get equal parts. Between
        portions a Ctrl-C is heard, and no tree goes on after it."""
        each = max(1, int(share * self.simulations) // len(self.trees))
        given_up = Event()

        def think(k: int) -> None:
            self.trees[k].clear()
            for done in range(0, each, PORTION):
                if given_up.is_set():
                    return
                tree.think(
                    self.trees[k].arrays,
                    view.state,
                    view.seat,
                    derive(seed, k) >> 8,
                    min(PORTION, each - done),
                    self.value.weights,
                    self.value.scales,
                    self.works[k],
                )

        if len(self.trees) == 1:
            think(0)
            return
        try:
            list(_pool().map(think, range(len(self.trees))))
        finally:
            given_up.set()

    def candidates(self, states: States) -> list[Candidate]:
        """The moves that were looked at, most visited first; all trees counted together."""
        found: list[Candidate] = []
        self._collect([0] * len(self.trees), states, 0, 0, found)
        return sorted(found, key=lambda candidate: (-candidate.visits, candidate.path))

    def _look(self, nodes: list[int]) -> tuple[dict[int, tuple[int, float, float]], Callable[[int], list[int]]]:
        """What all trees together say of one place: for each choice the visits, the sum of values
        and the sum of priors; and a function that follows a choice to the next nodes."""
        children = [one.children(node) if node >= 0 else {} for one, node in zip(self.trees, nodes, strict=True)]
        merged: dict[int, tuple[int, float, float]] = {}
        for child in children:
            for choice, (visits, mean, prior, _) in child.items():
                n, total, weight = merged.get(choice, (0, 0.0, 0.0))
                merged[choice] = (n + visits, total + (mean * visits if visits else 0.0), weight + prior)
        return merged, lambda choice: [child[choice][3] if choice in child else tree.NEW for child in children]

    def _collect(self, nodes: list[int], states: States, prefix: int, step: int, found: list[Candidate]) -> None:
        """Follows the choices of unfinished moves down to where each move is complete."""
        merged, follow = self._look(nodes)
        for choice, (visits, total, _) in merged.items():
            if visits == 0:
                continue
            path = prefix | choice + 1 << choices.PATH_BITS * step
            after = copied(states)
            engine.apply(after, 0, choice)
            if _is_unfinished(after):
                before = len(found)
                self._collect(follow(choice), after, path, step + 1, found)
                if len(found) > before:
                    continue
                path |= _first_ending(after) << choices.PATH_BITS * (step + 1)
            found.append(Candidate(path, visits, total / visits))

    def best(self, states: States) -> int:
        """The move that most visits stand for: choice by choice, so that a take is not split into
        its stack orders before it is compared with others."""
        nodes = [0] * len(self.trees)
        now = copied(states)
        path = step = 0
        while True:
            merged, follow = self._look(nodes)
            if not merged:
                return path | _first_ending(now) << choices.PATH_BITS * step
            choice = max(merged, key=lambda one: (merged[one][0], merged[one][2], -one))
            path |= choice + 1 << choices.PATH_BITS * step
            step += 1
            nodes = follow(choice)
            engine.apply(now, 0, choice)
            if not _is_unfinished(now):
                return path


def _is_unfinished(states: States) -> bool:
    """Whether a move of the notation is half made."""
    return Stage(states["stage"][0]) in (Stage.TURNING, Stage.STACKING)


def _first_ending(states: States) -> int:
    """Some way to finish a move that was begun."""
    out = np.empty(choices.MOST_MOVES, np.int64)
    engine.list_moves(states, 0, out)
    return int(out[0])


@register(
    "search",
    "tree search over the round with exact tiling and a value for the rounds to come",
    sims=int,
    trees=int,
    nodes=int,
    seed=int,
    value=str,
)
class SearchPlayer:
    """The strong player. The same view, seed and budget give the same move, on any machine."""

    def __init__(
        self,
        sims: int = SIMULATIONS,
        trees: int = 1,
        nodes: int | None = None,
        seed: int = 0,
        value: Value | str | None = None,
    ) -> None:
        """`sims` is the budget of a move, shared by the `trees`; `nodes` bounds the exact search of
        round 5 (0: none, default: 12 for each simulation); `value` names a file with weights."""
        if not 1 <= trees <= 8 or sims < trees:
            raise PlayerError("search needs 1 to 8 trees and at least one simulation for each")
        self.name = "search"
        self._seed = seed
        self._game = 0
        self._nodes = NODES_PER_SIMULATION * sims if nodes is None else nodes
        self.endgame = EndgameSolver(self._nodes) if self._nodes else None
        self.searcher = Searcher(sims, trees, load_value(value) if isinstance(value, str) else value)

    def new_game(self, seed: int) -> None:
        """Other dice for another game."""
        self._game = seed

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The best move found within the budget."""
        state = view.state
        moves = view.legal_moves
        if len(moves) == 1:
            return moves[0]
        if view.stage in (Stage.TILING, Stage.PAYING):
            weights = self.searcher.value.weights
            return move_of(int(tiler.solve_next_move(state, 0, weights, self.searcher.works[0])), state, 0)
        if view.stage is Stage.RETURNING:
            return moves[0]
        if self.endgame and view.round == ROUNDS and tiles_on_factories(view) <= MOST_TILES:
            ending = self.endgame.solve(state)
            if ending and ending.exact:
                return move_of(ending.path, state, 0)
        hurry = 1.0 if clock is None else min(1.0, max(0.05, clock.left / HURRY))
        self.searcher.run(view, derive(self._seed, self._game, view.key), hurry)
        return move_of(self.searcher.best(state), state, 0)
