"""Phase 1 (R3): plates, tiles and chips are taken in turns."""

from __future__ import annotations

from sintra.components import (
    BROKEN_PLACES,
    COLORS,
    DISPLAY,
    FACTORIES,
    LARGE,
    LINES,
    NOTHING,
    PLATE_ROUNDS,
    SLOTS,
    SMALL_FACTORIES,
)
from sintra.rules.choices import BREAK, DRAW, LOOK, chip, give_back, lay, moon, sent_to, stack, sun, turn
from sintra.rules.compiled import kernel, np
from sintra.rules.dealing import chip_face, count, refill_display, turn_up_if_empty
from sintra.rules.knowledge import know_drawn, return_place, reveal_kept, show_top
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.rule_options import DRAW_AT_ZERO, FREE
from sintra.rules.scoring import book
from sintra.rules.state import (
    DRAWING,
    GONE,
    KEEPING,
    ON_FACTORY,
    OPENING,
    RETURNING,
    STACKING,
    TILING,
    TURN,
    TURNING,
    UP,
    Array,
    Source,
    State,
)

DRAWS = int(Source.DRAWS)
"""The source of points for draws as a plain number."""


@kernel
def display_is_empty(s: State) -> bool:
    """Whether no plate lies open."""
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            return False
    return True


@kernel
def may_take_plate(s: State, seat: int) -> bool:
    """R3.1: rounds 1 to 4, and a marker left."""
    return s.round_no <= PLATE_ROUNDS and s.markers_left[seat] > 0


@kernel
def may_draw(s: State) -> bool:
    """R3.1: a draw costs a point that the player must have; with none, only the first draw before
    an empty display is free (or every draw, by the rule option)."""
    if s.pile_size - s.drawn <= 0:
        return False
    if s.score[s.turn] > 0 or s.options[DRAW_AT_ZERO] == FREE:
        return True
    return s.drawn == 0 and display_is_empty(s)


@kernel
def draw_cost(s: State) -> int:
    """R3.1: what a draw costs the player to move: a point, or nothing where there is none."""
    return min(1, s.score[s.turn])


@kernel
def tiles_are_left(s: State) -> bool:
    """Whether any factory holds a tile."""
    for f in range(FACTORIES):
        for color in range(COLORS):
            if s.sun[f, color] > 0:
                return True
    for f in range(SMALL_FACTORIES):
        if s.stack_height[f] > 0:
            return True
    for color in range(COLORS):
        if s.moon[color] > 0:
            return True
    return False


@kernel
def has_action(s: State, seat: int) -> bool:
    """R3.9: whether a seat can do any of R3.1 to R3.4."""
    if may_take_plate(s, seat) and (not display_is_empty(s) or s.pile_size > 0):
        return True
    if s.chips_left[seat] > 0:
        for f in range(SMALL_FACTORIES):
            if s.chip_state[f] == UP:
                return True
    return tiles_are_left(s)


@kernel
def pass_turn(s: State) -> None:
    """R3, R3.9, R3.10: the other seat's turn if it has an action, else the same seat's again,
    else phase 2 begins with the round's start player (R4). A chip that nobody may take any more, which a position can
    make up, goes out of the game."""
    if has_action(s, 1 - s.turn):
        s.turn = 1 - s.turn
        s.stage = TURN
    elif has_action(s, s.turn):
        s.stage = TURN
    else:
        s.stage = TILING
        s.turn = s.first
        s.walk = 0
        for f in range(SMALL_FACTORIES):
            s.chip_state[f] = GONE


@kernel
def line_takes(s: State, seat: int, line: int, color: int) -> bool:
    """R3.5: a line that is not full and is empty or holds this colour."""
    size = s.line_size[seat, line]
    return size <= line and (size == 0 or s.line_color[seat, line] == color)


@kernel
def list_destinations(s: State, color: int, take: int, out: Array, n: int) -> int:
    """R3.5: the lines that take this colour, and breaking; `take` is the take to the first line.

    Every line is written and only those that take the colour are counted: quicker than asking first.
    """
    seat = s.turn
    for line in range(LINES):
        out[n] = sent_to(take, line)
        n += int(line_takes(s, seat, line, color))
    out[n] = sent_to(take, BREAK)
    return n + 1


@kernel
def list_lays(s: State, plate: int, out: Array, n: int) -> int:
    """The empty slots for a plate; every slot is written and only the empty ones are counted."""
    seat = s.turn
    for slot in range(SLOTS):
        out[n] = lay(plate, slot)
        n += int(s.slot_plate[seat, slot] == NOTHING)
    return n


