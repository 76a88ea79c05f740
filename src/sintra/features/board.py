"""What a player's board promises, as numbers: the one feature builder, for values and learners.

`board_features` looks at one seat after its tiling, when nothing hidden is pending. It says for
each line how far it is and what it would score, for each row what its open spaces would score,
and for columns, special plates and each goal in play how near they are. `NAMES` names them.
"""

from __future__ import annotations

from itertools import pairwise
from typing import Final

from sintra.components import CHIP_FACES, GRID, LINES, MOST_GOALS, NOTHING, SPECIAL, WILD
from sintra.rules.compiled import kernel
from sintra.rules.scoring import (
    COLUMNS,
    CORNERS,
    DIAGONALS,
    DIFFERENT,
    EDGE,
    ROWS,
    SPECIALS,
    WILDS,
    different_colors,
    is_on_edge,
    placement_points,
)
from sintra.rules.state import Array, State

READY: Final = 0
WAITING: Final = READY + LINES
PROMISE: Final = WAITING + LINES
ROW_BEST: Final = PROMISE + LINES
ROW_MEAN: Final = ROW_BEST + LINES
ROW_SPACES: Final = ROW_MEAN + LINES
COLUMN_SQUARES: Final = ROW_SPACES + GRID
COLUMN_MOST: Final = COLUMN_SQUARES + 1
COLUMNS_NEAR: Final = COLUMN_MOST + 1
SPECIALS_NEAR: Final = COLUMNS_NEAR + 1
SPECIALS_BEGUN: Final = SPECIALS_NEAR + 1
SPECIAL_ROWS_NEAR: Final = SPECIALS_BEGUN + 1
SPECIAL_ROWS_BEGUN: Final = SPECIAL_ROWS_NEAR + 1
SPECIALS_OPEN: Final = SPECIAL_ROWS_BEGUN + 1
GOALS: Final = SPECIALS_OPEN + 1
GOAL_ROWS: Final = GOALS
GOAL_COLORS: Final = GOAL_ROWS + 3
GOAL_COLUMNS: Final = GOAL_COLORS + 3
GOAL_EDGE: Final = GOAL_COLUMNS + 4
GOAL_DIAGONALS: Final = GOAL_EDGE + 2
GOAL_CORNERS: Final = GOAL_DIAGONALS + 3
GOAL_WILDS: Final = GOAL_CORNERS + 4
GOAL_SPECIALS: Final = GOAL_WILDS + 3
CHIPS: Final = GOAL_SPECIALS + 1
STARTS: Final = CHIPS + 2
TILES: Final = STARTS + 1
BIAS: Final = TILES + 1
FEATURES: Final = BIAS + 1

_BLOCKS: Final = {
    READY: "line ready",
    WAITING: "line waits for a plate",
    PROMISE: "line's promise",
    ROW_BEST: "row's best space",
    ROW_MEAN: "row's mean space",
    ROW_SPACES: "row's open spaces",
    COLUMN_SQUARES: "columns squared",
    COLUMN_MOST: "fullest column",
    COLUMNS_NEAR: "columns of 4 or more",
    SPECIALS_NEAR: "special plates with 2 of 3",
    SPECIALS_BEGUN: "special plates with 1 of 3",
    SPECIAL_ROWS_NEAR: "their rows, 2 of 3",
    SPECIAL_ROWS_BEGUN: "their rows, 1 of 3",
    SPECIALS_OPEN: "special spaces open",
    GOAL_ROWS: "goal rows",
    GOAL_COLORS: "goal colors",
    GOAL_COLUMNS: "goal columns",
    GOAL_EDGE: "goal edge",
    GOAL_DIAGONALS: "goal diagonals",
    GOAL_CORNERS: "goal corners",
    GOAL_WILDS: "goal wilds",
    GOAL_SPECIALS: "goal specials",
    CHIPS: "unused chips",
    STARTS: "starts the next round",
    TILES: "tiles on the dome",
    BIAS: "bias",
}


def _names() -> list[str]:
    names = []
    starts = [*_BLOCKS, FEATURES]
    for start, end in pairwise(starts):
        names += [_BLOCKS[start] if end - start == 1 else f"{_BLOCKS[start]} {k + 1}" for k in range(end - start)]
    return names


NAMES: Final = _names()


@kernel
def row_features(s: State, seat: int, out: Array) -> None:
    """Lines and the open spaces of their rows."""
    dome = s.dome[seat]
    for line in range(LINES):
        n = s.line_size[seat, line]
        color = s.line_color[seat, line]
        share = n / (line + 1.0)
        best = 0
        best_for_line = 0
        total = 0
        spaces = 0
        for col in range(GRID):
            space = s.space[seat, line, col]
            if space == NOTHING or space == SPECIAL or dome[line, col] != NOTHING:
                continue
            points = placement_points(dome, line, col)
            spaces += 1
            total += points
            best = max(best, points)
            if space == color or space == WILD:
                best_for_line = max(best_for_line, points)
        if n > 0:
            out[(READY if best_for_line > 0 else WAITING) + line] = share
            out[PROMISE + line] = share * best_for_line
        else:
            out[ROW_BEST + line] = best
        out[ROW_MEAN + line] = total / spaces if spaces else 0.0
        out[ROW_SPACES + line] = spaces / 3.0


