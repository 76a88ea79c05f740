"""What a move did, told and shown to one observer: built from nothing but the observer's views before
and after it, so that it cannot tell more than the observer may know (R8)."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct
from msgspec.structs import replace as changed

from sintra.components import (
    COLOR_LETTERS,
    DISPLAY,
    FACTORY_LETTERS,
    LARGE,
    LINES,
    MAX_GOALS,
    NOTHING,
    SEATS,
    SMALL_FACTORIES,
)
from sintra.game.game import View
from sintra.rules import engine
from sintra.rules.memory import zeros
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage
from sintra.table.shown.made_move import MadeMove, RoundPast
from sintra.table.shown.messages import RoundSummary, Step, Telling
from sintra.table.shown.position import chip_shown, plate_shown
from sintra.tabletop import moves


class Story(Struct, frozen=True):
    """A move as a sentence, as the steps that are seen, and the round's summary if it ended one."""

    telling: Telling
    steps: list[Step]
    summary: RoundSummary | None = None


def story_of(before: View, after: View, move: moves.Move, mover: int, past: RoundPast | None = None) -> Story:
    """What a move did, between one observer's views before and after it. The summary of a round needs views of
    its `past`."""
    seen = move.seen_by(before.seat, mover)
    happening = MadeMove(before, after, seen, mover)
    key, args = _told(happening, seen)
    return Story(Telling(key, args), list(_steps(happening, seen)), happening.summary(past))


Args = dict[str, str | int]
Told = tuple[str, Args]


# --- tellings ------------------------------------------------------------------------------------


def _told(h: MadeMove, move: moves.Move) -> Told:
    """The key of the sentence that tells a move, and what it names."""
    match move:
        case moves.DisplayPlate():
            return "log.plate", _laid(move)
        case moves.KeepPlate():
            return "log.keep", _laid(move)
        case moves.Draw():
            return "log.draw", {"cost": -h.booked(Source.DRAWS)}
        case moves.Look():
            return "log.look", {"count": h.before["drawn"]}
        case moves.ReturnPlate(plate):
            return "log.return_own", {"plate": plate.name}
        case moves.HiddenReturn(back):
            return "log.return", {"kind": back.value}
        case moves.SunTake() | moves.MoonTake():
            return _tell_take(h, move)
        case moves.TakeChip(factory):
            return "log.chip", {"chip": chip_shown(h.before, FACTORY_LETTERS.index(factory)), "factory": factory}
        case moves.Pay(line, chips):
            faces = ",".join(chip.face for chip in chips)
            return "log.pay", {"chips": faces, "line": line, "color": h.color_of(line)}
        case moves.Place():
            return _tell_place(h, move)
        case moves.EndTiling():
            return _tell_end(h)
    raise AssertionError(f"nothing is told of {move!r}")


def _laid(move: moves.LayPlate) -> Args:
    return {"plate": move.plate.name, "face": move.face, "slot": move.slot}


def _tell_take(h: MadeMove, move: moves.TakeTiles) -> Told:
    """Tiles are taken to a line, some of them broken, or all; with the start tile perhaps, and
    chips that are turned up."""
    lost = h.effects.broken + h.effects.to_tower
    args: Args = {"count": h.effects.to_line + lost, "color": move.color.letter}
    if isinstance(move, moves.SunTake):
        args["factory"] = move.factory
    key = "log.sun" if isinstance(move, moves.SunTake) else "log.moon"
    if move.line is None:
        key += "_break"
    else:
        args["line"] = move.line
        if lost:
            key += "_some"
            args["broken"] = lost
    if h.effects.start_tile:
        args["start"] = 1
    turned = [step.piece for step in _turn_steps(h)]
    if turned:
        args["turned"] = ",".join(turned)
    return key, args


def _tell_place(h: MadeMove, move: moves.Place) -> Told:
    """A tile is placed, and perhaps a special tile with it."""
    args: Args = {
        "color": h.color_of(move.line),
        "line": move.line,
        "column": move.column,
        "points": h.booked(Source.PLACEMENT),
    }
    if not h.special_filled():
        return "log.place", args
    return "log.place_special", args | {"special_points": h.booked(Source.SPECIALS)}


def _tell_end(h: MadeMove) -> Told:
    """A player's tiling is over, with penalties or without."""
    points = h.booked(Source.BROKEN) + h.booked(Source.START_TILE)
    return ("log.end", {"points": points}) if points else ("log.end_free", {})


