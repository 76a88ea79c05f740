"""The state of a game: one flat record with everything there is, hidden things included.

A copy of the record is a copy of the game. The fields are the things on the table; a colour is
0 to 4, `NOTHING` (-1) means empty.
"""

from __future__ import annotations

from enum import IntEnum
from typing import Annotated, Any, Final, TypeAlias

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
from sintra.rules.compiled import layout
from sintra.rules.memory import StoredRecords, layout_of, zeros
from sintra.rules.rule_options import RULE_OPTIONS

State: TypeAlias = Any
"""One state inside compiled code: a record whose fields are attributes."""
Array: TypeAlias = Any
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


STAGES: Final = tuple(Stage)
"""The stages by their numbers."""


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

STATE: Final = layout(
    [
        # the generator
        ("rng", "u4", 4),
        # what each observer thinks could lie at each place of the pile: bit masks of plates (R8)
        ("could_be", "u4", (OBSERVERS, PILE_PLACES)),
        # the plates in the pile that each seat has looked at (R3.1): a bit mask
        ("looked_at", "u4", SEATS),
        # scores
        ("score", "i2", SEATS),
        ("tally", "i2", (SEATS, len(Source))),
        # the goals in play, and the number of each rule option's value
        ("goals", "i1", MAX_GOALS),
        ("options", "i1", len(RULE_OPTIONS)),
        # whether the state draws a round's tiles itself, or waits for them at DEALING
        ("deals_itself", "i1"),
        # where the game stands: the seat to decide, the round's start player, who holds the start tile
        ("round_no", "i1"),
        ("stage", "i1"),
        ("turn", "i1"),
        ("first", "i1"),
        ("start_tile", "i1"),
        # factories: counts on the sun sides, stacks (bottom first) and the large moon side, and whether the large
        # sun side got one colour only (R2.4)
        ("sun", "i1", (FACTORIES, COLORS)),
        ("stack", "i1", (SMALL_FACTORIES, 3)),
        ("stack_height", "i1", SMALL_FACTORIES),
        ("moon", "i1", COLORS),
        ("large_is_single", "i1"),
        ("bag", "i1", COLORS),
        ("tower", "i1", COLORS),
        # plates: the display, and the pile whose first `drawn` places are in the mover's hand
        ("display", "i1", DISPLAY),
        ("pile", "i1", PILE_PLACES),
        ("pile_size", "i1"),
        # who returned the plate at each place, and in which of its plate turns: PLATE_TURNS * seat + turn
        ("returned_in", "i1", PILE_PLACES),
        ("drawn", "i1"),
        # chips: all 20 in the order of the rounds and factories
        ("chip_order", "i1", CHIP_COUNT),
        ("chip_state", "i1", SMALL_FACTORIES),
        ("chips_left", "i1", SEATS),
        ("markers_left", "i1", SEATS),
        # player boards: chips unused and spent, lines, broken tiles, plates and how they are turned, what the
        # spaces show and the tiles on them
        ("store", "i1", (SEATS, CHIP_FACES)),
        ("spent", "i1", (SEATS, CHIP_FACES)),
        ("line_color", "i1", (SEATS, LINES)),
        ("line_size", "i1", (SEATS, LINES)),
        ("line_placed", "i1", (SEATS, LINES)),
        ("broken", "i1", (SEATS, COLORS)),
        ("slot_plate", "i1", (SEATS, SLOTS)),
        ("slot_turns", "i1", (SEATS, SLOTS)),
        ("space", "i1", (SEATS, GRID, GRID)),
        ("dome", "i1", (SEATS, GRID, GRID)),
        # a move that is half made: the plate to be turned, its slot and the stage it was chosen at, and the
        # factory whose tiles are being stacked
        ("held_plate", "i1"),
        ("held_slot", "i1"),
        ("held_from", "i1"),
        ("stacking", "i1"),
        # phase 2: the first line still ahead, and the payment under way
        ("walk", "i1"),
        ("pay_line", "i1"),
        ("paid", "i1"),
        ("pay_chips", "i1"),
        ("pay_showing", "i1"),
        ("pay_last", "i1"),
        # no meaning: it fills the record up, so that there is no padding and equal states have equal bytes
        ("spare", "i1", 4),
    ]
)
States: TypeAlias = Annotated[Any, Elements(STATE)]
"""An array of states: as Python holds them (`rules.memory`), or NumPy's with `STATE` as its dtype."""
_LAYOUT: Final = layout_of(STATE)
_ONE: Final = (1,)


def blank_states(n: int = 1) -> StoredRecords:
    """An array of n blank states, as Python holds them."""
    made: StoredRecords = zeros(n, STATE)
    return made


def empty_states(n: int = 1) -> Any:
    """An array of n blank states, as one of NumPy, with which whole arrays are calculated."""
    return as_numpy(blank_states(n))


def copied(states: States) -> States:
    """A copy, made as plain memory: NumPy copies records field by field, forty times slower."""
    if type(states) is StoredRecords:
        return StoredRecords(bytearray(states.data), _LAYOUT, states.shape)
    return states_of(states.tobytes()).array


def held(states: States) -> StoredRecords:
    """The states as Python holds them: of a NumPy array a copy."""
    return states if type(states) is StoredRecords else states_of(states.tobytes())


def is_one_state(states: object) -> bool:
    """Whether this is an array of one state, ours or NumPy's."""
    if type(states) is StoredRecords:
        return states.kind is _LAYOUT and len(states) == 1
    return (
        type(states).__module__ == "numpy"
        and getattr(states, "dtype", None) == _LAYOUT.dtype
        and getattr(states, "shape", None) == _ONE
    )


def as_numpy(states: States) -> Any:
    """A copy of the states as an array of NumPy; raises ImportError where there is none."""
    import numpy as np

    return np.array(states.array)


def chosen_from(states: Any, which: Any) -> Any:
    """Copies of the states with these numbers, all of NumPy: made as plain memory, since NumPy copies records field by
    field, forty times slower."""
    return states.view(f"V{STATE.itemsize}")[which].view(states.dtype)


def states_of(data: bytes) -> States:
    """States from their bytes, to be changed at will."""
    size = STATE.itemsize
    return StoredRecords(bytearray(data), _LAYOUT, _ONE if len(data) == size else (len(data) // size,))
