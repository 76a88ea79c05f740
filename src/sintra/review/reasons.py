"""Why a move is better than another: what the lines that follow the two bring, source by source.

Both moves are played on in the same worlds (`players/thinking/prospects`), so the difference of two lines is what the
moves make of one world. Nothing is said that these differences do not carry: the better move must lead to the better
end, and a reason must be larger than chance would make it.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Final, Literal

import numpy as np

from sintra.components import COLORS, LINES, SEATS, Color, Goal
from sintra.game.game import View
from sintra.players.thinking.prospects import LATER, PARTS, Foresight, Promise
from sintra.rules import engine
from sintra.rules.state import Source, States, copied
from sintra.tabletop.moves import LayPlate, Move
from sintra.tabletop.moves.paths import path_of

Kind = Literal[
    "placement",
    "specials",
    "goals",
    "broken",
    "start_tile",
    "draws",
    "lines",
    "opens",
    "columns",
    "special_plates",
    "goal",
    "chips",
    "starts",
    "their_points",
    "their_penalties",
    "their_later",
]
"""What a reason is about. Of the mover: points of this round by source, then what later rounds are expected to bring by
lines and tiles (`opens`: a plate gives a waiting line its space), columns, special plates, a goal, chips, and starting.
Of the other: points of this round, penalties, and later rounds."""
LEAST: Final = 0.5
"""A reason weighs at least so many points,"""
SURE: Final = 2.0
"""and at least so many of its standard errors."""
MOST_FOR: Final = 3
MOST_AGAINST: Final = 1
"""So many reasons are given for a move, and against it."""

_PARTS: Final[dict[Kind, tuple[int, ...]]] = {
    "placement": (Source.PLACEMENT,),
    "specials": (Source.SPECIALS,),
    "goals": (Source.GOALS,),
    "broken": (Source.BROKEN,),
    "start_tile": (Source.START_TILE,),
    "draws": (Source.DRAWS,),
    "lines": (Promise.LINES, Promise.TILES),
    "columns": (Promise.COLUMNS,),
    "special_plates": (Promise.SPECIALS,),
    "chips": (Promise.CHIPS,),
    "starts": (Promise.STARTS,),
}
_THEIR_PARTS: Final[dict[Kind, tuple[int, ...]]] = {
    "their_points": (Source.PLACEMENT, Source.SPECIALS, Source.GOALS),
    "their_penalties": (Source.BROKEN, Source.START_TILE, Source.DRAWS),
    "their_later": tuple(range(LATER, PARTS)),
}


@dataclass(frozen=True, slots=True)
class Reason:
    """One reason: how many points more the better move brings its player for it, or, below 0, costs; with the goal,
    or the line and its colour, that it is about."""

    kind: Kind
    points: float
    goal: Goal | None = None
    line: int | None = None
    color: Color | None = None

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; what does not belong to the kind is left out."""
        found: dict[str, Any] = {"kind": self.kind, "points": self.points}
        if self.goal is not None:
            found["goal"] = self.goal.name.lower()
        if self.line is not None and self.color is not None:
            found |= {"line": self.line, "color": self.color.letter}
        return found


def reasons_for(view: View, better: Move, other: Move, foresight: Foresight) -> tuple[Reason, ...]:
    """Why the seat to move should rather make one move than another, the weightiest first; what speaks against it
    comes last. None if the lines that follow do not bear it out."""
    one, two = foresight.of(view, better), foresight.of(view, other)
    if not len(one.parts) or not _is_more(one.lead(view.seat) - two.lead(view.seat)):
        return ()
    gained = one.parts - two.parts
    mine, theirs = gained[:, view.seat], -gained[:, 1 - view.seat]
    found = [Reason(kind, _mean(mine, parts)) for kind, parts in _PARTS.items() if _counts(mine, parts)]
    for goal in Goal:
        part = (Promise.GOALS + goal,)
        if _counts(mine, part):
            found.append(Reason("goal", _mean(mine, part), goal=goal))
    found += [Reason(kind, _mean(theirs, parts)) for kind, parts in _THEIR_PARTS.items() if _counts(theirs, parts)]
    found = [_with_line(reason, view, better) for reason in found]
    found.sort(key=lambda reason: -abs(reason.points))
    pros = [reason for reason in found if reason.points > 0][:MOST_FOR]
    cons = [reason for reason in found if reason.points < 0][:MOST_AGAINST]
    return (*pros, *cons) if pros else ()


def _with_line(reason: Reason, view: View, move: Move) -> Reason:
    """What a plate does for lines is told by the line that waits for it, if there is one."""
    if reason.kind not in ("lines", "placement") or reason.points < 0:
        return reason
    opened = line_opened(view, move)
    return Reason("opens", reason.points, line=opened[0], color=opened[1]) if opened else reason


def line_opened(view: View, move: Move) -> tuple[int, Color] | None:
    """R4.1: the longest line whose tiles have no space yet and get one by the plate that a move lays."""
    if not isinstance(move, LayPlate):
        return None
    laid = copied(view.state)
    laid["deals_itself"] = 0
    engine.play(laid, 0, path_of(move, laid, 0))
    before, after = _open_columns(view.state), _open_columns(laid)
    state = view.state[0]
    for line in reversed(range(LINES)):
        color = int(state["line_color"][view.seat, line])
        waits = state["line_size"][view.seat, line] > 0 and not state["line_placed"][view.seat, line]
        if waits and not before[view.seat, line, color] and after[view.seat, line, color]:
            return line + 1, Color(color)
    return None


def _open_columns(states: States) -> np.ndarray:
    columns, chances = np.zeros((2, SEATS, LINES, COLORS), np.int64)
    engine.outlooks(states, 0, columns, chances)
    return columns


def _mean(gained: np.ndarray, parts: tuple[int, ...]) -> float:
    return float(gained[:, list(parts)].sum(axis=1).mean())


def _counts(gained: np.ndarray, parts: tuple[int, ...]) -> bool:
    """Whether some parts are a reason, for or against."""
    total = gained[:, list(parts)].sum(axis=1)
    return _is_more(total) or _is_more(-total)


def _is_more(gains: np.ndarray) -> bool:
    """Whether the mean is above `LEAST`, and above what chance would make of it."""
    error = gains.std() / math.sqrt(len(gains))
    return bool(gains.mean() >= max(LEAST, SURE * error))
