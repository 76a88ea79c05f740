"""Phase 2 (R4): each player walks down the lines, places tiles, spends chips and scores.

`walk` is the first line still ahead. A payment under way is `pay_line`, with `paid` missing tiles
already bought; of the tile being bought, `pay_chips` chips are spent, `pay_showing` of them
showing the line's colour, the last one with face `pay_last`.
"""

from __future__ import annotations

from sintra.components import (
    CHIP_FACES,
    COLORS,
    GRID,
    LINES,
    NOTHING,
    ROUNDS,
    SPECIAL,
    WILD,
)
from sintra.rules.choices import END, pay, place, spend
from sintra.rules.compiled import kernel
from sintra.rules.dealing import begin_round, count
from sintra.rules.drafting import break_tiles, row_slots_are_full
from sintra.rules.piece_tables import CHIP_SHOWS
from sintra.rules.scoring import (
    book,
    broken_penalty,
    placement_points,
    score_goals,
    special_points,
    special_to_fill,
    start_penalty,
)
from sintra.rules.state import OVER, PAYING, TILING, Array, Source, State

PLACEMENT = int(Source.PLACEMENT)
SPECIALS = int(Source.SPECIALS)
BROKEN = int(Source.BROKEN)
START_TILE = int(Source.START_TILE)
"""Sources of points as plain numbers, for compiled code."""


@kernel
def is_open(s: State, seat: int, row: int, col: int, color: int) -> bool:
    """R4.1: an empty space on a laid plate that shows the colour or is wild."""
    space = s.space[seat, row, col]
    return s.dome[seat, row, col] == NOTHING and (space == color or space == WILD)


@kernel
def has_space_for(s: State, seat: int, row: int, color: int) -> bool:
    """R4.1: whether a grid row has an open space for this colour."""
    for col in range(GRID):
        if is_open(s, seat, row, col, color):
            return True
    return False


@kernel
def has_open_space(s: State, seat: int, line: int) -> bool:
    """R4.1: whether a line with tiles has an open space in its grid row."""
    return has_space_for(s, seat, line, s.line_color[seat, line])


@kernel
def is_complete(s: State, seat: int, line: int) -> bool:
    """Whether a line is full and not yet placed in this walk."""
    return s.line_size[seat, line] == line + 1 and s.line_placed[seat, line] == 0


@kernel
def is_unplaceable(s: State, seat: int, line: int) -> bool:
    """R4.3: tiles without an open space beside three plates."""
    return (
        s.line_size[seat, line] > 0
        and s.line_placed[seat, line] == 0
        and row_slots_are_full(s, seat, line)
        and not has_open_space(s, seat, line)
    )


@kernel
def compulsory_line(s: State) -> int:
    """R4.2: the first line ahead that is complete with an open space, or LINES."""
    for line in range(s.walk, LINES):
        if is_complete(s, s.turn, line) and has_open_space(s, s.turn, line):
            return line
    return LINES


@kernel
def can_pay(showing: int, others: int, missing: int) -> bool:
    """R4.4: whether so many chips, `showing` of them of the line's colour, buy all missing tiles:
    each costs two that show it, or one and two others, or three others."""
    for pairs in range(missing + 1):
        for mixed in range(missing - pairs + 1):
            plain = missing - pairs - mixed
            if 2 * pairs + mixed <= showing and 2 * mixed + 3 * plain <= others:
                return True
    return False


@kernel
def chips_showing(s: State, seat: int, color: int) -> int:
    """How many unused chips of a seat show a colour."""
    n = 0
    for face in range(CHIP_FACES):
        if CHIP_SHOWS[face, color]:
            n += s.store[seat, face]
    return n


@kernel
def chips_unused(s: State, seat: int) -> int:
    """How many unused chips a seat has."""
    n = 0
    for face in range(CHIP_FACES):
        n += s.store[seat, face]
    return n


