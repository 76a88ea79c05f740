"""What a move did, told and shown to one observer: built from nothing but the observer's views before
and after it, so that it cannot tell more than the observer may know (R8)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from typing import Final

import numpy as np
from msgspec import Struct

from sintra.components import (
    BROKEN_PLACES,
    COLOR_LETTERS,
    DISPLAY,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LINES,
    MOST_GOALS,
    NOTHING,
    PLATES,
    SEATS,
    SMALL_FACTORIES,
    SPECIAL,
)
from sintra.moves import Move, MoveKind
from sintra.rules import engine
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage
from sintra.table.messages import RoundGain, RoundSummary, Step, Telling
from sintra.table.showing import Fields, chip_shown, fields_of, plate_shown
from sintra.view import View


class Story(Struct, frozen=True):
    """A move as a sentence, as the steps that are seen, and the round's summary if it ended one."""

    telling: Telling
    steps: list[Step]
    summary: RoundSummary | None = None


def seen_move(move: Move, mover: int, observer: int) -> Move:
    """R8: a move as an observer may know it: only the player who returns a plate knows which one."""
    if move.kind is MoveKind.RETURN_PLATE and move.plate is not None and mover != observer:
        return Move(MoveKind.RETURN_PLATE, back=PLATES[move.plate].kind)
    return move


def story_of(before: View, after: View, move: Move, mover: int, round_start: View | None = None) -> Story:
    """What a move did, between one observer's views before and after it. `round_start` is a view of
    the round's beginning; the summary of rounds 2 to 5 needs it."""
    happening = _Happening(before, after, seen_move(move, mover, before.observer), mover)
    key, args = _TELLERS[move.kind](happening)
    return Story(Telling(key, args), list(_STEPS[move.kind](happening)), happening.summary(round_start))


Args = dict[str, str | int]
Told = tuple[str, Args]


