"""Whether a state can be used at all: what positions as text and views as bytes are checked for.

When all fields are within their `limits`, `fault_of` looks at how those of a complete state between
two moves go together, one function for each part of the table. What passes can be played on: every
function of the engine keeps within its arrays and comes to an end.
"""

from __future__ import annotations

from typing import Final

from sintra.components import (
    BROKEN_PLACES,
    CHIP_COPIES,
    CHIP_COUNT,
    CHIP_FACES,
    CHIPS_PER_ROUND,
    COLORS,
    DISPLAY,
    FACTORIES,
    FACTORY_LETTERS,
    FEWEST_GOALS,
    GRID,
    LARGE,
    LARGE_FILL,
    LINES,
    MAX_GOALS,
    NOTHING,
    OBSERVERS,
    PILE_PLACES,
    PLATE_COUNT,
    PLATE_ROUNDS,
    PLATES,
    SEATS,
    SLOTS,
    SLOTS_ACROSS,
    SMALL_FACTORIES,
    SMALL_FILL,
    SPECIAL,
    SPECIAL_PLATES,
    SPECTATOR,
    TILES_PER_COLOR,
    WILD,
    Color,
)
from sintra.rules.compiled import kernel, np
from sintra.rules.dealing import count, slots_free
from sintra.rules.knowledge import plates_taken
from sintra.rules.piece_tables import PLATE_SPACE
from sintra.rules.state import (
    DEALING,
    DOWN,
    DRAWING,
    GONE,
    KEEPING,
    ON_FACTORY,
    OPENING,
    OVER,
    PAYING,
    PLATE_TURNS,
    RETURNING,
    STACKING,
    TILING,
    TURNING,
    State,
)

(
    HALF_MADE,
    WRONG_GOALS,
    TOO_MANY_ON_SMALL,
    TOO_MANY_ON_LARGE,
    SUN_AND_MOON,
    WRONG_STACK,
    WRONG_SINGLE,
    WRONG_CHIP_SIDE,
    WRONG_LINE,
    TOO_MANY_BROKEN,
    WRONG_SPACE,
    WRONG_DOME,
    WRONG_TILES,
    WRONG_PLATES,
    WRONG_PILE,
    WRONG_CHIPS,
    UNTAKEN_CHIP,
    WRONG_TILING,
    WRONG_PAY_LINE,
    WRONG_PAID,
    WRONG_HAND,
    NO_PAY_LINE,
    NOT_EMPTY,
    PLACED_TOO_SOON,
    WRONG_OPENING,
    WRONG_START_TILE,
    TOO_LATE_FOR_PLATES,
    NO_MARKER,
    NO_SLOT,
    NO_MOVE,
    WRONG_KNOWLEDGE,
    WRONG_RETURNS,
    TOO_MANY_CHIPS,
    PLACED_ELSEWHERE,
) = range(1, 35)