@kernel
def may_pay(s: State, seat: int, line: int) -> bool:
    """R4.4: an incomplete line with a tile, an open space, and chips enough to complete it."""
    size = s.line_size[seat, line]
    if size == 0 or size > line or s.line_placed[seat, line]:
        return False
    if not has_open_space(s, seat, line):
        return False
    showing = chips_showing(s, seat, s.line_color[seat, line])
    return can_pay(showing, chips_unused(s, seat) - showing, line + 1 - size)


@kernel
def list_places(s: State, line: int, out: Array, n: int) -> int:
    """R4.2: the open spaces of a complete line."""
    seat, color = s.turn, s.line_color[s.turn, line]
    for col in range(GRID):
        if is_open(s, seat, line, col, color):
            out[n] = place(line, col)
            n += 1
    return n


@kernel
def list_tiling(s: State, out: Array) -> int:
    """The walk of R4.1: place the compulsory line, pay for one before it, or end."""
    if s.pay_line != NOTHING:
        return list_places(s, s.pay_line, out, 0)
    n = 0
    compulsory = compulsory_line(s)
    for line in range(s.walk, compulsory):
        if may_pay(s, s.turn, line):
            out[n] = pay(line)
            n += 1
    if compulsory < LINES:
        return list_places(s, compulsory, out, n)
    out[n] = END
    return n + 1


@kernel
def missing_tiles(s: State) -> int:
    """How many tiles the line being paid for still lacks."""
    return s.pay_line + 1 - s.line_size[s.turn, s.pay_line] - s.paid


@kernel
def payment_fits(s: State, showing: int, others: int) -> bool:
    """R4.4: whether the tile being bought may cost so many chips in all and leave enough for the
    tiles still missing after it. What is spent for it already counts as still there."""
    color = s.line_color[s.turn, s.pay_line]
    all_showing = chips_showing(s, s.turn, color) + s.pay_showing
    all_others = chips_unused(s, s.turn) + s.pay_chips - all_showing
    return can_pay(all_showing - showing, all_others - others, missing_tiles(s) - 1)


@kernel
def can_finish(s: State, face: int) -> bool:
    """R4.4: whether spending this chip next can be part of a payment in rising order of faces."""
    seat = s.turn
    color = s.line_color[seat, s.pay_line]
    spent = s.pay_chips + 1
    showing = s.pay_showing + (1 if CHIP_SHOWS[face, color] else 0)
    if spent == 3:
        return showing <= 1 and payment_fits(s, showing, 3 - showing)
    if spent == 2 and showing == 2:
        return payment_fits(s, 2, 0)
    for second in range(face, CHIP_FACES):
        left = s.store[seat, second] - (1 if second == face else 0)
        if left <= 0:
            continue
        shown = showing + (1 if CHIP_SHOWS[second, color] else 0)
        if spent == 2:
            if shown <= 1 and payment_fits(s, shown, 3 - shown):
                return True
            continue
        if shown == 2:
            if payment_fits(s, 2, 0):
                return True
            continue
        for third in range(second, CHIP_FACES):
            still = s.store[seat, third] - (1 if third == face else 0) - (1 if third == second else 0)
            in_all = shown + (1 if CHIP_SHOWS[third, color] else 0)
            if still > 0 and in_all <= 1 and payment_fits(s, in_all, 3 - in_all):
                return True
    return False


@kernel
def list_paying(s: State, out: Array) -> int:
    """R4.4: the chips that may be spent next."""
    n = 0
    for face in range(max(0, s.pay_last), CHIP_FACES):
        if s.store[s.turn, face] > 0 and can_finish(s, face):
            out[n] = spend(face)
            n += 1
    return n


@kernel
def completes_payment(s: State, face: int) -> bool:
    """Whether this chip is the last one for the tile being bought."""
    showing = s.pay_showing + (1 if CHIP_SHOWS[face, s.line_color[s.turn, s.pay_line]] else 0)
    return s.pay_chips == 2 or (s.pay_chips == 1 and showing == 2)


