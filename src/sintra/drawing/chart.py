"""A chart: two axes in a rectangle of a picture, and what is drawn along them (SVG)."""

from __future__ import annotations

from collections.abc import Iterable

from sintra.drawing.glyphs import label, tag

Range = tuple[float, float]
"""The values at both ends of an axis."""


class Chart:
    """The rectangle of a chart and the values at its edges; `parts` collects the elements drawn in it."""

    def __init__(
        self, x: tuple[float, float], y: tuple[float, float], xs: Range, ys: Range, *, ink: str, grid: str, size: float
    ) -> None:
        """Spans the rectangle from left to right (`x`) and top to bottom (`y`); `ink` and `size` are those of the words
        at the axes, `grid` is the colour of the lines."""
        self.left, self.right = x
        self.top, self.bottom = y
        self._xs, self._ys = xs, ys
        self._ink, self._grid, self._size = ink, grid, size
        self.parts: list[str] = []

    def x(self, value: float) -> float:
        """Where a value of the horizontal axis lies."""
        first, last = self._xs
        return self.left + (self.right - self.left) * (value - first) / (last - first)

    def y(self, value: float) -> float:
        """Where a value of the vertical axis lies."""
        first, last = self._ys
        return self.bottom - (self.bottom - self.top) * (value - first) / (last - first)

    def row(self, value: float, words: str, **line: str | float) -> None:
        """Draws a line across, with words on its left."""
        y = self.y(value)
        self.parts.append(tag("path", d=f"M{self.left},{y:.1f}H{self.right}", stroke=self._grid, **line))
        self.parts.append(label(self.left - 8, y + 4, words, self._size, self._ink, text_anchor="end"))

    def column(self, value: float, **line: str | float) -> None:
        """Draws a line from top to bottom."""
        self.parts.append(tag("path", d=f"M{self.x(value):.1f},{self.top}V{self.bottom}", stroke=self._grid, **line))

    def below(self, value: float, words: str, distance: float = 18) -> None:
        """Writes words below the chart."""
        x, y = self.x(value), self.bottom + distance
        self.parts.append(label(x, y, words, self._size, self._ink, text_anchor="middle"))

    def curve(self, points: Iterable[tuple[float, float]], color: str, width: float = 2.5, **line: str) -> None:
        """Draws a line through points."""
        drawn = self.corners(points)
        self.parts.append(tag("polyline", points=drawn, fill="none", stroke=color, stroke_width=width, **line))

    def corners(self, points: Iterable[tuple[float, float]]) -> str:
        """The places of points, as polygons and polylines name them."""
        return " ".join(f"{self.x(x):.1f},{self.y(y):.1f}" for x, y in points)

    def dot(self, x: float, y: float, fill: str, radius: float = 4, **line: str) -> None:
        """Draws a dot at a point."""
        self.parts.append(tag("circle", cx=self.x(x), cy=self.y(y), r=radius, fill=fill, **line))

    def words(self, x: float, y: float, text: str, size: float, color: str, **font: str | float) -> None:
        """Writes words at a place of the picture."""
        self.parts.append(label(x, y, text, size, color, **font))