# --- steps ---------------------------------------------------------------------------------------


def _steps(h: MadeMove, move: moves.Move) -> Iterator[Step]:
    """What is seen of a move, one thing after the other."""
    match move:
        case moves.DisplayPlate(plate):
            return _plate_steps(h, move, f"display-{h.before['display'].index(plate.index)}")
        case moves.KeepPlate():
            return _plate_steps(h, move, "hand")
        case moves.Draw():
            return _draw_steps(h)
        case moves.Look():
            return iter(())
        case moves.ReturnPlate() | moves.HiddenReturn():
            return iter((_travel(h, "hand", "stack", "plate"),))
        case moves.SunTake() | moves.MoonTake():
            return _take_steps(h, move)
        case moves.TakeChip(factory):
            face = chip_shown(h.before, FACTORY_LETTERS.index(factory))
            return iter((_travel(h, f"chip-{factory}", f"store-{h.mover}", face),))
        case moves.Pay():
            return _pay_steps(h, move)
        case moves.Place():
            return _place_steps(h, move)
        case moves.EndTiling():
            return _end_steps(h)
    raise AssertionError(f"nothing is seen of {move!r}")


def _travel(h: MadeMove, start: str, end: str, piece: str, count: int = 1, face: str = "") -> Step:
    """Pieces of the mover go from a place to a place."""
    return Step("travel", start=start, end=end, piece=piece, count=count, face=face, seat=h.mover)


def _setup(h: MadeMove, start: str, end: str, piece: str, face: str = "") -> Step:
    """R2.6, R7: a piece goes where it has to lie, by nobody's decision."""
    return Step("setup", start=start, end=end, piece=piece, face=face, seat=h.mover)


def _points(
    h: MadeMove,
    source: Source,
    place: str,
    points: int | None = None,
    seat: int | None = None,
) -> Iterator[Step]:
    """Points booked at a place, if there are any."""
    seat = h.mover if seat is None else seat
    points = h.booked(source, seat) if points is None else points
    if points:
        reason = source.name.lower()
        yield Step("points", end=place, seat=seat, points=points, reason=reason)


def _plate_steps(h: MadeMove, move: moves.LayPlate, start: str) -> Iterator[Step]:
    """R2.6, R3.1: a plate is laid; after an opening plate the display is refilled."""
    yield _travel(h, start, f"slot-{h.mover}-{move.slot}", "plate", face=move.face)
    yield from _refill_steps(h)


def _refill_steps(h: MadeMove) -> Iterator[Step]:
    """R2.6, R7.2: plates come from the stack to the display."""
    for k in range(DISPLAY):
        plate = h.after["display"][k]
        if plate not in (NOTHING, h.before["display"][k]):
            yield _setup(h, "stack", f"display-{k}", "plate", plate_shown(plate).face)


def _take_steps(h: MadeMove, move: moves.TakeTiles) -> Iterator[Step]:
    """R3.2 to R3.8: the tiles, the rest of a sun side, the start tile, chips turned up."""
    seat = h.mover
    line = "" if move.line is None else f"line-{seat}-{move.line}"
    done = h.effects
    ends = [(line, done.to_line), (f"broken-{seat}", done.broken), ("tower", done.to_tower)]
    for start, end, count in _shared_out(h.taken(move), ends):
        yield _travel(h, start, end, move.color.letter, count)
    if isinstance(move, moves.SunTake):
        yield from _rest_steps(h, move)
    if h.effects.start_tile:
        yield _travel(h, "start", f"broken-{seat}", "start")
    yield from _turn_steps(h)


def _rest_steps(h: MadeMove, move: moves.SunTake) -> Iterator[Step]:
    """R3.2: what is left of a sun side goes to the moon side, stacked in order on a small one."""
    start, end = f"sun-{move.factory}", f"moon-{move.factory}"
    for tile in move.order:
        yield _travel(h, start, end, tile.letter)
    if move.factory == FACTORY_LETTERS[LARGE]:
        for color, count in enumerate(h.before["sun"][LARGE]):
            if count and color != move.color:
                yield _travel(h, start, end, COLOR_LETTERS[color], count)


