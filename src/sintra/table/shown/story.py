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
    LARGE,
    LINES,
    MOST_GOALS,
    NOTHING,
    PLATES,
    SEATS,
    SMALL_FACTORIES,
)
from sintra.game.view import View
from sintra.rules import engine
from sintra.rules.state import ON_FACTORY, ChipState, Source, Stage
from sintra.table.shown.made_move import MadeMove
from sintra.table.shown.messages import RoundSummary, Step, Telling
from sintra.table.shown.position import chip_shown, plate_shown
from sintra.tabletop.moves import Move, MoveKind


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
    happening = MadeMove(before, after, seen_move(move, mover, before.seat), mover)
    key, args = _TELLERS[move.kind](happening)
    return Story(Telling(key, args), list(_STEPS[move.kind](happening)), happening.summary(round_start))


Args = dict[str, str | int]
Told = tuple[str, Args]


# --- tellings ------------------------------------------------------------------------------------


def _tell_plate(h: MadeMove) -> Told:
    """A plate is laid, from the display or of those drawn."""
    assert h.move.plate is not None
    key = "log.keep" if h.move.kind is MoveKind.KEEP_PLATE else "log.plate"
    return key, {"plate": PLATES[h.move.plate].name, "face": h.face, "slot": h.slot}


def _tell_draw(h: MadeMove) -> Told:
    """R3.1: a plate is drawn, for a point or for nothing."""
    return "log.draw", {"cost": -h.booked(Source.DRAWS)}


def _tell_look(h: MadeMove) -> Told:
    """The player looks at the drawn plates."""
    return "log.look", {"count": h.before["drawn"]}


def _tell_return(h: MadeMove) -> Told:
    """R8: only the player who returned the plate is told which."""
    if h.move.plate is not None:
        return "log.return_own", {"plate": PLATES[h.move.plate].name}
    assert h.move.back is not None
    return "log.return", {"kind": h.move.back.value}


def _tell_take(h: MadeMove) -> Told:
    """Tiles are taken to a line, some of them broken, or all; with the start tile perhaps, and
    chips that are turned up."""
    to_line, broken, to_tower = h.fates()
    lost = broken + to_tower
    is_sun = h.move.kind is MoveKind.SUN
    args: Args = {"count": to_line + lost, "color": h.letter}
    if is_sun:
        args["factory"] = h.factory
    key = "log.sun" if is_sun else "log.moon"
    if h.move.line is None:
        key += "_break"
    else:
        args["line"] = h.move.line + 1
        if lost:
            key += "_some"
            args["broken"] = lost
    if h.takes_start_tile:
        args["start"] = 1
    turned = [step.piece for step in _turn_steps(h)]
    if turned:
        args["turned"] = ",".join(turned)
    return key, args


def _tell_chip(h: MadeMove) -> Told:
    """A chip is taken."""
    assert h.move.factory is not None
    return "log.chip", {"chip": chip_shown(h.before, h.move.factory), "factory": h.factory}


def _tell_pay(h: MadeMove) -> Told:
    """Chips are spent for a missing tile."""
    chips = ",".join(chip.face for chip in h.move.chips)
    return "log.pay", {"chips": chips, "line": h.line + 1, "color": h.letter}


def _tell_place(h: MadeMove) -> Told:
    """A tile is placed, and perhaps a special tile with it."""
    assert h.move.column is not None
    args: Args = {
        "color": h.letter,
        "line": h.line + 1,
        "column": h.move.column + 1,
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
    across: int = 0,
    down: int = 0,
) -> Iterator[Step]:
    """Points booked at a place, if there are any."""
    seat = h.mover if seat is None else seat
    points = h.booked(source, seat) if points is None else points
    if points:
        reason = source.name.lower()
        yield Step("points", end=place, seat=seat, points=points, reason=reason, across=across, down=down)


def _plate_steps(h: MadeMove, start: str) -> Iterator[Step]:
    """R2.6, R3.1: a plate is laid; after an opening plate the display is refilled."""
    yield _travel(h, start, f"slot-{h.mover}-{h.slot}", "plate", face=h.face)
    yield from _refill_steps(h)


def _refill_steps(h: MadeMove) -> Iterator[Step]:
    """R2.6, R7.2: plates come from the stack to the display."""
    for k in range(DISPLAY):
        plate = h.after["display"][k]
        if plate not in (NOTHING, h.before["display"][k]):
            yield _setup(h, "stack", f"display-{k}", "plate", plate_shown(plate).face)


def _take_steps(h: MadeMove) -> Iterator[Step]:
    """R3.2 to R3.8: the tiles, the rest of a sun side, the start tile, chips turned up."""
    seat = h.mover
    line = "" if h.move.line is None else f"line-{seat}-{h.move.line + 1}"
    ends = zip((line, f"broken-{seat}", "tower"), h.fates(), strict=True)
    for start, end, count in _shared_out(h.taken(), list(ends)):
        yield _travel(h, start, end, h.letter, count)
    if h.move.kind is MoveKind.SUN:
        yield from _rest_steps(h)
    if h.takes_start_tile:
        yield _travel(h, "start", f"broken-{seat}", "start")
    yield from _turn_steps(h)


