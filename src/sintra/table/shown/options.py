"""What the player to move may decide, and what each decision does, as messages."""

from __future__ import annotations

from functools import cache
from itertools import groupby, permutations
from typing import Final

from sintra.components import (
    COLOR_LETTERS,
    COLORS,
    FACTORY_LETTERS,
    GRID,
    LARGE,
    LINES,
    NOTHING,
    PLATES,
    SLOTS,
    Color,
    slot_name,
)
from sintra.components import SMALL_FACTORIES as SMALL
from sintra.game.game import View
from sintra.rules import choices
from sintra.rules.choices import BREAK
from sintra.rules.state import Stage
from sintra.table.shown.forecasts import Foreseen, forecasts_by, foreseen_in
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
from sintra.table.shown.position import Fields, fields_of, plate_shown
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
_SLOT_NAMES: Final = tuple(map(slot_name, range(SLOTS)))
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
        takes=_takes(s, foreseen),
        chips=[_chip(choices.fields(c)[0], after[0]) for c, _, after in foreseen if choices.kind_of(c) == choices.CHIP],
        layings=_layings(s, stage, foreseen),
        draw=draw,
    )


@cache
def _return(plate: int) -> ReturnOption:
    """R3.1: a drawn plate may go under the stack."""
    shown = plate_shown(plate)
    return ReturnOption(str(ReturnPlate(PLATES[plate])), shown.plate, shown.face)


def _chip(factory: int, forecast: int) -> ChipTake:
    """R3.4: the chip of a factory may be taken."""
    name = FACTORY_LETTERS[factory]
    return ChipTake(str(TakeChip(name)), f"chip-{name}", forecast)


# --- turns --------------------------------------------------------------------------------------


def _takes(s: Fields, foreseen: list[Foreseen]) -> list[Take]:
    """R3.2, R3.3: the takes, each with its destinations."""
    takes = [one for one in foreseen if choices.is_take(one[0])]
    tops = _tops(s)
    return [_take(s, source, list(group), tops) for source, group in groupby(takes, key=_source)]


def _source(one: Foreseen) -> tuple[int, int]:
    """Factory and colour of a take; the moon counts as a sixth factory."""
    choice = one[0]
    is_sun = choices.kind_of(choice) == choices.SUN
    return choices.factory_of(choice) if is_sun else MOON, choices.color_of(choice)


def _take(s: Fields, source: tuple[int, int], group: list[Foreseen], tops: list[int]) -> Take:
    f, color = source
    _, (fills, broken, to_tower, _, start_tile, turned), _ = group[0]
    orders: list[Order] = []
    stacks: tuple[Stacked, ...] = ()
    if f == MOON:
        name = "moon"
        places = [f"moon-{FACTORY_LETTERS[k]}" for k in range(SMALL) if tops[k] == color]
        places += ["moon-L"] if s["moon"][color] else []
        moon = _moon_after_moon(s, color, tops)
    else:
        name = f"sun-{FACTORY_LETTERS[f]}"
        places = [name]
        rest = [0 if k == color else count for k, count in enumerate(s["sun"][f])]
        moon = _moon(s, tops, f, rest if f == LARGE else None)
        if f != LARGE and any(rest):
            by_top = {tile: _moon(s, tops, f, None, tile) for tile in range(COLORS) if rest[tile]}
            stacks = orders_of(tuple(rest))
            orders = [Order(_letters(stack), by_top[stack[-1]]) for stack in stacks]
            moon = {}
    return Take(
        source=name,
        color=COLOR_LETTERS[color],
        count=fills + broken + to_tower,
        places=places,
        to=[_destination(f, color, stacks, one) for one in group],
        orders=orders,
        moon=moon,
        start_tile=bool(start_tile),
        turns_up=[f"chip-{FACTORY_LETTERS[k]}" for k in range(SMALL) if turned >> k & 1],
    )


def _destination(f: int, color: int, stacks: tuple[Stacked, ...], one: Foreseen) -> Destination:
    choice, (fills, broken, to_tower, completes, _, _), forecasts = one
    to = choices.destination_of(choice)
    return Destination(
        line=0 if to == BREAK else to + 1,
        tokens=_take_tokens(f, color, to, stacks),
        fills=fills,
        broken=broken,
        forecast=forecasts[0],
        to_tower=to_tower,
        completes=bool(completes),
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


def _tops(s: Fields) -> list[int]:
    """R3.3: the uncovered tile of each small factory's stack, or NOTHING."""
    return [
        stack[height - 1] if height else NOTHING for stack, height in zip(s["stack"], s["stack_height"], strict=True)
    ]


def _moon(s: Fields, tops: list[int], f: int, joined: list[int] | None, top: int = NOTHING) -> dict[str, int]:
    """R3.3: what can be taken from the moon when factory f shows a new top tile (or keeps its own),
    and tiles have joined the large moon side."""
    counts = list(s["moon"]) if joined is None else [a + b for a, b in zip(s["moon"], joined, strict=True)]
    for k, tile in enumerate(tops):
        shown = top if k == f and top != NOTHING else tile
        if shown != NOTHING:
            counts[shown] += 1
    return _named(counts)


def _moon_after_moon(s: Fields, color: int, tops: list[int]) -> dict[str, int]:
    """R3.3: what can be taken from the moon after a take of this colour from there."""
    counts = list(s["moon"])
    counts[color] = 0
    for stack, height, tile in zip(s["stack"], s["stack_height"], tops, strict=True):
        left = height - (tile == color)
        if left:
            counts[stack[left - 1]] += 1
    return _named(counts)


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
            slots[_SLOT_NAMES[slot]] = list(map(Turning, _lay_tokens(keeping, plate, slot), forecasts))
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
    return tuple(str(kind(PLATES[plate], _SLOT_NAMES[slot], turns)) for turns in range(TURNS))


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


def _placement(choice: int, effects: list[int]) -> Placement:
    line, column = choices.line_and_column(choice)
    points, across, down, special, special_points, _ = effects
    special_row, special_column = (0, 0) if special == NOTHING else (special // GRID + 1, special % GRID + 1)
    return Placement(
        token=_place_token(line, column),
        line=line + 1,
        column=column + 1,
        points=points,
        across=across,
        down=down,
        special_row=special_row,
        special_column=special_column,
        special_points=special_points,
    )


@cache
def _place_token(line: int, column: int) -> str:
    return str(Place(line + 1, column + 1))


def _ending(effects: list[int]) -> EndingShown:
    return EndingShown(_END, effects[0], [line + 1 for line in range(LINES) if effects[1] >> line & 1])


def _payments(view: View) -> list[Payment]:
    """R4.4: the ways to pay for one missing tile."""
    states = view.state
    sizes = states["line_size"][0, view.turn].tolist()
    paid = int(states["paid"][0])
    moves = [(move_of(path, states, 0), path) for path in view.legal_moves.paths]
    pays = [(move, path) for move, path in moves if isinstance(move, Pay)]
    forecasts = forecasts_by(states, [path for _, path in pays])
    return [_payment(move, sizes, paid, after) for (move, _), after in zip(pays, forecasts, strict=True)]


def _payment(move: Pay, sizes: list[int], paid: int, forecast: int) -> Payment:
    missing = move.line - 1 - sizes[move.line - 1] - paid
    return Payment(str(move), move.line, [chip.face for chip in move.chips], missing, forecast)
