"""A move between one observer's views before and after it, with the readings that its story needs."""

from __future__ import annotations

from sintra.components import BROKEN_PLACES, COLOR_LETTERS, FACTORY_LETTERS, SEATS
from sintra.game.game import View
from sintra.game.preview import fates_of, lines_broken, special_filled
from sintra.rules import engine
from sintra.rules.state import ON_FACTORY, Source, Stage
from sintra.table.shown.messages import RoundGain, RoundSummary
from sintra.table.shown.position import Fields, fields_of
from sintra.tabletop.moves import Move, Place, SunTake, TakeTiles


class MadeMove:
    """A move, made by a seat; `before` and `after` are all that the observer may know."""

    def __init__(self, before: View, after: View, move: Move, mover: int) -> None:
        self.before: Fields = fields_of(before)
        self.after: Fields = fields_of(after)
        self.before_view = before
        self.after_view = after
        self.move = move
        self.mover = mover

    def color_of(self, line: int) -> str:
        """The letter of the colour of a line, 1 to 6, before the move."""
        return COLOR_LETTERS[self.before["line_color"][self.mover][line - 1]]

    @property
    def takes_start_tile(self) -> bool:
        """R3.7: whether the start tile went along."""
        return bool(self.before["start_tile"] == ON_FACTORY != self.after["start_tile"])

    @property
    def ends_round(self) -> bool:
        """Whether phase 2 is over with this move."""
        return bool(self.after["round_no"] != self.before["round_no"] or self.after["stage"] == Stage.OVER)

    def booked(self, source: Source, seat: int | None = None) -> int:
        """R1.8: the points really booked from a source, for the mover unless a seat is given."""
        seat = self.mover if seat is None else seat
        points: int = self.after["tally"][seat][source] - self.before["tally"][seat][source]
        return points

    def taken(self, move: TakeTiles) -> list[tuple[str, int]]:
        """R3.2, R3.3: the places that tiles were taken from, and how many from each."""
        b, color = self.before, move.color
        if isinstance(move, SunTake):
            return [(f"sun-{move.factory}", b["sun"][FACTORY_LETTERS.index(move.factory)][color])]
        tops = [
            (f"moon-{FACTORY_LETTERS[f]}", 1)
            for f, height in enumerate(b["stack_height"])
            if height and b["stack"][f][height - 1] == color
        ]
        return [*tops, ("moon-L", b["moon"][color])] if b["moon"][color] else tops

    def fates(self, move: TakeTiles) -> tuple[int, int, int]:
        """R3.5, R3.6: how many of the tiles taken went to the line, were broken, went to the tower."""
        return fates_of(self.before, self.after, self.mover, move.line, move.color)

    def lines_broken(self) -> tuple[int, ...]:
        """R4.3: the lines that broke, from the top."""
        return lines_broken(self.before, self.after, self.mover, self.move)

    def broken_at_end(self) -> list[int]:
        """R4.3, R4.6: the broken tiles that are counted, with those of lines that broke now."""
        b, seat = self.before, self.mover
        broken: list[int] = list(b["broken"][seat])
        for line in self.lines_broken():
            kept = min(BROKEN_PLACES - sum(broken), b["line_size"][seat][line - 1])
            broken[b["line_color"][seat][line - 1]] += kept
        return broken

    def special_filled(self) -> tuple[int, int] | None:
        """R4.5: row and column of the special space that was filled, if any."""
        return special_filled(self.before, self.after, self.mover)

    def runs(self, move: Place) -> tuple[int, int]:
        """R5: the runs across and down through the tile placed, itself included."""
        across, down = engine.runs_through(self.before_view.state, 0, self.mover, move.line - 1, move.column - 1)
        return across, down

    def summary(self, round_start: View | None) -> RoundSummary | None:
        """Where the points of the round came from, when it is over; the goals are not among them."""
        if round_start is None or not self.ends_round:
            return None
        earlier = fields_of(round_start)["tally"]
        return RoundSummary(self.before["round_no"], [self._gain(seat, earlier[seat]) for seat in range(SEATS)])

    def _gain(self, seat: int, earlier: list[int]) -> RoundGain:
        gained = [now - then for now, then in zip(self.after["tally"][seat], earlier, strict=True)]
        return RoundGain(
            placement=gained[Source.PLACEMENT],
            specials=gained[Source.SPECIALS],
            broken=gained[Source.BROKEN],
            start_tile=gained[Source.START_TILE],
            draws=gained[Source.DRAWS],
            score=self.after["score"][seat] - self.booked(Source.GOALS, seat),
        )
