"""A table that draws itself: what `Game` and `View` add to a `Tabletop` for people to look at.

The drawings are loaded when they are asked for: with what they need they take a tenth of the time of `import sintra`.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from sintra.game.illegal import refused, why_none
from sintra.game.legal import LegalMoves
from sintra.rules.state import Stage
from sintra.tabletop.moves import HiddenReturn, KeepPlate, Move, ReturnPlate
from sintra.tabletop.tabletop import Tabletop

if TYPE_CHECKING:
    from sintra.drawing.image import SvgPicture


class Drawn(Tabletop):
    """A table with its drawings, which show what it knows."""

    __slots__ = ()

    def __str__(self) -> str:
        from sintra.drawing.terminal import draw

        return draw(self)

    def svg(self, *, title: str | None = None, move: Move | str | None = None, theme: str = "dark") -> SvgPicture:
        """The position as a self-contained SVG picture, with arrows for a move that can be made here."""
        from sintra.drawing.picture import svg

        return svg(self, title=title, move=self._possible(move), theme=theme)

    def board_svg(
        self, seat: int, *, title: str | None = None, move: Move | str | None = None, theme: str = "dark"
    ) -> SvgPicture:
        """The board of one seat, with what a move does on it."""
        from sintra.drawing.picture import board_svg

        return board_svg(self, seat, title=title, move=self._possible(move), theme=theme)

    def _repr_svg_(self) -> str:
        """Notebooks show the picture."""
        return self.svg()

    def _possible(self, move: Move | str | None) -> Move | None:
        """A move of the seat to move that is legal, as far as this observer can tell."""
        if move is None:
            return None
        parsed = move if isinstance(move, Move) else Move.parse(move)
        refusal = why_none(self)
        if isinstance(parsed, KeepPlate | ReturnPlate | HiddenReturn) and not refusal:
            known = [place.plate for place in self.hand]
            if None in known or isinstance(parsed, HiddenReturn):
                return self._possible_for_another(parsed)
        return LegalMoves(self._states, refusal).require(parsed)

    def _possible_for_another(self, move: KeepPlate | ReturnPlate | HiddenReturn) -> Move:
        """A move with one of the drawn plates, of which somebody else sees the backs alone."""
        asked = Stage.KEEPING if isinstance(move, KeepPlate) else Stage.RETURNING
        kinds = [place.kind for place in self.hand]
        kind = move.back if isinstance(move, HiddenReturn) else move.plate.kind
        if self.stage is not asked or kind not in kinds:
            raise refused(move, "no drawn plate can be the one", "R3.1")
        return move