@kernel
def list_opening(s: State, out: Array) -> int:
    """R2.6: an open plate on any slot."""
    n = 0
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            n = list_lays(s, np.int64(s.display[k]), out, n)
    return n


@kernel
def list_turn(s: State, out: Array) -> int:
    """R3.1 to R3.4: everything a turn can begin with."""
    n = 0
    seat = s.turn
    if may_take_plate(s, seat):
        n = list_opening(s, out)
        if may_draw(s):
            out[n] = DRAW
            n += 1
    for f in range(FACTORIES):
        for color in range(COLORS):
            if s.sun[f, color] > 0:
                n = list_destinations(s, color, sun(f, color, 0), out, n)
    for color in range(COLORS):
        if on_moon(s, color):
            n = list_destinations(s, color, moon(color, 0), out, n)
    if s.chips_left[seat] > 0:
        for f in range(SMALL_FACTORIES):
            if s.chip_state[f] == UP:
                out[n] = chip(f)
                n += 1
    return n


@kernel
def on_moon(s: State, color: int) -> bool:
    """R3.3: whether a tile of this colour lies uncovered on a moon side."""
    if s.moon[color] > 0:
        return True
    for f in range(SMALL_FACTORIES):
        if s.stack_height[f] > 0 and s.stack[f, s.stack_height[f] - 1] == color:
            return True
    return False


@kernel
def list_drawing(s: State, out: Array) -> int:
    """R3.1: draw on, if allowed, or stop."""
    n = 0
    if may_draw(s):
        out[n] = DRAW
        n += 1
    out[n] = LOOK
    return n + 1


@kernel
def list_keeping(s: State, out: Array) -> int:
    """R3.1: which of the drawn plates is laid, and where."""
    n = 0
    for place in range(s.drawn):
        if s.pile[place] != NOTHING:
            n = list_lays(s, np.int64(s.pile[place]), out, n)
    return n


@kernel
def list_returning(s: State, out: Array) -> int:
    """R3.1: which plate in hand goes under the stack next."""
    n = 0
    for place in range(s.drawn):
        if s.pile[place] != NOTHING:
            out[n] = give_back(np.int64(s.pile[place]))
            n += 1
    return n


@kernel
def list_turning(out: Array) -> int:
    """R2.6, R3.1: any of four rotations."""
    for turns in range(4):
        out[turns] = turn(turns)
    return 4


@kernel
def list_stacking(s: State, out: Array) -> int:
    """R3.2: which of the tiles left on the sun side goes on the stack next."""
    n = 0
    for color in range(COLORS):
        if s.sun[s.stacking, color] > 0:
            out[n] = stack(color)
            n += 1
    return n


@kernel
def hold_plate(s: State, plate: int, slot: int) -> None:
    """A plate and a slot are chosen; how it is turned is asked next."""
    s.held_plate = plate
    s.held_slot = slot
    s.held_from = s.stage
    s.stage = TURNING


