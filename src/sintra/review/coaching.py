"""Advice with reasons: the best moves, figures that can be held against each other, and why in sentences.

A search looks at its favourite most and at others so little that their values say less. So each idea gets a look of its
own, with the same budget and in the same worlds, and the leading ones a deeper one where they are close. What then
differs by less than `ABOUT_EQUAL` is said to be about equal.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from statistics import fmean
from typing import Final

from sintra.game.game import View
from sintra.players.hints import Adviser, Evaluation, lead_at
from sintra.players.thinking.prospects import Foresight
from sintra.review.forms import NOTHING, ONLY, SMALL, Sentence
from sintra.review.looks import LookedAt, look_at_move
from sintra.review.reasons import Reason, reasons_between
from sintra.review.sentences import Teller
from sintra.rules.state import Stage
from sintra.tabletop.moves import Move

IDEAS: Final = 5
"""How many ideas are held against each other."""
SHOWN: Final = 3
"""How many of them are advised."""
ABOUT_EQUAL: Final = 0.01
"""Chances that differ by less are about equal."""
CLOSE: Final = 0.025
"""Moves whose chance is that near to the best are looked at more deeply."""
LOOK_SIMS: Final = 800
"""The simulations of the look that each idea gets."""
DEEP_FACTOR: Final = 4
"""How many times as many a deeper look has."""
MAX_TILINGS: Final = 12
"""How many other moves of phase 2 are held against the best."""


@dataclass(frozen=True, slots=True)
class Coached:
    """A move with its figures and its reasons."""

    move: Move
    """The move."""
    win: float
    """The chance to win after it."""
    lead: float
    """The expected final lead in points."""
    why: tuple[Sentence, ...]
    """What speaks for it, or against it, at most two sentences."""
    against: tuple[Move, ...] = ()
    """The moves that it was held against."""


@dataclass(frozen=True, slots=True)
class Coaching:
    """The advice for a position."""

    exact: bool
    """Whether the chances were calculated to the end of the game, or of its tiling."""
    moves: tuple[Coached, ...]
    """The best moves, the very best first."""
    about_equal: int
    """How many leading moves are about equal; 0 if the first is better than the second."""
    reasons: tuple[Reason, ...]
    """The points by which the first is better than the second, by source."""


class Coach:
    """Advises with a fixed budget; the same view gives the same advice."""

    def __init__(self, sims: int = 1500, look_sims: int = LOOK_SIMS) -> None:
        self._adviser = Adviser(sims)
        self._foresight = Foresight(look_sims)
        self._deeper = Foresight(DEEP_FACTOR * look_sims)
        self._teller = Teller()

    def advise(self, view: View) -> Coaching:
        """The best moves of the seat to move, at most `SHOWN`, and why."""
        found = self._adviser.evaluate(view, IDEAS)
        if found.exact or len(view.legal_moves) == 1:
            return self._settled(view, found)
        ideas = self.looked_at(view, [one.move for one in found.advice])
        equal = sum(ideas[0].prospect.win - one.prospect.win < ABOUT_EQUAL for one in ideas)
        moves = []
        for k, one in enumerate(ideas[:SHOWN]):
            win = min(max(one.prospect.win, 0.0), 1.0)
            moves.append(Coached(one.move, win, lead_at(view.round, win), *self._why(view, k, ideas)))
        two = ideas[:2]
        reasons = (
            reasons_between(view, two[0].move, two[1].move, two[0].prospect, two[1].prospect) if len(two) > 1 else ()
        )
        return Coaching(False, tuple(moves), equal if equal > 1 else 0, reasons)

    def looked_at(self, view: View, moves: Sequence[Move]) -> list[LookedAt]:
        """Moves with what is expected of each, the best first: each has had the same look, those near the best a deeper
        one."""
        ideas = [look_at_move(view, move, self._foresight) for move in moves]
        ideas.sort(key=lambda one: -one.prospect.win)
        near = [one for one in ideas if one.prospect.win > ideas[0].prospect.win - CLOSE][:SHOWN]
        if len(near) > 1:
            ideas = [look_at_move(view, one.move, self._deeper) for one in near] + ideas[len(near) :]
            ideas.sort(key=lambda one: -one.prospect.win)
        return ideas

    def _why(self, view: View, k: int, ideas: Sequence[LookedAt]) -> tuple[tuple[Sentence, ...], tuple[Move, ...]]:
        """What speaks for a move rather than for the other ideas, for the best or else the last of them, and which of
        these."""
        one, others = ideas[k], [other for other in ideas if other is not ideas[k]]
        tried = []
        for rivals in (others, others[:1], others[-1:]) if others else ():
            explained = self._teller.explain(view, one, rivals, against=k > 0)
            moves = tuple(other.move for other in rivals)
            if explained.sentences:
                return explained.sentences, moves
            tried.append((explained, moves))
        for explained, moves in tried:
            if explained.told:
                return explained.told, moves
        is_equal = bool(others) and abs(others[0].prospect.win - one.prospect.win) < ABOUT_EQUAL
        return (NOTHING if is_equal else SMALL,), ()

    def _settled(self, view: View, found: Evaluation) -> Coaching:
        """The advice where one move is known to be best, or is the only one."""
        best = found.best
        why = self.why_exact(view, best.move)
        return Coaching(found.exact, (Coached(best.move, best.win, best.lead, why),), 0, ())

    def why_exact(self, view: View, move: Move) -> tuple[Sentence, ...]:
        """Why a move that is known to be best is: against the other ideas there are."""
        if len(view.legal_moves) == 1:
            return (ONLY,)
        is_tiling = view.stage in (Stage.TILING, Stage.PAYING)
        others = [one for one in view.legal_moves if one != move]
        others = others[:MAX_TILINGS] if is_tiling else self._adviser.ideas(view, IDEAS, move)
        told = self.why(view, move, others) if others else ()
        return told or (Sentence("tiled" if is_tiling else "exact"),)

    def why(self, view: View, move: Move, others: Sequence[Move]) -> tuple[Sentence, ...]:
        """What speaks for a move rather than for others; nothing if nothing does."""
        one = look_at_move(view, move, self._foresight)
        rivals = [look_at_move(view, other, self._foresight) for other in others[:MAX_TILINGS]]
        if not one.prospect.parts or not all(rival.prospect.parts for rival in rivals):
            return ()
        if math.isnan(one.prospect.win):  # phase 2 is exact: the best of the others is what counts
            rivals.sort(key=lambda rival: -fmean(rival.prospect.lead(view.seat)))
            rivals = rivals[:1]
        return self._teller.explain(view, one, rivals).told
