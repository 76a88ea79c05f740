"""What the computer thinks of a position, for hints and reviews: the best moves with the expected
final difference, the chance to win, and the main line in words.

Everything comes from the view of one seat, so a hint tells nothing that the seat may not know.
"""

from __future__ import annotations

import math
from collections.abc import Hashable, Sequence
from dataclasses import dataclass
from typing import Final

from sintra.components import FACTORY_LETTERS, ROUNDS
from sintra.game.game import View
from sintra.game.seeds import derive
from sintra.game.words import describe
from sintra.players.base import require_turn
from sintra.players.search import Candidate, Searcher, SearchPlayer, is_unfinished
from sintra.players.thinking import tree
from sintra.players.thinking.endgame import WIN, Ending
from sintra.players.thinking.evaluator import chance_to_win, standard_evaluator
from sintra.players.thinking.tree import Tree
from sintra.rules import engine
from sintra.rules.choices import extended, unpack
from sintra.rules.state import Stage, States, copied, held
from sintra.tabletop.moves import LayPlate, Move, TakeChip, TakeTiles, move_of, path_of
from sintra.tabletop.tabletop import Tabletop

LAST_SCALE: Final = 6.0
"""The scale, in points, of the chance to win that a lead stands for in the draft of round 5."""
MIN_CHANCE: Final = 1e-4
"""Chances nearer to 0 or 1 than this stand for no larger lead."""


@dataclass(frozen=True, slots=True)
class Advice:
    """One move, seen from the seat that moves."""

    move: Move
    """The move."""
    win: float
    """The chance to win after it."""
    lead: float
    """The expected final lead in points."""
    share: float
    """The share of the search's visits that it got: how sure the search is."""
    line: tuple[str, ...]
    """The move and those that are expected to follow, in words."""
    follow: tuple[Move, ...] = ()
    """The moves that are expected to follow."""


@dataclass(frozen=True, slots=True)
class Evaluation:
    """What the search thinks of a position."""

    advice: tuple[Advice, ...]
    """The move that would be played, then other ideas by their chance to win. What was looked at less is less sure: an
    idea can seem better than the move that would be played (`review/coaching` holds them against each other)."""
    exact: bool
    """Whether the position was searched to the end of the game, or of its tiling."""

    @property
    def best(self) -> Advice:
        """The best move."""
        return self.advice[0]


def lead_of(win: float, scale: float) -> float:
    """The expected lead that a chance to win stands for."""
    win = min(max(win, MIN_CHANCE), 1 - MIN_CHANCE)
    return scale * math.log(win / (1 - win))


def lead_at(round_no: int, win: float) -> float:
    """The expected lead that a chance to win stands for in the draft of a round."""
    return lead_of(win, LAST_SCALE if round_no == ROUNDS else float(standard_evaluator().scales[round_no - 1]))


