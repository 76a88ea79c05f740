"""A position as one seat sees it, as a set of features that are there or not: the inputs of a learner.

`write_inputs` takes a state or a view at any decision. It says what lies before both seats, "mine" and "theirs", and
what lies between them; for two equal chips an input is there twice. Plates in hand are told to who holds them only.
Nothing else that is hidden is looked at, so a view gives the same inputs as the state behind it.
"""

from __future__ import annotations

from typing import Final

from sintra.components import (
    CHIP_FACES,
    CHIPS,
    COLOR_LETTERS,
    COLORS,
    DISPLAY,
    GRID,
    LARGE,
    LINES,
    MAX_GOALS,
    NOTHING,
    PLATE_COUNT,
    PLATES,
    ROUNDS,
    SEATS,
    SLOT_NAMES,
    SMALL_FACTORIES,
    SPACE_LETTERS,
    SPECIAL_PLATES,
    Goal,
)
from sintra.features.layout import Layout
from sintra.features.spaces import SPACE_BUCKETS, space_bucket, write_spaces
from sintra.rules.array_types import Int16s
from sintra.rules.compiled import at, constants, kernel, np, rare_entry
from sintra.rules.dealing import chip_face, count
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.piece_tables import CHIP_SHOWS
from sintra.rules.rule_options import RULE_OPTIONS
from sintra.rules.state import DOWN, KEEPING, ON_FACTORY, RETURNING, STACKING, UP, Array, Stage, State, States

VERSION: Final = 1
"""The version of inputs and rows together: weights are for one version."""
MAX_INPUTS: Final = 320
"""Room for the inputs of any position."""
SCORE_STEP: Final = 8
"""Scores within so many points are not told apart."""
SCORES: Final = 14
"""How many steps of the score are told apart."""
LEADS: Final = (-30, -20, -12, -6, -2, 2, 6, 12, 20, 30)
"""Bounds between leads that are told apart."""
MAX_BROKEN: Final = 4
"""More broken tiles than this are not told apart."""
MAX_CHIPS: Final = 8
"""More unused chips than this are not told apart."""
MAX_SHOWING: Final = 4
"""More unused chips that show a colour are not told apart."""
MAX_SUN: Final = 7
"""More tiles of a colour on the small sun sides are not told apart."""
MAX_LARGE: Final = 5
"""More tiles of a colour on the large sun side are not told apart."""
MAX_MOON: Final = 6
"""More tiles of a colour that can be taken from the moon sides are not told apart."""
MAX_LEFT: Final = 10
"""More tiles of a colour on all factories are not told apart."""
MAX_DRAWN: Final = 4
"""More plates in hand are not told apart."""
SPACE_KINDS: Final = len(SPACE_LETTERS)
"""What a space can show: five colours, special and wild."""

_layout: Final = Layout()
# Each constant below is the number of the first input of its block; the block's words name what it tells.
_lines = range(1, LINES + 1)
_columns = range(1, GRID + 1)
ROUND: Final = _layout.block("round", range(1, ROUNDS + 1))
STAGE: Final = _layout.block("stage", [stage.name.lower() for stage in Stage])
TO_MOVE: Final = _layout.block("to move")
GOAL: Final = _layout.block("goal", list(Goal))
OPTION: Final = _layout.block("option", [option.name for option in RULE_OPTIONS])
SEAT: Final = len(_layout)
LINE: Final = len(_layout)
for _line in _lines:
    _layout.block(f"mine: line {_line} holds", COLOR_LETTERS, range(1, _line + 1))
