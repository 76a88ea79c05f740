"""What the rules say of the boards as they stand: where the tiles of lines can go, what becomes of those that cannot
(R4.1 to R4.3), and how far the goals have come (R6.1). Compiled, because a page asks for all of it at once."""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import BROKEN_PENALTIES, BROKEN_PLACES, GRID, LINES, MOST_GOALS, NOTHING, SEATS
from sintra.rules.compiled import at, kernel, rare_entry
from sintra.rules.dealing import count
from sintra.rules.outlook import last_chance, open_columns, plates_not_laid
from sintra.rules.scoring import goal_points, goal_progress
from sintra.rules.state import Array, State, States

OUTLOOK: Final = 3
"""The numbers of an outlook: open columns as bits, the last round for a plate, what the tiles cost without either."""
GOAL: Final = 3
"""The numbers of a goal: its points, what is there of it, and what is asked for."""


@kernel
def note_outlook(s: State, seat: int, line: int, color: int, tiles: int, broken: int, out: Array) -> bool:
    """The outlook of a line with so many tiles when so many are broken before; whether its tiles may be placed."""
    out[0] = open_columns(s, seat, line, color)
    out[1] = last_chance(s, seat, line, color, plates_not_laid(s)) if out[0] == 0 else 0
    hopeful = bool(out[0] or out[1])
    out[2] = 0 if hopeful else penalty(broken + tiles) - penalty(broken)
    return hopeful


@kernel
def penalty(tiles: int) -> int:
    """R3.6, R4.6: what so many broken tiles cost."""
    return BROKEN_PENALTIES[min(tiles, BROKEN_PLACES)]


@kernel
def note_outlooks(s: State, seat: int, broken: Array, out: Array) -> None:
    """The outlook of each line of a seat that holds tiles to be placed; and R4.1, R4.3: how many tiles are broken when
    the tiling comes to each line, since those above break first."""
    tiles = count(s.broken[seat])
    for line in range(LINES):
        broken[line] = tiles
        size = s.line_size[seat, line]
        waits = size > 0 and s.line_placed[seat, line] == 0
        if waits and not note_outlook(s, seat, line, s.line_color[seat, line], size, tiles, out[line]):
            tiles += size


@rare_entry
def read_boards(states: States, i: int, outlooks: Array, goals: Array, cells: Array) -> None:
    """For each seat the outlook of each line that holds tiles to be placed, the numbers of each goal in play, and the
    spaces that the goal is about: 1 with a tile, 2 without one. All is 0 before."""
    s = at(states, i)
    broken = np.empty(LINES, np.int64)
    for seat in range(SEATS):
        note_outlooks(s, seat, broken, outlooks[seat])
        for k in range(MOST_GOALS):
            goal = s.goals[k]
            if goal != NOTHING:
                goals[seat, k, 0] = goal_points(s, seat, goal)
                goals[seat, k, 1], goals[seat, k, 2] = goal_progress(s, seat, goal, cells[seat, k])


Numbers = list[list[list[int]]]
"""Some numbers for each seat and line, or for each seat and goal."""


def boards_in(states: States) -> tuple[Numbers, Numbers, bytes]:
    """The outlooks of lines, the numbers of goals, and the spaces of all goals of both seats."""
    outlooks = np.zeros((SEATS, LINES, OUTLOOK), np.int64)
    goals = np.zeros((SEATS, MOST_GOALS, GOAL), np.int64)
    cells = np.zeros((SEATS, MOST_GOALS, GRID, GRID), np.int8)
    read_boards(states, 0, outlooks, goals, cells)
    return outlooks.tolist(), goals.tolist(), cells.tobytes()
