"""A legal choice of the player to move, as a set of features that are there or not: the rows of a policy.

A policy adds up what it has learned of a choice's rows. `write_rows` names them for every choice of a draft; choices of
phase 2, which is solved exactly, have none.
"""

from __future__ import annotations

from typing import Final

from sintra.components import (
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    LARGE,
    LINES,
    PLATES,
    SEATS,
    SLOT_NAMES,
    SLOTS,
    SMALL_FACTORIES,
    SPACE_LETTERS,
    SPECIAL,
    WILD,
)
from sintra.features.inputs import MAX_BROKEN, tiles_in_all
from sintra.features.layout import Layout
from sintra.features.spaces import SPACE_BUCKETS, space_bucket, write_spaces
from sintra.rules.array_types import Int16s, Int16s2D, Int64s
from sintra.rules.choices import (
    BREAK,
    CHIP,
    DRAW,
    LAY,
    LOOK,
    MOON,
    RETURN,
    STACK,
    SUN,
    TURNED,
    color_of,
    destination_of,
    factory_of,
    kind_of,
    plate_and_slot,
    said,
)
from sintra.rules.compiled import at, kernel, np, rare_entry
from sintra.rules.dealing import chip_face, count
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.scoring import placement_points
from sintra.rules.state import KEEPING, ON_FACTORY, OPENING, Array, State, States
from sintra.rules.tiling import has_open_space

MAX_ROWS: Final = 20
"""Room for the rows of any choice."""
MAX_TAKEN: Final = 6
"""More tiles in one take are not told apart."""
MAX_OVER: Final = 5
"""More tiles that do not fit are not told apart."""
MAX_AFTERWARDS: Final = 8
"""More tiles of the colour left on the factories are not told apart."""
MAX_POINTS: Final = 6
"""More points of a plate's best space are not told apart."""

_layout: Final = Layout()
# Each constant below is the number of the first row of its block; the block's words name what it tells.
_to: Final = (*range(1, LINES + 1), "broken")
_lines: Final = range(1, LINES + 1)
TAKE: Final = _layout.block("take to", _to, COLOR_LETTERS)
TAKEN: Final = _layout.block("taken to", _to, range(1, MAX_TAKEN + 1))
LACKS: Final = _layout.block("line lacks", _lines, range(LINES + 1))
BEGUN: Final = _layout.block("line was begun", _lines)
FULL_SPACE: Final = _layout.block("full line's space", _lines, range(SPACE_BUCKETS))
PART_SPACE: Final = _layout.block("part line's space", _lines, range(SPACE_BUCKETS))
OVER: Final = _layout.block("over and broken", range(MAX_OVER + 1), range(MAX_BROKEN + 1))
AFTERWARDS: Final = _layout.block("left for lacks", range(4), range(MAX_AFTERWARDS + 1))
SOURCE: Final = _layout.block("from", ("small", "large", "moon"))
START: Final = _layout.block("takes the start tile")
TURNED_OVER: Final = _layout.block("turns over", range(4))
LEAVES: Final = _layout.block("leaves", COLOR_LETTERS, range(1, 4))
OPENS_CHIP: Final = _layout.block("turns up a chip")
PLATE: Final = _layout.block("plate", [plate.name for plate in PLATES])
SLOT: Final = _layout.block("slot", SLOT_NAMES)
PLATE_SLOT: Final = _layout.block("plate on slot", [plate.name for plate in PLATES], SLOT_NAMES)
FROM: Final = _layout.block("plate from", ("opening", "display", "hand"))
BRINGS: Final = _layout.block("brings", _lines, SPACE_LETTERS)
BRINGS_AT: Final = _layout.block("brings beside", ("others", "nothing"), SPACE_LETTERS)
WAITED_FOR: Final = _layout.block("brings what waits", _lines)
ANOTHER: Final = _layout.block("brings another space", _lines)
POINTS: Final = _layout.block("brings points", range(1, MAX_POINTS + 1))
STACKED: Final = _layout.block("stacked", range(1, 4), COLOR_LETTERS)
CHIP_TAKEN: Final = _layout.block("chip", CHIPS)
DRAWS: Final = _layout.block("draws")
LOOKS: Final = _layout.block("looks")
GIVES_BACK: Final = _layout.block("returns", [plate.name for plate in PLATES])
ROWS: Final = len(_layout)
"""How many rows there are."""
NAMES: Final = tuple(_layout.names)
"""The name of each row."""


@kernel
def rows_of_line(s: State, color: int, taken: int, to: int, spaces: Array, out: Array, n: int) -> int:
    """What tiles do to a pattern line, or to the broken tiles."""
    seat = s.turn
    out[n] = TAKE + to * COLORS + color
    out[n + 1] = TAKEN + to * MAX_TAKEN + min(taken, MAX_TAKEN) - 1
    n += 2
    over = taken
    lacks = 0
    if to != BREAK:
        size = int(s.line_size[seat, to])
        fit = min(taken, to + 1 - size)
        over = taken - fit
        lacks = to + 1 - size - fit
        out[n] = LACKS + to * (LINES + 1) + lacks
        n += 1
        if size > 0:
            out[n] = BEGUN + to
            n += 1
        out[n] = (PART_SPACE if lacks else FULL_SPACE) + to * SPACE_BUCKETS + space_bucket(spaces[seat, to, color])
        n += 1
    if over > 0:
        broken = min(count(s.broken[seat]), MAX_BROKEN)
        out[n] = OVER + min(over, MAX_OVER) * (MAX_BROKEN + 1) + broken
        n += 1
    left = min(tiles_in_all(s, color) - taken, MAX_AFTERWARDS)
    out[n] = AFTERWARDS + min(lacks, 3) * (MAX_AFTERWARDS + 1) + left
    return n + 1


