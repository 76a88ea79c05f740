"""Why a move is better than another: what the lines that follow the two bring, source by source.

Both moves are played on in the same worlds (`players/thinking/prospects`), so the difference of two lines is what the
moves make of one world. Nothing is said that these differences do not carry: the better move must lead to the better
end, and a reason must be larger than chance would make it.
"""

from __future__ import annotations

import math
from typing import Final, Literal

import numpy as np
from msgspec import Struct
from msgspec.structs import replace

from sintra.components import COLORS, LINES, SEATS, Color, Goal
from sintra.game.game import View
from sintra.players.thinking.prospects import LATER, PARTS, Foresight, Promise
from sintra.rules import engine
from sintra.rules.state import Array, Source, States
from sintra.tabletop.moves import LayPlate, Move, TakeTiles
from sintra.tabletop.moves.paths import path_of

ReasonKind = Literal[
    "placement",  # points for tiles placed this round
    "specials",  # points for special tiles this round
    "goals",  # points for goals this round, at the end of the game
    "broken",  # the penalty for broken tiles
    "start_tile",  # the penalty of the start tile
    "draws",  # what drawing plates costs
    "lines",  # later rounds: lines and tiles
    "opens",  # later rounds: a plate that gives a waiting line its space
    "columns",  # later rounds: columns
    "special_plates",  # later rounds: special tiles
    "goal",  # later rounds: one goal
    "chips",  # later rounds: bonus chips that are kept
    "starts",  # later rounds: starting the next one
    "their_points",  # the opponent's points of this round
    "their_penalties",  # the opponent's penalties
    "their_chips",  # the opponent's bonus chips
    "their_later",  # what later rounds bring the opponent
]
"""What a reason is about: the mover, unless it says otherwise."""
MIN_POINTS: Final = 0.5
"""The points that a reason weighs at least."""
MIN_STANDARD_ERRORS: Final = 2.5
"""The standard errors that a reason weighs at least."""
MAX_FOR: Final = 3
"""How many reasons are given for a move."""
MAX_AGAINST: Final = 1
"""How many reasons are given against a move."""

_PARTS: Final[dict[ReasonKind, tuple[int, ...]]] = {
    "placement": (Source.PLACEMENT,),
    "specials": (Source.SPECIALS,),
    "goals": (Source.GOALS,),
    "broken": (Source.BROKEN,),
    "start_tile": (Source.START_TILE,),
    "draws": (Source.DRAWS,),
    "lines": (Promise.LINES, Promise.TILES),
    "columns": (Promise.COLUMNS,),
    "special_plates": (Promise.SPECIALS, Promise.GOALS + Goal.SPECIALS),
    "chips": (Promise.CHIPS,),
    "starts": (Promise.STARTS,),
}
_GOALS: Final = tuple(goal for goal in Goal if goal is not Goal.SPECIALS)
"""Goals that are reasons of their own; `specials` is about the spaces that special plates are about."""
_THEIR_PARTS: Final[dict[ReasonKind, tuple[int, ...]]] = {
    "their_points": (Source.PLACEMENT, Source.SPECIALS, Source.GOALS),
    "their_penalties": (Source.BROKEN, Source.START_TILE, Source.DRAWS),
    "their_chips": (Promise.CHIPS,),
    "their_later": tuple(part for part in range(LATER, PARTS) if part != Promise.CHIPS),
}


class Reason(Struct, frozen=True, omit_defaults=True):
    """One reason why a move is better than another."""

    kind: ReasonKind
    """What the reason is about."""
    points: float
    """The points that the better move brings its player for it, or, below 0, costs."""
    goal: str = ""
    """The name of the goal that it is about, or empty."""
    line: int = 0
    """The line that it is about, or 0."""
    color: str = ""
    """The letter of the colour of that line, or empty."""


