"""What a choice did at once: read from the states before and after it, never decided again."""

from __future__ import annotations

from typing import Final, NamedTuple

import numpy as np

from sintra.components import LINES, SMALL_FACTORIES
from sintra.rules.choices import BREAK
from sintra.rules.compiled import kernel
from sintra.rules.dealing import count
from sintra.rules.state import UP, State


class Effects(NamedTuple):
    """Which of it is said depends on the kind of choice. Chips and lines are sets of bits, from 0."""

    to_line: int
    broken: int
    to_tower: int
    completes: int
    start_tile: int
    turned_up: int
    points: int
    across: int
    down: int
    special: int
    special_points: int
    lines_broken: int


EFFECTS: Final = np.dtype([(name, np.int64) for name in Effects._fields], align=True)
"""The same for compiled code."""


@kernel
def note_take(before: State, after: State, color: int, destination: int, effects: State) -> None:
    """R3.2 to R3.8: how many tiles the line took, were broken and went to the tower; whether the line
    is complete, whether the start tile went along, and the chips turned up."""
    seat = before.turn
    if destination != BREAK:
        effects.to_line = after.line_size[seat, destination] - before.line_size[seat, destination]
        effects.completes = 1 if after.line_size[seat, destination] == destination + 1 else 0
    effects.broken = count(after.broken[seat]) - count(before.broken[seat])
    effects.to_tower = after.tower[color] - before.tower[color]
    effects.start_tile = 1 if after.start_tile != before.start_tile else 0
    for f in range(SMALL_FACTORIES):
        if after.chip_state[f] == UP and before.chip_state[f] != UP:
            effects.turned_up |= 1 << f


@kernel
def note_broken_lines(before: State, after: State, tiled: int, effects: State) -> None:
    """R4.3: the lines that broke with a choice of the tiling; not the one that was `tiled`, if any."""
    seat = before.turn
    for line in range(LINES):
        gone = before.line_size[seat, line] > 0 and after.line_size[seat, line] == 0
        if gone and before.line_placed[seat, line] == 0 and line != tiled:
            effects.lines_broken |= 1 << line