@kernel
def lay_plate(s: State, seat: int, plate: int, slot: int, turns: int) -> None:
    """Lays a plate on a slot of a dome."""
    s.slot_plate[seat, slot] = plate
    s.slot_turns[seat, slot] = turns
    top = 2 * (slot // 3)
    left = 2 * (slot % 3)
    for r in range(2):
        for c in range(2):
            s.space[seat, top + r, left + c] = PLATE_SPACE[plate, turns, r, c]


@kernel
def turn_plate(s: State, turns: int) -> None:
    """R2.6, R3.1: the held plate is laid; then what follows from where it came."""
    plate = s.held_plate
    came_from = s.held_from
    lay_plate(s, s.turn, plate, s.held_slot, turns)
    s.held_plate = NOTHING
    s.held_slot = NOTHING
    s.held_from = NOTHING
    if came_from == KEEPING:
        for place in range(s.drawn):
            if s.pile[place] == plate:
                reveal_kept(s, s.turn, place)
                break
        s.markers_left[s.turn] -= 1
        if s.drawn > 0:
            s.stage = RETURNING
        else:
            pass_turn(s)
        return
    for k in range(DISPLAY):
        if s.display[k] == plate:
            s.display[k] = NOTHING
    if came_from == OPENING:
        refill_display(s)
        if s.turn == s.first:
            s.stage = TURN
        else:
            s.stage = OPENING
            s.turn = s.first
    else:
        s.markers_left[s.turn] -= 1
        pass_turn(s)


@kernel
def draw_plate(s: State) -> None:
    """R3.1: one more plate from the stack, for a point."""
    book(s, s.turn, DRAWS, -draw_cost(s))
    s.drawn += 1
    show_top(s)
    s.stage = DRAWING


@kernel
def look_at_drawn(s: State) -> None:
    """R3.1: stop drawing and look."""
    know_drawn(s, s.turn)
    s.stage = KEEPING


@kernel
def return_plate(s: State, plate: int) -> None:
    """R3.1: a plate goes back under the stack."""
    for place in range(s.drawn):
        if s.pile[place] == plate:
            return_place(s, place)
            break
    if s.drawn == 0:
        pass_turn(s)


@kernel
def break_tiles(s: State, seat: int, color: int, n: int) -> None:
    """R3.6: broken tiles fill up to four places; any more go to the tower."""
    kept = min(n, BROKEN_PLACES - count(s.broken[seat]))
    s.broken[seat, color] += kept
    s.tower[color] += n - kept


@kernel
def put_tiles(s: State, color: int, n: int, destination: int) -> None:
    """R3.5: tiles go to one line; what does not fit is broken."""
    seat = s.turn
    if destination == BREAK:
        break_tiles(s, seat, color, n)
        return
    fit = min(n, destination + 1 - s.line_size[seat, destination])
    s.line_color[seat, destination] = color
    s.line_size[seat, destination] += fit
    if n > fit:
        break_tiles(s, seat, color, n - fit)


@kernel
def take_start_tile(s: State) -> None:
    """R3.7: the start tile goes with the first tiles from the large factory's moon side."""
    if s.start_tile == ON_FACTORY:
        s.start_tile = s.turn


@kernel
def take_from_sun(s: State, f: int, color: int, destination: int) -> None:
    """R3.2: all tiles of a colour from one sun side; the rest moves to the moon side."""
    put_tiles(s, color, s.sun[f, color], destination)
    s.sun[f, color] = 0
    if f != LARGE:
        s.stacking = f
        go_on_stacking(s)
        return
    if s.large_is_single:
        take_start_tile(s)
        s.large_is_single = 0
    for other in range(COLORS):
        s.moon[other] += s.sun[LARGE, other]
        s.sun[LARGE, other] = 0
    pass_turn(s)


@kernel
def stack_tile(s: State, f: int, color: int) -> None:
    """R3.2: a tile moves from the sun side onto the moon stack."""
    s.sun[f, color] -= 1
    s.stack[f, s.stack_height[f]] = color
    s.stack_height[f] += 1


@kernel
def go_on_stacking(s: State) -> None:
    """R3.2: asks for the next tile of the stack while there is something to choose."""
    f = s.stacking
    colors = 0
    last = NOTHING
    for color in range(COLORS):
        if s.sun[f, color] > 0:
            colors += 1
            last = color
    if colors > 1:
        s.stage = STACKING
        return
    while last != NOTHING and s.sun[f, last] > 0:
        stack_tile(s, f, last)
    s.stacking = NOTHING
    turn_up_if_empty(s, f)
    pass_turn(s)


@kernel
def tiles_on_moon(s: State, color: int) -> int:
    """R3.3: how many tiles a take of this colour from the moon sides brings."""
    n = np.int64(s.moon[color])
    for f in range(SMALL_FACTORIES):
        height = s.stack_height[f]
        if height > 0 and s.stack[f, height - 1] == color:
            n += 1
    return n


@kernel
def take_from_moon(s: State, color: int, destination: int) -> None:
    """R3.3: all uncovered tiles of a colour on all moon sides."""
    n = s.moon[color] + 0
    if n > 0:
        s.moon[color] = 0
        take_start_tile(s)
    for f in range(SMALL_FACTORIES):
        height = s.stack_height[f]
        if height > 0 and s.stack[f, height - 1] == color:
            s.stack[f, height - 1] = NOTHING
            s.stack_height[f] = height - 1
            n += 1
    put_tiles(s, color, n, destination)
    for f in range(SMALL_FACTORIES):
        turn_up_if_empty(s, f)
    pass_turn(s)


@kernel
def take_chip(s: State, f: int) -> None:
    """R3.4: a chip that has been turned up goes to the player's store."""
    s.store[s.turn, chip_face(s, f)] += 1
    s.chip_state[f] = GONE
    s.chips_left[s.turn] -= 1
    pass_turn(s)


@kernel
def row_slots_are_full(s: State, seat: int, line: int) -> bool:
    """R4.3: whether all three slots of a line's dome row hold plates."""
    row = 3 * (line // 2)
    for k in range(row, row + 3):
        if s.slot_plate[seat, k] == NOTHING:
            return False
    return True
