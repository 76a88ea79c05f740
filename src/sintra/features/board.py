"""What a player's board promises, as numbers: the one feature builder, for values and learners.

`look_at` writes a seat's board down as sets of bits. `board_features` takes such a board, tiled, when nothing hidden is
pending. It says for each line how far it is and what it would score, for each row what its open spaces would score,
and for columns, special plates and each goal in play how near they are. `NAMES` names them.
"""

from __future__ import annotations

from itertools import accumulate, pairwise
from typing import Any, Final, TypeAlias

from sintra.components import CHIP_FACES, GRID, LINES, MAX_GOALS, NOTHING, SPECIAL, WILD
from sintra.rules.compiled import constants, kernel, layout
from sintra.rules.rule_options import SPECIAL_IS_COLOR
from sintra.rules.scoring import (
    COLUMNS,
    CORNERS,
    DIAGONALS,
    DIFFERENT,
    EDGE,
    ROWS,
    SPECIALS,
    WILDS,
    points_between,
)
from sintra.rules.state import Array, State

# Each constant is the number of the first feature of its block; `_BLOCKS` says what it tells.
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
"""How many features a board has."""

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
"""The name of each block of features, by its first number."""


def _names() -> list[str]:
    """Returns the name of each feature: that of its block, numbered where the block has several."""
    names = []
    starts = [*_BLOCKS, FEATURES]
    for start, end in pairwise(starts):
        names += [_BLOCKS[start] if end - start == 1 else f"{_BLOCKS[start]} {k + 1}" for k in range(end - start)]
    return names


NAMES: Final = _names()
"""The name of each feature."""


BOARD_FIELDS: Final = [
    # row by row the columns that hold tiles, and column by column the rows, as sets of bits
    ("rows", "i8", GRID),
    ("columns", "i8", GRID),
    # row by row the colours of its tiles (and SPECIAL), as a set of bits
    ("shown", "i8", GRID),
    # row by row, the columns of spaces for tiles, of those that fit the line's colour, of wild and special ones
    ("spaces", "i8", GRID),
    ("fitting", "i8", GRID),
    ("wild", "i8", GRID),
    ("special", "i8", GRID),
    # how many tiles each line holds
    ("sizes", "i8", LINES),
    # how many unused chips there are
    ("unused", "i8"),
]
"""The fields of a board written as few numbers, so that trying a tile on it costs little."""
BOARD: Final = layout(BOARD_FIELDS)
"""The record of such a board."""
Board: TypeAlias = Any
"""One such board inside compiled code: a record whose fields are attributes."""

COUNTS: Final = constants([bits.bit_count() for bits in range(1 << GRID)], "i8")
"""How many members a set of columns or rows has."""
TENTHS: Final = constants(list(accumulate([0.0] + [0.1] * GRID * GRID)), "f8")
"""A tenth for each tile on the dome, added up one by one: a product would differ in the last bits."""
SIDES: Final = 1 | 1 << (GRID - 1)
"""The first and the last column of a row."""
WHOLE: Final = (1 << GRID) - 1
"""All columns of a row, or all rows of a column."""


@kernel
def look_at(s: State, seat: int, b: Board) -> None:
    """Writes down a seat's board."""
    b.unused = 0
    for face in range(CHIP_FACES):
        b.unused += s.store[seat, face]
    for col in range(GRID):
        b.columns[col] = 0
    for row in range(GRID):
        b.sizes[row] = s.line_size[seat, row]
        color = s.line_color[seat, row]
        held = shown = spaces = fitting = wild = special = 0
        for col in range(GRID):
            tile = int(s.dome[seat, row, col])
            space = s.space[seat, row, col]
            bit = 1 << col
            if tile != NOTHING:
                held |= bit
                shown |= 1 << tile
                b.columns[col] |= 1 << row
            if space == SPECIAL:
                special |= bit
            elif space != NOTHING:
                spaces |= bit
                if space == WILD:
                    wild |= bit
                if space == WILD or space == color:
                    fitting |= bit
        b.rows[row] = held
        b.shown[row] = shown
        b.spaces[row] = spaces
        b.fitting[row] = fitting
        b.wild[row] = wild
        b.special[row] = special


@kernel
def row_features(b: Board, out: Array) -> None:
    """Lines and the open spaces of their rows."""
    for line in range(LINES):
        n = b.sizes[line]
        held = b.rows[line]
        spaces = b.spaces[line] & ~held
        fitting = b.fitting[line]
        share = n / (line + 1.0)
        best = 0
        best_for_line = 0
        total = 0
        for col in range(GRID):
            if (spaces >> col) & 1:
                points = points_between(held, b.columns[col], line, col)
                total += points
                best = max(best, points)
                if (fitting >> col) & 1:
                    best_for_line = max(best_for_line, points)
        if n > 0:
            out[(READY if best_for_line > 0 else WAITING) + line] = share
            out[PROMISE + line] = share * best_for_line
        else:
            out[ROW_BEST + line] = best
        out[ROW_MEAN + line] = total / COUNTS[spaces] if spaces else 0.0
        out[ROW_SPACES + line] = COUNTS[spaces] / 3.0


