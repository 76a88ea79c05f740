"""What the player to move may decide, and what each decision does, as messages."""

from __future__ import annotations

from functools import cache
from itertools import groupby, permutations
from typing import Final

from sintra.components import (
    COLOR_LETTERS,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    NOTHING,
    PLATES,
    SLOT_NAMES,
    Color,
)
from sintra.components import SMALL_FACTORIES as SMALL
from sintra.game.game import View
from sintra.game.preview import lines_in
from sintra.rules import choices
from sintra.rules.choices import BREAK
from sintra.rules.effects import Effects
from sintra.rules.state import Stage
from sintra.table.shown.fields import Fields, fields_of
from sintra.table.shown.forecasts import Forecast, forecasts_by_path
from sintra.table.shown.foreseen import Foreseen, foreseen_in, moons_by
from sintra.table.shown.messages import (
    ChipTake,
    Destination,
    DrawOption,
    EndingShown,
    Laying,
    LookOption,
    Options,
    Order,
    Payment,
    Placement,
    ReturnOption,
    Take,
    Turning,
)
from sintra.table.shown.outlooks import outlook_after
from sintra.table.shown.position import plate_shown
from sintra.tabletop.moves import (
    DisplayPlate,
    Draw,
    EndTiling,
    KeepPlate,
    Look,
    MoonTake,
    Pay,
    Place,
    ReturnPlate,
    SunTake,
    TakeChip,
    move_of,
)
from sintra.tabletop.moves.plates import TURNS

_NO_OPTIONS: Final = Options()
MOON: Final = LARGE + 1
_DRAW: Final = str(Draw())
_LOOK: Final = LookOption(str(Look()))
_END: Final = str(EndTiling())
Stacked = tuple[int, ...]
"""The tiles of a moon stack, bottom first."""


def options_of(view: View) -> Options:
    """Every decision of the view's observer; none when it is not their turn."""
    if not view.to_move:
        return _NO_OPTIONS
    stage = view.stage
    if stage is Stage.PAYING:
        return Options(payments=_payments(view))
    s = fields_of(view)
    foreseen = foreseen_in(view.state)
    if stage is Stage.TILING:
        return _tiling(view, foreseen)
    if stage is Stage.RETURNING:
        return Options(returns=[_return(choices.fields(choice)[0]) for choice, _, _ in foreseen])
    can_draw = any(choice == choices.DRAW for choice, _, _ in foreseen)
    draw = DrawOption(_DRAW, view.draw_cost) if can_draw else None
    if stage is Stage.DRAWING:
        return Options(draw=draw, look=_LOOK)
    return Options(
        takes=_takes(view, foreseen),
        chips=[_chip(choices.fields(c)[0], after[0]) for c, _, after in foreseen if choices.kind_of(c) == choices.CHIP],
        layings=_layings(s, stage, foreseen),
        draw=draw,
    )


@cache
def _return(plate: int) -> ReturnOption:
    """R3.1: a drawn plate may go under the stack."""
    shown = plate_shown(plate)
    return ReturnOption(str(ReturnPlate(PLATES[plate])), shown.plate, shown.face)


def _chip(factory: int, forecast: Forecast) -> ChipTake:
    """R3.4: the chip of a factory may be taken."""
    name = FACTORY_LETTERS[factory]
    return ChipTake(str(TakeChip(name)), f"chip-{name}", forecast)


# --- turns --------------------------------------------------------------------------------------


def _takes(view: View, foreseen: list[Foreseen]) -> list[Take]:
    """R3.2, R3.3: the takes, each with its destinations."""
    s = fields_of(view)
    sources = [(source, list(group)) for source, group in groupby(filter(_is_take, foreseen), key=_source)]
    stacks = [_stacks(s, *source) for source, _ in sources]
    paths = [
        choices.sun_path(group[0].choice, order)
        for (_, group), orders in zip(sources, stacks, strict=True)
        for order in orders or [()]
    ]
    moons = iter(moons_by(view.state, paths))
    return [
        _take(view, source, group, orders, [_named(next(moons)) for _ in orders or [()]])
        for (source, group), orders in zip(sources, stacks, strict=True)
    ]


def _is_take(one: Foreseen) -> bool:
    return choices.is_take(one.choice)


def _source(one: Foreseen) -> tuple[int, int]:
    """Factory and colour of a take; the moon counts as a sixth factory."""
    is_sun = choices.kind_of(one.choice) == choices.SUN
    return choices.factory_of(one.choice) if is_sun else MOON, choices.color_of(one.choice)


def _stacks(s: Fields, f: int, color: int) -> tuple[Stacked, ...]:
    """R3.2: the orders in which what a take leaves on a small factory can be stacked."""
    if f >= LARGE:
        return ()
    rest = tuple(0 if k == color else count for k, count in enumerate(s["sun"][f]))
    return orders_of(rest) if any(rest) else ()


def _take(
    view: View,
    source: tuple[int, int],
    group: list[Foreseen],
    stacks: tuple[Stacked, ...],
    moons: list[dict[str, int]],
) -> Take:
    s = fields_of(view)
    f, color = source
    done = group[0].effects
    if f == MOON:
        name = "moon"
        tops = [
            stack[height - 1] if height else NOTHING
            for stack, height in zip(s["stack"], s["stack_height"], strict=True)
        ]
        places = [f"moon-{FACTORY_LETTERS[k]}" for k in range(SMALL) if tops[k] == color]
        places += ["moon-L"] if s["moon"][color] else []
    else:
        name = f"sun-{FACTORY_LETTERS[f]}"
        places = [name]
    return Take(
        source=name,
        color=COLOR_LETTERS[color],
        count=done.to_line + done.broken + done.to_tower,
        places=places,
        to=[_destination(view, f, color, stacks, one) for one in group],
        orders=[Order(_letters(stack), moon) for stack, moon in zip(stacks, moons, strict=True)] if stacks else [],
        moon={} if stacks else moons[0],
        start_tile=bool(done.start_tile),
        turns_up=[f"chip-{FACTORY_LETTERS[k]}" for k in range(SMALL) if done.turned_up >> k & 1],
    )


