"""The chances of a review, for a plot: read from its JSON, so that a review that was kept can be plotted."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from sintra.drawing.plot import Chances, TurningPoint
from sintra.errors import SintraError
from sintra.records.record import Record
from sintra.review.reviewing import FORMAT
from sintra.review.telling import mark_of_cost


def chances_in(data: Any, record: Record) -> Chances:
    """The chances of a review (`GameReview.to_dict`) of this record."""
    if not isinstance(data, Mapping) or data.get("format") != FORMAT:
        raise SintraError(f"this is no review: it should be what `sintra review --format json` writes ({FORMAT})")
    try:
        turns = data["turns"]
        moves = [str(turn["move"]) for turn in turns]
        by_ply = (*(float(turn["chance"]) for turn in turns), float(data["result"]))
        rounds = [int(turn["round"]) for turn in turns]
        costs = [float(turn["cost"]) for turn in turns]
    except (KeyError, TypeError, ValueError):
        raise SintraError("the review is damaged: its turns cannot be read") from None
    if tuple(moves) != record.moves:
        raise SintraError("this is the review of another game: its moves are not those of the record")
    if not all(0 <= chance <= 1 for chance in by_ply):
        raise SintraError("the review is damaged: a chance is not between 0 and 1")
    begins = tuple(ply for ply, number in enumerate(rounds) if ply == 0 or number != rounds[ply - 1])
    points = [TurningPoint(ply, mark.sign) for ply, cost in enumerate(costs) if (mark := mark_of_cost(cost))]
    return Chances(by_ply, begins, tuple(points))
