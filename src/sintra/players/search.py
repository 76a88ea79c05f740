"""`search`: Monte-Carlo tree search over the round, exact tiling, and a value for what comes after."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cache
from threading import Event
from typing import Final, NamedTuple, Protocol

from sintra.game.game import View
from sintra.game.legal import LegalMoves
from sintra.game.seeds import derive
from sintra.players.base import Clock, PlayerError, Seeded, register
from sintra.players.thinking import tree
from sintra.players.thinking.endgame import EndgameSolver, Ending
from sintra.players.thinking.evaluator import (
    CLASSIC,
    HAND,
    Evaluator,
    hand_made_evaluator,
    load_evaluator,
    standard_evaluator,
)
from sintra.players.thinking.tiler import Tiler
from sintra.processes.sent_files import local_copy
from sintra.rules import engine
from sintra.rules.choices import extended, joined, unpack
from sintra.rules.state import Stage, States, copied, held
from sintra.tabletop.moves import Move, move_of

SIMULATIONS: Final = 1000
"""The default budget: some 20 ms a move on one core, several times that where many chips are held."""
BATCH: Final = 1000
"""Simulations that are run in one call of compiled code."""
SMALL_BATCH: Final = 200
"""Simulations in one call where each tree is asked after each call whether it has enough."""
NODES_PER_SIMULATION: Final = 12
"""The default bound on the exact search of round 5."""
MAX_TREES: Final = 8
MAX_SIMULATIONS: Final = 1_000_000
"""The most simulations of a move: more would need too much memory."""
MAX_NODES: Final = 1_000_000_000
NO_FILES: Final = {"value": CLASSIC, "policy": HAND}
"""The parameters that name a file, each with the word that stands for no file."""
SETTINGS: Final[dict[str, type]] = dict.fromkeys(tree.SearchSettings._fields, float)
"""The parameters of a player that set `SearchSettings`, with their types."""
HAS_THREADS: Final = sys.platform != "emscripten"
"""Whether trees can be searched at the same time; in a browser one comes after the other."""
SPARE_BITS: Final = 8
"""Bits by which a tree's seed is shorter than 64, since the simulations count up from it."""


@cache
def _pool() -> ThreadPoolExecutor:
    return ThreadPoolExecutor(max_workers=MAX_TREES, thread_name_prefix="sintra-search")


@dataclass(frozen=True, slots=True)
class Candidate:
    """A choice the search has looked at: its share of visits and its mean value for the mover."""

    path: int
    visits: int
    value: float


class Known(Protocol):
    """What a tree knows of a move: the tree itself, or `Statistics`."""

    def children(self, node: int) -> Mapping[int, tree.Child]:
        """What is known of each choice at a node."""
        ...


class Statistics(NamedTuple):
    """What a tree knows of the choices of one move, which can be sent to another process."""

    nodes: dict[int, dict[int, tree.Child]]

    @classmethod
    def of(cls, known: Known, states: States) -> Statistics:
        """Those of a tree that was searched from a position."""
        nodes: dict[int, dict[int, tree.Child]] = {}

        def collect(node: int, before: States) -> None:
            nodes[node] = dict(known.children(node))
            for choice, child in nodes[node].items():
                after = copied(before)
                engine.apply(after, 0, choice)
                if child.node >= 0 and is_unfinished(after):
                    collect(child.node, after)

        collect(0, states)
        return cls(nodes)

    def children(self, node: int) -> Mapping[int, tree.Child]:
        """What is known of each choice at a node."""
        return self.nodes[node]


