"""A move on a picture: what it takes has a ring, arrows lead to where it goes, and what it leaves is hinted at."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
from math import hypot
from typing import Final, NamedTuple

from sintra.components import PlateKind, slot_index
from sintra.drawing.glyphs import OUTLINE, box, face_up, moved_to, night_tile, tag, tile, use
from sintra.drawing.picture import places
from sintra.drawing.picture.market import plate_face
from sintra.errors import SintraError
from sintra.rules import engine
from sintra.rules.state import copied
from sintra.tabletop import moves
from sintra.tabletop.pieces import Factory, PilePlace
from sintra.tabletop.tabletop import Tabletop

LIT: Final = "#ffcb3d"
_GHOST: Final = 0.75
"""The opacity of a piece that will lie somewhere."""
_BEND: Final = 0.1
"""How far an arrow swings aside, as a share of its length."""
_SHORT_OF: Final = 0.2
"""The distance between the end of an arrow and the middle of its goal, as a share of the goal's size."""


class Trip(NamedTuple):
    """An arrow from each of these spots, with one head; an aside is what the move does beside its purpose."""

    starts: tuple[places.Spot, ...]
    end: places.Spot
    is_aside: bool = False


class Ring(NamedTuple):
    """Around a piece that a move takes: a square, or a circle for round pieces."""

    spot: places.Spot
    is_round: bool = False


class Ghost(NamedTuple):
    """A piece that will lie here."""

    spot: places.Spot
    picture: str


@dataclass(slots=True)
class Pointing:
    """What points at a move, in the picture of the whole table."""

    rings: list[Ring] = field(default_factory=list)
    ghosts: list[Ghost] = field(default_factory=list)
    trips: list[Trip] = field(default_factory=list)

    def on_board(self, seat: int) -> Pointing:
        """What of it lies on a board alone."""
        return Pointing(
            [ring for ring in self.rings if _is_on_board(ring.spot, seat)],
            [ghost for ghost in self.ghosts if _is_on_board(ghost.spot, seat)],
            [trip for trip in self.trips if all(_is_on_board(spot, seat) for spot in (*trip.starts, trip.end))],
        )

    def picture(self) -> str:
        """The SVG of it, to be laid over the table."""
        ghosts = [tag("g", ghost.picture, opacity=_GHOST) + _dashes(ghost.spot) for ghost in self.ghosts]
        arrows = [_arrow(trip) for trip in sorted(self.trips, key=lambda trip: not trip.is_aside)]
        return tag("g", "".join([*ghosts, *map(_ring, self.rings), *arrows]), class_="sintra-move")


def pointing_at(table: Tabletop, move: moves.Move) -> Pointing:
    """What points at a move that can be made on this table. What the observer of a view cannot see, such as which
    drawn plate is returned, is pointed at as far as it can be seen."""
    match move:
        case moves.SunTake() | moves.MoonTake():
            return _take(table, move)
        case moves.TakeChip():
            return _chip(table, move)
        case moves.DisplayPlate(plate):
            if plate not in table.display:
                raise _impossible(move)
            return _lay(table, move, places.display_spot(table.display.index(plate)).moved(*places.PLATES_AT))
        case moves.KeepPlate(plate):
            fitting = [place for place in table.hand if plate in place.candidates]
            return _lay(table, move, _in_hand(table, move, fitting))
        case moves.ReturnPlate(plate):
            fitting = [place for place in table.hand if plate in place.candidates]
            return _return(table, _in_hand(table, move, fitting))
        case moves.HiddenReturn(back):
            fitting = [place for place in table.hand if place.kind in (back, None)]
            return _return(table, _in_hand(table, move, fitting))
        case moves.Draw():
            return _draw(table, move)
        case moves.Look():
            spots = [places.hand_spot(k, table.drawn).moved(*places.PLATES_AT) for k in range(table.drawn)]
            return Pointing([Ring(spot) for spot in spots])
        case moves.Pay():
            return _pay(table, move)
        case moves.Place():
            return _place(table, move)
    return Pointing()


def _impossible(move: moves.Move) -> SintraError:
    return SintraError(f"{move} cannot be shown: it is not possible here")


def _after(table: Tabletop, move: moves.Move) -> Tabletop:
    """The table after a move, before anything else comes of it."""
    states = copied(table._states)
    states["deals_itself"] = 0
    if engine.play(states, 0, moves.path_of(move, states, 0)):
        raise _impossible(move)
    return Tabletop(states)


