"""A hand-made opinion on choices: priors for the search, and the moves of its playouts.

It knows what one look can tell: what a take does to its line, what the line would score on the
dome, what breaks, and which spaces a plate would open for waiting lines.
"""

from __future__ import annotations

from typing import Final

from sintra.components import LARGE, NOTHING, PLATE_ROUNDS, PLATE_SPACES, SLOTS, SPECIAL, WILD
from sintra.features.spaces import CANNOT_EVER, NOT_YET
from sintra.rules.choices import (
    BREAK,
    CHIP,
    DRAW,
    LAY,
    LOOK,
    MOON,
    SUN,
    TURNED,
    color_of,
    destination_of,
    factory_of,
    kind_of,
    plate_and_slot,
)
from sintra.rules.compiled import constants, kernel, np
from sintra.rules.dealing import count
from sintra.rules.drafting import tiles_on_moon
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.scoring import broken_penalty, placement_points
from sintra.rules.state import TURNING, Array, State

PLATE_COLORS: Final = constants(
    [sum({1 << shown for row in spaces[0] for shown in row}) for spaces in PLATE_SPACES], "i8"
)
"""Plate -> the set of what its spaces show."""

TILE: Final = 1.5
"""Points of opinion for each tile that comes onto a line."""
ROOM_LEFT: Final = 0.3
"""Points against each place of the line that stays empty."""
COMPLETE: Final = 2.5
"""Points for a line that becomes full."""
SPACE_SHARE: Final = 0.6
"""The share of the points of its best space that a full line adds."""
OVERFLOW: Final = 0.5
"""Points against each tile that does not fit, besides its penalty."""
BREAKING: Final = 1.0
"""Points against breaking a whole take, besides its penalty."""
BREAKING_TILE: Final = 0.3
"""Points against each tile of a take that is broken."""
NO_SPACE_YET: Final = 3.0
"""Points against a line without an open space, while plates can still bring one."""
NO_SPACE: Final = 8.0
"""Points against a line without an open space, when no plate can bring one."""
START_TILE: Final = 1.5
"""Points against taking the start tile."""
CHIP_TAKEN: Final = 2.5
"""Points for taking a chip."""
PLATE: Final = 2.0
"""Points for laying a plate."""
WAITED_FOR: Final = 1.0
"""Points for each space of a plate that a line waits for, besides one for each of the line's tiles."""
ANOTHER_SPACE: Final = 0.4
"""Points for a space that fits a line which has one already."""
WILD_SPACE: Final = 0.3
"""Points for a wild space."""
SPECIAL_ROW: Final = 0.1
"""Points for each row that a special space lies further down."""
NEIGHBOUR: Final = 0.15
"""Points for each point that a space would score beyond the first."""
DRAWING: Final = 1.0
"""Points for drawing a plate."""
LOOKING: Final = 3.0
"""Points for looking at the plates that were drawn."""


@kernel
def breaking_costs(s: State, seat: int, n: int) -> float:
    """R4.6: what n more broken tiles will cost."""
    now = count(s.broken[seat])
    return float(broken_penalty(now + n) - broken_penalty(now))


@kernel
def opinion_of_take(s: State, color: int, n: int, destination: int, spaces: Array) -> float:
    """What n tiles are worth on a line."""
    seat = s.turn
    if destination == BREAK:
        return -BREAKING - breaking_costs(s, seat, n) - BREAKING_TILE * n
    space = spaces[seat, destination, color]
    room = destination + 1 - s.line_size[seat, destination]
    fit = min(n, room)
    value = TILE * fit - ROOM_LEFT * (room - fit)
    if n > fit:
        value -= OVERFLOW * (n - fit) + breaking_costs(s, seat, n - fit)
    if n >= room:
        value += COMPLETE + SPACE_SHARE * max(space, 0.0)
    if space == NOT_YET:
        value -= NO_SPACE_YET if s.round_no <= PLATE_ROUNDS else NO_SPACE
    elif space == CANNOT_EVER:
        value -= NO_SPACE
    return value


