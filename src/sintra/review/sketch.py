"""A first quick look at a whole game: its course, and which moves seem to have turned it.

A review takes half a minute; whoever waits for it sees this after seconds. Nothing of it goes into the review.
"""

from __future__ import annotations

from collections.abc import Generator
from typing import Final, NamedTuple

from sintra.records.record import Record
from sintra.review.judging import Judge

SIMS: Final = 100
"""The simulations of one evaluation, unless a review has fewer."""
TURNING_POINTS: Final = 3
"""How many moves are told that turned the game."""
MIN_DROP: Final = 0.05
"""The share of a win that such a move seems to give away at least."""


class Sketch(NamedTuple):
    """What the first look has seen so far."""

    course: tuple[float, ...] = ()
    """Seat 0's chance to win, ply by ply."""
    turning: tuple[int, ...] = ()
    """The plies of the moves that seem to have turned the game, the one that turned it most first."""


def sketching(record: Record, sims: int = SIMS) -> Generator[Sketch, None, None]:
    """Looks at each position of a game that is over, and yields what was seen after each."""
    judge = Judge(min(sims, SIMS))
    course: list[float] = []
    movers: list[int] = []
    for game in record.positions():
        course.append(judge.chance(game))
        movers.append(game.turn)
        yield Sketch(tuple(round(chance, 3) for chance in course), turning_points(course, movers))


def turning_points(course: list[float], movers: list[int]) -> tuple[int, ...]:
    """The moves after which the chance of who made them was lowest against before."""
    drops = {}
    for ply in range(len(course) - 1):
        change = course[ply] - course[ply + 1]
        drops[ply] = change if movers[ply] == 0 else -change
    worst = sorted((ply for ply, drop in drops.items() if drop >= MIN_DROP), key=lambda ply: (-drops[ply], ply))
    return tuple(worst[:TURNING_POINTS])