@kernel
def column_features(b: Board, wanted: bool, out: Array) -> None:
    """How full the columns are, and again where full columns are a goal."""
    for col in range(GRID):
        n = COUNTS[b.columns[col]]
        out[COLUMN_SQUARES] += n * n / 6.0
        out[COLUMN_MOST] = max(out[COLUMN_MOST], n)
        out[COLUMNS_NEAR] += 1.0 if n >= 4 else 0.0
        if wanted:
            out[GOAL_COLUMNS] += n * n / 36.0
            if n >= 4:
                out[GOAL_COLUMNS + n - 3] += 1.0


@kernel
def on_plate(sets: Array, top: int, left: int) -> int:
    """The four spaces of the slot with this top left space, of a set for each row, as a set of four bits."""
    return (sets[top] >> left) & 3 | ((sets[top + 1] >> left) & 3) << 2


@kernel
def special_features(b: Board, wanted: bool, out: Array) -> None:
    """How near the special tiles are."""
    for row in range(GRID):
        waiting = b.special[row] & ~b.rows[row]
        for col in range(GRID):
            if (waiting >> col) & 1:
                filled = COUNTS[on_plate(b.rows, row - row % 2, col - col % 2)]
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
def goal_features(b: Board, goal: int, special_is_color: bool, out: Array) -> None:
    """How near one goal in play is."""
    if goal == ROWS:
        for row in range(GRID):
            n = COUNTS[b.rows[row]]
            out[GOAL_ROWS] += n * n / 36.0
            if n >= 5:
                out[GOAL_ROWS + n - 4] += 1.0
    elif goal == DIFFERENT:
        for row in range(GRID):
            n = COUNTS[b.shown[row] & (WHOLE if special_is_color else WHOLE & ~(1 << SPECIAL))]
            out[GOAL_COLORS] += n * n / 25.0
            if n >= 4:
                out[GOAL_COLORS + min(n, 5) - 3] += 1.0
    elif goal == EDGE:
        for row in range(GRID):
            edge = WHOLE if row % (GRID - 1) == 0 else SIDES
            out[GOAL_EDGE] += COUNTS[b.rows[row] & edge]
            out[GOAL_EDGE + 1] += COUNTS[(b.spaces[row] | b.special[row]) & ~b.rows[row] & edge]
    elif goal == DIAGONALS:
        for falling in range(2):
            n = 0
            for row in range(GRID):
                n += (b.rows[row] >> (row if falling else GRID - 1 - row)) & 1
            out[GOAL_DIAGONALS] += n * n / 36.0
            if n >= 4:
                out[GOAL_DIAGONALS + min(n, 5) - 3] += 1.0
    elif goal == CORNERS:
        for corner in range(4):
            n = COUNTS[on_plate(b.rows, 4 * (corner // 2), 4 * (corner % 2))]
            base = GOAL_CORNERS + 2 * (corner // 2)
            out[base] += n * n / 16.0
            out[base + 1] += 1.0 if n == 3 else 0.0
    elif goal == WILDS:
        empty = 0
        for row in range(GRID):
            empty += COUNTS[b.wild[row] & ~b.rows[row]]
            out[GOAL_WILDS] += COUNTS[b.wild[row] & b.rows[row]]
        out[GOAL_WILDS + 1] = empty
        out[GOAL_WILDS + 2] = 1.0 if empty <= 1 else 0.0


@kernel
def board_features(s: State, seat: int, b: Board, out: Array) -> None:
    """Writes what a seat's board, looked at already, promises into `out` (float64, FEATURES long)."""
    for k in range(FEATURES):
        out[k] = 0.0
    row_features(b, out)
    wants_columns = False
    wants_specials = False
    for k in range(MAX_GOALS):
        goal = s.goals[k]
        wants_columns = wants_columns or goal == COLUMNS
        wants_specials = wants_specials or goal == SPECIALS
        if goal != NOTHING:
            goal_features(b, goal, s.options[SPECIAL_IS_COLOR] != 0, out)
    column_features(b, wants_columns, out)
    special_features(b, wants_specials, out)
    out[CHIPS] = b.unused
    out[CHIPS + 1] = min(b.unused, 3)
    out[STARTS] = 1.0 if s.start_tile == seat else 0.0
    tiles = 0
    for row in range(GRID):
        tiles += COUNTS[b.rows[row]]
    out[TILES] = TENTHS[tiles]
    out[BIAS] = 1.0