PLACED: Final = _layout.block("mine: placed line", _lines)
SPACE: Final = _layout.block("mine: best space", _lines, COLOR_LETTERS, ("never", "not yet", "2", "4", "7", "more"))
TILE: Final = _layout.block("mine: tile", _lines, _columns)
OPEN: Final = _layout.block("mine: open space", _lines, _columns, SPACE_LETTERS)
BROKEN: Final = _layout.block("mine: broken", range(MAX_BROKEN + 1))
CHIPS_HELD: Final = _layout.block("mine: chips", range(MAX_CHIPS + 1))
SHOWING: Final = _layout.block("mine: chips showing", COLOR_LETTERS, range(1, MAX_SHOWING + 1))
MARKERS: Final = _layout.block("mine: plates to take", range(3))
CHIPS_LEFT: Final = _layout.block("mine: chips to take", range(3))
SCORE: Final = _layout.block("mine: score", [SCORE_STEP * k for k in range(SCORES)])
SEAT_INPUTS: Final = len(_layout) - SEAT
_layout.again(SEAT, "mine", "theirs")
START: Final = _layout.block("start tile", ("on factory", "mine", "theirs"))
FIRST: Final = _layout.block("I start")
LEAD: Final = _layout.block("lead below", (*LEADS, "more"))
SUN: Final = _layout.block("sun, small", COLOR_LETTERS, range(1, MAX_SUN + 1))
SUN_LARGE: Final = _layout.block("sun, large", COLOR_LETTERS, range(1, MAX_LARGE + 1))
MOON: Final = _layout.block("moon", COLOR_LETTERS, range(1, MAX_MOON + 1))
LEFT: Final = _layout.block("left in all", COLOR_LETTERS, range(MAX_LEFT + 1))
CHIP_UP: Final = _layout.block("chip up", CHIPS)
CHIPS_DOWN: Final = _layout.block("chips down", range(SMALL_FACTORIES + 1))
ON_DISPLAY: Final = _layout.block("on display", [plate.name for plate in PLATES])
TOP: Final = _layout.block("top of the stack", ("special", "wild", "none"))
DRAWN: Final = _layout.block("drawn", range(MAX_DRAWN + 1))
IN_HAND: Final = _layout.block("in hand", [plate.name for plate in PLATES])
HELD: Final = _layout.block("held", [plate.name for plate in PLATES])
HELD_SLOT: Final = _layout.block("held over", SLOT_NAMES)
TO_STACK: Final = _layout.block("to stack", COLOR_LETTERS, range(1, 4))
INPUTS: Final = len(_layout)
"""How many inputs there are."""
NAMES: Final = tuple(_layout.names)
"""The name of each input."""
BLOCKS: Final = tuple(_layout.blocks)
"""Inputs that belong together, with their axes."""
LEAD_BOUNDS: Final = constants(LEADS, "i8")
"""`LEADS` for compiled code."""


