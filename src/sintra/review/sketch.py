"""A first quick look at a whole game: its course, and which moves seem to have turned it.

A review takes half a minute; whoever waits for it sees this after seconds. Nothing of it goes into the review. With so
few simulations each side sees its own chances too well, so the course goes up and down with whoever is to move: its
neighbours are averaged, in which that cancels out.
"""

from __future__ import annotations

from collections.abc import Generator, Sequence
from typing import Final, NamedTuple

from sintra.records.record import Record
from sintra.review.judging import Judge

SIMS: Final = 300
"""The simulations of one evaluation, unless a review has fewer."""
TURNING_POINTS: Final = 3
"""How many moves are told that turned the game."""
MIN_DROP: Final = 0.05
"""The share of a win that such a move seems to give away at least."""
APART: Final = 2
"""Moves that are no farther from each other are one turning point."""


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
        yield Sketch(tuple(round(chance, 3) for chance in smoothed(course)), turning_points(course, movers))


def smoothed(course: Sequence[float]) -> list[float]:
    """The course with each position averaged with its neighbours; its ends stay."""
    inner = [
        (last + 2 * chance + after) / 4 for last, chance, after in zip(course, course[1:], course[2:], strict=False)
    ]
    return [*course[:1], *inner, *course[-1:]] if len(course) > 1 else list(course)


def turning_points(course: Sequence[float], movers: Sequence[int]) -> tuple[int, ...]:
    """The moves after which the chance of who made them was lowest against before, two positions on either side."""
    drops = {}
    for ply in range(1, len(course) - 2):
        change = (course[ply - 1] + course[ply] - course[ply + 1] - course[ply + 2]) / 2
        drops[ply] = change if movers[ply] == 0 else -change
    found: list[int] = []
    for ply in sorted(drops, key=lambda ply: (-drops[ply], ply)):
        if drops[ply] >= MIN_DROP and len(found) < TURNING_POINTS and all(abs(ply - one) > APART for one in found):
            found.append(ply)
    return tuple(found)
