"""What the player to move may decide, and what each decision does, as messages."""

from __future__ import annotations

from functools import cache, lru_cache
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
from sintra.rules.state import Stage, empty_states
from sintra.table.shown.fields import Fields
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
from sintra.table.shown.position import outlook_shown, plate_shown
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
_KINDS: Final = tuple(map(choices.kind_of, range(choices.CHOICES)))
Stacked = tuple[int, ...]
"""The tiles of a moon stack, bottom first."""


def options_of(view: View) -> Options:
    """Every decision of the view's observer; none when it is not their turn."""
    s = Fields(view)
    stage = Stage(s["stage"])
    if view.seat != s["turn"] or view.ended_early or stage in (Stage.OVER, Stage.DEALING):
        return _NO_OPTIONS
    if stage is Stage.PAYING:
        return Options(payments=_payments(view, s))
    foreseen: dict[int, list[Foreseen]] = {}
    for one in foreseen_in(s.states):
        foreseen.setdefault(_KINDS[one[0]], []).append(one)
    if stage is Stage.TILING:
        return _tiling(view, s, foreseen)
    if stage is Stage.RETURNING:
        return Options(
            returns=[_return(choices.said(choice, choices.RETURN)) for choice, *_ in foreseen[choices.RETURN]]
        )
    draw = DrawOption(_DRAW, view.draw_cost) if choices.DRAW in foreseen else None
    if stage is Stage.DRAWING:
        return Options(draw=draw, look=_LOOK)
    return Options(
        takes=_takes(s, foreseen.get(choices.SUN, []) + foreseen.get(choices.MOON, [])),
        chips=[
            _chip(choices.said(choice, choices.CHIP), after[0])
            for choice, _, _, after in foreseen.get(choices.CHIP, ())
        ],
        layings=_layings(s, stage, foreseen.get(choices.LAY, [])),
        draw=draw,
    )


@cache
def _return(plate: int) -> ReturnOption:
    """R3.1: a drawn plate may go under the stack."""
    shown = plate_shown(plate)
    return ReturnOption(str(ReturnPlate(PLATES[plate])), shown.plate, shown.face)


@cache
def _chip(factory: int, forecast: Forecast) -> ChipTake:
    """R3.4: the chip of a factory may be taken."""
    name = FACTORY_LETTERS[factory]
    return ChipTake(str(TakeChip(name)), f"chip-{name}", forecast)


# --- turns --------------------------------------------------------------------------------------


def _takes(s: Fields, foreseen: list[Foreseen]) -> list[Take]:
    """R3.2, R3.3: the takes, each with its destinations."""
    if not foreseen:
        return []
    sources = [(*source, list(group)) for source, group in groupby(foreseen, key=lambda one: _SOURCES[one[0]])]
    stacks = [_stacks(s, f, color) for f, color, _ in sources]
    paths = [
        _path(group[0][0], order)
        for (_, _, group), orders in zip(sources, stacks, strict=True)
        for order in orders or _NOT_ORDERED
    ]
    moons = map(tuple, moons_by(s.states, paths))
    takes = []
    for (f, color, group), orders in zip(sources, stacks, strict=True):
        fills, broken, to_tower, _, start_tile, turned_up, *_ = group[0][1]
        takes.append(
            Take(
                source=_SOURCE_NAMES[f],
                color=COLOR_LETTERS[color],
                count=fills + broken + to_tower,
                places=_moons_with(s, color) if f == MOON else [_SOURCE_NAMES[f]],
                to=_destinations(group, _take_tokens(f, color, orders)),
                orders=[_order(stack, next(moons)) for stack in orders],
                moon={} if orders else _named(next(moons)),
                start_tile=bool(start_tile),
                turns_up=_chips_in(turned_up),
            )
        )
    return takes


def _source(choice: int) -> tuple[int, int]:
    """Factory and colour of a take; the moon counts as a sixth factory."""
    return choices.factory_of(choice) if _KINDS[choice] == choices.SUN else MOON, choices.color_of(choice)


_SOURCES: Final = tuple(map(_source, range(choices.CHOICES)))
_SOURCE_NAMES: Final = (*(f"sun-{name}" for name in FACTORY_LETTERS), "moon")
_NOT_ORDERED: Final[tuple[Stacked, ...]] = ((),)
_path: Final = cache(choices.sun_path)


def _stacks(s: Fields, f: int, color: int) -> tuple[Stacked, ...]:
    """R3.2: the orders in which what a take leaves on a small factory can be stacked."""
    if f >= LARGE:
        return ()
    rest = tuple([0 if k == color else count for k, count in enumerate(s["sun"][f])])
    return orders_of(rest) if any(rest) else ()


def _moons_with(s: Fields, color: int) -> list[str]:
    """R3.3: the moon sides from which a colour can be taken."""
    heights = enumerate(s["stack_height"])
    places = [f"moon-{FACTORY_LETTERS[f]}" for f, height in heights if height and s["stack"][f][height - 1] == color]
    return [*places, "moon-L"] if s["moon"][color] else places


