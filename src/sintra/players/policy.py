"""A quick opinion on choices: priors for the search, and the moves of its playouts.

It knows what one look can tell: what a take does to its line, what the line would score on the
dome, what breaks, and which spaces a plate would open for waiting lines.
"""

from __future__ import annotations

import numpy as np

from sintra.components import COLORS, GRID, LARGE, LINES, NOTHING, PLATE_ROUNDS, PLATE_SPACE, SLOTS, SPECIAL, WILD
from sintra.rules.chance import next_word
from sintra.rules.choices import (
    BREAK,
    CHIP,
    DESTINATIONS,
    DRAW,
    LOOK,
    MOON,
    PAY,
    STACK,
    SUN,
    TURNED,
)
from sintra.rules.compiled import kernel
from sintra.rules.dealing import count
from sintra.rules.drafting import row_slots_are_full, tiles_on_moon
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.scoring import broken_penalty, placement_points, special_points, special_to_fill
from sintra.rules.state import DEALING, OVER, PAYING, TILING, TURNING, Array, State
from sintra.rules.tiling import has_open_space, is_open

NOISE = 1.0
PLATE_COLORS = np.bitwise_or.reduce(1 << PLATE_SPACE[:, 0].reshape(-1, 4).astype(np.int64), axis=1)
"""Plate -> the set of what its spaces show."""
CANNOT_EVER = -1.0
NOT_YET = 0.0


@kernel
def best_space(s: State, seat: int, row: int, color: int) -> float:
    """The points of the best open space for a colour in a row; NOT_YET while a plate may still
    bring one, CANNOT_EVER when all slots are taken."""
    best = 0.0
    for col in range(GRID):
        if is_open(s, seat, row, col, color):
            points = float(placement_points(s.dome[seat], row, col))
            s.dome[seat, row, col] = color
            special = special_to_fill(s.space[seat], s.dome[seat], row, col)
            s.dome[seat, row, col] = NOTHING
            best = max(best, points + special_points(special))
    if best == 0.0:
        return CANNOT_EVER if row_slots_are_full(s, seat, row) else NOT_YET
    return best


@kernel
def breaking_costs(s: State, seat: int, n: int) -> float:
    """R4.6: what n more broken tiles will cost."""
    now = count(s.broken[seat])
    return float(broken_penalty(now + n) - broken_penalty(now))


@kernel
def opinion_of_take(s: State, color: int, n: int, destination: int, spaces: Array) -> float:
    """What n tiles are worth on a line; `spaces` remembers `best_space` for line and colour."""
    seat = s.turn
    if destination == BREAK:
        return -1.0 - breaking_costs(s, seat, n) - 0.3 * n
    if spaces[destination, color] < -1.5:
        spaces[destination, color] = best_space(s, seat, destination, color)
    space = spaces[destination, color]
    room = destination + 1 - s.line_size[seat, destination]
    fit = min(n, room)
    value = 1.5 * fit - 0.3 * (room - fit)
    if n > fit:
        value -= 0.5 * (n - fit) + breaking_costs(s, seat, n - fit)
    if n >= room:
        value += 2.5 + 0.6 * max(space, 0.0)
    if space == NOT_YET:
        value -= 3.0 if s.round_no <= PLATE_ROUNDS else 8.0
    elif space == CANNOT_EVER:
        value -= 8.0
    return value


@kernel
def opinion_of_plate(s: State, plate: int, slot: int, turns: int) -> float:
    """What a plate opens for the lines beside it, and where it stands."""
    seat = s.turn
    value = 2.0
    for r in range(2):
        row = 2 * (slot // 3) + r
        n = s.line_size[seat, row]
        for c in range(2):
            space = PLATE_SPACE[plate, turns, r, c]
            col = 2 * (slot % 3) + c
            if space == SPECIAL:
                value += 0.1 * row
                continue
            if n > 0 and (space == WILD or space == s.line_color[seat, row]):
                value += 0.4 if has_open_space(s, seat, row) else 1.0 + n
            if space == WILD:
                value += 0.3
            value += 0.15 * (placement_points(s.dome[seat], row, col) - 1)
    return value


@kernel
def opinion_of_slot(s: State, plate: int, slot: int) -> float:
    """The best of the four rotations."""
    best = -1e9
    for turns in range(4):
        best = max(best, opinion_of_plate(s, plate, slot, turns))
    return best


@kernel
def waiting_lines(s: State, seat: int, waits: Array) -> None:
    """For each row the tiles of a line that has no open space yet, otherwise 0."""
    for row in range(LINES):
        waits[row] = 0
        n = s.line_size[seat, row]
        if n > 0 and not has_open_space(s, seat, row):
            waits[row] = n


@kernel
def quick_opinion_of_slot(s: State, plate: int, slot: int, waits: Array) -> float:
    """What `opinion_of_slot` says, near enough: any space can be turned to any row."""
    value = 2.0
    for row in range(2 * (slot // 3), 2 * (slot // 3) + 2):
        if waits[row] > 0:
            color = np.int64(s.line_color[s.turn, row])
            if (PLATE_COLORS[plate] >> color) & 1 or (PLATE_COLORS[plate] >> WILD) & 1:
                value += 1.0 + waits[row]
    return value


@kernel
def opinions(s: State, legal: Array, n: int, quick: bool, out: Array) -> None:
    """Writes an opinion, in points or so, on each legal choice; a quick one is rougher on plates."""
    spaces = np.full((LINES, COLORS), -2.0)
    waits = np.empty(LINES, np.int64)
    if quick:
        waiting_lines(s, s.turn, waits)
    for k in range(n):
        choice = np.int64(legal[k])
        if choice < TURNED:
            if quick:
                out[k] = quick_opinion_of_slot(s, choice // SLOTS, choice % SLOTS, waits)
            else:
                out[k] = opinion_of_slot(s, choice // SLOTS, choice % SLOTS)
        elif choice < DRAW:
            out[k] = opinion_of_plate(s, s.held_plate, s.held_slot, choice - TURNED)
        elif choice == DRAW:
            out[k] = 1.0
        elif choice == LOOK:
            out[k] = 3.0
        elif choice < SUN:
            out[k] = 0.0
        elif choice < MOON:
            f = (choice - SUN) // (COLORS * DESTINATIONS)
            color = (choice - SUN) // DESTINATIONS % COLORS
            out[k] = opinion_of_take(s, color, s.sun[f, color], (choice - SUN) % DESTINATIONS, spaces)
            if f == LARGE and s.large_is_single:
                out[k] -= 1.5
        elif choice < STACK:
            color = (choice - MOON) // DESTINATIONS
            out[k] = opinion_of_take(s, color, tiles_on_moon(s, color), (choice - MOON) % DESTINATIONS, spaces)
            if s.start_tile < 0 and s.moon[color] > 0:
                out[k] -= 1.5
        elif choice < CHIP:
            out[k] = 0.0
        elif choice < PAY:
            out[k] = 2.5
        else:
            out[k] = 0.0


@kernel
def finish_draft(s: State, dice: State, legal: Array, values: Array) -> None:
    """Plays the draft of the round to its end, both seats by opinion with some noise."""
    while s.stage != TILING and s.stage != OVER and s.stage != DEALING and s.stage != PAYING:
        n = legal_of(s, legal)
        pick = 0
        if n > 1:
            opinions(s, legal, n, True, values)
            noise = 0.2 if s.stage == TURNING else NOISE
            most = -1e9
            for k in range(n):
                value = values[k] + noise * (next_word(dice) / 4294967296.0)
                if value > most:
                    most = value
                    pick = k
        apply_to(s, legal[pick])