class _Happening:
    """A move between two views, with the readings of them that its story needs."""

    def __init__(self, before: View, after: View, move: Move, mover: int) -> None:
        self.before: Fields = fields_of(before)
        self.after: Fields = fields_of(after)
        self._view = after
        self.move = move
        self.mover = mover

    # --- readings -------------------------------------------------------------------------------

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

    # --- steps ----------------------------------------------------------------------------------

    def travel(self, start: str, end: str, piece: str, count: int = 1, face: str = "") -> Step:
        """Pieces of the mover go from a place to a place."""
        return Step("travel", start=start, end=end, piece=piece, count=count, face=face, seat=self.mover)

    def points(
        self,
        source: Source,
        place: str,
        points: int | None = None,
        seat: int | None = None,
        across: int = 0,
        down: int = 0,
    ) -> Iterator[Step]:
        """Points booked at a place, if there are any."""
        seat = self.mover if seat is None else seat
        points = self.booked(source, seat) if points is None else points
        if points:
            reason = source.name.lower()
            yield Step("points", end=place, seat=seat, points=points, reason=reason, across=across, down=down)

    def plate_steps(self, start: str) -> Iterator[Step]:
        """R2.6, R3.1: a plate is laid; after an opening plate the display is refilled."""
        yield self.travel(start, f"slot-{self.mover}-{self.slot}", "plate", face=self.face)
        yield from self.refill_steps()

    def refill_steps(self) -> Iterator[Step]:
        """R2.6, R7.2: plates come from the stack to the display."""
        for k in range(DISPLAY):
            plate = self.after["display"][k]
            if plate not in (NOTHING, self.before["display"][k]):
                yield self.travel("stack", f"display-{k}", "plate", face=plate_shown(plate).face)

    def take_steps(self) -> Iterator[Step]:
        """R3.2 to R3.8: the tiles, the rest of a sun side, the start tile, chips turned up."""
        seat = self.mover
        line = "" if self.move.line is None else f"line-{seat}-{self.move.line + 1}"
        ends = zip((line, f"broken-{seat}", "tower"), self.fates(), strict=True)
        for start, end, count in _shared_out(self.taken(), list(ends)):
            yield self.travel(start, end, self.letter, count)
        if self.move.kind is MoveKind.SUN:
            yield from self.rest_steps()
        if self.takes_start_tile:
            yield self.travel("start", f"broken-{seat}", "start")
        yield from self.turn_steps()

    def rest_steps(self) -> Iterator[Step]:
        """R3.2: what is left of a sun side goes to the moon side, stacked in order on a small one."""
        start, end = f"sun-{self.factory}", f"moon-{self.factory}"
        for tile in self.move.order or ():
            yield self.travel(start, end, tile.letter)
        if self.move.factory == LARGE:
            for color, count in enumerate(self.before["sun"][LARGE]):
                if count and color != self.color:
                    yield self.travel(start, end, COLOR_LETTERS[color], count)

    def turn_steps(self) -> Iterator[Step]:
        """R3.8: chips that are turned up."""
        for f in range(SMALL_FACTORIES):
            if self.after["chip_state"][f] == ChipState.UP != self.before["chip_state"][f]:
                place = f"chip-{FACTORY_LETTERS[f]}"
                yield Step("turn", start=place, piece=chip_shown(self.after, f), seat=self.mover)

    def break_steps(self) -> Iterator[Step]:
        """R4.3, R3.6: lines break; what finds no place among the broken tiles goes to the tower."""
        b, seat = self.before, self.mover
        room = BROKEN_PLACES - sum(b["broken"][seat])
        for line in self.lines_broken():
            place = f"line-{seat}-{line + 1}"
            size, letter = b["line_size"][seat][line], COLOR_LETTERS[b["line_color"][seat][line]]
            yield Step("break", start=place, seat=seat)
            for _, end, count in _shared_out([(place, size)], [(f"broken-{seat}", min(room, size)), ("tower", size)]):
                yield self.travel(place, end, letter, count)
            room -= min(room, size)

    def pay_steps(self) -> Iterator[Step]:
        """R4.4: chips are spent for a line."""
        yield from self.break_steps()
        for chip in self.move.chips:
            yield self.travel(f"store-{self.mover}", f"line-{self.mover}-{self.line + 1}", chip.face)

    def place_steps(self) -> Iterator[Step]:
        """R4.2, R4.5: the tile, its points, and a special tile with its own."""
        seat = self.mover
        assert self.move.column is not None
        yield from self.break_steps()
        space = f"space-{seat}-{self.line + 1}-{self.move.column + 1}"
        across, down = self.runs()
        yield self.travel(f"line-{seat}-{self.line + 1}", space, self.letter)
        yield from self.points(Source.PLACEMENT, space, across=across, down=down)
        special = self.special_filled()
        if special:
            space = f"space-{seat}-{special[0] + 1}-{special[1] + 1}"
            yield self.travel("supply", space, "*")
            yield from self.points(Source.SPECIALS, space)

    def end_steps(self) -> Iterator[Step]:
        """R4.6, and what follows when both have ended: R7 or R6."""
        b, seat = self.before, self.mover
        yield from self.break_steps()
        for line in range(LINES):
            rest = b["line_size"][seat][line]
            if b["line_placed"][seat][line] and rest:
                yield self.travel(f"line-{seat}-{line + 1}", "tower", COLOR_LETTERS[b["line_color"][seat][line]], rest)
        yield from self.points(Source.BROKEN, f"broken-{seat}")
        yield from self.points(Source.START_TILE, f"broken-{seat}")
        for color, count in enumerate(self.broken_at_end()):
            if count:
                yield self.travel(f"broken-{seat}", "tower", COLOR_LETTERS[color], count)
        if self.after["stage"] == Stage.OVER:
            yield from self.goal_steps()
        elif self.ends_round:
            yield from self.round_steps()

    def broken_at_end(self) -> list[int]:
        """R4.3, R4.6: the broken tiles that are counted, with those of lines that broke now."""
        b, seat = self.before, self.mover
        broken: list[int] = list(b["broken"][seat])
        for line in self.lines_broken():
            kept = min(BROKEN_PLACES - sum(broken), b["line_size"][seat][line])
            broken[b["line_color"][seat][line]] += kept
        return broken

    def goal_steps(self) -> Iterator[Step]:
        """R6.1, R6.2: the goals of both seats. Where the floor of 0 cuts the sum, what is taken off is
        shown as less, so that the shown points are those booked."""
        points = np.zeros((SEATS, MOST_GOALS), np.int64)
        engine.points_of_goals(self._view.state, 0, points)
        for seat, goals in enumerate(points.tolist()):
            spared = self.booked(Source.GOALS, seat) - sum(goals)
            for k, worth in enumerate(goals):
                shown = worth if worth >= 0 else min(0, worth + spared)
                spared -= shown - worth
                yield from self.points(Source.GOALS, f"goal-{seat}-{k}", shown, seat)

    def round_steps(self) -> Iterator[Step]:
        """R7: the start tile goes back, the display is refilled, the factories are dealt."""
        holder = self.before["start_tile"]
        if holder != ON_FACTORY:
            yield self.travel(f"broken-{holder}", "start", "start")
        yield from self.refill_steps()
        yield Step("deal")

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

    # --- tellings -------------------------------------------------------------------------------

    def tell_plate(self) -> Told:
        """A plate is laid, from the display or of those drawn."""
        assert self.move.plate is not None
        key = "log.keep" if self.move.kind is MoveKind.KEEP_PLATE else "log.plate"
        return key, {"plate": PLATES[self.move.plate].name, "face": self.face, "slot": self.slot}

    def tell_draw(self) -> Told:
        """R3.1: a plate is drawn, for a point or for nothing."""
        return "log.draw", {"cost": -self.booked(Source.DRAWS)}

    def tell_look(self) -> Told:
        """The player looks at the drawn plates."""
        return "log.look", {"count": self.before["drawn"]}

    def tell_return(self) -> Told:
        """R8: only the player who returned the plate is told which."""
        if self.move.plate is not None:
            return "log.return_own", {"plate": PLATES[self.move.plate].name}
        assert self.move.back is not None
        return "log.return", {"kind": self.move.back.value}

    def tell_take(self) -> Told:
        """Tiles are taken to a line, some of them broken, or all."""
        to_line, broken, to_tower = self.fates()
        lost = broken + to_tower
        is_sun = self.move.kind is MoveKind.SUN
        args: Args = {"count": to_line + lost, "color": self.letter}
        if is_sun:
            args["factory"] = self.factory
        key = "log.sun" if is_sun else "log.moon"
        if self.move.line is None:
            key += "_break"
        else:
            args["line"] = self.move.line + 1
            if lost:
                key += "_some"
                args["broken"] = lost
        if self.takes_start_tile:
            args["start"] = 1
        return key, args

    def tell_chip(self) -> Told:
        """A chip is taken."""
        assert self.move.factory is not None
        return "log.chip", {"chip": chip_shown(self.before, self.move.factory), "factory": self.factory}

    def tell_pay(self) -> Told:
        """Chips are spent for a missing tile."""
        chips = ",".join(chip.face for chip in self.move.chips)
        return "log.pay", {"chips": chips, "line": self.line + 1, "color": self.letter}

    def tell_place(self) -> Told:
        """A tile is placed, and perhaps a special tile with it."""
        assert self.move.column is not None
        args: Args = {
            "color": self.letter,
            "line": self.line + 1,
            "column": self.move.column + 1,
            "points": self.booked(Source.PLACEMENT),
        }
        if not self.special_filled():
            return "log.place", args
        return "log.place_special", args | {"special_points": self.booked(Source.SPECIALS)}

    def tell_end(self) -> Told:
        """A player's tiling is over, with penalties or without."""
        points = self.booked(Source.BROKEN) + self.booked(Source.START_TILE)
        return ("log.end", {"points": points}) if points else ("log.end_free", {})

    def chip_steps(self) -> Iterator[Step]:
        """R3.4: a chip goes to the store."""
        assert self.move.factory is not None
        face = chip_shown(self.before, self.move.factory)
        yield self.travel(f"chip-{self.factory}", f"store-{self.mover}", face)

    def draw_steps(self) -> Iterator[Step]:
        """R3.1: a plate comes into the hand, for a point."""
        yield self.travel("stack", "hand", "plate")
        yield from self.points(Source.DRAWS, f"score-{self.mover}")


