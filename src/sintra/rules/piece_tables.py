"""Plates and chips of `components` as tables for compiled code."""

from __future__ import annotations

from typing import Final

from sintra.components import CHIP_COUNTS_FOR, IS_SPECIAL, PLATE_SPACES
from sintra.rules.compiled import constants

PLATE_SPACE: Final = constants(PLATE_SPACES, "i1")
"""Plate, turns, row, column -> colour, SPECIAL or WILD."""
PLATE_IS_SPECIAL: Final = constants(IS_SPECIAL, "b1")
"""Plate -> whether its back shows the special kind."""
CHIP_SHOWS: Final = constants(CHIP_COUNTS_FOR, "b1")
"""Chip face, colour -> whether the chip counts for the colour."""
