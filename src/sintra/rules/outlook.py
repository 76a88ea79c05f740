"""Whether the tile of a line can go on the dome, now or later (R4.1 to R4.3)."""

from __future__ import annotations

from sintra.components import GRID, NOTHING, PLATE_COUNT, PLATE_ROUNDS, SEATS, SLOTS, WILD
from sintra.rules.compiled import kernel, np
from sintra.rules.drafting import may_take_plate, row_slots_are_full
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.state import OVER, State
from sintra.rules.tiling import is_open


@kernel
def open_columns(s: State, seat: int, line: int, color: int) -> int:
    """R4.1: the columns of a line's open spaces for a colour, as a set of bits."""
    columns = 0
    for column in range(GRID):
        if is_open(s, seat, line, column, color):
            columns |= 1 << column
    return columns


@kernel
def plates_not_laid(s: State) -> int:
    """The plates that lie on nobody's dome yet, as a set of bits; which they are is public (R8)."""
    plates = (1 << PLATE_COUNT) - 1
    for seat in range(SEATS):
        for slot in range(SLOTS):
            if s.slot_plate[seat, slot] != NOTHING:
                plates &= ~(1 << np.int64(s.slot_plate[seat, slot]))
    return plates


@kernel
def can_show(plates: int, color: int) -> bool:
    """Whether any of these plates has a space for a colour; turned, it can be in either row of a slot."""
    for plate in range(PLATE_COUNT):
        if plates >> plate & 1:
            for k in range(4):
                space = PLATE_SPACE[plate, 0, k // 2, k % 2]
                if space == color or space == WILD:
                    return True
    return False


@kernel
def last_chance(s: State, seat: int, line: int, color: int, plates: int) -> int:
    """R3.1, R4.3: the round until whose end a plate, one of these, can bring a line without an open space one;
    0 when none can any more."""
    may_lay = s.stage != OVER and (s.round_no < PLATE_ROUNDS or may_take_plate(s, seat))
    if may_lay and not row_slots_are_full(s, seat, line) and can_show(plates, color):
        return PLATE_ROUNDS
    return 0