def _run(row: list[int], at: int) -> int:
    """How many tiles lie in a row without a gap on both sides of a place, with one on it."""
    length = 1
    for tiles in (row[at + 1 :], row[:at][::-1]):
        for tile in tiles:
            if tile == NOTHING:
                break
            length += 1
    return length


def _shared_out(starts: list[tuple[str, int]], ends: list[tuple[str, int]]) -> Iterator[tuple[str, str, int]]:
    """Sends what lies at some places to others, each end being filled before the next."""
    room = list(ends)
    for start, there in starts:
        left = there
        while left:
            end, free = room[0]
            count = min(left, free)
            if count:
                yield start, end, count
            left -= count
            room[0] = (end, free - count)
            if not room[0][1]:
                room.pop(0)


_TELLERS: Final[dict[MoveKind, Callable[[_Happening], Told]]] = {
    MoveKind.DISPLAY_PLATE: _Happening.tell_plate,
    MoveKind.KEEP_PLATE: _Happening.tell_plate,
    MoveKind.DRAW: _Happening.tell_draw,
    MoveKind.LOOK: _Happening.tell_look,
    MoveKind.RETURN_PLATE: _Happening.tell_return,
    MoveKind.SUN: _Happening.tell_take,
    MoveKind.MOON: _Happening.tell_take,
    MoveKind.CHIP: _Happening.tell_chip,
    MoveKind.PAY: _Happening.tell_pay,
    MoveKind.PLACE: _Happening.tell_place,
    MoveKind.END: _Happening.tell_end,
}


def _display_steps(happening: _Happening) -> Iterator[Step]:
    """R2.6, R3.1: a plate of the display is laid."""
    return happening.plate_steps(f"display-{happening.before['display'].index(happening.move.plate)}")


def _keep_steps(happening: _Happening) -> Iterator[Step]:
    """R3.1: one of the drawn plates is laid."""
    return happening.plate_steps("hand")


def _return_steps(happening: _Happening) -> Iterator[Step]:
    """R3.1: a plate goes back under the stack."""
    yield happening.travel("hand", "stack", "plate")


def _no_steps(_: _Happening) -> Iterator[Step]:
    """Nothing moves."""
    return iter(())


_STEPS: Final[dict[MoveKind, Callable[[_Happening], Iterator[Step]]]] = {
    MoveKind.DISPLAY_PLATE: _display_steps,
    MoveKind.KEEP_PLATE: _keep_steps,
    MoveKind.DRAW: _Happening.draw_steps,
    MoveKind.LOOK: _no_steps,
    MoveKind.RETURN_PLATE: _return_steps,
    MoveKind.SUN: _Happening.take_steps,
    MoveKind.MOON: _Happening.take_steps,
    MoveKind.CHIP: _Happening.chip_steps,
    MoveKind.PAY: _Happening.pay_steps,
    MoveKind.PLACE: _Happening.place_steps,
    MoveKind.END: _Happening.end_steps,
}