class Adviser:
    """Evaluates views with a fixed budget; the same view gives the same advice."""

    def __init__(self, sims: int = 1500, trees: int = 1, seed: int = 0) -> None:
        self._player = SearchPlayer(sims, trees, seed=seed)
        self._seed = seed

    def evaluate(self, view: View, most: int = 3) -> Evaluation:
        """The best moves of the seat to move, one for each idea, at most so many."""
        require_turn(view)
        if view.stage in (Stage.TILING, Stage.PAYING):
            return self._tiling(view)
        if ending := self._player.ending(view):
            return exact_evaluation(view, ending)
        searcher = self._player.searcher
        searcher.run(view, derive(self._seed, "hint", view.key))
        found = searcher.candidates(view.states)
        best = searcher.best(view.states)
        found.sort(key=lambda one: (one.path != best, -one.visits, one.path))
        total = sum(one.visits for one in found)
        first, *others = best_of_ideas(view, found)[:most]
        others.sort(key=lambda one: (-one.value, -one.visits))
        return Evaluation(tuple(self._advice(view, one, total, searcher) for one in (first, *others)), False)

    def ideas(self, view: View, most: int, known: Move) -> list[Move]:
        """Other ideas than a move that is known to be best, at most so many."""
        searcher = self._player.searcher
        searcher.run(view, derive(self._seed, "hint", view.key))
        best = path_of(known, view.states, 0)
        others = [one for one in searcher.candidates(view.states) if one.path != best]
        first = Candidate(best, 0, 0.0)
        return [move_of(one.path, view.states, 0) for one in best_of_ideas(view, [first, *others])[1 : most + 1]]

    def _advice(self, view: View, one: Candidate, total: int, searcher: Searcher) -> Advice:
        move = move_of(one.path, view.states, 0)
        expected = main_line(searcher.trees[0], view.states, one.path)
        words = (describe(view, move), *(f"seat {seat}: {words}" for seat, _, words in expected))
        follow = tuple(move for _, move, _ in expected)
        return Advice(move, one.value, lead_at(view.round, one.value), one.visits / max(total, 1), words, follow)

    def _tiling(self, view: View) -> Evaluation:
        """Phase 2 is solved exactly; the other board is taken as it stands, or at its best if it is
        still to be tiled."""
        state, tiler = view.states, self._player.searcher.tiler
        move = move_of(tiler.next_move(state), state, 0)
        mine = tiler.value(state, view.seat)
        is_done = view.seat != view.first
        theirs = (tiler.value_when_done if is_done else tiler.value)(state, 1 - view.seat)
        lead = mine - theirs
        if view.round < ROUNDS:
            win = chance_to_win(lead, float(tiler.evaluator.scales[view.round - 1]))
        else:
            scores = (mine, theirs) if view.seat == 0 else (theirs, mine)
            win = float(engine.who_would_win(state, 0, *map(int, scores)) == view.seat)
        return Evaluation((Advice(move, win, lead, 1.0, (describe(view, move),)),), True)


def best_of_ideas(view: View, candidates: Sequence[Candidate]) -> list[Candidate]:
    """The first candidate of each idea: that of the very first one, then those whose moves got most visits together."""
    ideas: dict[Hashable, list[Candidate]] = {}
    for one in candidates:
        ideas.setdefault(idea_of(view, move_of(one.path, view.states, 0)), []).append(one)
    first, *others = ideas.values()
    others.sort(key=lambda alike: -sum(one.visits for one in alike))
    return [alike[0] for alike in (first, *others)]


def idea_of(view: View, move: Move) -> Hashable:
    """What a move is about, the same for moves that differ in details: a colour on a line wherever it comes from, a
    plate wherever it goes (if it is the only one that can be kept: its slot), a chip by its faces."""
    match move:
        case TakeTiles(color=color, line=line):
            return color, line
        case LayPlate(plate=plate, slot=slot):
            return slot if view.stage is Stage.KEEPING and view.drawn == 1 else plate
        case TakeChip(factory=factory):
            return view.factories[FACTORY_LETTERS.index(factory)].chip
    return move


def exact_evaluation(view: View, ending: Ending) -> Evaluation:
    """What is known of a position of round 5 that was searched to its end."""
    value = ending.value if view.seat == 0 else -ending.value
    lead = value - math.copysign(min(WIN, abs(value)), value)
    move = move_of(ending.path, view.states, 0)
    win = 1.0 if value > WIN - 0.5 else 0.0 if value < 0.5 - WIN else 0.5 + value / (2 * WIN)
    return Evaluation((Advice(move, min(max(win, 0.0), 1.0), lead, 1.0, (describe(view, move),)),), True)


def main_line(one: Tree, states: States, path: int, plies: int = 4) -> list[tuple[int, Move, str]]:
    """What a tree expects after a move, as far as it has looked and chance is not asked: seats, their moves, and these
    in words."""
    node = 0
    now = copied(states)
    found: list[tuple[int, Move, str]] = []
    for choice in unpack(path):
        child = one.children(node).get(choice) if node >= 0 else None
        node = child.node if child else tree.NEW
        engine.apply(now, 0, choice)
    while node >= 0 and len(found) < plies:
        packed = step = 0
        before = copied(now)
        seat = held(before).get("turn")
        while node >= 0:
            children = one.children(node)
            if not children or max(child.visits for child in children.values()) < 2:
                return found
            choice = max(children, key=lambda key: (children[key].visits, -key))
            packed = extended(packed, step, choice)
            step += 1
            node = children[choice].node
            engine.apply(now, 0, choice)
            if not is_unfinished(now):
                break
        else:
            return found
        move = move_of(packed, before, 0)
        found.append((seat, move, describe(Tabletop(before), move)))
    return found