@kernel
def rows_of_sun(s: State, choice: int, spaces: Array, out: Array) -> int:
    """R3.2: a take from a sun side; what is left there turns over."""
    f, color = factory_of(choice), color_of(choice)
    n = rows_of_line(s, color, int(s.sun[f, color]), destination_of(choice), spaces, out, 0)
    out[n] = SOURCE + (1 if f == LARGE else 0)
    n += 1
    rest = 0
    for other in range(COLORS):
        if other != color and s.sun[f, other] > 0:
            rest += int(s.sun[f, other])
            out[n] = LEAVES + 3 * other + min(int(s.sun[f, other]), 3) - 1
            n += 1
    if f != LARGE:
        out[n] = TURNED_OVER + min(rest, 3)
        n += 1
        if rest == 0 and s.stack_height[f] == 0:
            out[n] = OPENS_CHIP
            n += 1
    return n


@kernel
def rows_of_moon(s: State, choice: int, spaces: Array, out: Array) -> int:
    """R3.3: a take from the moon sides."""
    color = color_of(choice)
    n = rows_of_line(s, color, tiles_on_moon(s, color), destination_of(choice), spaces, out, 0)
    out[n] = SOURCE + 2
    n += 1
    if s.start_tile == ON_FACTORY and s.moon[color] > 0:
        out[n] = START
        n += 1
    for f in range(SMALL_FACTORIES):
        height = int(s.stack_height[f])
        if height == 1 and s.stack[f, 0] == color:
            out[n] = OPENS_CHIP
            return n + 1
    return n


@kernel
def rows_of_turning(s: State, turns: int, out: Array) -> int:
    """R2.6, R3.1: what a plate, turned so, brings to the rows beside it."""
    seat = s.turn
    slot = int(s.held_slot)
    n = 0
    points = 0
    for r in range(2):
        row = 2 * (slot // 3) + r
        for c in range(2):
            space = int(PLATE_SPACE[s.held_plate, turns, r, c])
            col = 2 * (slot % 3) + c
            out[n] = BRINGS + row * len(SPACE_LETTERS) + space
            here = placement_points(s.dome[seat], row, col)
            out[n + 1] = BRINGS_AT + (0 if here > 1 else len(SPACE_LETTERS)) + space
            n += 2
            if space == SPECIAL:
                continue
            points = max(points, here)
            if s.line_size[seat, row] > 0 and (space == WILD or space == s.line_color[seat, row]):
                out[n] = (ANOTHER if has_open_space(s, seat, row) else WAITED_FOR) + row
                n += 1
    out[n] = POINTS + min(max(points, 1), MAX_POINTS) - 1
    return n + 1


@kernel
def write_rows(s: State, choice: int, spaces: Array, out: Array) -> int:
    """Writes the rows of a legal choice (int16, MAX_ROWS long) and returns how many there are; `spaces` are those of
    the seat to move."""
    kind = kind_of(choice)
    if kind == SUN:
        return rows_of_sun(s, choice, spaces, out)
    if kind == MOON:
        return rows_of_moon(s, choice, spaces, out)
    if kind == TURNED:
        return rows_of_turning(s, said(choice, TURNED), out)
    if kind == LAY:
        plate, slot = plate_and_slot(choice)
        out[0] = PLATE + plate
        out[1] = SLOT + slot
        out[2] = PLATE_SLOT + plate * SLOTS + slot
        out[3] = FROM + (0 if s.stage == OPENING else 2 if s.stage == KEEPING else 1)
        return 4
    if kind == STACK:
        out[0] = STACKED + int(s.stack_height[s.stacking]) * COLORS + said(choice, STACK)
    elif kind == CHIP:
        out[0] = CHIP_TAKEN + int(chip_face(s, said(choice, CHIP)))
    elif kind == DRAW:
        out[0] = DRAWS
    elif kind == LOOK:
        out[0] = LOOKS
    elif kind == RETURN:
        out[0] = GIVES_BACK + said(choice, RETURN)
    else:
        return 0
    return 1


@rare_entry
def rows_of(states: States, i: int, choices: Int16s, out: Int16s2D, sizes: Int64s) -> None:
    """The rows of each choice (choices by MAX_ROWS) and how many each has, for Python."""
    s = at(states, i)
    spaces = np.empty((SEATS, LINES, COLORS))
    write_spaces(s, s.turn, spaces)
    for k in range(len(choices)):
        sizes[k] = write_rows(s, int(choices[k]), spaces, out[k])