def reasons_for(view: View, better: Move, other: Move, foresight: Foresight) -> tuple[Reason, ...]:
    """Why the seat to move should rather make one move than another, the weightiest first; what speaks against it
    comes last. None if the lines that follow do not bear it out."""
    one, two = foresight.of(view, better), foresight.of(view, other)
    if not len(one.parts) or not _is_more(one.lead(view.seat) - two.lead(view.seat)):
        return ()
    gained = one.parts - two.parts
    mine, theirs = gained[:, view.seat], -gained[:, 1 - view.seat]
    fuller = float((one.columns - two.columns)[:, view.seat].mean())
    found = [Reason(kind, _mean(mine, parts)) for kind, parts in _parts(mine, fuller).items() if _counts(mine, parts)]
    for goal in _GOALS:
        part = (Promise.GOALS + goal,)
        if _counts(mine, part):
            found.append(Reason("goal", _mean(mine, part), goal=str(goal)))
    found += [Reason(kind, _mean(theirs, parts)) for kind, parts in _THEIR_PARTS.items() if _counts(theirs, parts)]
    found = _with_lines(_netted(found), view, better, other)
    found.sort(key=lambda reason: -abs(reason.points))
    pros = [reason for reason in found if reason.points > 0][:MAX_FOR]
    cons = [reason for reason in found if reason.points < 0][:MAX_AGAINST]
    return (*pros, *cons) if pros else ()


def _parts(mine: Array, fuller: float) -> dict[ReasonKind, tuple[int, ...]]:
    """What each reason of the mover is counted from. Columns are one of their own only where fuller ones are worth more
    and emptier ones less: the value weighs them together with all tiles, of which they are else a part."""
    if _mean(mine, _PARTS["columns"]) * fuller > 0:
        return _PARTS
    parts = dict(_PARTS)
    parts["lines"] += parts.pop("columns")
    return parts


def _netted(found: list[Reason]) -> list[Reason]:
    """A special tile that is placed now is none for later: where the two speak against each other, only what is left
    of the larger is told."""
    specials = [reason for reason in found if reason.kind in ("specials", "special_plates")]
    if len(specials) < 2 or specials[0].points * specials[1].points > 0:
        return found
    larger = max(specials, key=lambda reason: abs(reason.points))
    left = replace(larger, points=sum(reason.points for reason in specials))
    others = [reason for reason in found if reason not in specials]
    return [*others, left] if abs(left.points) >= MIN_POINTS else others


def _with_lines(found: list[Reason], view: View, better: Move, other: Move) -> list[Reason]:
    """Reasons that name the line they are about: what a plate does for lines belongs to the line that waits for it, and
    a take that completes a line places its tile; if the other move does not do the same."""
    opened, completed = line_opened(view, better), line_completed(view, better)
    if opened and opened != line_opened(view, other):
        about = [reason for reason in found if reason.kind in ("lines", "placement") and reason.points > 0]
        if about:
            line, color = opened
            points = sum(reason.points for reason in about)
            found = [reason for reason in found if reason not in about]
            found.append(Reason("opens", points, line=line, color=color.letter))
    if completed and completed != line_completed(view, other):
        line, color = completed
        found = [
            replace(reason, line=line, color=color.letter)
            if reason.kind == "placement" and reason.points > 0
            else reason
            for reason in found
        ]
    return found


def line_completed(view: View, move: Move) -> tuple[int, Color] | None:
    """R3.5, R4.1: the line that a take fills, if its tile has a space."""
    if not isinstance(move, TakeTiles) or move.line is None:
        return None
    has_space = bool(_open_columns(view.state)[view.seat, move.line - 1, move.color])
    return (move.line, move.color) if has_space and view.preview(move).completes_line else None


def line_opened(view: View, move: Move) -> tuple[int, Color] | None:
    """R4.1: the longest line whose tiles have no space yet and get one by the plate that a move lays."""
    if not isinstance(move, LayPlate):
        return None
    laid = view.state
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


def _open_columns(states: States) -> Array:
    columns, chances = np.zeros((2, SEATS, LINES, COLORS), np.int64)
    engine.outlooks(states, 0, columns, chances)
    return columns


def _mean(gained: Array, parts: tuple[int, ...]) -> float:
    return float(gained[:, list(parts)].sum(axis=1).mean())


def _counts(gained: Array, parts: tuple[int, ...]) -> bool:
    """Whether some parts are a reason, for or against."""
    total = gained[:, list(parts)].sum(axis=1)
    return _is_more(total) or _is_more(-total)


def _is_more(gains: Array) -> bool:
    """Whether the mean is above `MIN_POINTS`, and above what chance would make of it."""
    error = gains.std() / math.sqrt(len(gains))
    return bool(gains.mean() >= max(MIN_POINTS, MIN_STANDARD_ERRORS * error))