@kernel
def column_features(dome: Array, wanted: bool, out: Array) -> None:
    """How full the columns are, and again where full columns are a goal."""
    for col in range(GRID):
        n = 0
        for row in range(GRID):
            n += 1 if dome[row, col] != NOTHING else 0
        out[COLUMN_SQUARES] += n * n / 6.0
        out[COLUMN_MOST] = max(out[COLUMN_MOST], n)
        out[COLUMNS_NEAR] += 1.0 if n >= 4 else 0.0
        if wanted:
            out[GOAL_COLUMNS] += n * n / 36.0
            if n >= 4:
                out[GOAL_COLUMNS + n - 3] += 1.0


@kernel
def special_features(s: State, seat: int, wanted: bool, out: Array) -> None:
    """How near the special tiles are."""
    dome = s.dome[seat]
    for row in range(GRID):
        for col in range(GRID):
            if s.space[seat, row, col] != SPECIAL or dome[row, col] != NOTHING:
                continue
            top = row - row % 2
            left = col - col % 2
            filled = 0
            for k in range(4):
                filled += 1 if dome[top + k // 2, left + k % 2] != NOTHING else 0
            out[SPECIALS_OPEN] += 1.0
            if wanted:
                out[GOAL_SPECIALS] += 1.0
            if filled == 2:
                out[SPECIALS_NEAR] += 1.0
                out[SPECIAL_ROWS_NEAR] += row + 1.0
            elif filled == 1:
                out[SPECIALS_BEGUN] += 1.0
                out[SPECIAL_ROWS_BEGUN] += row + 1.0


@kernel
def goal_features(s: State, seat: int, goal: int, out: Array) -> None:
    """How near one goal in play is."""
    dome = s.dome[seat]
    if goal == ROWS:
        for row in range(GRID):
            n = 0
            for col in range(GRID):
                n += 1 if dome[row, col] != NOTHING else 0
            out[GOAL_ROWS] += n * n / 36.0
            if n >= 5:
                out[GOAL_ROWS + n - 4] += 1.0
    elif goal == DIFFERENT:
        for row in range(GRID):
            n = different_colors(s, seat, row)
            out[GOAL_COLORS] += n * n / 25.0
            if n >= 4:
                out[GOAL_COLORS + min(n, 5) - 3] += 1.0
    elif goal == EDGE:
        for row in range(GRID):
            for col in range(GRID):
                if is_on_edge(row, col):
                    if dome[row, col] != NOTHING:
                        out[GOAL_EDGE] += 1.0
                    elif s.space[seat, row, col] != NOTHING:
                        out[GOAL_EDGE + 1] += 1.0
    elif goal == DIAGONALS:
        for falling in range(2):
            n = 0
            for row in range(GRID):
                n += 1 if dome[row, row if falling else GRID - 1 - row] != NOTHING else 0
            out[GOAL_DIAGONALS] += n * n / 36.0
            if n >= 4:
                out[GOAL_DIAGONALS + min(n, 5) - 3] += 1.0
    elif goal == CORNERS:
        for corner in range(4):
            n = 0
            for k in range(4):
                n += 1 if dome[4 * (corner // 2) + k // 2, 4 * (corner % 2) + k % 2] != NOTHING else 0
            base = GOAL_CORNERS + 2 * (corner // 2)
            out[base] += n * n / 16.0
            out[base + 1] += 1.0 if n == 3 else 0.0
    elif goal == WILDS:
        empty = 0
        for row in range(GRID):
            for col in range(GRID):
                if s.space[seat, row, col] == WILD:
                    if dome[row, col] == NOTHING:
                        empty += 1
                    else:
                        out[GOAL_WILDS] += 1.0
        out[GOAL_WILDS + 1] = empty
        out[GOAL_WILDS + 2] = 1.0 if empty <= 1 else 0.0


@kernel
def board_features(s: State, seat: int, out: Array) -> None:
    """Writes what a seat's board promises into `out` (float64, FEATURES long)."""
    for k in range(FEATURES):
        out[k] = 0.0
    row_features(s, seat, out)
    wants_columns = False
    wants_specials = False
    for k in range(MOST_GOALS):
        goal = s.goals[k]
        wants_columns = wants_columns or goal == COLUMNS
        wants_specials = wants_specials or goal == SPECIALS
        if goal != NOTHING:
            goal_features(s, seat, goal, out)
    column_features(s.dome[seat], wants_columns, out)
    special_features(s, seat, wants_specials, out)
    unused = 0
    for face in range(CHIP_FACES):
        unused += s.store[seat, face]
    out[CHIPS] = unused
    out[CHIPS + 1] = min(unused, 3)
    out[STARTS] = 1.0 if s.start_tile == seat else 0.0
    for row in range(GRID):
        for col in range(GRID):
            out[TILES] += 0.1 if s.dome[seat, row, col] != NOTHING else 0.0
    out[BIAS] = 1.0
