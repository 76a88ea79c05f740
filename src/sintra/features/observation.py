"""All that a seat may know at any decision, as numbers: what environments show to learners.

An observation begins with the inputs of the learned network (`inputs`), each 1 or 0 (2 for two equal chips), and goes
on with what they only sum up: tiles factory by factory, stacks in their order, chips by face, colours on the dome, the
bag and the tower, the payment under way, and what the seat knows of the pile (R8). It is built from the seat's view,
or gives for a whole state what the view would.
"""

from __future__ import annotations

from typing import Final, Protocol

from sintra.components import (
    CHIP_FACES,
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    FACTORIES,
    FACTORY_LETTERS,
    GRID,
    LINES,
    NOTHING,
    PILE_PLACES,
    PLATE_COUNT,
    PLATES,
    SEATS,
    SMALL_FACTORIES,
)
from sintra.features import inputs
from sintra.features.inputs import MAX_INPUTS, write_inputs
from sintra.features.layout import Layout
from sintra.features.spaces import REMEMBERED, remember_spaces
from sintra.rules.array_types import Bytes, Bytes2D, Int64s
from sintra.rules.compiled import at, entry, keep, kernel, np, rare_entry
from sintra.rules.dealing import chip_face
from sintra.rules.knowledge import write_own_view
from sintra.rules.state import DOWN, PAYING, STATE, TILING, UP, Array, State, States

VERSION: Final = 1
"""The version of observations; a field that is added, moved or read in another way makes a new one."""
MAX_VALUE: Final = 255
"""The largest number in an observation."""

_layout: Final = Layout(inputs.BLOCKS)
_lines: Final = range(1, LINES + 1)
_columns: Final = range(1, GRID + 1)
SUN: Final = _layout.block("sun", FACTORY_LETTERS, COLOR_LETTERS)
STACK: Final = _layout.block("stack", FACTORY_LETTERS[:SMALL_FACTORIES], ("bottom", "middle", "top"), COLOR_LETTERS)
MOON: Final = _layout.block("large moon", COLOR_LETTERS)
CHIP: Final = _layout.block("chip", FACTORY_LETTERS[:SMALL_FACTORIES], ("down", *CHIPS))
BAG: Final = _layout.block("bag", COLOR_LETTERS)
TOWER: Final = _layout.block("tower", COLOR_LETTERS)
PILE_SIZE: Final = _layout.block("pile size")
PILE: Final = _layout.block("pile could be", range(1, PILE_PLACES + 1), [plate.name for plate in PLATES])
SEAT: Final = len(_layout)
POINTS: Final = _layout.block("my points")
STORE: Final = _layout.block("my chips", CHIPS)
BROKEN: Final = _layout.block("my broken", COLOR_LETTERS)
DOME: Final = _layout.block("my dome", _lines, _columns, COLOR_LETTERS)
SEAT_FIELDS: Final = len(_layout) - SEAT
_layout.again(SEAT, "my", "their")
AHEAD: Final = _layout.block("first line ahead", range(1, LINES + 2))
PAY_LINE: Final = _layout.block("pays for line", _lines)
PAID: Final = _layout.block("paid", ("tiles", "chips", "showing"))
PAY_LAST: Final = _layout.block("chip paid last", CHIPS)
SIZE: Final = len(_layout)
"""How many numbers an observation has."""
NAMES: Final = tuple(_layout.names)
"""What each of them is called."""
BLOCKS: Final = tuple(_layout.blocks)
"""Numbers that belong together, with their axes; `planes` gives an observation in these."""


