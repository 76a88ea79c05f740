"""What chance shows when a choice is made: chips turned up, a plate on the display, plates looked at."""

from __future__ import annotations

from typing import Final

from sintra.components import DISPLAY, NOTHING, SMALL_FACTORIES
from sintra.rules.choices import DRAW, LOOK, TURNED, kind_of
from sintra.rules.compiled import kernel, np
from sintra.rules.dealing import chip_face
from sintra.rules.state import DOWN, State

LOOKED: Final = 1 << 40
DRAWN: Final = 2 << 40
CHIPS_UP: Final = 3 << 40
PLATE_SHOWN: Final = 4 << 40
"""What was shown, above the bits that tell which."""
FACE_CODES: Final = 12
"""More than the faces of a chip, and none."""


@kernel
def shown_by_chance(s: State, before: int, choice: int, display: int) -> int:
    """What chance has shown with a choice, as a number; 0 when it was not asked.

    `before` are the chips that were face down and `display` the plates open before the choice.
    """
    code = 0
    if choice == LOOK:
        for place in range(s.drawn):
            code |= 1 << np.int64(s.pile[place])
        return code | LOOKED
    if choice == DRAW:
        return DRAWN
    for f in range(SMALL_FACTORIES):
        code *= FACE_CODES
        if (before >> f) & 1 and s.chip_state[f] != DOWN:
            code += 1 + np.int64(chip_face(s, f))
    if code:
        return code | CHIPS_UP
    if kind_of(choice) == TURNED:
        now = open_plates(s)
        if now & ~display:
            return (now & ~display) | PLATE_SHOWN
    return 0


@kernel
def open_plates(s: State) -> int:
    """The set of plates on the display."""
    plates = 0
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            plates |= 1 << np.int64(s.display[k])
    return plates


@kernel
def chips_down(s: State) -> int:
    """The set of small factories whose chip is face down."""
    down = 0
    for f in range(SMALL_FACTORIES):
        if s.chip_state[f] == DOWN:
            down |= 1 << f
    return down
