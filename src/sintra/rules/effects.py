"""What a choice did at once: read from the states before and after it, never decided again."""

from __future__ import annotations

from typing import Annotated, Any, Final, NamedTuple, TypeAlias

from sintra.components import LINES, SMALL_FACTORIES
from sintra.rules.array_types import Elements
from sintra.rules.choices import BREAK
from sintra.rules.compiled import kernel, layout
from sintra.rules.dealing import count
from sintra.rules.state import UP, State


class Effects(NamedTuple):
    """What a choice did; a field that does not concern its kind of choice is 0."""

    to_line: int
    """R3.5: tiles that the line took."""
    broken: int
    """R3.6: tiles that were broken and have a place on the board."""
    to_tower: int
    """R3.6: tiles that were broken and went to the tower."""
    completes: int
    """Whether the line is complete now."""
    start_tile: int
    """R3.7: whether the start tile went along."""
    turned_up: int
    """R3.8: the small factories whose chips were turned up, as a set of bits."""
    points: int
    """Points of the tile placed (R5), or those booked when the tiling ends (R4.6)."""
    across: int
    """R5: the length of the run across through the tile placed."""
    down: int
    """R5: the length of the run down through the tile placed."""
    special: int
    """R4.5: the special space that was filled (row * 6 + column), or NOTHING."""
    special_points: int
    """R4.5: the points of the special tile."""
    lines_broken: int
    """R4.3: the lines that broke, as a set of bits."""
    goal_points: int
    """R6.1: in the last round, what the tile placed, and the special tile that it earns, bring by goals."""


EFFECTS: Final = layout([(name, "i8") for name in Effects._fields])
EffectsOfMany: TypeAlias = Annotated[Any, Elements(EFFECTS)]
"""The effects of several choices."""
"""The record that compiled code writes `Effects` into."""


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
