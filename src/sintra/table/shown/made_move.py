"""A move between one observer's views before and after it, and what can be read from the two."""

from __future__ import annotations

from functools import cached_property
from typing import NamedTuple

from sintra.components import COLOR_LETTERS, FACTORY_LETTERS, SEATS
from sintra.game.game import View
from sintra.game.preview import effects_of, lines_in, special_filled
from sintra.rules import engine
from sintra.rules.effects import Effects
from sintra.rules.state import Source, Stage, copied
from sintra.table.shown.fields import Fields
from sintra.table.shown.messages import RoundGain, RoundSummary, TiledBoard
from sintra.table.shown.position import grid_rows, lines_shown, tiles
from sintra.tabletop.moves import Move, Place, SunTake, TakeTiles

Space = tuple[int, int]
"""A row and a column of the dome, from 1."""


class BrokenLine(NamedTuple):
    """A line that broke: its number, the letter of its colour, and how many of its tiles lie broken now and
    how many went to the tower."""

    line: int
    color: str
    broken: int
    to_tower: int


class RoundPast(NamedTuple):
    """Views of a round that is over: of its beginning, and of the beginning of its phase 2."""

    start: View
    tiling: View


class MadeMove:
    """A move, made by a seat; `before` and `after` are all that the observer may know."""

    def __init__(self, before: View, after: View, move: Move, mover: int) -> None:
        self.before = Fields(before)
        self.after = Fields(after)
        self.move = move
        self.mover = mover

    def color_of(self, line: int) -> str:
        """The letter of the colour of a line, 1 to 6, before the move."""
        return COLOR_LETTERS[self.before["line_color"][self.mover][line - 1]]

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

    @cached_property
    def effects(self) -> Effects:
        """What a take or a tiling did at once."""
        return effects_of(self.before.states, self.after.states, self.move)

    @cached_property
    def lines_broken(self) -> list[BrokenLine]:
        """R4.3, R3.6: the lines that broke, from the top, and what became of their tiles."""
        slate, found = copied(self.before.states), []
        for line in lines_in(self.effects.lines_broken):
            broken = engine.break_line(slate, 0, self.mover, line - 1)
            size = self.before["line_size"][self.mover][line - 1]
            found.append(BrokenLine(line, self.color_of(line), broken, size - broken))
        return found

    def broken_at_end(self) -> list[int]:
        """R4.3, R4.6: the broken tiles that are counted, by colour, with those of lines that broke now."""
        counts: list[int] = list(self.before["broken"][self.mover])
        for one in self.lines_broken:
            counts[COLOR_LETTERS.index(one.color)] += one.broken
        return counts

    def special_filled(self) -> tuple[int, int] | None:
        """R4.5: row and column of the special space that was filled, if any."""
        return special_filled(self.before, self.after, self.mover)

    def runs(self, move: Place) -> tuple[list[Space], list[Space]]:
        """R5: the runs across and down through the tile placed, itself included, as rows and columns from 1."""
        row, column = move.line, move.column
        left, right, above, below = engine.runs_through(self.before.states, 0, self.mover, row - 1, column - 1)
        across = [(row, c) for c in range(column - left, column + right + 1)]
        down = [(r, column) for r in range(row - above, row + below + 1)]
        return across, down

    def summary(self, past: RoundPast | None) -> RoundSummary | None:
        """Where the points of the round came from, when it is over; the goals are not among them."""
        if past is None or not self.ends_round:
            return None
        earlier, tiled = Fields(past.start), Fields(past.tiling)
        return RoundSummary(
            self.before["round_no"],
            [self._gain(seat, earlier) for seat in range(SEATS)],
            [_tiled_board(tiled, seat) for seat in range(SEATS)],
        )

    def _gain(self, seat: int, earlier: Fields) -> RoundGain:
        gained = [now - then for now, then in zip(self.after["tally"][seat], earlier["tally"][seat], strict=True)]
        return RoundGain(
            before=earlier["score"][seat],
            placement=gained[Source.PLACEMENT],
            specials=gained[Source.SPECIALS],
            broken=gained[Source.BROKEN],
            start_tile=gained[Source.START_TILE],
            draws=gained[Source.DRAWS],
            score=self.after["score"][seat] - self.booked(Source.GOALS, seat),
        )


def _tiled_board(s: Fields, seat: int) -> TiledBoard:
    """A seat's board as phase 2 found it."""
    return TiledBoard(
        lines=lines_shown(s, seat),
        shows=grid_rows(s, "space")[seat],
        tiles=grid_rows(s, "dome")[seat],
        broken=tiles(s["broken"][seat]),
        start_tile=s["start_tile"] == seat,
    )