@kernel
def has_space(s: State, seat: int, row: int, spaces: Array) -> bool:
    """Whether a line with tiles has an open space."""
    return bool(spaces[seat, row, s.line_color[seat, row]] > 0.0)


@kernel
def write_points(s: State, slot: int, points: Array) -> None:
    """Writes what tiles on the four spaces of a slot would score for the player to move."""
    top = 2 * (slot // 3)
    left = 2 * (slot % 3)
    for row in range(top, top + 2):
        for col in range(left, left + 2):
            points[row, col] = placement_points(s.dome[s.turn], row, col)


@kernel
def opinion_of_plate(s: State, plate: int, slot: int, turns: int, spaces: Array, points: Array) -> float:
    """What a plate opens for the lines beside it, and where it stands."""
    seat = s.turn
    value = PLATE
    for r in range(2):
        row = 2 * (slot // 3) + r
        n = s.line_size[seat, row]
        for c in range(2):
            space = PLATE_SPACE[plate, turns, r, c]
            col = 2 * (slot % 3) + c
            if space == SPECIAL:
                value += SPECIAL_ROW * row
                continue
            if n > 0 and (space == WILD or space == s.line_color[seat, row]):
                value += ANOTHER_SPACE if has_space(s, seat, row, spaces) else WAITED_FOR + n
            if space == WILD:
                value += WILD_SPACE
            value += NEIGHBOUR * (points[row, col] - 1)
    return value


@kernel
def opinion_of_slot(s: State, plate: int, slot: int, spaces: Array, points: Array) -> float:
    """The best of the four rotations."""
    best = -1e9
    for turns in range(4):
        best = max(best, opinion_of_plate(s, plate, slot, turns, spaces, points))
    return best


@kernel
def quick_opinion_of_slot(s: State, plate: int, slot: int, spaces: Array) -> float:
    """What `opinion_of_slot` says, near enough: any space can be turned to any row."""
    value = PLATE
    for row in range(2 * (slot // 3), 2 * (slot // 3) + 2):
        n = s.line_size[s.turn, row]
        if n > 0 and not has_space(s, s.turn, row, spaces):
            color = np.int64(s.line_color[s.turn, row])
            if (PLATE_COLORS[plate] >> color) & 1 or (PLATE_COLORS[plate] >> WILD) & 1:
                value += WAITED_FOR + n
    return value


@kernel
def opinions(s: State, legal: Array, n: int, quick: bool, spaces: Array, points: Array, out: Array) -> None:
    """Writes an opinion, in points or so, on each legal choice; a quick one is rougher on plates. `spaces` are those
    of the seat to move; `points` (GRID by GRID) is written on."""
    if s.stage == TURNING:
        write_points(s, s.held_slot, points)
    elif not quick and n > 0 and legal[0] < TURNED:
        for slot in range(SLOTS):
            if s.slot_plate[s.turn, slot] == NOTHING:
                write_points(s, slot, points)
    for k in range(n):
        choice = np.int64(legal[k])
        kind = kind_of(choice)
        out[k] = 0.0
        if kind == LAY:
            plate, slot = plate_and_slot(choice)
            if quick:
                out[k] = quick_opinion_of_slot(s, plate, slot, spaces)
            else:
                out[k] = opinion_of_slot(s, plate, slot, spaces, points)
        elif kind == TURNED:
            out[k] = opinion_of_plate(s, s.held_plate, s.held_slot, choice - TURNED, spaces, points)
        elif kind == DRAW:
            out[k] = DRAWING
        elif kind == LOOK:
            out[k] = LOOKING
        elif kind == SUN:
            f = factory_of(choice)
            color = color_of(choice)
            out[k] = opinion_of_take(s, color, s.sun[f, color], destination_of(choice), spaces)
            if f == LARGE and s.large_is_single:
                out[k] -= START_TILE
        elif kind == MOON:
            color = color_of(choice)
            out[k] = opinion_of_take(s, color, tiles_on_moon(s, color), destination_of(choice), spaces)
            if s.start_tile < 0 and s.moon[color] > 0:
                out[k] -= START_TILE
        elif kind == CHIP:
            out[k] = CHIP_TAKEN