def _destination(view: View, f: int, color: int, stacks: tuple[Stacked, ...], one: Foreseen) -> Destination:
    to, done = choices.destination_of(one.choice), one.effects
    return Destination(
        line=0 if to == BREAK else to + 1,
        tokens=_take_tokens(f, color, to, stacks),
        fills=done.to_line,
        broken=done.broken,
        forecast=one.forecasts[0],
        to_tower=done.to_tower,
        completes=bool(done.completes),
        outlook=None if to == BREAK else outlook_after(view, to, color, done.to_line, done.broken),
    )


@cache
def _take_tokens(f: int, color: int, to: int, stacks: tuple[Stacked, ...]) -> tuple[str, ...]:
    """The moves of a take to a destination, one for each order of the stack that it leaves."""
    line = None if to == BREAK else to + 1
    if f == MOON:
        return (str(MoonTake(Color(color), line)),)
    orders = [tuple(map(Color, stack)) for stack in stacks] or [()]
    return tuple(str(SunTake(FACTORY_LETTERS[f], Color(color), line, order)) for order in orders)


@cache
def orders_of(rest: tuple[int, ...]) -> tuple[Stacked, ...]:
    """R3.2: the orders of a stack, given the counts per colour, that look different."""
    tiles = [color for color, count in enumerate(rest) for _ in range(count)]
    return tuple(sorted(set(permutations(tiles))))


@cache
def _letters(stack: Stacked) -> str:
    return "".join(COLOR_LETTERS[tile] for tile in stack)


def _named(counts: list[int]) -> dict[str, int]:
    """Counts by colour letter, without colours that are not there."""
    return {letter: count for letter, count in zip(COLOR_LETTERS, counts, strict=True) if count}


def _layings(s: Fields, stage: Stage, foreseen: list[Foreseen]) -> list[Laying]:
    """R2.6, R3.1: the plates that can be laid, from the display or of those drawn."""
    lays = [one for one in foreseen if choices.kind_of(one[0]) == choices.LAY]
    keeping = stage is Stage.KEEPING
    where = "hand" if keeping else "display"
    lying = s["pile"][: s["drawn"]] if keeping else s["display"]
    layings = []
    for plate, group in groupby(lays, key=lambda one: choices.plate_and_slot(one[0])[0]):
        slots = {}
        for choice, _, forecasts in group:
            _, slot = choices.plate_and_slot(choice)
            slots[SLOT_NAMES[slot]] = list(map(Turning, _lay_tokens(keeping, plate, slot), forecasts))
        layings.append(
            Laying(
                place=f"{where}-{lying.index(plate)}",
                plate=plate_shown(plate).plate,
                faces=_faces(plate),
                slots=slots,
            )
        )
    return layings


@cache
def _lay_tokens(keeping: bool, plate: int, slot: int) -> tuple[str, ...]:
    """The moves that lay a plate on a slot, by quarter turns."""
    kind = KeepPlate if keeping else DisplayPlate
    return tuple(str(kind(PLATES[plate], SLOT_NAMES[slot], turns)) for turns in range(TURNS))


@cache
def _faces(plate: int) -> tuple[str, ...]:
    """A plate's faces by quarter turns."""
    return tuple(plate_shown(plate, turns).face for turns in range(TURNS))


# --- tiling -------------------------------------------------------------------------------------


def _tiling(view: View, foreseen: list[Foreseen]) -> Options:
    """R4: placing, paying and ending."""
    placements = [_placement(c, effects) for c, effects, _ in foreseen if choices.kind_of(c) == choices.PLACE]
    pays = any(choices.kind_of(c) == choices.PAY for c, _, _ in foreseen)
    end = next((_ending(effects) for c, effects, _ in foreseen if c == choices.END), None)
    return Options(placements=placements, payments=_payments(view) if pays else [], end=end)


def _placement(choice: int, done: Effects) -> Placement:
    line, column = choices.line_and_column(choice)
    special = done.special
    special_row, special_column = (0, 0) if special == NOTHING else (special // GRID + 1, special % GRID + 1)
    return Placement(
        token=_place_token(line, column),
        line=line + 1,
        column=column + 1,
        points=done.points,
        across=done.across,
        down=done.down,
        special_row=special_row,
        special_column=special_column,
        special_points=done.special_points,
    )


@cache
def _place_token(line: int, column: int) -> str:
    return str(Place(line + 1, column + 1))


def _ending(done: Effects) -> EndingShown:
    return EndingShown(_END, done.points, list(lines_in(done.lines_broken)))


def _payments(view: View) -> list[Payment]:
    """R4.4: the ways to pay for one missing tile."""
    states = view.state
    sizes = states["line_size"][0, view.turn].tolist()
    paid = int(states["paid"][0])
    moves = [(move_of(path, states, 0), path) for path in view.legal_moves.paths]
    pays = [(move, path) for move, path in moves if isinstance(move, Pay)]
    forecasts = forecasts_by_path(states, [path for _, path in pays])
    return [_payment(move, sizes, paid, after) for (move, _), after in zip(pays, forecasts, strict=True)]


def _payment(move: Pay, sizes: list[int], paid: int, forecast: Forecast) -> Payment:
    missing = move.line - 1 - sizes[move.line - 1] - paid
    return Payment(str(move), move.line, [chip.face for chip in move.chips], missing, forecast)