FAULTS: Final[dict[int, tuple[str, str]]] = {
    HALF_MADE: ("stage", "odd.half_made"),
    WRONG_GOALS: ("goals", "goals.tiles"),
    TOO_MANY_ON_SMALL: ("factory {factory}", "most.small"),
    TOO_MANY_ON_LARGE: ("factory {factory}", "large"),
    SUN_AND_MOON: ("factory {factory}", "sun_and_moon"),
    WRONG_STACK: ("factory {factory}", "odd.stack"),
    WRONG_SINGLE: ("factory {factory}", "odd.single"),
    WRONG_CHIP_SIDE: ("factory {factory}", "chip_side"),
    WRONG_LINE: ("{seat} lines", "odd.line"),
    TOO_MANY_BROKEN: ("{seat} broken", "most.broken"),
    WRONG_SPACE: ("{seat} plates", "odd.space"),
    WRONG_DOME: ("{seat} dome", "dome_tile"),
    WRONG_TILES: ("bag", "tiles"),
    WRONG_PLATES: ("stack", "plate_twice.one"),
    WRONG_PILE: ("stack", "odd.pile"),
    WRONG_CHIPS: ("chips", "all_chips"),
    UNTAKEN_CHIP: ("chips", "chip_untaken"),
    WRONG_TILING: ("tiling", "tiling"),
    WRONG_PAY_LINE: ("tiling", "pay_line"),
    WRONG_PAID: ("tiling", "paid"),
    WRONG_HAND: ("stage", "hand"),
    NO_PAY_LINE: ("tiling", "no_pay_line"),
    NOT_EMPTY: ("stage", "not_empty"),
    PLACED_TOO_SOON: ("{seat} lines", "placed_too_soon"),
    WRONG_OPENING: ("stage", "opening"),
    WRONG_START_TILE: ("start tile", "start_tile"),
    TOO_LATE_FOR_PLATES: ("stage", "no_plates_now.stage"),
    NO_MARKER: ("{seat} left", "no_marker.stage"),
    NO_SLOT: ("{seat} plates", "no_slot"),
    NO_MOVE: ("turn", "no_move"),
    WRONG_KNOWLEDGE: ("stack", "known"),
    WRONG_RETURNS: ("returned", "returned"),
    TOO_MANY_CHIPS: ("{seat} store", "most.taken"),
    PLACED_ELSEWHERE: ("{seat} lines", "placed_too_soon.elsewhere"),
}
"""What each fault is: the key of a position text that it concerns, and its code."""

PARTS: Final = GRID * GRID
"""The parts of one seat's board at which a fault can be found: the spaces of its dome."""
FAULT_STEP: Final = 128
"""A fault and the part of the table where it was found are packed into one number, fault * FAULT_STEP + part. A part is
a factory, a colour, a plate, or a space of a seat's dome (PARTS * seat + space). The first space of a row stands for a
line, and where there is too much of something the space is the number that there can be."""


def fault_found(found: int) -> tuple[str, str, dict[str, object]]:
    """The key of a position text that a fault concerns, its code, and details."""
    fault, part = divmod(found, FAULT_STEP)
    seat, space = divmod(part, PARTS)
    row, column = (one + 1 for one in divmod(space, GRID))
    key, code = FAULTS[fault]
    details: dict[str, object] = {"seat": seat, "row": row, "line": row, "column": column}
    details |= {"color": Color(part % COLORS), "plate": PLATES[part % PLATE_COUNT]}
    most = {TOO_MANY_BROKEN: BROKEN_PLACES, TOO_MANY_ON_SMALL: SMALL_FILL}
    details["most"] = most.get(fault, space)
    return key.format(factory=FACTORY_LETTERS[part % FACTORIES], seat=seat), code, details


@kernel
def fault_at(fault: int, part: int) -> int:
    """A fault and where it was found, as one number."""
    return FAULT_STEP * fault + part


@kernel
def fault_of(s: State) -> int:
    """The first fault of a complete state between two moves, 0 if it can be played on."""
    fault = fault_of_move(s)
    if fault == 0:
        fault = fault_of_factories(s)
    if fault == 0:
        fault = fault_of_boards(s)
    if fault == 0:
        fault = fault_of_tiling(s)
    if fault == 0:
        fault = fault_of_tiles(s)
    if fault == 0:
        fault = fault_of_plates(s)
    if fault == 0:
        fault = fault_of_chips(s)
    if fault == 0:
        fault = fault_of_chips_taken(s)
    if fault == 0:
        fault = fault_of_stage(s)
    if fault == 0:
        fault = fault_of_deal(s)
    if fault == 0:
        fault = fault_of_knowledge(s)
    if fault == 0:
        fault = fault_of_returns(s)
    return fault


