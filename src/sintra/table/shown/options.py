"""What the player to move may decide, and what each decision does, as messages."""

from __future__ import annotations

from functools import cache
from itertools import groupby, permutations
from typing import Final

from sintra.components import COLOR_LETTERS, COLORS, FACTORY_LETTERS, GRID, LARGE, LINES, NOTHING, SLOTS, slot_name
from sintra.components import SMALL_FACTORIES as SMALL
from sintra.game.game import View
from sintra.rules import choices
from sintra.rules.choices import BREAK, DESTINATIONS
from sintra.rules.state import Stage
from sintra.table.shown.forecasts import Foreseen, forecasts_by, foreseen_in
from sintra.table.shown.messages import Destination, EndingShown, Laying, Options, Order, Payment, Placement, Take
from sintra.table.shown.position import Fields, fields_of, plate_shown
from sintra.tabletop.moves import Pay, move_of

_NO_OPTIONS: Final = Options()
_SLOT_NAMES: Final = tuple(map(slot_name, range(SLOTS)))
_TURNED_NAMES: Final = tuple(tuple(f"{slot}r{turns}" for turns in range(4)) for slot in _SLOT_NAMES)


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
        return Options(returns=[plate_shown(choice - choices.RETURN) for choice, _, _ in foreseen])
    draw = any(choice == choices.DRAW for choice, _, _ in foreseen)
    cost = view.draw_cost if draw else 0
    if stage is Stage.DRAWING:
        return Options(draw=draw, draw_cost=cost, look=True)
    return Options(
        takes=_takes(s, foreseen),
        chips={
            FACTORY_LETTERS[c - choices.CHIP]: after[0] for c, _, after in foreseen if choices.CHIP <= c < choices.PAY
        },
        layings=_layings(s, stage, foreseen),
        draw=draw,
        draw_cost=cost,
    )


# --- turns --------------------------------------------------------------------------------------


def _takes(s: Fields, foreseen: list[Foreseen]) -> list[Take]:
    """R3.2, R3.3: the takes, each with its destinations."""
    takes = [one for one in foreseen if choices.SUN <= one[0] < choices.STACK]
    tops = _tops(s)
    return [_take(s, source, list(group), tops) for source, group in groupby(takes, key=_source)]


def _source(one: Foreseen) -> int:
    """Factory and colour of a take as one number; the moon counts as a sixth factory."""
    return (one[0] - choices.SUN) // DESTINATIONS


def _take(s: Fields, source: int, group: list[Foreseen], tops: list[int]) -> Take:
    f, color = divmod(source, COLORS)
    letter = COLOR_LETTERS[color]
    _, (fills, broken, to_tower, _, start_tile, turned), _ = group[0]
    orders: list[Order] = []
    if f > LARGE:
        name, token = "moon", f"M{letter}"
        places = [f"moon-{FACTORY_LETTERS[k]}" for k in range(SMALL) if tops[k] == color]
        places += ["moon-L"] if s["moon"][color] else []
        moon = _moon_after_moon(s, color, tops)
    else:
        name, token = f"sun-{FACTORY_LETTERS[f]}", f"S{FACTORY_LETTERS[f]}{letter}"
        places = [name]
        rest = [0 if k == color else count for k, count in enumerate(s["sun"][f])]
        moon = _moon(s, tops, f, rest if f == LARGE else None)
        if f != LARGE and any(rest):
            by_top = {tile: _moon(s, tops, f, None, tile) for tile in range(COLORS) if rest[tile]}
            orders = [Order(order, by_top[top]) for order, top in orders_of(tuple(rest))]
            moon = {}
    return Take(
        source=name,
        color=letter,
        count=fills + broken + to_tower,
        places=places,
        to=[_destination(token, one) for one in group],
        orders=orders,
        moon=moon,
        start_tile=bool(start_tile),
        turns_up=[f"chip-{FACTORY_LETTERS[k]}" for k in range(SMALL) if turned >> k & 1],
    )


def _destination(token: str, one: Foreseen) -> Destination:
    choice, (fills, broken, to_tower, completes, _, _), forecasts = one
    to = (choice - choices.SUN) % DESTINATIONS
    return Destination(
        line=0 if to == BREAK else to + 1,
        token=f"{token}{'x' if to == BREAK else to + 1}",
        fills=fills,
        broken=broken,
        forecast=forecasts[0],
        to_tower=to_tower,
        completes=bool(completes),
    )


@cache
def orders_of(rest: tuple[int, ...]) -> tuple[tuple[str, int], ...]:
    """R3.2: the orders of a stack, given the counts per colour, that look different; each with the
    tile on top."""
    tiles = [color for color, count in enumerate(rest) for _ in range(count)]
    return tuple(
        ("".join(COLOR_LETTERS[tile] for tile in order), order[-1]) for order in sorted(set(permutations(tiles)))
    )


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
    lays = [one for one in foreseen if one[0] < choices.TURNED]
    keeping = stage is Stage.KEEPING
    where, verb = ("hand", "K") if keeping else ("display", "P")
    lying = s["pile"][: s["drawn"]] if keeping else s["display"]
    layings = []
    for plate, group in groupby(lays, key=lambda one: one[0] // SLOTS):
        slots = [(choice % SLOTS, forecasts) for choice, _, forecasts in group]
        shown = plate_shown(plate)
        layings.append(
            Laying(
                place=f"{where}-{lying.index(plate)}",
                plate=shown.plate,
                face=shown.face,
                token=f"{verb}{shown.plate}@",
                slots=[_SLOT_NAMES[slot] for slot, _ in slots],
                forecasts={
                    name: forecast
                    for slot, forecasts in slots
                    for name, forecast in zip(_TURNED_NAMES[slot], forecasts, strict=True)
                },
            )
        )
    return layings


# --- tiling -------------------------------------------------------------------------------------


def _tiling(view: View, foreseen: list[Foreseen]) -> Options:
    """R4: placing, paying and ending."""
    placements = [_placement(c, effects) for c, effects, _ in foreseen if choices.PLACE <= c < choices.END]
    pays = any(choices.PAY <= c < choices.SPEND for c, _, _ in foreseen)
    end = next((_ending(effects) for c, effects, _ in foreseen if c == choices.END), None)
    return Options(placements=placements, payments=_payments(view) if pays else [], end=end)


def _placement(choice: int, effects: list[int]) -> Placement:
    line, column = divmod(choice - choices.PLACE, GRID)
    points, across, down, special, special_points, _ = effects
    special_row, special_column = (0, 0) if special == NOTHING else (special // GRID + 1, special % GRID + 1)
    return Placement(
        token=f"T{line + 1}{column + 1}",
        line=line + 1,
        column=column + 1,
        points=points,
        across=across,
        down=down,
        special_row=special_row,
        special_column=special_column,
        special_points=special_points,
    )


def _ending(effects: list[int]) -> EndingShown:
    return EndingShown("E", effects[0], [line + 1 for line in range(LINES) if effects[1] >> line & 1])


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
