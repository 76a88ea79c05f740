"""Where a colour could go on the dome, and for how many points: what inputs, rows and opinions have in common."""

from __future__ import annotations

from typing import Final

from sintra.components import GRID, NOTHING
from sintra.rules.compiled import kernel
from sintra.rules.drafting import row_slots_are_full
from sintra.rules.scoring import placement_points, special_points, special_to_fill
from sintra.rules.state import State
from sintra.rules.tiling import is_open

CANNOT_EVER: Final = -1.0
NOT_YET: Final = 0.0
NOT_ASKED: Final = -2.0
"""In a table of best spaces: nobody has looked yet."""
SPACE_BUCKETS: Final = 6
"""How finely spaces are told apart by `space_bucket`."""


@kernel
def best_space(s: State, seat: int, row: int, color: int) -> float:
    """The points of the best open space for a colour in a row; NOT_YET while a plate may still
    bring one, CANNOT_EVER when all slots are taken."""
    best = 0.0
    for col in range(GRID):
        if is_open(s, seat, row, col, color):
            points = float(placement_points(s.dome[seat], row, col))
            s.dome[seat, row, col] = color
            special = special_to_fill(s.space[seat], s.dome[seat], row, col)
            s.dome[seat, row, col] = NOTHING
            best = max(best, points + special_points(special))
    if best == 0.0:
        return CANNOT_EVER if row_slots_are_full(s, seat, row) else NOT_YET
    return best


@kernel
def space_bucket(best: float) -> int:
    """A best space, roughly: never, not yet, up to 2, 4 or 7 points, more."""
    if best < 0.0:
        return 0
    if best == 0.0:
        return 1
    if best <= 2.0:
        return 2
    if best <= 4.0:
        return 3
    return 4 if best <= 7.0 else 5
