"""Why a move is better than others: what the lines that follow them bring, source by source.

All moves are played on in the same worlds (`players/thinking/prospects`), so the difference of two lines is what the
moves make of one world. Nothing is said that these differences do not carry: a reason must be larger than chance would
make it. (`sentences` puts reasons into words.)
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct
from msgspec.structs import replace

from sintra.components import COLORS, LINES, SEATS, Color, Goal
from sintra.game.game import View
from sintra.players.thinking.prospects import LATER, PARTS, Foresight, Promise, Prospect
from sintra.rules import engine
from sintra.rules.memory import zeros
from sintra.rules.state import Source, States
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
SumKind = Literal["this_round", "later_rounds", "opponent"]
"""What sources add up to that are too small to be reasons: the mover's of this round or of later ones, the
opponent's."""
MIN_POINTS: Final = 0.5
"""The points that a reason weighs at least."""
MIN_STANDARD_ERRORS: Final = 2.5
"""The standard errors that a reason weighs at least."""
MAX_FOR: Final = 3
"""How many reasons are given for a move."""
MAX_AGAINST: Final = 1
"""How many reasons are given against a move."""

Gains = list[list[float]]
"""What a seat gains by a move rather than others: line by line, by part."""

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
_SUMS: Final[dict[SumKind, range]] = {"this_round": range(LATER), "later_rounds": range(LATER, PARTS)}
"""What the sums of the mover add up."""


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


class Compared:
    """What a move brings rather than others, world by world: the mean over the others is taken off."""

    def __init__(self, seat: int, one: Prospect, others: Sequence[Prospect]) -> None:
        share = 1.0 / len(others)
        prospects = (one, *others)
        gained = [
            [_rather(parts, share) for parts in zip(*line, strict=True)]
            for line in zip(*(prospect.parts for prospect in prospects), strict=True)
        ]
        self.mine: Gains = [line[seat] for line in gained]
        self.theirs: Gains = [[-part for part in line[1 - seat]] for line in gained]
        self.fuller = sum(
            full[seat] - share * sum(other[seat] for other in rest)
            for full, *rest in zip(*(prospect.columns for prospect in prospects), strict=True)
        )

    @property
    def leads(self) -> list[float]:
        """By how much more the seat is ahead, world by world."""
        return [sum(mine) + sum(theirs) for mine, theirs in zip(self.mine, self.theirs, strict=True)]

    def totals(self) -> list[tuple[Reason, list[float]]]:
        """Everything that could be a reason, with its points world by world."""
        parts = [(Reason(kind, 0.0), found) for kind, found in self._parts().items()]
        parts += [(Reason("goal", 0.0, goal=str(goal)), (Promise.GOALS + goal,)) for goal in _GOALS]
        mine = [(reason, _sums(self.mine, found)) for reason, found in parts]
        theirs = [(Reason(kind, 0.0), _sums(self.theirs, found)) for kind, found in _THEIR_PARTS.items()]
        return [(replace(reason, points=_mean(sums)), sums) for reason, sums in mine + theirs if sums]

    def reasons(self) -> list[Reason]:
        """The reasons for and against the move that the worlds carry, unordered."""
        return _netted([reason for reason, sums in self.totals() if is_carried(sums)])

    def sum_gains(self) -> dict[SumKind, list[float]]:
        """What sources add up to, world by world."""
        found = {kind: _sums(self.mine, tuple(parts)) for kind, parts in _SUMS.items()}
        return found | {"opponent": _sums(self.theirs, tuple(range(PARTS)))}

    def sums(self) -> dict[SumKind, float]:
        """The sums that speak for the move, the weightiest first: for where no single source does."""
        carried = {kind: _mean(gains) for kind, gains in self.sum_gains().items() if is_more(gains)}
        return dict(sorted(carried.items(), key=lambda item: -item[1]))

    def _parts(self) -> dict[ReasonKind, tuple[int, ...]]:
        """What each reason of the mover is counted from. Columns are one of their own only where fuller ones are worth
        more and emptier ones less: the value weighs them together with all tiles, of which they are else a part."""
        if _mean(_sums(self.mine, _PARTS["columns"])) * self.fuller > 0:
            return _PARTS
        parts = dict(_PARTS)
        parts["lines"] += parts.pop("columns")
        return parts


