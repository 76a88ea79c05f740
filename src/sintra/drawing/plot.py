"""The course of a game as plots: the scores round by round, where the points came from, and the chances to win."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Final, NamedTuple

from sintra.components import ROUNDS, START_SCORE
from sintra.drawing.chart import Chart
from sintra.drawing.glyphs import MINUS, SERIF, box, label, moved_to, tag
from sintra.drawing.image import SvgPicture
from sintra.drawing.theme import Theme, theme_of
from sintra.rules.state import Source

SOURCE_WORDS: Final = {
    Source.PLACEMENT: "tiles placed",
    Source.SPECIALS: "special tiles",
    Source.GOALS: "goals",
    Source.BROKEN: "broken tiles",
    Source.START_TILE: "start tile",
    Source.DRAWS: "drawn plates",
}
"""The sources of points, those that bring some first."""
WIDTH: Final = 920
"""The width of the picture."""
_TOP: Final = 84
"""Where the panels begin."""
_PANEL: Final = 250
"""The height of the panels of scores and sources."""
_CHANCES: Final = 230
"""The height of the panel of chances."""


class TurningPoint(NamedTuple):
    """A turn that gave something away."""

    ply: int
    """How many moves were made before."""
    sign: str
    """The sign for how much it gave away, such as `??`."""


@dataclass(frozen=True, slots=True)
class Chances:
    """How the chance to win went in a game."""

    by_ply: tuple[float, ...]
    """Seat 0's chance to win before each ply and at the end."""
    rounds: tuple[int, ...]
    """The plies at which rounds begin."""
    turning_points: tuple[TurningPoint, ...] = ()
    """The turns that gave something away."""

    def up_to(self, ply: int) -> Chances:
        """Returns the chances of the first plies alone."""
        return Chances(
            self.by_ply[: ply + 1],
            tuple(begin for begin in self.rounds if begin <= ply),
            tuple(point for point in self.turning_points if point.ply <= ply),
        )


@dataclass(frozen=True, slots=True)
class Course:
    """What is plotted of a game."""

    players: tuple[str, str]
    """The names of the players, by seat."""
    rounds: tuple[tuple[int, int], ...]
    """Both scores after each round that was finished, goals left out."""
    scores: tuple[int, int]
    """Both scores at the end."""
    end: str
    """A word for the end: goals, resigned, timeout, or now for a game that goes on."""
    sources: tuple[dict[Source, int], dict[Source, int]]
    """Where the points of each seat came from."""
    chances: Chances | None = None
    """How the chance to win went, if the game was reviewed."""


def plot(course: Course, *, title: str | None = None, theme: str = "dark") -> SvgPicture:
    """Draws the plots of a game as one SVG picture."""
    look = theme_of(theme)
    height = _TOP + _PANEL + 20 + (_CHANCES + 20 if course.chances else 0)
    words = title or f"{course.players[0]} {course.scores[0]} : {course.scores[1]} {course.players[1]}"
    parts = [
        box(0, 0, WIDTH, height, 0, fill=look.rim if look.name == "dark" else look.middle),
        label(24, 40, words, min(24, 1500 / len(words)), look.text, font_family=SERIF, font_weight="bold"),
        moved_to(24, 66, _legend(course, look)),
        moved_to(20, _TOP, look.panel(430, _PANEL), _scores(course, look)),
        moved_to(470, _TOP, look.panel(430, _PANEL), _sources(course, look)),
    ]
    if course.chances:
        parts.append(
            moved_to(20, _TOP + _PANEL + 20, look.panel(880, _CHANCES), _chances(course.chances, course.players, look))
        )
    return SvgPicture.document(WIDTH, height, words, *parts)


def _legend(course: Course, look: Theme) -> str:
    parts = []
    x = 0.0
    for name, color in zip(course.players, look.seats, strict=True):
        short = name if len(name) <= 40 else f"{name[:39]}…"
        parts.append(box(x, -10, 12, 12, 3, fill=color) + label(x + 18, 0, short, 13, look.soft))
        x += 44 + 7.5 * len(short)
    return "".join(parts)


def _heading(words: str, look: Theme) -> str:
    return label(16, 24, words, 14, look.accent, font_weight="bold")


def _signed(points: int) -> str:
    return f"{points}".replace("-", MINUS)


