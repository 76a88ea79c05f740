"""The chances of a review, for a plot."""

from __future__ import annotations

from sintra.drawing.plot import Chances, TurningPoint
from sintra.errors import SintraError
from sintra.records.record import Record
from sintra.review.report import mark_of
from sintra.review.reviewing import GameReview


def chances_of(review: GameReview, record: Record) -> Chances:
    """The chances of a review of this record; raises `SintraError` if it is the review of another one."""
    turns = review.turns
    if tuple(turn.move for turn in turns) != record.moves:
        raise SintraError("this is the review of another game: its moves are not those of the record")
    by_ply = (*(turn.chance for turn in turns), review.result)
    if not all(0 <= chance <= 1 for chance in by_ply):
        raise SintraError("the review is damaged: a chance is not between 0 and 1")
    begins = tuple(ply for ply, turn in enumerate(turns) if ply == 0 or turn.round != turns[ply - 1].round)
    points = tuple(TurningPoint(ply, mark.symbol) for ply, turn in enumerate(turns) if (mark := mark_of(turn)))
    return Chances(by_ply, begins, points)