@kernel
def write_board(s: State, seat: int, base: int, spaces: Array, out: Array, n: int) -> int:
    """What lies before a seat; `base` is how far its inputs are from those named "mine"."""
    for line in range(LINES):
        size = int(s.line_size[seat, line])
        if size > 0:
            below = COLORS * (line * (line + 1) // 2)
            out[n] = base + LINE + below + int(s.line_color[seat, line]) * (line + 1) + size - 1
            n += 1
        if s.line_placed[seat, line]:
            out[n] = base + PLACED + line
            n += 1
        for color in range(COLORS):
            bucket = space_bucket(spaces[seat, line, color])
            out[n] = base + SPACE + (line * COLORS + color) * SPACE_BUCKETS + bucket
            n += 1
        for col in range(GRID):
            has_tile = s.dome[seat, line, col] != NOTHING
            space = int(s.space[seat, line, col])
            place = line * GRID + col
            out[n] = base + (TILE + place if has_tile else OPEN + place * SPACE_KINDS + space)
            n += 1 if has_tile or space != NOTHING else 0
    out[n] = base + BROKEN + min(count(s.broken[seat]), MAX_BROKEN)
    out[n + 1] = base + CHIPS_HELD + min(count(s.store[seat]), MAX_CHIPS)
    out[n + 2] = base + MARKERS + int(s.markers_left[seat])
    out[n + 3] = base + CHIPS_LEFT + int(s.chips_left[seat])
    out[n + 4] = base + SCORE + min(int(s.score[seat]) // SCORE_STEP, SCORES - 1)
    n += 5
    for color in range(COLORS):
        showing = 0
        for face in range(CHIP_FACES):
            if CHIP_SHOWS[face, color]:
                showing += int(s.store[seat, face])
        if showing > 0:
            out[n] = base + SHOWING + color * MAX_SHOWING + min(showing, MAX_SHOWING) - 1
            n += 1
    return n


@kernel
def tiles_in_all(s: State, color: int) -> int:
    """How many tiles of a colour lie on factories, wherever."""
    n = int(s.moon[color]) + int(s.sun[LARGE, color])
    for f in range(SMALL_FACTORIES):
        n += int(s.sun[f, color])
        for place in range(s.stack_height[f]):
            if s.stack[f, place] == color:
                n += 1
    return n


@kernel
def write_factories(s: State, out: Array, n: int) -> int:
    """The tiles and chips that can be taken."""
    for color in range(COLORS):
        small = 0
        for f in range(SMALL_FACTORIES):
            small += int(s.sun[f, color])
        large = int(s.sun[LARGE, color])
        moon = tiles_on_moon(s, color)
        if small > 0:
            out[n] = SUN + color * MAX_SUN + min(small, MAX_SUN) - 1
            n += 1
        if large > 0:
            out[n] = SUN_LARGE + color * MAX_LARGE + min(large, MAX_LARGE) - 1
            n += 1
        if moon > 0:
            out[n] = MOON + color * MAX_MOON + min(moon, MAX_MOON) - 1
            n += 1
        out[n] = LEFT + color * (MAX_LEFT + 1) + min(tiles_in_all(s, color), MAX_LEFT)
        n += 1
    down = 0
    for f in range(SMALL_FACTORIES):
        if s.chip_state[f] == DOWN:
            down += 1
        elif s.chip_state[f] == UP:
            out[n] = CHIP_UP + int(chip_face(s, f))
            n += 1
    out[n] = CHIPS_DOWN + down
    return n + 1


@kernel
def write_plates(s: State, seat: int, out: Array, n: int) -> int:
    """The plates between the seats, and those in the hand of the seat."""
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            out[n] = ON_DISPLAY + int(s.display[k])
            n += 1
    out[n] = TOP + kind_on_top(s, seat)
    out[n + 1] = DRAWN + min(int(s.drawn), MAX_DRAWN)
    n += 2
    if s.turn == seat and (s.stage == KEEPING or s.stage == RETURNING):
        for place in range(s.drawn):
            could_be = int(s.could_be[seat, place])
            for plate in range(PLATE_COUNT):
                if could_be == 1 << plate:
                    out[n] = IN_HAND + plate
                    n += 1
    if s.held_plate != NOTHING:
        out[n] = HELD + int(s.held_plate)
        out[n + 1] = HELD_SLOT + int(s.held_slot)
        n += 2
    if s.stage == STACKING:
        for color in range(COLORS):
            if s.sun[s.stacking, color] > 0:
                out[n] = TO_STACK + 3 * color + min(int(s.sun[s.stacking, color]), 3) - 1
                n += 1
    return n


@kernel
def kind_on_top(s: State, seat: int) -> int:
    """R3.1: the back of the plate on top of the stack, which everybody sees: special, wild, or no plate."""
    if s.pile_size <= s.drawn:
        return 2
    return 0 if int(s.could_be[seat, s.drawn]) & ~SPECIAL_PLATES == 0 else 1


@kernel
def write_inputs(s: State, seat: int, spaces: Array, out: Array) -> int:
    """Writes the inputs that are there (int16, MAX_INPUTS long) and returns how many; `spaces` are those of both
    seats."""
    out[0] = ROUND + int(s.round_no) - 1
    out[1] = STAGE + int(s.stage)
    n = 2
    if s.turn == seat:
        out[n] = TO_MOVE
        n += 1
    for k in range(MAX_GOALS):
        if s.goals[k] != NOTHING:
            out[n] = GOAL + int(s.goals[k])
            n += 1
    for k in range(len(s.options)):
        if s.options[k]:
            out[n] = OPTION + k
            n += 1
    n = write_board(s, seat, 0, spaces, out, n)
    n = write_board(s, 1 - seat, SEAT_INPUTS, spaces, out, n)
    holder = 0
    if s.start_tile != ON_FACTORY:
        holder = 1 if s.start_tile == seat else 2
    out[n] = START + holder
    n += 1
    if s.first == seat:
        out[n] = FIRST
        n += 1
    lead = int(s.score[seat]) - int(s.score[1 - seat])
    bucket = 0
    while bucket < len(LEAD_BOUNDS) and lead >= LEAD_BOUNDS[bucket]:
        bucket += 1
    out[n] = LEAD + bucket
    n = write_factories(s, out, n + 1)
    return write_plates(s, seat, out, n)


@rare_entry
def inputs_of(states: States, i: int, seat: int, out: Int16s) -> int:
    """Writes the inputs of a state, as `write_inputs` does, for Python; returns how many there are."""
    spaces = np.empty((SEATS, LINES, COLORS))
    for one in range(SEATS):
        write_spaces(at(states, i), one, spaces)
    return write_inputs(at(states, i), seat, spaces, out)