def _steps(most: float) -> range:
    """Round numbers from 0 to at least so much."""
    step = next(size for size in (5, 10, 20, 50, 100) if most <= 5 * size or size == 100)
    return range(0, int(most) + step, step)


def _scores(course: Course, look: Theme) -> str:
    """A curve for each seat, from the points at the start over the rounds to the end with the goals."""
    names = ["start", *(f"round {k + 1}" for k in range(len(course.rounds))), course.end]
    points = [(START_SCORE, START_SCORE), *course.rounds, course.scores]
    steps = _steps(max(max(pair) for pair in points))
    last = max(ROUNDS + 1, len(points) - 1)
    chart = Chart((44, 392), (44, 214), (0, last), (0, steps[-1]), ink=look.soft, grid=look.missing, size=11)
    for score in steps:
        chart.row(score, f"{score}", stroke_opacity=0.35)
    for k, name in enumerate(names):
        chart.below(k, name)
    for seat, color in enumerate(look.seats):
        chart.curve(((k, pair[seat]) for k, pair in enumerate(points)), color)
        for k, pair in enumerate(points):
            chart.dot(k, pair[seat], color)
        own, other = points[-1][seat], points[-1][1 - seat]
        shift = 0
        if abs(chart.y(own) - chart.y(other)) < 14:
            shift = -7 if (own, -seat) >= (other, seat - 1) else 8
        end_x, end_y = chart.x(len(points) - 1) + 9, chart.y(own) + 4 + shift
        chart.words(end_x, end_y, f"{own}", 13, color, font_weight="bold")
    return _heading("Scores by round", look) + "".join(chart.parts)


def _sources(course: Course, look: Theme) -> str:
    """For each source a bar of either seat, to the right for points won, to the left for points lost."""
    values = [points for sources in course.sources for points in sources.values()]
    least, most = min(0, *values), max(10, *values)
    left, right = 118 + 26 * (least < 0), 392
    unit = (right - left) / (most - least)
    zero = left - least * unit
    parts = [_heading("Where the points came from", look)]
    for row, (source, words) in enumerate(SOURCE_WORDS.items()):
        top = 42 + 33.5 * row
        parts.append(label(16, top + 17, words, 12, look.text))
        for seat, color in enumerate(look.seats):
            points = course.sources[seat][source]
            y = top + 13 * seat
            length = abs(points) * unit
            if points:
                parts.append(box(zero - length if points < 0 else zero, y, length, 11, 2, fill=color))
            edge, anchor = (zero - length - 5, "end") if points < 0 else (zero + length + 5, "start")
            parts.append(label(edge, y + 9.5, _signed(points), 11, look.soft, text_anchor=anchor))
    parts.append(tag("path", d=f"M{zero:.1f},36V240", stroke=look.missing))
    return "".join(parts)


def _chances(chances: Chances, players: Sequence[str], look: Theme) -> str:
    """Seat 0's chance over the plies; signs stand where a turn gave something away."""
    last = max(1, len(chances.by_ply) - 1)
    chart = Chart((54, 860), (42, 194), (0, last), (0, 1), ink=look.soft, grid=look.missing, size=11)
    for chance in (0.0, 0.5, 1.0):
        chart.row(chance, f"{100 * chance:.0f} %", stroke_opacity=0.5)
    for number, (begin, end) in enumerate(pairwise((*chances.rounds, last)), start=1):
        if number > 1:
            chart.column(begin, stroke_dasharray="3 4")
        chart.below((begin + end) / 2, f"round {number}", 20)
    points = list(enumerate(chances.by_ply))
    area = chart.corners([(0, 0.5), *points, (points[-1][0], 0.5)])
    chart.parts.append(tag("polygon", points=area, fill=look.seats[0], fill_opacity=0.18))
    chart.curve(points, look.seats[0], stroke_linejoin="round")
    for point in chances.turning_points:
        chance = chances.by_ply[point.ply]
        x, y = chart.x(point.ply), chart.y(chance)
        above = y - 8 if y > chart.top + 16 else y + 18
        chart.dot(point.ply, chance, look.bad, 3)
        chart.words(x, above, point.sign, 13, look.bad, text_anchor="middle", font_weight="bold")
    return _heading(f"Chance to win of {players[0]}", look) + "".join(chart.parts)
