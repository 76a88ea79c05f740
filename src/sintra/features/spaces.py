"""Where colours could go on the dome, and for how many points: what inputs, rows and opinions have in common."""

from __future__ import annotations

from typing import Annotated, Any, Final, TypeAlias

from sintra.components import COLORS, GRID, LINES, NOTHING, SEATS, SLOTS, SPECIAL, WILD
from sintra.features.board import WHOLE
from sintra.rules.array_types import Elements
from sintra.rules.compiled import kernel, layout
from sintra.rules.drafting import row_slots_are_full
from sintra.rules.scoring import points_between, special_of_plate, special_points
from sintra.rules.state import Array, State

CANNOT_EVER: Final = -1.0
"""The points of a colour that has no open space in a row and can get none."""
NOT_YET: Final = 0.0
"""The points of a colour that has no open space in a row, where a plate can still bring one."""
SPACE_BUCKETS: Final = 6
"""How finely spaces are told apart by `space_bucket`."""


@kernel
def plate_in(places: int, row: int, col: int) -> int:
    """The four spaces of the plate around a space, of a set of all spaces, as a set of four bits."""
    corner = GRID * (row - row % 2) + col - col % 2
    return (places >> corner) & 3 | ((places >> (corner + GRID)) & 3) << 2


@kernel
def write_spaces(s: State, seat: int, spaces: Array) -> None:
    """Writes the points of a seat's best open space for each row and colour (SEATS by LINES by COLORS): NOT_YET while
    a plate may still bring one, CANNOT_EVER when all slots are taken. In a draft, only a plate that the seat lays
    changes them."""
    tiles = 0
    tiles_by_column = 0
    specials = 0
    for row in range(GRID):
        for col in range(GRID):
            if s.dome[seat, row, col] != NOTHING:
                tiles |= 1 << (GRID * row + col)
                tiles_by_column |= 1 << (GRID * col + row)
            if s.space[seat, row, col] == SPECIAL:
                specials |= 1 << (GRID * row + col)
    for row in range(LINES):
        none = CANNOT_EVER if row_slots_are_full(s, seat, row) else NOT_YET
        for color in range(COLORS):
            spaces[seat, row, color] = none
        wild = none
        across = (tiles >> (GRID * row)) & WHOLE
        for col in range(GRID):
            space = s.space[seat, row, col]
            if space == NOTHING or space == SPECIAL or (across >> col) & 1:
                continue
            points = points_between(across, (tiles_by_column >> (GRID * col)) & WHOLE, row, col)
            place = special_of_plate(plate_in(specials, row, col), plate_in(tiles | 1 << (GRID * row + col), row, col))
            if place != NOTHING:
                points += special_points(GRID * (row - row % 2 + place // 2))
            if space == WILD:
                wild = max(wild, float(points))
            else:
                spaces[seat, row, space] = max(spaces[seat, row, space], float(points))
        for color in range(COLORS):
            spaces[seat, row, color] = max(spaces[seat, row, color], wild)


REMEMBERED: Final = layout(
    [
        ("dome", "i1", (SEATS, GRID, GRID)),
        ("plate", "i1", (SEATS, SLOTS)),
        ("turns", "i1", (SEATS, SLOTS)),
        ("spaces", "i1", (SEATS, LINES, COLORS)),
    ]
)
"""The points of `write_spaces` for both seats, with the boards that they were found for. A record of zeros fits no
board, so that everything is found anew."""
RememberedArray: TypeAlias = Annotated[Any, Elements(REMEMBERED)]
"""What was remembered of several games."""


@kernel
def remember_spaces(s: State, seat: int, known: State) -> None:
    """Writes the spaces of a seat as `write_spaces` does, unless its board is the one they were found for last."""
    changes = 0
    for slot in range(SLOTS):
        changes |= s.slot_plate[seat, slot] ^ known.plate[seat, slot]
        changes |= s.slot_turns[seat, slot] ^ known.turns[seat, slot]
    for row in range(GRID):
        for col in range(GRID):
            changes |= s.dome[seat, row, col] ^ known.dome[seat, row, col]
    if changes == 0:
        return
    for slot in range(SLOTS):
        known.plate[seat, slot] = s.slot_plate[seat, slot]
        known.turns[seat, slot] = s.slot_turns[seat, slot]
    for row in range(GRID):
        for col in range(GRID):
            known.dome[seat, row, col] = s.dome[seat, row, col]
    write_spaces(s, seat, known.spaces)


@kernel
def space_bucket(best: float) -> int:
    """A best space, roughly: never, not yet, up to 2, 4 or 7 points, more."""
    return int(best >= 0.0) + int(best > 0.0) + int(best > 2.0) + int(best > 4.0) + int(best > 7.0)