def _destinations(group: list[Foreseen], tokens: tuple[tuple[str, ...], ...]) -> list[Destination]:
    """R3.5: where a take can go, and what that does."""
    shown = []
    for choice, (fills, broken, to_tower, completes, *_), outlook, forecasts in group:
        to = choices.destination_of(choice)
        is_line = to != BREAK
        shown.append(
            Destination(
                to + 1 if is_line else 0,
                tokens[to],
                fills,
                broken,
                forecasts[0],
                to_tower,
                bool(completes),
                outlook_shown(*outlook) if is_line else None,
            )
        )
    return shown


@cache
def _take_tokens(f: int, color: int, stacks: tuple[Stacked, ...]) -> tuple[tuple[str, ...], ...]:
    """The moves of a take by destination, one for each order of the stack that it leaves."""
    lines = [None if to == BREAK else to + 1 for to in range(choices.DESTINATIONS)]
    if f == MOON:
        return tuple((str(MoonTake(Color(color), line)),) for line in lines)
    orders = [tuple(map(Color, stack)) for stack in stacks] or [()]
    name = FACTORY_LETTERS[f]
    return tuple(tuple(str(SunTake(name, Color(color), line, order)) for order in orders) for line in lines)


@cache
def orders_of(rest: tuple[int, ...]) -> tuple[Stacked, ...]:
    """R3.2: the orders of a stack, given the counts per colour, that look different."""
    tiles = [color for color, count in enumerate(rest) for _ in range(count)]
    return tuple(sorted(set(permutations(tiles))))


@cache
def _chips_in(bits: int) -> list[str]:
    """R3.8: the places of a set of chips."""
    return [f"chip-{FACTORY_LETTERS[k]}" for k in range(SMALL) if bits >> k & 1]


@lru_cache(maxsize=4096)
def _order(stack: Stacked, moon: tuple[int, ...]) -> Order:
    return Order("".join([COLOR_LETTERS[tile] for tile in stack]), _named(moon))


@lru_cache(maxsize=4096)
def _named(counts: tuple[int, ...]) -> dict[str, int]:
    """Counts by colour letter, without colours that are not there."""
    return {letter: count for letter, count in zip(COLOR_LETTERS, counts, strict=True) if count}


def _layings(s: Fields, stage: Stage, foreseen: list[Foreseen]) -> list[Laying]:
    """R2.6, R3.1: the plates that can be laid, from the display or of those drawn."""
    keeping = stage is Stage.KEEPING
    where = "hand" if keeping else "display"
    lying = s["pile"][: s["drawn"]] if keeping else s["display"]
    slots: dict[int, dict[str, list[Turning]]] = {}
    for choice, _, _, forecasts in foreseen:
        plate, slot = choices.plate_and_slot(choice)
        turnings = list(map(Turning, _lay_tokens(keeping, plate, slot), forecasts))
        slots.setdefault(plate, {})[SLOT_NAMES[slot]] = turnings
    return [
        Laying(f"{where}-{lying.index(plate)}", plate_shown(plate).plate, _faces(plate), of_plate)
        for plate, of_plate in slots.items()
    ]


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


def _tiling(view: View, s: Fields, foreseen: dict[int, list[Foreseen]]) -> Options:
    """R4: placing, paying and ending."""
    return Options(
        placements=[_placement(choice, Effects._make(done)) for choice, done, *_ in foreseen.get(choices.PLACE, ())],
        payments=_payments(view, s) if choices.PAY in foreseen else [],
        end=next((_ending(Effects._make(done)) for _, done, *_ in foreseen.get(choices.END, ())), None),
    )


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


def _payments(view: View, s: Fields) -> list[Payment]:
    """R4.4: the ways to pay for one missing tile."""
    pays = [
        (path, _paid(path, s["pay_line"]))
        for path in view.legal_moves.paths
        if _KINDS[choices.first_of(path)] in (choices.PAY, choices.SPEND)
    ]
    forecasts = forecasts_by_path(s.states, [path for path, _ in pays])
    sizes, paid = s["line_size"][s["turn"]], s["paid"]
    return [
        Payment(token, line, faces, line - 1 - sizes[line - 1] - paid, forecast)
        for (_, (token, line, faces)), forecast in zip(pays, forecasts, strict=True)
    ]


@lru_cache(maxsize=4096)
def _paid(path: int, begun: int) -> tuple[str, int, list[str]]:
    """A payment by its path of choices, and by the line (from 0) whose payment has begun, if one has: its token, line
    and chips."""
    states = empty_states()
    states["pay_line"] = begun
    move = move_of(path, states, 0)
    assert isinstance(move, Pay), "a path that pays is a payment"
    return str(move), move.line, [chip.face for chip in move.chips]
