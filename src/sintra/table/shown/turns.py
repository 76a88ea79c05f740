"""The decisions of a turn (R3) as JSON, written by compiled code, since a page asks for all of them at once."""

from __future__ import annotations

from typing import Final

from sintra.components import (
    COLORS,
    DISPLAY,
    FACTORY_LETTERS,
    LARGE,
    NOTHING,
    PLATE_COUNT,
    PLATES,
    SLOT_NAMES,
    SLOTS,
    SMALL_FACTORIES,
    SMALL_FILL,
    Color,
)
from sintra.rules.array_types import Int8s2D, Int16s, Int64s2D
from sintra.rules.choices import (
    BREAK,
    CHIP,
    DESTINATIONS,
    DRAW,
    LAY,
    LOOK,
    MOON,
    STACK,
    SUN,
    color_of,
    destination_of,
    factory_of,
    fields,
    is_take,
    kind_of,
    plate_and_slot,
    said,
)
from sintra.rules.compiled import at, constants, entry, kernel, np
from sintra.rules.drafting import draw_cost
from sintra.rules.effects import EffectsOfMany
from sintra.rules.state import KEEPING, Array, State, States
from sintra.table.shown import messages
from sintra.table.shown.boards import PLATE_FACES, PLATE_NAMES, TILE_KEYS, TILE_LETTERS, put_forecast, put_outlook
from sintra.table.shown.forecasts import note_forecasts
from sintra.table.shown.foreseen import Foreseen
from sintra.table.shown.writing import (
    ITEM,
    TextArray,
    begin,
    close_list,
    close_object,
    close_string,
    key_of,
    keys_of,
    open_list,
    open_object,
    open_string,
    piece,
    put,
    put_flag,
    put_name,
    put_number,
    put_row,
    table,
    texts,
)
from sintra.tabletop.moves import DisplayPlate, Draw, KeepPlate, Look, MoonTake, Move, SunTake, TakeChip
from sintra.tabletop.moves.plates import TURNS

TAKES, CHIPS, LAYINGS, DRAWING, LOOKING, *_ = keys_of(messages.Options)
SOURCE, COLOR, COUNT, PLACES, TO, ORDERS, TAKE_MOON, START_TILE, TURNS_UP = keys_of(messages.Take)
ORDER, ORDER_MOON = keys_of(messages.Order)
LINE, TOKENS, FILLS, BROKEN, TAKE_FORECAST, TO_TOWER, COMPLETES, OUTLOOK = keys_of(messages.Destination)
CHIP_TOKEN, CHIP_PLACE, CHIP_FORECAST = keys_of(messages.ChipTake)
PLACE, PLATE, FACES, ON_SLOTS = keys_of(messages.Laying)
TURN_TOKEN, TURN_FORECAST = keys_of(messages.Turning)
DRAW_TOKEN, DRAW_COST = keys_of(messages.DrawOption)
(LOOK_TOKEN,) = keys_of(messages.LookOption)

FROM_MOON: Final = LARGE + 1
SOURCES: Final = table((*(f"sun-{name}" for name in FACTORY_LETTERS), "moon"))
MOONS: Final = table(f"moon-{name}" for name in FACTORY_LETTERS)
CHIP_PLACES: Final = table(f"chip-{name}" for name in FACTORY_LETTERS)
PLATE_PLACES: Final = table((*(f"display-{k}" for k in range(DISPLAY)), *(f"hand-{k}" for k in range(PLATE_COUNT))))
SLOT_KEYS: Final = constants(list(map(key_of, SLOT_NAMES)), "u1")
MAX_ORDERS: Final = 6
"""R3.2: three tiles of three colours."""
STACKED: Final = piece(":")
"""The mark in the notation between a take and the order of the tiles that it leaves."""


def _take(choice: int) -> Move:
    """The move of a take, without the order of what it leaves."""
    *factory, color, to = fields(choice)
    line = None if to == BREAK else to + 1
    return SunTake(FACTORY_LETTERS[factory[0]], Color(color), line) if factory else MoonTake(Color(color), line)


TAKE_TOKENS: Final = table(str(_take(choice)) for choice in range(SUN, STACK))
CHIP_TOKENS: Final = table(str(TakeChip(name)) for name in FACTORY_LETTERS[:SMALL_FACTORIES])
LAY_TOKENS: Final = table(
    str(kind(plate, slot, turns))
    for kind in (DisplayPlate, KeepPlate)
    for plate in PLATES
    for slot in SLOT_NAMES
    for turns in range(TURNS)
)
OTHER_TOKENS: Final = table((str(Draw()), str(Look())))


# --- takes ----------------------------------------------------------------------------------------