def _turn_steps(h: MadeMove) -> Iterator[Step]:
    """R3.8: chips that are turned up."""
    for f in range(SMALL_FACTORIES):
        if h.after["chip_state"][f] == ChipState.UP != h.before["chip_state"][f]:
            place = f"chip-{FACTORY_LETTERS[f]}"
            yield Step("turn", start=place, piece=chip_shown(h.after, f), seat=h.mover)


def _break_steps(h: MadeMove) -> Iterator[Step]:
    """R4.3, R3.6: lines break; what finds no place among the broken tiles goes to the tower."""
    for line, color, broken, to_tower in h.lines_broken:
        place = f"line-{h.mover}-{line}"
        yield Step("break", start=place, seat=h.mover)
        if broken:
            yield _travel(h, place, f"broken-{h.mover}", color, broken)
        if to_tower:
            yield _travel(h, place, "tower", color, to_tower)


def _pay_steps(h: MadeMove, move: moves.Pay) -> Iterator[Step]:
    """R4.4: chips are spent for a line."""
    yield from _break_steps(h)
    for chip in move.chips:
        yield _travel(h, f"store-{h.mover}", f"line-{h.mover}-{move.line}", chip.face)


def _place_steps(h: MadeMove, move: moves.Place) -> Iterator[Step]:
    """R4.2, R4.5: the tile, its points, and a special tile with its own."""
    seat = h.mover
    yield from _break_steps(h)
    space = f"space-{seat}-{move.line}-{move.column}"
    across, down = h.runs(move)
    runs = [run for run in (across, down) if len(run) > 1]
    counted = sorted({one for run in runs for one in run} | {(move.line, move.column)})
    cells = [f"space-{seat}-{row}-{column}" for row, column in counted]
    yield _travel(h, f"line-{seat}-{move.line}", space, h.color_of(move.line))
    for points in _points(h, Source.PLACEMENT, space):
        yield changed(points, across=len(across), down=len(down), cells=cells)
    special = h.special_filled()
    if special:
        space = f"space-{seat}-{special[0]}-{special[1]}"
        yield _travel(h, "supply", space, "*")
        yield from _points(h, Source.SPECIALS, space)


def _end_steps(h: MadeMove) -> Iterator[Step]:
    """R4.6, and what follows when both have ended: R7 or R6."""
    b, seat = h.before, h.mover
    yield from _break_steps(h)
    for line in range(LINES):
        rest = b["line_size"][seat][line]
        if b["line_placed"][seat][line] and rest:
            yield _travel(h, f"line-{seat}-{line + 1}", "tower", COLOR_LETTERS[b["line_color"][seat][line]], rest)
    yield from _points(h, Source.BROKEN, f"broken-{seat}")
    yield from _points(h, Source.START_TILE, f"broken-{seat}")
    for color, count in enumerate(h.broken_at_end()):
        if count:
            yield _travel(h, f"broken-{seat}", "tower", COLOR_LETTERS[color], count)
    if h.after["stage"] == Stage.OVER:
        yield from _goal_steps(h)
    elif h.ends_round:
        yield from _round_steps(h)


def _goal_steps(h: MadeMove) -> Iterator[Step]:
    """R6.1, R6.2: the goals of both seats. Where the floor of 0 cuts the sum, what is taken off is
    shown as less, so that the shown points are those booked."""
    points = zeros((SEATS, MAX_GOALS), "i8")
    engine.points_of_goals(h.after.states, 0, points)
    for seat, goals in enumerate(points.tolist()):
        spared = h.booked(Source.GOALS, seat) - sum(goals)
        for k, worth in enumerate(goals):
            shown = worth if worth >= 0 else min(0, worth + spared)
            spared -= shown - worth
            yield from _points(h, Source.GOALS, f"goal-{seat}-{k}", shown, seat)


def _round_steps(h: MadeMove) -> Iterator[Step]:
    """R7: the start tile goes back, the display is refilled, the factories are dealt."""
    holder = h.before["start_tile"]
    if holder != ON_FACTORY:
        yield _setup(h, f"broken-{holder}", "start", "start")
    yield from _refill_steps(h)
    yield Step("deal")


def _draw_steps(h: MadeMove) -> Iterator[Step]:
    """R3.1: a plate comes into the hand, for a point."""
    yield _travel(h, "stack", "hand", "plate")
    yield from _points(h, Source.DRAWS, f"score-{h.mover}")


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
