"""The numbers that each field of a state can hold, at any moment of a game."""

from __future__ import annotations

from typing import Any, Final

from sintra.components import (
    ALL_PLATES,
    BROKEN_PLACES,
    CHIP_COPIES,
    CHIP_FACES,
    CHIPS_PER_ROUND,
    COLORS,
    LARGE_FILL,
    LINES,
    MARKERS,
    NOTHING,
    PILE_PLACES,
    PLATE_COUNT,
    ROUNDS,
    SEATS,
    SLOTS,
    SMALL_FACTORIES,
    SMALL_FILL,
    SPECIAL,
    TILES_PER_COLOR,
    WILD,
    Goal,
)
from sintra.rules.memory import Column
from sintra.rules.state import (
    ON_FACTORY,
    PLATE_TURNS,
    ChipState,
    Stage,
    States,
)

MAX_POINTS: Final = 999
"""The highest score. No game comes near it; made-up positions stop there."""
ANY_WORD: Final = (1 << 32) - 1
"""The largest number of 32 bits."""

LIMITS: Final[dict[str, tuple[int, int]]] = {
    "rng": (0, ANY_WORD),
    "could_be": (0, ALL_PLATES),
    "looked_at": (0, ALL_PLATES),
    "score": (0, MAX_POINTS),
    "tally": (-MAX_POINTS, MAX_POINTS),
    "goals": (NOTHING, max(Goal)),
    "options": (0, 1),
    "deals_itself": (0, 1),
    "round_no": (1, ROUNDS),
    "stage": (0, max(Stage)),
    "turn": (0, SEATS - 1),
    "first": (0, SEATS - 1),
    "start_tile": (ON_FACTORY, SEATS - 1),
    "sun": (0, LARGE_FILL),
    "stack": (NOTHING, COLORS - 1),
    "stack_height": (0, SMALL_FILL - 1),
    "moon": (0, LARGE_FILL - 1),
    "large_is_single": (0, 1),
    "bag": (0, TILES_PER_COLOR),
    "tower": (0, TILES_PER_COLOR),
    "display": (NOTHING, PLATE_COUNT - 1),
    "pile": (NOTHING, PLATE_COUNT - 1),
    "pile_size": (0, PILE_PLACES),
    "returned_in": (NOTHING, SEATS * PLATE_TURNS - 1),
    "drawn": (0, PILE_PLACES),
    "chip_order": (NOTHING, CHIP_FACES - 1),
    "chip_state": (0, max(ChipState)),
    "chips_left": (0, CHIPS_PER_ROUND),
    "markers_left": (0, MARKERS),
    "store": (0, CHIP_COPIES),
    "spent": (0, CHIP_COPIES),
    "line_color": (NOTHING, COLORS - 1),
    "line_size": (0, LINES),
    "line_placed": (0, 1),
    "broken": (0, BROKEN_PLACES),
    "slot_plate": (NOTHING, PLATE_COUNT - 1),
    "slot_turns": (0, 3),
    "space": (NOTHING, WILD),
    "dome": (NOTHING, SPECIAL),
    "held_plate": (NOTHING, PLATE_COUNT - 1),
    "held_slot": (NOTHING, SLOTS - 1),
    "held_from": (NOTHING, max(Stage)),
    "stacking": (NOTHING, SMALL_FACTORIES - 1),
    "walk": (0, LINES),
    "pay_line": (NOTHING, LINES - 1),
    "paid": (0, LINES),
    "pay_chips": (0, 2),
    "pay_showing": (0, 2),
    "pay_last": (NOTHING, CHIP_FACES - 1),
    "spare": (0, 0),
}
"""The smallest and the largest value of each field, at any moment of a game."""


def field_out_of_limits(states: States) -> str | None:
    """A field with a value that it cannot have in one of these states, if there is one."""
    for name, (least, most) in LIMITS.items():
        values = states[name]
        low, high = _bounds_of(values.tolist()) if isinstance(values, Column) else (values.min(), values.max())
        if low < least or high > most:
            return name
    return None


def _bounds_of(values: list[Any]) -> tuple[int, int]:
    """The smallest and the largest of numbers in lists."""
    while isinstance(values[0], list):
        values = [one for row in values for one in row]
    return min(values), max(values)