@kernel
def write_table(s: State, seat: int, out: Array) -> None:
    """What lies between the seats, and what a seat knows of the pile."""
    for color in range(COLORS):
        for f in range(FACTORIES):
            out[SUN + f * COLORS + color] = s.sun[f, color]
        out[MOON + color] = s.moon[color]
        out[BAG + color] = s.bag[color]
        out[TOWER + color] = s.tower[color]
    for f in range(SMALL_FACTORIES):
        for place in range(s.stack_height[f]):
            out[STACK + (f * 3 + place) * COLORS + int(s.stack[f, place])] = 1
        if s.chip_state[f] == DOWN:
            out[CHIP + f * (CHIP_FACES + 1)] = 1
        elif s.chip_state[f] == UP:
            out[CHIP + f * (CHIP_FACES + 1) + 1 + int(chip_face(s, f))] = 1
    out[PILE_SIZE] = s.pile_size
    for place in range(s.pile_size):
        could_be = int(s.could_be[seat, place])
        for plate in range(PLATE_COUNT):
            out[PILE + place * PLATE_COUNT + plate] = (could_be >> plate) & 1


@kernel
def write_seat(s: State, seat: int, base: int, out: Array) -> None:
    """What lies before a seat; `base` is how far its fields are from those named "my"."""
    out[base + POINTS] = min(int(s.score[seat]), MAX_VALUE)
    for face in range(CHIP_FACES):
        out[base + STORE + face] = s.store[seat, face]
    for color in range(COLORS):
        out[base + BROKEN + color] = s.broken[seat, color]
    for row in range(GRID):
        for col in range(GRID):
            tile = int(s.dome[seat, row, col])
            if 0 <= tile < COLORS:
                out[base + DOME + (row * GRID + col) * COLORS + tile] = 1


@kernel
def write_observation(s: State, seat: int, known: State, out: Array) -> None:
    """Writes what a seat may know (uint8, SIZE long); `known` are the spaces of the last time (see `REMEMBERED`)."""
    for one in range(SEATS):
        remember_spaces(s, one, known)
    there = np.empty(MAX_INPUTS, np.int16)
    n = write_inputs(s, seat, known.spaces, there)
    out[:] = 0
    for k in range(n):
        out[there[k]] += 1
    write_table(s, seat, out)
    write_seat(s, seat, 0, out)
    write_seat(s, 1 - seat, SEAT_FIELDS, out)
    if s.stage == TILING or s.stage == PAYING:
        out[AHEAD + min(int(s.walk), LINES)] = 1
    if s.stage == PAYING:
        out[PAY_LINE + int(s.pay_line)] = 1
        out[PAID] = s.paid
        out[PAID + 1] = s.pay_chips
        out[PAID + 2] = s.pay_showing
        if s.pay_last != NOTHING:
            out[PAY_LAST + int(s.pay_last)] = 1


@kernel
def write_seen(s: State, seat: int, view: State, known: State, out: Array) -> None:
    """Writes what a seat may know of a state, which is seen through a view that is made for it."""
    write_own_view(s, seat, view)
    write_observation(view, seat, known, out)


@rare_entry
def observation_of(views: States, seat: int, out: Bytes) -> None:
    """Writes the observation of one view."""
    known = np.zeros(1, REMEMBERED)
    write_observation(at(views, 0), seat, at(known, 0), out)
    keep(known)


@entry
def observe_batch(states: States, seats: Int64s, out: Bytes2D) -> None:
    """Writes the observations of one seat of each state (uint8, n by SIZE)."""
    view = np.zeros(1, STATE)
    known = np.zeros(1, REMEMBERED)
    for i in range(len(states)):
        write_seen(at(states, i), int(seats[i]), at(view, 0), at(known, 0), out[i])
    keep(view)
    keep(known)


class Observed(Protocol):
    """A seat's view, as far as an observation needs it."""

    @property
    def states(self) -> States:
        """What the seat knows, as an array of one state."""

    @property
    def seat(self) -> int:
        """Whose view it is."""


def observe(view: Observed) -> Array:
    """What a view shows, as one vector of `SIZE` numbers from 0 to `MAX_VALUE`."""
    import numpy as np

    out = np.empty(SIZE, np.uint8)
    observation_of(view.states, view.seat, out)
    return out


def planes(observation: Array) -> dict[str, Array]:
    """An observation, or many of them, block by block: each named, with its axes (after those of the batch)."""
    batch = observation.shape[:-1]
    return {
        block.name: observation[..., block.first : block.first + block.size].reshape((*batch, *block.shape))
        for block in BLOCKS
    }