def _rest_steps(h: MadeMove) -> Iterator[Step]:
    """R3.2: what is left of a sun side goes to the moon side, stacked in order on a small one."""
    start, end = f"sun-{h.factory}", f"moon-{h.factory}"
    for tile in h.move.order or ():
        yield _travel(h, start, end, tile.letter)
    if h.move.factory == LARGE:
        for color, count in enumerate(h.before["sun"][LARGE]):
            if count and color != h.color:
                yield _travel(h, start, end, COLOR_LETTERS[color], count)


def _turn_steps(h: MadeMove) -> Iterator[Step]:
    """R3.8: chips that are turned up."""
    for f in range(SMALL_FACTORIES):
        if h.after["chip_state"][f] == ChipState.UP != h.before["chip_state"][f]:
            place = f"chip-{FACTORY_LETTERS[f]}"
            yield Step("turn", start=place, piece=chip_shown(h.after, f), seat=h.mover)


def _break_steps(h: MadeMove) -> Iterator[Step]:
    """R4.3, R3.6: lines break; what finds no place among the broken tiles goes to the tower."""
    b, seat = h.before, h.mover
    room = BROKEN_PLACES - sum(b["broken"][seat])
    for line in h.lines_broken():
        place = f"line-{seat}-{line + 1}"
        size, letter = b["line_size"][seat][line], COLOR_LETTERS[b["line_color"][seat][line]]
        yield Step("break", start=place, seat=seat)
        for _, end, count in _shared_out([(place, size)], [(f"broken-{seat}", min(room, size)), ("tower", size)]):
            yield _travel(h, place, end, letter, count)
        room -= min(room, size)


def _pay_steps(h: MadeMove) -> Iterator[Step]:
    """R4.4: chips are spent for a line."""
    yield from _break_steps(h)
    for chip in h.move.chips:
        yield _travel(h, f"store-{h.mover}", f"line-{h.mover}-{h.line + 1}", chip.face)


def _place_steps(h: MadeMove) -> Iterator[Step]:
    """R4.2, R4.5: the tile, its points, and a special tile with its own."""
    seat = h.mover
    assert h.move.column is not None
    yield from _break_steps(h)
    space = f"space-{seat}-{h.line + 1}-{h.move.column + 1}"
    across, down = h.runs()
    yield _travel(h, f"line-{seat}-{h.line + 1}", space, h.letter)
    yield from _points(h, Source.PLACEMENT, space, across=across, down=down)
    special = h.special_filled()
    if special:
        space = f"space-{seat}-{special[0] + 1}-{special[1] + 1}"
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
    points = np.zeros((SEATS, MOST_GOALS), np.int64)
    engine.points_of_goals(h.after_view.state, 0, points)
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


def _chip_steps(h: MadeMove) -> Iterator[Step]:
    """R3.4: a chip goes to the store."""
    assert h.move.factory is not None
    face = chip_shown(h.before, h.move.factory)
    yield _travel(h, f"chip-{h.factory}", f"store-{h.mover}", face)


def _draw_steps(h: MadeMove) -> Iterator[Step]:
    """R3.1: a plate comes into the hand, for a point."""
    yield _travel(h, "stack", "hand", "plate")
    yield from _points(h, Source.DRAWS, f"score-{h.mover}")


def _display_steps(h: MadeMove) -> Iterator[Step]:
    """R2.6, R3.1: a plate of the display is laid."""
    return _plate_steps(h, f"display-{h.before['display'].index(h.move.plate)}")


def _keep_steps(h: MadeMove) -> Iterator[Step]:
    """R3.1: one of the drawn plates is laid."""
    return _plate_steps(h, "hand")


def _return_steps(h: MadeMove) -> Iterator[Step]:
    """R3.1: a plate goes back under the stack."""
    yield _travel(h, "hand", "stack", "plate")


def _no_steps(_: MadeMove) -> Iterator[Step]:
    """Nothing moves."""
    return iter(())


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


_TELLERS: Final[dict[MoveKind, Callable[[MadeMove], Told]]] = {
    MoveKind.DISPLAY_PLATE: _tell_plate,
    MoveKind.KEEP_PLATE: _tell_plate,
    MoveKind.DRAW: _tell_draw,
    MoveKind.LOOK: _tell_look,
    MoveKind.RETURN_PLATE: _tell_return,
    MoveKind.SUN: _tell_take,
    MoveKind.MOON: _tell_take,
    MoveKind.CHIP: _tell_chip,
    MoveKind.PAY: _tell_pay,
    MoveKind.PLACE: _tell_place,
    MoveKind.END: _tell_end,
}


_STEPS: Final[dict[MoveKind, Callable[[MadeMove], Iterator[Step]]]] = {
    MoveKind.DISPLAY_PLATE: _display_steps,
    MoveKind.KEEP_PLATE: _keep_steps,
    MoveKind.DRAW: _draw_steps,
    MoveKind.LOOK: _no_steps,
    MoveKind.RETURN_PLATE: _return_steps,
    MoveKind.SUN: _take_steps,
    MoveKind.MOON: _take_steps,
    MoveKind.CHIP: _chip_steps,
    MoveKind.PAY: _pay_steps,
    MoveKind.PLACE: _place_steps,
    MoveKind.END: _end_steps,
}
