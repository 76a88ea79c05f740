"""States as version 0.1.0 laid them out: with two more parts, which held what seats remembered of returned plates.

Keys of positions and views are hashes of these bytes, so that they, and the dice that players derive from them, are
those of 0.1.0. Notes of that layout are still read.
"""

from __future__ import annotations

from typing import Final

from sintra.components import PLATE_COUNT, SEATS
from sintra.rules.memory import layout_of
from sintra.rules.state import PLATE_TURNS, STATE, Array

_FIRST_AT: Final[int] = layout_of(STATE).fields["score"].offset
"""Where the first part stood, in a state of today."""
_FIRST_BLANK: Final = bytes(SEATS * 2 * 2 * PLATE_TURNS * 4)
"""The first part, with nothing remembered."""
_SECOND_AT: Final[int] = layout_of(STATE).fields["drawn"].offset
"""Where the second part stood, in a state of today."""
_SECOND_BLANK: Final = b"\xff" * (SEATS * PLATE_COUNT)
"""The second part, with nothing remembered."""

OLDER_SIZE: Final = len(_FIRST_BLANK) + len(_SECOND_BLANK) + STATE.itemsize
"""The bytes of a state in the older layout."""


def older_bytes(data: bytes) -> bytes:
    """The bytes of a state in the older layout, with nothing remembered."""
    return data[:_FIRST_AT] + _FIRST_BLANK + data[_FIRST_AT:_SECOND_AT] + _SECOND_BLANK + data[_SECOND_AT:]


def without_older_parts(rows: Array) -> Array:
    """States as rows of bytes, from rows of the older layout."""
    second = len(_FIRST_BLANK) + _SECOND_AT
    parts = rows[:, :_FIRST_AT], rows[:, _FIRST_AT + len(_FIRST_BLANK) : second], rows[:, second + len(_SECOND_BLANK) :]
    import numpy as np

    return np.concatenate(parts, axis=1)