def _take(table: Tabletop, move: moves.TakeTiles) -> Pointing:
    """Tiles go to a line, what does not fit to the broken ones or into the tower, and the rest to the moon side."""
    after = _after(table, move)
    seat = table.turn
    corner = places.board_at(seat)
    taken = [spot for factory in table.factories for spot in _taken(factory, after.factory(factory.name), move)]
    to_line: list[places.Spot] = []
    if move.line is not None:
        before, now = table.board(seat).line(move.line).tiles, after.board(seat).line(move.line).tiles
        to_line = [places.line_spot(move.line, k).moved(*corner) for k in range(before, now)]
    broken = range(len(table.board(seat).broken), len(after.board(seat).broken))
    to_break = [places.broken_spot(k).moved(*corner) for k in broken]
    found = Pointing([Ring(spot) for spot in taken])
    found.ghosts = [Ghost(spot, tile(move.color.letter, *spot)) for spot in (*to_line, *to_break)]
    ends = [spots[0] for spots in (to_line, to_break) if spots]
    if len(to_line) + len(to_break) < len(taken):
        ends.append(places.tower_spot(move.color).moved(*places.TOWER_AT))
    starts = _tails(table, taken, ends[0], move)
    found.trips = [Trip(starts, ends[0]), *(Trip(starts[:1], end, is_aside=True) for end in ends[1:])]
    if isinstance(move, moves.SunTake):
        found.ghosts += _left_over(after.factory(move.factory))
    if table.start_tile is None and after.start_tile == seat:
        start = places.START_SPOT.moved(*places.factory_at(table.factory("L")))
        end = places.TAKEN_START_SPOT.moved(*corner)
        found.rings.append(Ring(start, is_round=True))
        found.ghosts.append(Ghost(end, use("start", *end)))
        found.trips.append(Trip((start,), end, is_aside=True))
    return found


def _taken(before: Factory, after: Factory, move: moves.TakeTiles) -> Iterator[places.Spot]:
    """The tiles that a take finds on a factory."""
    corner = places.factory_at(before)
    if isinstance(move, moves.SunTake):
        sides = [(before.sun, places.sun_spots(before))] if before.name == move.factory else []
    elif before.is_large:
        sides = [(before.moon, places.moon_spots(before))]
    else:
        top = len(after.moon)
        sides = [(before.moon[top:], places.moon_spots(before)[top:])]
    for tiles, spots in sides:
        yield from (spot.moved(*corner) for color, spot in zip(tiles, spots, strict=True) if color is move.color)


def _tails(
    table: Tabletop, taken: Sequence[places.Spot], end: places.Spot, move: moves.TakeTiles
) -> tuple[places.Spot, ...]:
    """Where the arrow begins: at the tile of each factory that is nearest to its goal."""
    if isinstance(move, moves.SunTake):
        return (min(taken, key=lambda spot: _distance(spot, end)),)
    nearest: dict[str, places.Spot] = {}
    for spot in sorted(taken, key=lambda spot: -_distance(spot, end)):
        home = max(
            (one for one in table.factories if places.factory_at(one)[0] <= spot.x),
            key=lambda one: places.factory_at(one)[0],
        )
        nearest[home.name] = spot
    return tuple(sorted(nearest.values(), key=lambda spot: _distance(spot, end)))


def _left_over(factory: Factory) -> Iterator[Ghost]:
    """What a take from the sun side leaves on the moon side."""
    for color, spot in zip(factory.moon, places.moon_spots(factory), strict=True):
        place = spot.moved(*places.factory_at(factory))
        yield Ghost(place, night_tile(color.letter, *place))


def _chip(table: Tabletop, move: moves.TakeChip) -> Pointing:
    factory = table.factory(move.factory)
    chip = factory.chip
    if chip is None:
        raise _impossible(move)
    board = table.board(table.turn)
    chips = places.chips_of_board(board)
    start = places.chip_spot(factory).moved(*places.factory_at(factory))
    end = places.stored_spot(chips, chips + 1).moved(*places.board_at(table.turn))
    return Pointing([Ring(start, is_round=True)], [Ghost(end, face_up(chip, *end))], [Trip((start,), end)])


def _lay(table: Tabletop, move: moves.LayPlate, start: places.Spot) -> Pointing:
    end = places.slot_spot(slot_index(move.slot)).moved(*places.board_at(table.turn))
    ghost = Ghost(end, moved_to(end.x, end.y, plate_face(move.face, end.size)))
    return Pointing([Ring(start)], [ghost], [Trip((start,), end)])


def _in_hand(table: Tabletop, move: moves.Move, fitting: Sequence[PilePlace]) -> places.Spot:
    """The first of the drawn plates that can be meant."""
    if not fitting:
        raise _impossible(move)
    return places.hand_spot(table.hand.index(fitting[0]), len(table.hand)).moved(*places.PLATES_AT)


def _return(table: Tabletop, start: places.Spot) -> Pointing:
    end = places.stack_bottom(table.stack_size).moved(*places.PLATES_AT)
    return Pointing([Ring(start)], [], [Trip((start,), end)])


def _draw(table: Tabletop, move: moves.Move) -> Pointing:
    if not table.stack_size:
        raise _impossible(move)
    start = places.stack_spots(table.stack_size)[-1].moved(*places.PLATES_AT)
    end = places.hand_spot(table.drawn, table.drawn + 1).moved(*places.PLATES_AT)
    top = table.stack[0].kind if table.stack else None
    back = f"back-{top.value if top else '?'}"
    return Pointing([Ring(start)], [Ghost(end, use(back, *end))], [Trip((start,), end)])