@kernel
def fault_of_move(s: State) -> int:
    """No move is half made, and the goals are such as can be in play (R2.1)."""
    held = s.held_plate != NOTHING or s.held_slot != NOTHING or s.held_from != NOTHING or s.stacking != NOTHING
    paying = s.pay_chips != 0 or s.pay_showing != 0 or s.pay_last != NOTHING
    if held or paying or s.stage == TURNING or s.stage == STACKING:
        return fault_at(HALF_MADE, 0)
    tiles = 0
    for k in range(MAX_GOALS):
        goal = np.int64(s.goals[k])
        if goal == NOTHING and k >= FEWEST_GOALS:
            continue
        if goal == NOTHING or (tiles >> (goal // 2)) & 1:
            return fault_at(WRONG_GOALS, 0)
        tiles |= 1 << (goal // 2)
    return 0


@kernel
def fault_of_factories(s: State) -> int:
    """R2.3, R3.2, R3.8: what can lie on a factory."""
    for f in range(SMALL_FACTORIES):
        height = s.stack_height[f]
        on_sun = count(s.sun[f])
        if on_sun > SMALL_FILL:
            return fault_at(TOO_MANY_ON_SMALL, f)
        if on_sun > 0 and height > 0:
            return fault_at(SUN_AND_MOON, f)
        for k in range(SMALL_FILL - 1):
            if (s.stack[f, k] != NOTHING) != (k < height):
                return fault_at(WRONG_STACK, f)
        if s.stage != DEALING and (on_sun > 0 or height > 0) != (s.chip_state[f] == DOWN):
            return fault_at(WRONG_CHIP_SIDE, f)
    on_sun = count(s.sun[LARGE])
    on_moon = count(s.moon)
    if on_sun > LARGE_FILL or on_moon >= LARGE_FILL:
        return fault_at(TOO_MANY_ON_LARGE, LARGE)
    if on_sun > 0 and on_moon > 0:
        return fault_at(SUN_AND_MOON, LARGE)
    colors = 0
    for color in range(COLORS):
        colors += 1 if s.sun[LARGE, color] > 0 else 0
    if (colors == 1) != (s.large_is_single != 0):
        return fault_at(WRONG_SINGLE, LARGE)
    return 0


@kernel
def fault_of_boards(s: State) -> int:
    """R1.7, R3.6, R4.1: lines, broken tiles, and what lies on the domes."""
    for seat in range(SEATS):
        for line in range(LINES):
            size = s.line_size[seat, line]
            is_empty = size == 0 and s.line_placed[seat, line] == 0
            if size > line + 1 or (s.line_color[seat, line] == NOTHING) != is_empty:
                return fault_at(WRONG_LINE, PARTS * seat + GRID * line)
        if count(s.broken[seat]) > BROKEN_PLACES:
            return fault_at(TOO_MANY_BROKEN, PARTS * seat)
        for row in range(GRID):
            for col in range(GRID):
                slot = SLOTS_ACROSS * (row // 2) + col // 2
                plate = np.int64(s.slot_plate[seat, slot])
                turns = np.int64(s.slot_turns[seat, slot])
                shows = NOTHING
                if plate != NOTHING:
                    shows = np.int64(PLATE_SPACE[plate, turns, row % 2, col % 2])
                if s.space[seat, row, col] != shows or (plate == NOTHING and turns != 0):
                    return fault_at(WRONG_SPACE, PARTS * seat + GRID * row + col)
                tile = np.int64(s.dome[seat, row, col])
                if tile != NOTHING and tile != shows and (shows != WILD or tile == SPECIAL):
                    return fault_at(WRONG_DOME, PARTS * seat + GRID * row + col)
    return 0


@kernel
def fault_of_tiling(s: State) -> int:
    """R4.4: how far a tiling and its payment are."""
    tiling = s.stage == TILING or s.stage == PAYING
    if not tiling and (s.walk != 0 or s.pay_line != NOTHING):
        return fault_at(WRONG_TILING, 0)
    if s.pay_line == NOTHING:
        if s.stage == PAYING:
            return fault_at(NO_PAY_LINE, 0)
        return fault_at(WRONG_PAID, 0) if s.paid != 0 else 0
    line = np.int64(s.pay_line)
    size = np.int64(s.line_size[s.turn, line])
    missing = line + 1 - size
    if size == 0 or missing == 0 or s.line_placed[s.turn, line]:
        return fault_at(WRONG_PAY_LINE, PARTS * np.int64(s.turn) + GRID * line)
    if s.paid > missing or (s.paid == missing) != (s.stage == TILING):
        return fault_at(WRONG_PAID, 0)
    return 0


@kernel
def fault_of_tiles(s: State) -> int:
    """R1.1: there are 13 tiles of each colour."""
    for color in range(COLORS):
        n = np.int64(s.moon[color]) + s.bag[color] + s.tower[color]
        for f in range(FACTORIES):
            n += s.sun[f, color]
        for f in range(SMALL_FACTORIES):
            for k in range(SMALL_FILL - 1):
                n += 1 if s.stack[f, k] == color else 0
        for seat in range(SEATS):
            n += s.broken[seat, color]
            for line in range(LINES):
                n += s.line_size[seat, line] if s.line_color[seat, line] == color else 0
                for col in range(GRID):
                    n += 1 if s.dome[seat, line, col] == color else 0
        if n != TILES_PER_COLOR:
            return fault_at(WRONG_TILES, color)
    return 0


@kernel
def fault_of_plates(s: State) -> int:
    """R1.4: every plate is in one place."""
    if s.drawn > s.pile_size:
        return fault_at(WRONG_PILE, 0)
    times = np.zeros(PLATE_COUNT + 1, np.int64)
    for k in range(DISPLAY):
        times[s.display[k] + 1] += 1
    for seat in range(SEATS):
        for slot in range(SLOTS):
            times[s.slot_plate[seat, slot] + 1] += 1
    for place in range(PILE_PLACES):
        if (s.pile[place] == NOTHING) != (place >= s.pile_size):
            return fault_at(WRONG_PILE, 0)
        times[s.pile[place] + 1] += 1
    for plate in range(PLATE_COUNT):
        if times[plate + 1] != 1:
            return fault_at(WRONG_PLATES, plate)
    return 0


@kernel
def fault_of_chips(s: State) -> int:
    """R1.5, R3.4: two chips of each face, and those in the stores have been on factories."""
    laid = SMALL_FACTORIES * (np.int64(s.round_no) - 1)
    for face in range(CHIP_FACES):
        copies = 0
        gone = 0
        for k in range(CHIP_COUNT):
            if s.chip_order[k] == face:
                copies += 1
                now = laid <= k < laid + SMALL_FACTORIES
                gone += 1 if k < laid or (now and s.chip_state[k - laid] == GONE) else 0
        if copies != CHIP_COPIES:
            return fault_at(WRONG_CHIPS, 0)
        taken = 0
        for seat in range(SEATS):
            taken += np.int64(s.store[seat, face]) + s.spent[seat, face]
        if taken > gone:
            return fault_at(UNTAKEN_CHIP, 0)
    return 0


@kernel
def fault_of_chips_taken(s: State) -> int:
    """R3.4: a seat takes at most two chips a round, ten in a game."""
    drafting = s.stage != TILING and s.stage != PAYING and s.stage != OVER
    for seat in range(SEATS):
        most = CHIPS_PER_ROUND * np.int64(s.round_no) - (np.int64(s.chips_left[seat]) if drafting else 0)
        taken = 0
        for face in range(CHIP_FACES):
            taken += np.int64(s.store[seat, face]) + s.spent[seat, face]
        if taken > most:
            return fault_at(TOO_MANY_CHIPS, PARTS * seat + most)
    return 0


@kernel
def fault_of_stage(s: State) -> int:
    """Whether the table is such that this can be asked now."""
    stage = s.stage
    holding = stage == DRAWING or stage == KEEPING or stage == RETURNING
    if holding != (s.drawn > 0):
        return fault_at(WRONG_HAND, 0)
    ended = stage == TILING or stage == PAYING or stage == OVER
    if ended or stage == DEALING:
        for f in range(SMALL_FACTORIES):
            chip = s.chip_state[f] != (GONE if ended else DOWN)
            if chip or count(s.sun[f]) > 0 or s.stack_height[f] > 0:
                return fault_at(NOT_EMPTY, 0)
        if count(s.sun[LARGE]) > 0 or count(s.moon) > 0:
            return fault_at(NOT_EMPTY, 0)
    tiling = stage == TILING or stage == PAYING
    for seat in range(SEATS):
        for line in range(LINES):
            if s.line_placed[seat, line] and not tiling:
                return fault_at(PLACED_TOO_SOON, PARTS * seat)
            if s.line_placed[seat, line] and (seat != s.turn or line >= s.walk):
                return fault_at(PLACED_ELSEWHERE, PARTS * seat + GRID * line)
    if stage == OPENING and s.round_no != 1:
        return fault_at(WRONG_OPENING, 0)
    if s.start_tile != ON_FACTORY and (count(s.sun[LARGE]) > 0 or stage == DEALING):
        return fault_at(WRONG_START_TILE, 0)
    if holding and s.round_no > PLATE_ROUNDS:
        return fault_at(TOO_LATE_FOR_PLATES, 0)
    if (stage == DRAWING or stage == KEEPING) and s.markers_left[s.turn] == 0:
        return fault_at(NO_MARKER, PARTS * np.int64(s.turn))
    return 0 if ended or s.round_no > PLATE_ROUNDS else fault_of_slots(s)


@kernel
def fault_of_slots(s: State) -> int:
    """R2.6, R3.1: every plate that has to be taken this round needs a slot."""
    for seat in range(SEATS):
        needed = np.int64(s.markers_left[seat])
        if s.stage == OPENING and (seat == s.turn or seat == s.first):
            needed += 1
        if slots_free(s, seat) < needed:
            return fault_at(NO_SLOT, PARTS * seat)
    return 0


@kernel
def fault_of_deal(s: State) -> int:
    """R2.6, R3.9: when the tiles are dealt, whoever begins has something to do: a plate to lay in the opening, and
    later a tile or a chip to take."""
    if s.stage != DEALING:
        return 0
    first = np.int64(s.first)
    if s.round_no > 1:
        idle = count(s.bag) + count(s.tower) == 0 and s.chips_left[first] == 0
        return fault_at(NO_MOVE, PARTS * first) if idle else 0
    for k in range(DISPLAY):
        if s.display[k] != NOTHING:
            return 0
    return fault_at(NO_MOVE, PARTS * (1 - first))


@kernel
def fault_of_knowledge(s: State) -> int:
    """R8: every observer thinks possible what is true, and nothing that lies open; whoever has looked
    at the drawn plates knows them."""
    unseen = 0
    for place in range(s.pile_size):
        unseen |= 1 << np.int64(s.pile[place])
    for observer in range(OBSERVERS):
        if observer != SPECTATOR and np.int64(s.looked_at[observer]) & ~unseen:
            return fault_at(WRONG_KNOWLEDGE, 0)
        for place in range(PILE_PLACES):
            mask = np.int64(s.could_be[observer, place])
            truth = 1 << np.int64(s.pile[place]) if place < s.pile_size else 0
            if mask & truth != truth or (mask & ~unseen if place < s.pile_size else mask):
                return fault_at(WRONG_KNOWLEDGE, max(0, np.int64(s.pile[place])))
    if s.stage == KEEPING or s.stage == RETURNING:
        for place in range(s.drawn):
            plate = np.int64(s.pile[place])
            knows = np.int64(s.could_be[s.turn, place]) == 1 << plate
            if not knows or (np.int64(s.looked_at[s.turn]) >> plate) & 1 == 0:
                return fault_at(WRONG_KNOWLEDGE, plate)
    return 0


@kernel
def fault_of_returns(s: State) -> int:
    """R3.1, R8: returned plates have backs that all have seen, and were returned in turns that have been."""
    for place in range(PILE_PLACES):
        returned_in = np.int64(s.returned_in[place])
        if returned_in == NOTHING:
            continue
        if place >= s.pile_size or returned_in % PLATE_TURNS >= plates_taken(s, returned_in // PLATE_TURNS):
            return fault_at(WRONG_RETURNS, 0)
        for observer in range(OBSERVERS):
            mask = np.int64(s.could_be[observer, place])
            if mask & SPECIAL_PLATES and mask & ~SPECIAL_PLATES:
                return fault_at(WRONG_RETURNS, 0)
    return 0
