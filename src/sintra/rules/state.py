"""The state of a game: one flat NumPy record with everything there is, hidden things included.

A copy of the record is a copy of the game. The fields are the things on the table; a colour is
0 to 4, `NOTHING` (-1) means empty.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, Final, TypeAlias

import numpy as np

from sintra.components import (
    CHIP_COUNT,
    CHIP_FACES,
    COLORS,
    DISPLAY,
    FACTORIES,
    GRID,
    LINES,
    MARKERS,
    MAX_GOALS,
    OBSERVERS,
    PILE_PLACES,
    PLATE_ROUNDS,
    SEATS,
    SLOTS,
    SMALL_FACTORIES,
)
from sintra.rules.array_types import Elements
from sintra.rules.rule_options import RULE_OPTIONS

State: TypeAlias = Any
"""One state inside compiled code: a record whose fields are attributes."""
Array: TypeAlias = np.ndarray
"""Any array of numbers; what an entry takes is told more exactly (`array_types`)."""


class Stage(IntEnum):
    """What the game asks for next."""

    DEALING = 0
    """The tiles of the round are to be given from outside (R2.3, R7.3)."""
    OPENING = 1
    """An opening plate and its slot (R2.6)."""
    TURN = 2
    """A turn of phase 1 (R3)."""
    DRAWING = 3
    """Draw another plate, or stop and look (R3.1)."""
    KEEPING = 4
    """Which drawn plate is laid, on which slot (R3.1)."""
    RETURNING = 5
    """Which drawn plate goes under the stack next (R3.1)."""
    TURNING = 6
    """How the chosen plate is turned."""
    STACKING = 7
    """Which tile goes on the moon stack next (R3.2)."""
    TILING = 8
    """Phase 2: place, pay or end (R4)."""
    PAYING = 9
    """Which chip is spent next for the line being completed (R4.4)."""
    OVER = 10
    """The game has ended (R6)."""


class Source(IntEnum):
    """Where points come from; `tally` counts what was really booked, after the floor of 0."""

    PLACEMENT = 0
    """Tiles placed on the dome (R5)."""
    SPECIALS = 1
    """Special tiles (R4.5)."""
    BROKEN = 2
    """Broken tiles, which cost points (R4.6)."""
    START_TILE = 3
    """The start tile, which costs points (R4.6)."""
    DRAWS = 4
    """Plates drawn from the stack, which cost points (R3.1)."""
    GOALS = 5
    """Goals (R6.1)."""


class ChipState(IntEnum):
    """What lies on the chip place of a small factory."""

    GONE = 0
    """Nothing: the chip was taken (R3.4)."""
    DOWN = 1
    """A chip face down."""
    UP = 2
    """A chip that was turned up when no tile was left on the factory (R3.8)."""


DEALING: Final = int(Stage.DEALING)
OPENING: Final = int(Stage.OPENING)
TURN: Final = int(Stage.TURN)
DRAWING: Final = int(Stage.DRAWING)
KEEPING: Final = int(Stage.KEEPING)
RETURNING: Final = int(Stage.RETURNING)
TURNING: Final = int(Stage.TURNING)
STACKING: Final = int(Stage.STACKING)
TILING: Final = int(Stage.TILING)
PAYING: Final = int(Stage.PAYING)
OVER: Final = int(Stage.OVER)
"""The stages as plain numbers, for compiled code."""

GONE: Final = int(ChipState.GONE)
DOWN: Final = int(ChipState.DOWN)
UP: Final = int(ChipState.UP)
"""The states of a chip as plain numbers."""

ON_FACTORY: Final = -1
"""`start_tile`: nobody has taken it this round."""

PLATE_TURNS: Final = MARKERS * PLATE_ROUNDS
"""R3.1: the turns of a game in which a seat takes a plate, and so may draw plates and return them."""

STATE: Final = np.dtype(
    [
        # the generator
        ("rng", np.uint32, 4),
        # what each observer thinks could lie at each place of the pile: bit masks of plates (R8)
        ("could_be", np.uint32, (OBSERVERS, PILE_PLACES)),
        # the plates in the pile that each seat has looked at (R3.1): a bit mask
        ("looked_at", np.uint32, SEATS),
        # scores
        ("score", np.int16, SEATS),
        ("tally", np.int16, (SEATS, len(Source))),
        # the goals in play, and the number of each rule option's value
        ("goals", np.int8, MAX_GOALS),
        ("options", np.int8, len(RULE_OPTIONS)),
        # whether the state draws a round's tiles itself, or waits for them at DEALING
        ("deals_itself", np.int8),
        # where the game stands: the seat to decide, the round's start player, who holds the start tile
        ("round_no", np.int8),
        ("stage", np.int8),
        ("turn", np.int8),
        ("first", np.int8),
        ("start_tile", np.int8),
        # factories: counts on the sun sides, stacks (bottom first) and the large moon side, and whether the large
        # sun side got one colour only (R2.4)
        ("sun", np.int8, (FACTORIES, COLORS)),
        ("stack", np.int8, (SMALL_FACTORIES, 3)),
        ("stack_height", np.int8, SMALL_FACTORIES),
        ("moon", np.int8, COLORS),
        ("large_is_single", np.int8),
        ("bag", np.int8, COLORS),
        ("tower", np.int8, COLORS),
        # plates: the display, and the pile whose first `drawn` places are in the mover's hand
        ("display", np.int8, DISPLAY),
        ("pile", np.int8, PILE_PLACES),
        ("pile_size", np.int8),
        # who returned the plate at each place, and in which of its plate turns: PLATE_TURNS * seat + turn
        ("returned_in", np.int8, PILE_PLACES),
        ("drawn", np.int8),
        # chips: all 20 in the order of the rounds and factories
        ("chip_order", np.int8, CHIP_COUNT),
        ("chip_state", np.int8, SMALL_FACTORIES),
        ("chips_left", np.int8, SEATS),
        ("markers_left", np.int8, SEATS),
        # player boards: chips unused and spent, lines, broken tiles, plates and how they are turned, what the
        # spaces show and the tiles on them
        ("store", np.int8, (SEATS, CHIP_FACES)),
        ("spent", np.int8, (SEATS, CHIP_FACES)),
        ("line_color", np.int8, (SEATS, LINES)),
        ("line_size", np.int8, (SEATS, LINES)),
        ("line_placed", np.int8, (SEATS, LINES)),
        ("broken", np.int8, (SEATS, COLORS)),
        ("slot_plate", np.int8, (SEATS, SLOTS)),
        ("slot_turns", np.int8, (SEATS, SLOTS)),
        ("space", np.int8, (SEATS, GRID, GRID)),
        ("dome", np.int8, (SEATS, GRID, GRID)),
        # a move that is half made: the plate to be turned, its slot and the stage it was chosen at, and the
        # factory whose tiles are being stacked
        ("held_plate", np.int8),
        ("held_slot", np.int8),
        ("held_from", np.int8),
        ("stacking", np.int8),
        # phase 2: the first line still ahead, and the payment under way
        ("walk", np.int8),
        ("pay_line", np.int8),
        ("paid", np.int8),
        ("pay_chips", np.int8),
        ("pay_showing", np.int8),
        ("pay_last", np.int8),
        # no meaning: it fills the record up, so that there is no padding and equal states have equal bytes
        ("spare", np.int8, 4),
    ],
    align=True,
)
States: TypeAlias = Annotated[np.ndarray, Elements(STATE)]
"""An array of states, as Python holds them."""


def empty_states(n: int = 1) -> States:
    """An array of n blank states."""
    return np.zeros(n, STATE)


def copied(states: States) -> States:
    """A copy, made as plain memory: NumPy copies records field by field, forty times slower."""
    return states_of(states.tobytes())


_MEMORY: Final = np.dtype((np.void, STATE.itemsize))
"""A state as plain memory."""


def chosen_from(states: States, which: Array) -> States:
    """Copies of the states with these numbers, made as plain memory."""
    return states.view(_MEMORY)[which].view(STATE)


def states_of(data: bytes) -> States:
    """States from their bytes, to be changed at will."""
    return np.frombuffer(bytearray(data), STATE)