def _pay(table: Tabletop, move: moves.Pay) -> Pointing:
    """Chips stand for the next tile that a line lacks."""
    _after(table, move)
    corner = places.board_at(table.turn)
    board = table.board(table.turn)
    line = board.line(move.line)
    paid = table._states.get("paid") if table.paid_line == move.line else 0
    end = places.line_spot(move.line, line.tiles + paid).moved(*corner)
    left = list(enumerate(board.chips))
    spots = []
    for chip in move.chips:
        found = next(pair for pair in left if pair[1] == chip)
        left.remove(found)
        spots.append(places.stored_spot(found[0], places.chips_of_board(board)).moved(*corner))
    ghosts = [Ghost(end, tile(line.color.letter, *end))] if line.color is not None else []
    return Pointing([Ring(spot, is_round=True) for spot in spots], ghosts, [Trip(tuple(spots), end)])


def _place(table: Tabletop, move: moves.Place) -> Pointing:
    """The line's tile goes to the dome; a special space that this fills is hinted at."""
    after = _after(table, move)
    corner = places.board_at(table.turn)
    board = table.board(table.turn)
    color = board.line(move.line).color
    start = places.line_spot(move.line, 0).moved(*corner)
    end = places.space_spot(move.line, move.column).moved(*corner)
    found = Pointing([Ring(start)], [], [Trip((start,), end)])
    if color is not None:
        found.ghosts.append(Ghost(end, tile(color.letter, *end)))
    for r, row in enumerate(after.board(table.turn).dome, 1):
        for c, space in enumerate(row, 1):
            if space.tile is PlateKind.SPECIAL and board.space(r, c).is_empty:
                spot = places.space_spot(r, c).moved(*corner)
                found.ghosts.append(Ghost(spot, tile("*", *spot)))
    return found


def _is_on_board(spot: places.Spot, seat: int) -> bool:
    left, top = places.board_at(seat)
    x, y = spot.center
    return left <= x <= left + places.BOARD_WIDTH and top <= y <= top + places.BOARD_HEIGHT


def _distance(one: places.Spot, other: places.Spot) -> float:
    (x1, y1), (x2, y2) = one.center, other.center
    return hypot(x2 - x1, y2 - y1)


def _ring(ring: Ring) -> str:
    x, y, size = ring.spot
    around = (x - 2.5, y - 2.5, size + 5, size + 5, size / 2 + 2.5 if ring.is_round else 9)
    strokes = ((OUTLINE, 7), (LIT, 4))
    return "".join(box(*around, fill="none", stroke=color, stroke_width=width) for color, width in strokes)


def _dashes(spot: places.Spot) -> str:
    x, y, size = spot
    return box(x, y, size, size, 7, fill="none", stroke=OUTLINE, stroke_width=2, stroke_dasharray="5 4")


def _arrow(trip: Trip) -> str:
    """Dark below and bright above, so that it is seen on every ground; all tails run into one head."""
    width = 3.5 if trip.is_aside else 6.5 if len(trip.starts) == 1 else 5.0
    goal_x, goal_y = trip.end.center
    dark, bright = [], []
    head = ""
    for k, start in enumerate(trip.starts):
        x, y = start.center
        length = max(1.0, hypot(goal_x - x, goal_y - y))
        bend_x, bend_y = (x + goal_x) / 2 + _BEND * (y - goal_y), (y + goal_y) / 2 + _BEND * (goal_x - x)
        reach = max(1.0, hypot(goal_x - bend_x, goal_y - bend_y))
        along_x, along_y = (goal_x - bend_x) / reach, (goal_y - bend_y) / reach
        short = min(_SHORT_OF * trip.end.size, length / 4)
        tip_x, tip_y = goal_x - short * along_x, goal_y - short * along_y
        deep = 2.6 * width
        base_x, base_y = tip_x - 0.8 * deep * along_x, tip_y - 0.8 * deep * along_y
        path = f"M{x:.1f},{y:.1f}Q{bend_x:.1f},{bend_y:.1f} {base_x:.1f},{base_y:.1f}"
        dark.append(tag("path", d=path, stroke=OUTLINE, stroke_width=width + 4))
        bright.append(tag("path", d=path, stroke=LIT, stroke_width=width))
        dark.append(tag("circle", cx=x, cy=y, r=0.9 * width + 2, fill=OUTLINE))
        bright.append(tag("circle", cx=x, cy=y, r=0.9 * width, fill=LIT))
        if k == 0:
            wing_x, wing_y = -1.6 * width * along_y, 1.6 * width * along_x
            rear_x, rear_y = tip_x - deep * along_x, tip_y - deep * along_y
            points = (
                f"{tip_x:.1f},{tip_y:.1f} {rear_x + wing_x:.1f},{rear_y + wing_y:.1f} "
                f"{rear_x - wing_x:.1f},{rear_y - wing_y:.1f}"
            )
            shape = {"points": points, "stroke_linejoin": "round"}
            dark.append(tag("polygon", **shape, fill=OUTLINE, stroke=OUTLINE, stroke_width=4))
            head = tag("polygon", **shape, fill=LIT)
    lines = tag("g", *dark, *bright, head, fill="none", stroke_linecap="round")
    return tag("g", lines, class_="sintra-aside" if trip.is_aside else "sintra-arrow")