class Searcher:
    """Runs trees for one player and reads moves from them; keeps their memory for the next move."""

    def __init__(
        self,
        simulations: int,
        trees: int,
        evaluator: Evaluator | None = None,
        settings: tree.SearchSettings = tree.STANDARD,
        first: int = 0,
        edges_per_node: int = tree.EDGES_PER_NODE,
    ) -> None:
        """`first` is the number of its first tree, where others are searched elsewhere."""
        if not 1 <= simulations <= MAX_SIMULATIONS:
            raise PlayerError(f"a search has 1 to {MAX_SIMULATIONS} simulations")
        self.simulations = simulations
        self.evaluator = evaluator or standard_evaluator()
        self.tiler = Tiler(self.evaluator)
        try:
            self.trees = [
                tree.Tree.with_room(simulations // trees + 1, self.evaluator, edges_per_node, settings)
                for _ in range(trees)
            ]
        except MemoryError:
            raise PlayerError(f"there is not enough memory for {simulations} simulations") from None
        self.first = first
        self.is_stopped: Callable[[], bool] | None = None
        """If set, called between batches: the search stops when it returns True."""

    def settled(self, view: View) -> Move | None:
        """The move where nothing has to be searched: the only one, phase 2 solved exactly, or any order
        of the plates put back."""
        moves = view.legal_moves
        if len(moves) == 1 or view.stage is Stage.RETURNING:
            return moves[0]
        if view.stage in (Stage.TILING, Stage.PAYING):
            return move_of(self.tiler.next_move(view.states), view.states, 0)
        return None

    def run(
        self, view: View, seed: int, share: float = 1.0, has_enough: Callable[[tree.Tree], bool] | None = None
    ) -> None:
        """Searches from a view with the budget, or a share of it, in equal parts for the trees. Between batches all
        trees stop after a Ctrl-C and when `is_stopped` says so, and each tree when it `has_enough`."""
        each = max(1, int(share * self.simulations) // len(self.trees))
        stopped = self.is_stopped
        batch = BATCH if has_enough is None and stopped is None else SMALL_BATCH
        given_up = Event()

        def is_enough(one: tree.Tree) -> bool:
            return (stopped is not None and stopped()) or (has_enough is not None and has_enough(one))

        def think(k: int) -> None:
            one = self.trees[k]
            one.clear()
            for done in range(0, each, batch):
                if given_up.is_set() or (done and is_enough(one)):
                    return
                tree.think(
                    one, view.states, view.seat, derive(seed, self.first + k) >> SPARE_BITS, min(batch, each - done)
                )

        if len(self.trees) == 1 or not HAS_THREADS:
            for k in range(len(self.trees)):
                think(k)
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

    def _collect(self, nodes: list[int], states: States, prefix: int, step: int, found: list[Candidate]) -> None:
        """Follows the choices of unfinished moves down to where each move is complete."""
        merged, follow = _look(self.trees, nodes)
        for choice, (visits, total, _) in merged.items():
            if visits == 0:
                continue
            path = extended(prefix, step, choice)
            after = copied(states)
            engine.apply(after, 0, choice)
            if is_unfinished(after):
                before = len(found)
                self._collect(follow(choice), after, path, step + 1, found)
                if len(found) > before:
                    continue
                path = joined(path, step + 1, _first_ending(after))
            found.append(Candidate(path, visits, total / visits))

    @property
    def simulations_done(self) -> int:
        """How many simulations all trees together have run since they were cleared."""
        return sum(int(one.head.get("simulations")) for one in self.trees)

    def forget(self) -> None:
        """Marks all trees as not searched."""
        for one in self.trees:
            one.head["simulations"] = 0

    def visits_along(self, path: int) -> list[dict[int, int]]:
        """How often each choice was tried, at every step of a move; empty where the trees do not reach."""
        nodes = [0] * len(self.trees)
        found = []
        for choice in unpack(path):
            merged, follow = _look(self.trees, nodes)
            found.append({one: visits for one, (visits, _, _) in merged.items()})
            nodes = follow(choice)
        return found

    def best(self, states: States) -> int:
        """The move that most visits of all trees stand for."""
        return best_of(self.trees, states)


def best_of(trees: Sequence[Known], states: States) -> int:
    """The move that most visits stand for: choice by choice, so that a take is not split into its stack orders before
    it is compared with others."""
    nodes = [0] * len(trees)
    now = copied(states)
    path = step = 0
    while True:
        merged, follow = _look(trees, nodes)
        if not merged:
            return joined(path, step, _first_ending(now))
        choice = max(merged, key=lambda one: (merged[one][0], merged[one][2], -one))
        path = extended(path, step, choice)
        step += 1
        nodes = follow(choice)
        engine.apply(now, 0, choice)
        if not is_unfinished(now):
            return path


def _look(
    trees: Sequence[Known], nodes: list[int]
) -> tuple[dict[int, tuple[int, float, float]], Callable[[int], list[int]]]:
    """The statistics of some nodes, one of each tree, together: for each choice the visits, the sum of values and
    the sum of priors. Also returns the function that follows a choice to the next nodes."""
    children = [one.children(node) if node >= 0 else {} for one, node in zip(trees, nodes, strict=True)]
    merged: dict[int, tuple[int, float, float]] = {}
    for child in children:
        for choice, (visits, mean, prior, _) in child.items():
            n, total, weight = merged.get(choice, (0, 0.0, 0.0))
            merged[choice] = (n + visits, total + (mean * visits if visits else 0.0), weight + prior)
    return merged, lambda choice: [child[choice].node if choice in child else tree.NEW for child in children]


def settings_of(named: dict[str, float]) -> tree.SearchSettings:
    """The search settings with the given values, and defaults for the others."""
    for name, value in named.items():
        if name not in tree.SETTING_BOUNDS:
            raise PlayerError(f"a search has no setting {name!r}: there are {', '.join(tree.SETTING_BOUNDS)}")
        least, most = tree.SETTING_BOUNDS[name]
        if not least <= value <= most:
            raise PlayerError(f"{name}={value:g} of a search must be {least:g} to {most:g}")
    return tree.SearchSettings(**named)


def hurry_of(clock: Clock | None) -> float:
    """The share of the budget to think with, by the clock."""
    return 1.0 if clock is None else clock.share


def is_unfinished(states: States) -> bool:
    """Whether a move of the notation is half made."""
    return Stage(held(states).get("stage")) in (Stage.TURNING, Stage.STACKING)


def _first_ending(states: States) -> int:
    """Some way to finish a move that was begun."""
    return LegalMoves(states).paths[0]


@register(
    "search",
    "tree search over the round with exact tiling and a value for the rounds to come",
    sims=int,
    trees=int,
    nodes=int,
    seed=int,
    value=str,
    policy=str,
    **SETTINGS,
)
class SearchPlayer(Seeded):
    """The strong player. The same view, seed and budget give the same move, on any machine."""

    def __init__(
        self,
        sims: int = SIMULATIONS,
        trees: int = 1,
        nodes: int | None = None,
        seed: int = 0,
        value: str | None = None,
        policy: str | None = None,
        *,
        evaluator: Evaluator | None = None,
        searcher: Callable[..., Searcher] = Searcher,
        **settings: float,
    ) -> None:
        """`sims` is the budget of a move, shared by the `trees`; `nodes` bounds the exact search of
        round 5 (0: none, default: 12 for each simulation); `value` names a file with the evaluator's
        weights (`classic`: those of 0.1.0), `policy` one with a network (`hand`: none, opinions are made by hand);
        all others are `SearchSettings` of its trees."""
        if not 1 <= trees <= MAX_TREES or sims < trees:
            raise PlayerError(f"search needs 1 to {MAX_TREES} trees and at least one simulation for each")
        if nodes is not None and not 0 <= nodes <= MAX_NODES:
            raise PlayerError(f"the nodes of a search are 0 to {MAX_NODES}")
        super().__init__("search", seed)
        if value is not None or policy is not None:
            evaluator = load_evaluator(local_copy(value), local_copy(policy))
        self.searcher = searcher(sims, trees, evaluator, settings_of(settings))
        nodes = NODES_PER_SIMULATION * sims if nodes is None else nodes
        self.endgame = EndgameSolver(nodes, self.searcher.evaluator) if nodes else None
        self.last_ending: Ending | None = None
        """The result of the last exact search."""

    def ending(self, view: View) -> Ending | None:
        """The move that is known to be best, where the end of round 5 can be searched exactly."""
        self.last_ending = self.endgame.solve_exactly(view.states) if self.endgame else None
        return self.last_ending

    def choose(self, view: View, clock: Clock | None = None) -> Move:
        """The best move found within the budget."""
        if settled := self.searcher.settled(view):
            return settled
        if ending := self.ending(view):
            return move_of(ending.path, view.states, 0)
        self.searcher.run(view, self.seed_for(view), hurry_of(clock))
        return move_of(self.searcher.best(view.states), view.states, 0)


@register(
    "classic",
    "the search of version 0.1.0, with its opinions and values made by hand: an anchor",
    sims=int,
    trees=int,
    nodes=int,
    seed=int,
)
class ClassicPlayer(SearchPlayer):
    """The search without anything that was learned since 0.1.0."""

    def __init__(self, sims: int = SIMULATIONS, trees: int = 1, nodes: int | None = None, seed: int = 0) -> None:
        """The parameters of `search`."""
        super().__init__(sims, trees, nodes, seed, evaluator=hand_made_evaluator())