@kernel
def turn_next(order: Array, k: int, left: int, following: Array) -> None:
    """Writes the order after one of so many tiles of which those after place k fall: the tile there changes places with
    the next higher one of them, and they rise."""
    higher = left - 1
    while order[higher] <= order[k]:
        higher -= 1
    for j in range(len(order)):
        following[j] = order[j]
    following[k] = order[higher]
    for j in range(k + 1, left):
        following[k + left - j] = order[k] if j == higher else order[j]


@kernel
def list_orders(s: State, f: int, color: int, orders: Array) -> int:
    """R3.2: writes the orders that look different in which what a take leaves on a small factory can be stacked,
    each bottom first and up to NOTHING, in the order of their colours, and returns how many there are."""
    if f >= LARGE:
        return 0
    left = 0
    orders[0] = NOTHING
    for other in range(COLORS):
        for _ in range(0 if other == color else s.sun[f, other]):
            orders[0, left] = other
            left += 1
    n = 1 if left else 0
    k = left - 2
    while k >= 0:
        if orders[n - 1, k] >= orders[n - 1, k + 1]:
            k -= 1
        else:
            turn_next(orders[n - 1], k, left, orders[n])
            n += 1
            k = left - 2
    return n


@kernel
def put_order(w: State, order: Array) -> int:
    """Puts the letters of a stack, bottom first; returns the tile on top."""
    k = 0
    while order[k] != NOTHING:
        put_row(w, TILE_LETTERS, order[k])
        k += 1
    return int(order[k - 1])


@kernel
def put_moon(w: State, key: Array, moon: Array, top: int) -> None:
    """R3.3: puts how many tiles of each colour a take from the moon sides would bring, with the tile on top of a stack,
    if there is one."""
    open_object(w, key)
    for color in range(COLORS):
        tiles = moon[color] + (color == top)
        if tiles:
            put_number(w, TILE_KEYS[color], tiles)
    close_object(w)


@kernel
def put_places(w: State, s: State, f: int, color: int) -> None:
    """R3.3: puts the place from which a take takes, or all moon sides that show the colour."""
    open_list(w, PLACES)
    if f != FROM_MOON:
        put_name(w, ITEM, SOURCES, f)
    else:
        for k in range(SMALL_FACTORIES):
            if s.stack_height[k] and s.stack[k, s.stack_height[k] - 1] == color:
                put_name(w, ITEM, MOONS, k)
        if s.moon[color]:
            put_name(w, ITEM, MOONS, LARGE)
    close_list(w)


@kernel
def put_destination(
    w: State, choice: int, done: State, outlook: Array, forecast: int, orders: Array, n_orders: int
) -> None:
    """R3.5: puts a `Destination` of a take."""
    to = destination_of(choice)
    open_object(w, ITEM)
    put_number(w, LINE, 0 if to == BREAK else to + 1)
    open_list(w, TOKENS)
    if not n_orders:
        put_name(w, ITEM, TAKE_TOKENS, choice - SUN)
    for k in range(n_orders):
        open_string(w, ITEM)
        put_row(w, TAKE_TOKENS, choice - SUN)
        put(w, STACKED)
        put_order(w, orders[k])
        close_string(w)
    close_list(w)
    put_number(w, FILLS, done.to_line)
    put_number(w, BROKEN, done.broken)
    put_forecast(w, TAKE_FORECAST, forecast)
    if done.to_tower:
        put_number(w, TO_TOWER, done.to_tower)
    if done.completes:
        put_flag(w, COMPLETES, True)
    if to != BREAK:
        put_outlook(w, OUTLOOK, outlook)
    close_object(w)


@kernel
def put_take(
    w: State,
    s: State,
    n: int,
    choices: Array,
    effects: Array,
    outlooks: Array,
    moons: Array,
    forecasts: Array,
    first: int,
) -> int:
    """R3.2, R3.3: puts a `Take` with all its destinations, from the first choice on; returns the choice after them.
    Where there is but one order, nobody is asked for it, and the moon is as it is with the stack."""
    k, done, take = first, at(effects, first), int(choices[first])
    orders = np.empty((MAX_ORDERS, SMALL_FILL), np.int8)
    f, color = factory_of(take) if take < MOON else FROM_MOON, color_of(take)
    next_take = take - destination_of(take) + DESTINATIONS
    n_orders = list_orders(s, f, color, orders)
    open_object(w, ITEM)
    put_name(w, SOURCE, SOURCES, f)
    put_name(w, COLOR, TILE_LETTERS, color)
    put_number(w, COUNT, done.to_line + done.broken + done.to_tower)
    put_places(w, s, f, color)
    open_list(w, TO)
    while k < n and take <= choices[k] < next_take:
        put_destination(w, int(choices[k]), at(effects, k), outlooks[k], forecasts[k, 0], orders, n_orders)
        k += 1
    close_list(w)
    if n_orders:
        open_list(w, ORDERS)
        for n in range(n_orders):
            open_object(w, ITEM)
            open_string(w, ORDER)
            top = put_order(w, orders[n])
            close_string(w)
            put_moon(w, ORDER_MOON, moons[first], top if n_orders > 1 else NOTHING)
            close_object(w)
        close_list(w)
    else:
        put_moon(w, TAKE_MOON, moons[first], NOTHING)
    if done.start_tile:
        put_flag(w, START_TILE, True)
    if done.turned_up:
        open_list(w, TURNS_UP)
        for chip in range(SMALL_FACTORIES):
            if done.turned_up >> chip & 1:
                put_name(w, ITEM, CHIP_PLACES, chip)
        close_list(w)
    close_object(w)
    return k