def reasons_for(view: View, better: Move, other: Move, foresight: Foresight) -> tuple[Reason, ...]:
    """Why the seat to move should rather make one move than another, the weightiest first; what speaks against it
    comes last. None if the lines that follow do not bear it out."""
    return reasons_between(view, better, other, foresight.of(view, better), foresight.of(view, other))


def reasons_between(view: View, better: Move, other: Move, one: Prospect, two: Prospect) -> tuple[Reason, ...]:
    """Like `reasons_for`, for moves whose prospects are known."""
    compared = Compared(view.seat, one, [two])
    return weightiest(compared, with_lines(compared.reasons(), view, better, [other]))


def weightiest(compared: Compared, found: Sequence[Reason]) -> tuple[Reason, ...]:
    """The reasons that are told in points, of all that there are."""
    if not is_more(compared.leads):
        return ()
    by_weight = sorted(found, key=lambda reason: -abs(reason.points))
    pros = [reason for reason in by_weight if reason.points > 0][:MAX_FOR]
    cons = [reason for reason in by_weight if reason.points < 0][:MAX_AGAINST]
    return (*pros, *cons) if pros else ()


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


def with_lines(found: list[Reason], view: View, better: Move, others: Sequence[Move]) -> list[Reason]:
    """Reasons that name the line they are about: what a plate does for lines belongs to the line that waits for it, and
    a take that completes a line places its tile; if no other move does the same."""
    opened, completed = line_opened(view, better), line_completed(view, better)
    if opened and all(opened != line_opened(view, other) for other in others):
        about = [reason for reason in found if reason.kind in ("lines", "placement") and reason.points > 0]
        if about:
            line, color = opened
            points = sum(reason.points for reason in about)
            found = [reason for reason in found if reason not in about]
            found.append(Reason("opens", points, line=line, color=color.letter))
    if completed and all(completed != line_completed(view, other) for other in others):
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
    has_space = bool(open_columns(view.states, view.seat)[move.line - 1][move.color])
    return (move.line, move.color) if has_space and view.preview(move).completes_line else None


def line_opened(view: View, move: Move) -> tuple[int, Color] | None:
    """R4.1: the longest line whose tiles have no space yet and get one by the plate that a move lays."""
    if not isinstance(move, LayPlate):
        return None
    before, after = (open_columns(states, view.seat) for states in (view.states, state_after(view, move)))
    for line in reversed(view.board(view.seat).lines):
        row, color = line.number - 1, line.color
        if color is not None and not line.is_placed and not before[row][color] and after[row][color]:
            return line.number, color
    return None


def open_columns(states: States, seat: int) -> list[list[int]]:
    """R4.1: for each line and colour of a seat the columns of its open spaces, as a set of bits."""
    columns, chances = (zeros((SEATS, LINES, COLORS), "i8") for _ in range(2))
    engine.outlooks(states, 0, columns, chances)
    found: list[list[int]] = columns.tolist()[seat]
    return found


def state_after(view: View, move: Move) -> States:
    """The state after a move, as far as it does not depend on chance."""
    after = view.states
    after["deals_itself"] = 0
    engine.play(after, 0, path_of(move, after, 0))
    return after


def _rather(parts: Sequence[list[float]], share: float) -> list[float]:
    """What the first has more than the mean of the others, part by part."""
    return [one - share * sum(others) for one, *others in zip(*parts, strict=True)]


def _sums(gains: Gains, parts: tuple[int, ...]) -> list[float]:
    return [sum(line[part] for part in parts) for line in gains]


def _mean(sums: list[float]) -> float:
    return sum(sums) / len(sums) if sums else 0.0


def is_carried(sums: list[float]) -> bool:
    """Whether some points, world by world, are a reason, for or against."""
    return is_more(sums) or is_more([-one for one in sums])


def is_more(gains: list[float]) -> bool:
    """Whether the mean is above `MIN_POINTS`, and above what chance would make of it."""
    if not gains:
        return False
    mean = _mean(gains)
    error = math.sqrt(sum((gain - mean) ** 2 for gain in gains)) / len(gains)
    return mean >= max(MIN_POINTS, MIN_STANDARD_ERRORS * error)
