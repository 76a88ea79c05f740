"""A review as the page shows it: its moves in words, and the table before each of them.

A game that is over has no secrets any more; every position is shown as the seat saw it that had to decide.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping
from dataclasses import dataclass
from typing import Any, Final, Literal

import msgspec

from sintra.components import SPECTATOR
from sintra.game.game import View
from sintra.records.record import Record
from sintra.review import GameReview, TurnReview
from sintra.review.report import mark_of
from sintra.review.reviewing import DEEPER_LOOK_COST
from sintra.table.shown import messages
from sintra.table.shown.game import (
    opponents_named,
    people_shown,
    reasons_shown,
    rules_shown,
    sentences_shown,
    told_before,
)
from sintra.table.shown.position import position_of
from sintra.tabletop.moves import EndTiling, Move, Pay, Place, TakeChip, TakeTiles

Kind = Literal["tiles", "plates", "chips", "placing"]
AS_GOOD: Final = 0.02
"""The share of a win below which a move counts as as good as the best one."""


@dataclass(frozen=True, slots=True)
class WalkedGame:
    """A record, and the views before each of its moves and at the end."""

    record: Record
    views: tuple[View, ...]

    @property
    def last(self) -> int:
        """The number of moves."""
        return len(self.record.moves)


def walking(record: Record) -> Generator[None, None, WalkedGame]:
    """Walks through a game that is over, move by move."""
    views = []
    for game in record.positions():
        views.append(game.view(game.turn if game.ply < len(record.moves) else SPECTATOR))
        yield
    return WalkedGame(record, tuple(views))


def review_head(key: str, record: Record, *, share: float = 0.0, ahead: int = 0) -> messages.ReviewShown:
    """A review without its findings, while it is being made."""
    result = record.result
    assert result is not None, "only what is over is reviewed"
    return messages.ReviewShown(
        review=key,
        state="waiting" if ahead else "working",
        players=list(record.players),
        scores=list(result.scores),
        winner=result.winner,
        reason=result.reason or "points",
        plies=len(record.moves),
        share=round(share, 3),
        ahead=ahead,
        opponents=opponents_named(record.players),
    )


def finding(walked: WalkedGame, review: GameReview) -> Generator[None, None, messages.ReviewFound]:
    """Writes a review with every move in words, turn by turn."""
    turns = []
    counted = []
    for turn in review.turns:
        view = walked.views[turn.ply]
        turns.append(turn_shown(view, turn))
        counted.append(turn if turn.choices else msgspec.structs.replace(turn, choices=len(view.legal_moves)))
        yield
    review = msgspec.structs.replace(review, turns=tuple(counted))
    return messages.ReviewFound(
        start=review.start,
        skill=list(review.skill),
        luck=_by_name(review.luck),
        noise=review.noise,
        ending=review.ending,
        result=review.result,
        error_rate=[review.error_rate(seat) for seat in range(2)],
        strength=[messages.StrengthShown(**review.strength(seat).to_dict()) for seat in range(2)],
        turns=turns,
        lost=[_by_name(review.lost_by_source(seat)) for seat in range(2)],
        accuracy=[round(review.accuracy(seat), 1) for seat in range(2)],
    )


def tried(view: View, token: str, cost: float) -> messages.ReviewTry:
    """A move that somebody would rather make in a turn, and what it costs."""
    telling, places = told_before(view, token)
    return messages.ReviewTry(telling, places, round(cost, 4), cost < AS_GOOD)


def turn_shown(view: View, turn: TurnReview) -> messages.ReviewedTurn:
    """A decision, with figures that fit each other: what it cost may come from a deeper look than the chances, and the
    other moves were not looked at like that."""
    first, *more = turn.best
    cost = min(turn.cost, first.chance)
    left = first.chance - cost
    more = [] if cost >= DEEPER_LOOK_COST else [one for one in more if one.move != turn.move]
    best = [_move(view, one.move, one.chance, one.lead) for one in (first, *more)]
    known = next((one for one in best if one.token == turn.move), None)
    mark = mark_of(turn)
    return messages.ReviewedTurn(
        ply=turn.ply,
        round=turn.round,
        seat=turn.seat,
        kind=decision_kind(Move.parse(turn.move)),
        played=_move(view, turn.move, left, known.lead if known else None),
        best=best,
        chance=turn.chance,
        lead=turn.lead,
        cost=cost,
        skill=turn.skill,
        luck=_by_name(turn.luck),
        noise=turn.noise,
        mark=mark.word if mark else "",
        reasons=reasons_shown(turn.reasons),
        why=sentences_shown(turn.why),
    )


def _by_name(shares: Mapping[Any, float]) -> dict[str, float]:
    return dict(shares)


def _move(view: View, token: str, chance: float, lead: float | None) -> messages.ReviewedMove:
    told, places = told_before(view, token)
    return messages.ReviewedMove(token, told, places, round(chance, 4), None if lead is None else round(lead, 2))


def decision_kind(move: Move) -> Kind:
    """The kind of a decision, by its move."""
    match move:
        case TakeTiles():
            return "tiles"
        case TakeChip():
            return "chips"
        case Pay() | Place() | EndTiling():
            return "placing"
        case _:
            return "plates"


def table_at(key: str, walked: WalkedGame, ply: int) -> messages.GameShown:
    """The table after so many moves of a reviewed game."""
    view = walked.views[ply]
    return messages.GameShown(
        game=key,
        seq=ply,
        ply=ply,
        status="over" if ply == walked.last else "playing",
        mode="screen",
        you=[],
        players=people_shown(walked.record.players),
        rules=rules_shown(walked.record.rules),
        deal_known=True,
        position=position_of(view),
    )