# --- chips and plates -----------------------------------------------------------------------------


@kernel
def put_chip(w: State, factory: int, forecast: int) -> None:
    """R3.4: puts the `ChipTake` of a factory."""
    open_object(w, ITEM)
    put_name(w, CHIP_TOKEN, CHIP_TOKENS, factory)
    put_name(w, CHIP_PLACE, CHIP_PLACES, factory)
    put_forecast(w, CHIP_FORECAST, forecast)
    close_object(w)


@kernel
def place_of(s: State, plate: int) -> int:
    """Where a plate lies that can be laid: on the display, or behind it in the hand."""
    if s.stage == KEEPING:
        for k in range(s.drawn):
            if s.pile[k] == plate:
                return DISPLAY + k
    for k in range(DISPLAY):
        if s.display[k] == plate:
            return k
    return NOTHING


@kernel
def put_laying(w: State, s: State, n: int, choices: Array, forecasts: Array, k: int) -> int:
    """R2.6, R3.1: puts the `Laying` of a plate, from choice k on; returns the choice after it."""
    plate, _ = plate_and_slot(int(choices[k]))
    first_token = SLOTS * TURNS * (plate + (PLATE_COUNT if s.stage == KEEPING else 0))
    open_object(w, ITEM)
    put_name(w, PLACE, PLATE_PLACES, place_of(s, plate))
    put_name(w, PLATE, PLATE_NAMES, plate)
    open_list(w, FACES)
    for turns in range(TURNS):
        put_name(w, ITEM, PLATE_FACES, plate * TURNS + turns)
    close_list(w)
    open_object(w, ON_SLOTS)
    while k < n and kind_of(int(choices[k])) == LAY and plate_and_slot(int(choices[k]))[0] == plate:
        _, slot = plate_and_slot(int(choices[k]))
        open_list(w, SLOT_KEYS[slot])
        for turns in range(TURNS):
            open_object(w, ITEM)
            put_name(w, TURN_TOKEN, LAY_TOKENS, first_token + slot * TURNS + turns)
            put_forecast(w, TURN_FORECAST, forecasts[k, turns])
            close_object(w)
        close_list(w)
        k += 1
    close_object(w)
    close_object(w)
    return k


# --- all of it ------------------------------------------------------------------------------------


@entry
def write_turn(
    states: States,
    i: int,
    n: int,
    choices: Int16s,
    effects: EffectsOfMany,
    outlooks: Int64s2D,
    moons: Int8s2D,
    forecasts: Int64s2D,
    text: TextArray,
) -> int:
    """Writes the `Options` of a turn: its n legal choices, in the order in which `list_turn` lists them, with what each
    of them does. Returns how long the text is."""
    s, w = at(states, i), at(text, 0)
    k = 0
    begin(w)
    open_object(w, ITEM)
    open_list(w, LAYINGS)
    while k < n and kind_of(int(choices[k])) == LAY:
        k = put_laying(w, s, n, choices, forecasts, k)
    close_list(w)
    if k < n and choices[k] == DRAW:
        open_object(w, DRAWING)
        put_name(w, DRAW_TOKEN, OTHER_TOKENS, 0)
        put_number(w, DRAW_COST, draw_cost(s))
        close_object(w)
        k += 1
    if k < n and choices[k] == LOOK:
        open_object(w, LOOKING)
        put_name(w, LOOK_TOKEN, OTHER_TOKENS, 1)
        close_object(w)
        k += 1
    open_list(w, TAKES)
    while k < n and is_take(int(choices[k])):
        k = put_take(w, s, n, choices, effects, outlooks, moons, forecasts, k)
    close_list(w)
    open_list(w, CHIPS)
    while k < n:
        put_chip(w, said(int(choices[k]), CHIP), forecasts[k, 0])
        k += 1
    close_list(w)
    close_object(w)
    return int(w.length) - 1


def turn_written(states: States, foreseen: Foreseen) -> bytes:
    """The `Options` of a turn as JSON."""
    note_forecasts(states, foreseen)
    f = foreseen
    length = write_turn(states, 0, f.n, f.choices, f.effects, f.outlooks, f.moons, f.forecasts, texts.text)
    return texts.written(length)