@kernel
def close_lines(s: State, up_to: int) -> None:
    """R4.1, R4.3: the walk leaves the lines above `up_to`; those that are unplaceable break."""
    seat = s.turn
    for line in range(s.walk, up_to):
        if is_unplaceable(s, seat, line):
            break_tiles_of(s, seat, line)
    s.walk = up_to


@kernel
def break_tiles_of(s: State, seat: int, line: int) -> None:
    """R4.3: all tiles of a line are broken."""
    color = s.line_color[seat, line]
    n = s.line_size[seat, line] + 0
    s.line_size[seat, line] = 0
    s.line_color[seat, line] = NOTHING
    break_tiles(s, seat, color, n)


@kernel
def begin_payment(s: State, line: int) -> None:
    """R4.4: the player will complete this line with chips."""
    close_lines(s, line)
    s.pay_line = line
    s.paid = 0
    begin_next_tile(s)


@kernel
def begin_next_tile(s: State) -> None:
    """The next missing tile is to be paid for."""
    s.pay_chips = 0
    s.pay_showing = 0
    s.pay_last = NOTHING
    s.stage = PAYING


@kernel
def spend_chip(s: State, face: int) -> None:
    """R4.4: one chip is turned over; with the last one a missing tile is bought."""
    seat = s.turn
    done = completes_payment(s, face)
    s.store[seat, face] -= 1
    s.spent[seat, face] += 1
    s.pay_chips += 1
    s.pay_showing += 1 if CHIP_SHOWS[face, s.line_color[seat, s.pay_line]] else 0
    s.pay_last = face
    if done:
        s.paid += 1
        missing = missing_tiles(s)
        begin_next_tile(s)
        if missing == 0:
            s.stage = TILING


@kernel
def place_tile(s: State, line: int, col: int) -> None:
    """R4.2, R4.5, R5: one tile moves to the dome and scores, and may set off a special tile."""
    seat = s.turn
    close_lines(s, line)
    s.dome[seat, line, col] = s.line_color[seat, line]
    s.line_size[seat, line] -= 1
    s.line_placed[seat, line] = 1
    book(s, seat, PLACEMENT, placement_points(s.dome[seat], line, col))
    special = special_to_fill(s.space[seat], s.dome[seat], line, col)
    if special != NOTHING:
        s.dome[seat, special // GRID, special % GRID] = SPECIAL
        book(s, seat, SPECIALS, special_points(special))
    s.pay_line = NOTHING
    s.paid = 0
    s.walk = line + 1


@kernel
def clear_placed_lines(s: State, seat: int) -> None:
    """R4.6: the rests of the placed lines go to the tower."""
    for line in range(LINES):
        if s.line_placed[seat, line]:
            s.tower[s.line_color[seat, line]] += s.line_size[seat, line]
            s.line_size[seat, line] = 0
            s.line_placed[seat, line] = 0
        if s.line_size[seat, line] == 0:
            s.line_color[seat, line] = NOTHING


@kernel
def pay_penalties(s: State, seat: int) -> None:
    """R4.6: broken tiles and the start tile cost points; the broken tiles go to the tower."""
    book(s, seat, BROKEN, -broken_penalty(count(s.broken[seat])))
    for color in range(COLORS):
        s.tower[color] += s.broken[seat, color]
        s.broken[seat, color] = 0
    book(s, seat, START_TILE, -start_penalty(s, seat))


@kernel
def end_tiling(s: State) -> None:
    """R4.6, then the other seat's tiling, the next round (R7), or the end (R6)."""
    seat = s.turn
    close_lines(s, LINES)
    clear_placed_lines(s, seat)
    pay_penalties(s, seat)
    s.walk = 0
    if seat == s.first:
        s.turn = 1 - seat
    elif s.round_no < ROUNDS:
        begin_round(s, s.round_no + 1)
    else:
        score_goals(s)
        s.stage = OVER
