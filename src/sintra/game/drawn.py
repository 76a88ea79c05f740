"""A table that draws itself: what `Game` and `View` add to a `Tabletop` for people to look at.

The drawings are loaded when they are asked for: with what they need they take a tenth of the time of `import sintra`.
"""

from __future__ import annotations

from sintra.tabletop.tabletop import Tabletop


class Drawn(Tabletop):
    """A table with its drawings, which show what it knows."""

    __slots__ = ()

    def __str__(self) -> str:
        from sintra.drawing.terminal import draw

        return draw(self)

    def svg(self, *, title: str | None = None) -> str:
        """The position as a self-contained SVG picture."""
        from sintra.drawing.picture import svg

        return svg(self, title=title)

    def _repr_svg_(self) -> str:
        """Notebooks show the picture."""
        return self.svg()
