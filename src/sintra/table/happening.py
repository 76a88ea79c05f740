"""A move between one observer's views before and after it, with the readings that its story needs."""

from __future__ import annotations

from sintra.components import BROKEN_PLACES, COLOR_LETTERS, FACTORY_LETTERS, GRID, LINES, NOTHING, SEATS, SPECIAL
from sintra.moves import Move, MoveKind
from sintra.rules.state import ON_FACTORY, Source, Stage
from sintra.table.messages import RoundGain, RoundSummary
from sintra.table.showing import Fields, fields_of, plate_shown
from sintra.view import View


class Happening:
    """A move, made by a seat; `before` and `after` are all that the observer may know."""

    def __init__(self, before: View, after: View, move: Move, mover: int) -> None:
        self.before: Fields = fields_of(before)
        self.after: Fields = fields_of(after)
        self.after_view = after
        self.move = move
        self.mover = mover

    @property
    def line(self) -> int:
        """The line of the move, from 0."""
        assert self.move.line is not None
        return self.move.line

    @property
    def color(self) -> int:
        """The colour taken, or of the line that the move is about."""
        if self.move.color is not None:
            return int(self.move.color)
        color: int = self.before["line_color"][self.mover][self.line]
        return color

    @property
    def letter(self) -> str:
        """The colour's letter."""
        return COLOR_LETTERS[self.color]

    @property
    def face(self) -> str:
        """The move's plate as it is laid."""
        assert self.move.plate is not None and self.move.turns is not None
        return plate_shown(self.move.plate, self.move.turns).face

    @property
    def slot(self) -> str:
        """The slot's row and column."""
        assert self.move.slot is not None
        return f"{self.move.slot // 3 + 1}{self.move.slot % 3 + 1}"

    @property
    def factory(self) -> str:
        """The factory's name."""
        assert self.move.factory is not None
        return FACTORY_LETTERS[self.move.factory]

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

    def taken(self) -> list[tuple[str, int]]:
        """R3.2, R3.3: the places that tiles were taken from, and how many from each."""
        b, color = self.before, self.color
        if self.move.kind is MoveKind.SUN:
            return [(f"sun-{self.factory}", b["sun"][FACTORY_LETTERS.index(self.factory)][color])]
        tops = [
            (f"moon-{FACTORY_LETTERS[f]}", 1)
            for f, height in enumerate(b["stack_height"])
            if height and b["stack"][f][height - 1] == color
        ]
        return [*tops, ("moon-L", b["moon"][color])] if b["moon"][color] else tops

    def fates(self) -> tuple[int, int, int]:
        """R3.5, R3.6: how many of the tiles taken went to the line, were broken, went to the tower."""
        b, a, seat = self.before, self.after, self.mover
        to_line = 0
        if self.move.line is not None:
            to_line = a["line_size"][seat][self.move.line] - b["line_size"][seat][self.move.line]
        broken = sum(a["broken"][seat]) - sum(b["broken"][seat])
        return to_line, broken, a["tower"][self.color] - b["tower"][self.color]

    def lines_broken(self) -> list[int]:
        """R4.3: the lines that broke, from the top."""
        b, a, seat = self.before, self.after, self.mover
        return [
            line
            for line in range(LINES)
            if b["line_size"][seat][line] > 0 == a["line_size"][seat][line]
            and not b["line_placed"][seat][line]
            and line != self.move.line
        ]

    def broken_at_end(self) -> list[int]:
        """R4.3, R4.6: the broken tiles that are counted, with those of lines that broke now."""
        b, seat = self.before, self.mover
        broken: list[int] = list(b["broken"][seat])
        for line in self.lines_broken():
            kept = min(BROKEN_PLACES - sum(broken), b["line_size"][seat][line])
            broken[b["line_color"][seat][line]] += kept
        return broken

    def special_filled(self) -> tuple[int, int] | None:
        """R4.5: the special space that was filled, if any."""
        b, a = self.before["dome"][self.mover], self.after["dome"][self.mover]
        filled = [(r, c) for r in range(GRID) for c in range(GRID) if a[r][c] == SPECIAL != b[r][c]]
        return filled[0] if filled else None

    def runs(self) -> tuple[int, int]:
        """R5: the runs across and down through the tile placed, itself included."""
        dome = self.before["dome"][self.mover]
        assert self.move.column is not None
        row, column = self.line, self.move.column
        return _run(dome[row], column), _run([line[column] for line in dome], row)

    def summary(self, round_start: View | None) -> RoundSummary | None:
        """Where the points of the round came from, when it is over; the goals are not among them."""
        first_round = self.before["round_no"] == 1
        if not self.ends_round or (round_start is None and not first_round):
            return None
        no_points = [[0] * len(Source)] * SEATS
        earlier = no_points if round_start is None else fields_of(round_start)["tally"]
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


def _run(row: list[int], at: int) -> int:
    """How many tiles lie in a row without a gap on both sides of a place, with one on it."""
    length = 1
    for tiles in (row[at + 1 :], row[:at][::-1]):
        for tile in tiles:
            if tile == NOTHING:
                break
            length += 1
    return length
