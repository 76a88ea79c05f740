"""What the computer thinks of a position, for hints and reviews: the best moves with the expected
final difference, the chance to win, and the main line in words.

Everything comes from the view of one seat, so a hint tells nothing that the seat may not know.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

from sintra.components import ROUNDS
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.game.words import describe
from sintra.players import tiler, tree
from sintra.players.base import require_turn
from sintra.players.endgame import WIN
from sintra.players.search import MOST_TILES, Candidate, Searcher, SearchPlayer, tiles_on_factories
from sintra.rules import choices, engine
from sintra.rules.state import Stage, States, copied
from sintra.tabletop.moves import Move, move_of
from sintra.tabletop.tabletop import Tabletop


@dataclass(frozen=True, slots=True)
class Advice:
    """One move, seen from the seat that moves: chance to win, expected final lead in points, how
    sure the search is (its share of attention), and what is expected to follow, in words."""

    move: Move
    win: float
    lead: float
    share: float
    line: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What is thought of a position: the best moves first; exact when it was searched to its end."""

    advice: tuple[Advice, ...]
    exact: bool

    @property
    def best(self) -> Advice:
        """The best move."""
        return self.advice[0]


def lead_of(win: float, scale: float) -> float:
    """The expected lead that a chance to win stands for."""
    win = min(max(win, 1e-4), 1 - 1e-4)
    return scale * math.log(win / (1 - win))


class Adviser:
    """Evaluates views with a fixed budget; the same view gives the same advice."""

    def __init__(self, sims: int = 1500, trees: int = 1, seed: int = 0) -> None:
        self._player = SearchPlayer(sims, trees, seed=seed)
        self._seed = seed

    def evaluate(self, view: View, most: int = 3) -> Evaluation:
        """The best moves of the seat to move, at most so many."""
        require_turn(view)
        state = view.state
        if view.stage in (Stage.TILING, Stage.PAYING):
            return self._tiling(view)
        endgame = self._player.endgame
        if endgame and view.round == ROUNDS and tiles_on_factories(view) <= MOST_TILES:
            ending = endgame.solve(state)
            if ending and ending.exact:
                value = ending.value if view.seat == 0 else -ending.value
                lead = value - math.copysign(min(WIN, abs(value)), value)
                move = move_of(ending.path, state, 0)
                win = 1.0 if value > WIN - 0.5 else 0.0 if value < 0.5 - WIN else 0.5 + value / (2 * WIN)
                return Evaluation((Advice(move, min(max(win, 0.0), 1.0), lead, 1.0, (describe(view, move),)),), True)
        searcher = self._player.searcher
        searcher.run(view, derive(self._seed, "hint", view.key))
        found = searcher.candidates(state)
        best = searcher.best(state)
        found.sort(key=lambda one: (one.path != best, -one.visits, one.path))
        total = sum(one.visits for one in found)
        scale = float(searcher.value.scales[view.round - 1]) if view.round < ROUNDS else 6.0
        first, *others = (self._advice(view, one, scale, total, searcher) for one in found[:most])
        return Evaluation((first, *sorted(others, key=lambda one: -one.win)), False)

    def _advice(self, view: View, one: Candidate, scale: float, total: int, searcher: Searcher) -> Advice:
        move = move_of(one.path, view.state, 0)
        line = (describe(view, move), *main_line(searcher, view.state, one.path))
        return Advice(move, one.value, lead_of(one.value, scale), one.visits / max(total, 1), line)

    def _tiling(self, view: View) -> Evaluation:
        """Phase 2 is solved exactly; the other board is taken as it stands, or at its best if it is
        still to be tiled."""
        state, searcher = view.state, self._player.searcher
        work = searcher.works[0]
        weights = searcher.value.weights
        path = int(tiler.solve_next_move(state, 0, weights, work))
        mine = float(tiler.solve(state, 0, view.seat, weights, work))
        is_done = view.seat != view.first
        theirs = float((tiler.stand if is_done else tiler.solve)(state, 0, 1 - view.seat, weights, work))
        lead = mine - theirs
        scale = float(searcher.value.scales[view.round - 1])
        if view.round < ROUNDS:
            win = 1 / (1 + math.exp(-lead / scale))
        else:
            scores = (mine, theirs) if view.seat == 0 else (theirs, mine)
            win = float(engine.who_would_win(state, 0, *map(int, scores)) == view.seat)
        move = move_of(path, state, 0)
        return Evaluation((Advice(move, win, lead, 1.0, (describe(view, move),)),), True)


def main_line(searcher: Searcher, states: States, path: int, plies: int = 4) -> list[str]:
    """What the first tree expects after a move, as far as it has looked and chance is not asked."""
    one = searcher.trees[0]
    node = 0
    now = copied(states)
    words: list[str] = []
    for choice in choices.unpack(path):
        node = one.children(node).get(choice, (0, 0.0, 0.0, tree.NEW))[3] if node >= 0 else tree.NEW
        engine.apply(now, 0, choice)
    while node >= 0 and len(words) < plies:
        packed = step = 0
        before = copied(now)
        seat = int(before["turn"][0])
        while node >= 0:
            children = one.children(node)
            if not children or max(child[0] for child in children.values()) < 2:
                return words
            choice = max(children, key=lambda key: (children[key][0], -key))
            packed |= choice + 1 << choices.PATH_BITS * step
            step += 1
            node = children[choice][3]
            engine.apply(now, 0, choice)
            if Stage(now["stage"][0]) not in (Stage.TURNING, Stage.STACKING):
                break
        else:
            return words
        words.append(f"seat {seat}: {describe(Tabletop(before), move_of(packed, before, 0))}")
    return words
