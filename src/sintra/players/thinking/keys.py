"""Keys of boards, under which what was found about them is remembered."""

from __future__ import annotations

from typing import Final, NamedTuple

from sintra.components import CHIP_FACES, LINES, SLOTS
from sintra.rules.array_types import Floats, Int64s
from sintra.rules.compiled import kernel, np
from sintra.rules.dealing import count
from sintra.rules.memory import zeros
from sintra.rules.state import State

LANE: Final = 0xFFFFFFFF
BASIS: Final = 1469598103
"""Where the key of a board begins."""


class Tilings(NamedTuple):
    """Boards whose best tiling is known: late in a round the same ones come up again and again."""

    keys: Int64s
    values: Floats

    @classmethod
    def with_room(cls, size: int) -> Tilings:
        """None are known yet; of two boards that share a place the later one stays."""
        return cls(zeros(size, "i8"), zeros(size, "f8"))


@kernel
def hashed(key: int, value: int) -> int:
    """One step of a hash of two 32-bit lanes, the same compiled and not."""
    a = ((key & LANE) ^ (value + 1)) * 16777619 & LANE
    b = (((key >> 32) & LANE) * 31 + value + 7) * 2246822519 & LANE
    return ((a ^ (b >> 15)) & LANE) | ((b ^ (a >> 13)) & 0x7FFFFFFF) << 32


@kernel
def place_of(key: int, places: int) -> int:
    """Where what is known of a board is kept, of so many places; keys are odd, so that their last bit says nothing."""
    return (key >> 1) % places


@kernel
def board_key(s: State, seat: int) -> int:
    """A hash of all that a seat's tiling depends on during the draft of one round."""
    key = hashed(BASIS + seat, s.score[seat])
    for line in range(LINES):
        key = hashed(key, np.int64(s.line_size[seat, line]) * 8 + s.line_color[seat, line] + 1)
    key = hashed(key, count(s.broken[seat]) * 4 + (1 if s.start_tile == seat else 0))
    chips = 0
    for face in range(CHIP_FACES):
        chips = chips * 3 + np.int64(s.store[seat, face])
    plates = 0
    for slot in range(SLOTS):
        plates = plates * 80 + 4 * np.int64(s.slot_plate[seat, slot] + 1) + s.slot_turns[seat, slot]
        if slot % 4 == 3:
            key = hashed(key, plates)
            plates = 0
    return hashed(hashed(key, plates), chips) | 1
