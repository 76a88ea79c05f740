"""Setup and the start of each round (R2, R7): plates, chips and tiles come to the table.

Chance comes from the state's own generator, or, with `deals_itself` off, the state stops at
`DEALING` and the tiles are given from outside.
"""

from __future__ import annotations

from sintra.components import (
    ALL_PLATES,
    CHIP_COPIES,
    CHIP_COUNT,
    CHIPS_PER_ROUND,
    COLORS,
    DISPLAY,
    FACTORIES,
    GOAL_TILES,
    GRID,
    LARGE,
    LARGE_FILL,
    LINES,
    MARKERS,
    MAX_GOALS,
    NOTHING,
    OBSERVERS,
    PILE_PLACES,
    PLATE_COUNT,
    PLATE_ROUNDS,
    SLOTS,
    SMALL_FACTORIES,
    SMALL_FILL,
    START_SCORE,
    TILES_PER_COLOR,
)
from sintra.rules.chance import below, seed_generator, shuffle
from sintra.rules.compiled import kernel, np
from sintra.rules.knowledge import chip_is_known, come_to_light, remove_place, show_top
from sintra.rules.state import DEALING, DOWN, ON_FACTORY, OPENING, TURN, UP, Array, State


@kernel
def choose_goals(s: State, how_many: int) -> None:
    """R2.1: goal tiles and their sides at random."""
    tiles = np.arange(GOAL_TILES).astype(np.int8)
    shuffle(s, tiles, GOAL_TILES)
    for k in range(MAX_GOALS):
        s.goals[k] = 2 * tiles[k] + below(s, 2) if k < how_many else NOTHING


@kernel
def clear_table(s: State) -> None:
    """Makes a blank state a table: empty boards and factories, all tiles in the bag, 5 points
    each (R1.8)."""
    s.start_tile = ON_FACTORY
    for seat in range(2):
        s.score[seat] = START_SCORE
        for line in range(LINES):
            s.line_color[seat, line] = NOTHING
        for slot in range(SLOTS):
            s.slot_plate[seat, slot] = NOTHING
        for row in range(GRID):
            for col in range(GRID):
                s.space[seat, row, col] = NOTHING
                s.dome[seat, row, col] = NOTHING
    for color in range(COLORS):
        s.bag[color] = TILES_PER_COLOR
    for f in range(SMALL_FACTORIES):
        for k in range(3):
            s.stack[f, k] = NOTHING
    for k in range(DISPLAY):
        s.display[k] = NOTHING
    for place in range(PILE_PLACES):
        s.returned_in[place] = NOTHING
    s.held_plate = NOTHING
    s.held_slot = NOTHING
    s.held_from = NOTHING
    s.stacking = NOTHING
    s.pay_line = NOTHING
    s.pay_last = NOTHING


@kernel
def shuffle_plates_and_chips(s: State, plates: Array, chips: Array) -> None:
    """R2.2, R2.5: a random order of plates and chips."""
    for plate in range(PLATE_COUNT):
        plates[plate] = plate
    shuffle(s, plates, PLATE_COUNT)
    for k in range(CHIP_COUNT):
        chips[k] = k // CHIP_COPIES
    shuffle(s, chips, CHIP_COUNT)


@kernel
def lay_out(s: State, first: int, plates: Array, chips: Array) -> None:
    """R2.2 to R2.6: begins the first round with this order of plates and chips."""
    s.first = first
    for k in range(DISPLAY):
        s.display[k] = plates[k]
    hidden = ALL_PLATES
    for k in range(DISPLAY):
        hidden &= ~(1 << np.int64(plates[k]))
    for place in range(PILE_PLACES):
        s.pile[place] = plates[DISPLAY + place]
        for observer in range(3):
            s.could_be[observer, place] = hidden
    s.pile_size = PILE_PLACES
    show_top(s)
    for k in range(CHIP_COUNT):
        s.chip_order[k] = chips[k]
    begin_round(s, 1)


@kernel
def new_game(s: State, seed: int, how_many_goals: int) -> None:
    """R2: a new game from a seed. With `how_many_goals` 0 the goals are already set."""
    seed_generator(s, seed)
    if how_many_goals > 0:
        choose_goals(s, how_many_goals)
    clear_table(s)
    first = below(s, 2)
    plates = np.empty(PLATE_COUNT, np.int8)
    chips = np.empty(CHIP_COUNT, np.int8)
    shuffle_plates_and_chips(s, plates, chips)
    lay_out(s, first, plates, chips)


@kernel
def refill_display(s: State) -> None:
    """R2.6, R7.2: fills the display from the stack, as far as it lasts."""
    for k in range(DISPLAY):
        if s.display[k] == NOTHING and s.pile_size > 0:
            plate = s.pile[0]
            s.display[k] = plate
            remove_place(s, 0)
            come_to_light(s, plate)
            show_top(s)


@kernel
def deal_if_asked(s: State) -> None:
    """R2.3, R7.3: draws the round's tiles with the state's own generator, if they are missing."""
    if s.stage == DEALING:
        draw_tiles(s)
        finish_deal(s)


@kernel
def slots_free(s: State, seat: int) -> int:
    """The slots of a dome on which no plate lies."""
    free = 0
    for slot in range(SLOTS):
        free += 1 if s.slot_plate[seat, slot] == NOTHING else 0
    return free


@kernel
def begin_round(s: State, round_no: int) -> None:
    """R7: markers back, display, chips, and tiles if the state deals itself. On a dome that is made up there may be
    fewer free slots than markers; then nobody has to take a plate for which there is none."""
    s.round_no = round_no
    for seat in range(2):
        s.markers_left[seat] = MARKERS if round_no > PLATE_ROUNDS else min(MARKERS, slots_free(s, seat))
        s.chips_left[seat] = CHIPS_PER_ROUND
    refill_display(s)
    for f in range(SMALL_FACTORIES):
        s.chip_state[f] = DOWN
    if round_no > 1:
        if s.start_tile != ON_FACTORY:
            s.first = s.start_tile
        s.start_tile = ON_FACTORY
    s.stage = DEALING
    if s.deals_itself:
        deal_if_asked(s)


@kernel
def finish_deal(s: State) -> None:
    """The tiles lie on the factories: the round can begin."""
    colors = 0
    for color in range(COLORS):
        colors += 1 if s.sun[LARGE, color] > 0 else 0
    s.large_is_single = 1 if colors == 1 else 0
    for f in range(SMALL_FACTORIES):
        turn_up_if_empty(s, f)
    if s.round_no == 1:
        s.stage = OPENING
        s.turn = 1 - s.first
    else:
        s.stage = TURN
        s.turn = s.first


@kernel
def turn_up_if_empty(s: State, f: int) -> None:
    """R3.8: a small factory's chip is turned up the moment no tile is left there."""
    if s.chip_state[f] == DOWN and s.stack_height[f] == 0:
        for color in range(COLORS):
            if s.sun[f, color] > 0:
                return
        s.chip_state[f] = UP


@kernel
def count(tiles: Array) -> int:
    """How many tiles these are."""
    total = 0
    for color in range(COLORS):
        total += np.int64(tiles[color])
    return total


@kernel
def pour(s: State) -> None:
    """R7.3: the tower is poured into the bag."""
    for color in range(COLORS):
        s.bag[color] += s.tower[color]
        s.tower[color] = 0


@kernel
def draw_to(s: State, f: int, how_many: int) -> None:
    """Draws tiles from the bag to a sun side, pouring the tower when one is needed (R7.3)."""
    for _ in range(how_many):
        left = count(s.bag)
        if left == 0:
            pour(s)
            left = count(s.bag)
            if left == 0:
                return
        at = below(s, left)
        color = 0
        while at >= s.bag[color]:
            at -= s.bag[color]
            color += 1
        s.bag[color] -= 1
        s.sun[f, color] += 1


@kernel
def must_redraw(s: State) -> bool:
    """R2.4: the large factory shows one colour, and the bag could give another."""
    only = NOTHING
    for color in range(COLORS):
        if s.sun[LARGE, color] > 0:
            if only != NOTHING:
                return False
            only = color
    for color in range(COLORS):
        if only != NOTHING and color != only and s.bag[color] > 0:
            return True
    return False


@kernel
def draw_tiles(s: State) -> None:
    """R2.3, R2.4, R7.3: fills the factories from the bag with the state's own generator."""
    draw_to(s, LARGE, LARGE_FILL)
    while must_redraw(s):
        for color in range(COLORS):
            s.bag[color] += s.sun[LARGE, color]
            s.sun[LARGE, color] = 0
        draw_to(s, LARGE, LARGE_FILL)
    for f in range(SMALL_FACTORIES):
        draw_to(s, f, SMALL_FILL)


@kernel
def give_tiles(s: State, tiles: Array) -> None:
    """Lays the given tiles (factory, colour: how many) and begins the round; unchecked."""
    for k in range(FACTORIES):
        f = LARGE if k == 0 else k - 1
        fill(s, f, tiles[f])
    finish_deal(s)


@kernel
def fill(s: State, f: int, tiles: Array) -> None:
    """Lays tiles from the bag on one factory, pouring the tower where they need it (R7.3); unchecked."""
    if count(s.bag) < count(tiles) or not has(s.bag, tiles):
        pour(s)
    for color in range(COLORS):
        s.bag[color] -= tiles[color]
        s.sun[f, color] = tiles[color]


@kernel
def factory_to_fill(s: State) -> int:
    """R2.3: the factory that gets its tiles next, the large one first; NOTHING once all have theirs or no tile is
    left."""
    if count(s.bag) + count(s.tower) > 0:
        for k in range(FACTORIES):
            f = LARGE if k == 0 else k - 1
            if count(s.sun[f]) == 0:
                return f
    return NOTHING


@kernel
def has(bag: Array, tiles: Array) -> bool:
    """Whether the bag holds these tiles."""
    for color in range(COLORS):
        if bag[color] < tiles[color]:
            return False
    return True


@kernel
def one_color(tiles: Array) -> bool:
    """Whether these tiles, at least one, share one colour."""
    colors = 0
    for color in range(COLORS):
        colors += 1 if tiles[color] > 0 else 0
    return colors == 1


@kernel
def deal_fault(s: State, tiles: Array) -> int:
    """R2.4, R7.3: the first factory whose tiles could not have been drawn so (in the order of
    filling: 0 the large one, then 1 to 4), or NOTHING if the deal is possible."""
    bag = s.bag.astype(np.int64)
    tower = s.tower.astype(np.int64)
    for k in range(FACTORIES):
        f = LARGE if k == 0 else k - 1
        wanted = tiles[f].astype(np.int64)
        fill = LARGE_FILL if f == LARGE else SMALL_FILL
        if bag.sum() == 0:
            bag += tower
            tower[:] = 0
        if wanted.sum() != min(fill, bag.sum() + tower.sum()):
            return k
        poured = bag.sum() < wanted.sum()
        may_leave_bag = not poured
        if poured:
            together = bag + tower
            if f == LARGE and one_color(bag) and not one_color(together):
                for color in range(COLORS):
                    if bag[color] > 0 and together[color] >= wanted.sum():
                        may_leave_bag = True
            if not may_leave_bag and not has(wanted, bag):
                return k
            bag = together
            tower[:] = 0
        if not has(bag, wanted):
            return k
        if f == LARGE and one_color(wanted) and not one_color(bag):
            return k
        bag -= wanted
    return NOTHING


@kernel
def chip_face(s: State, f: int) -> int:
    """The face of the chip laid on small factory f this round (NOTHING where it is not known)."""
    return s.chip_order[SMALL_FACTORIES * (s.round_no - 1) + f]


@kernel
def give_chip_face(s: State, f: int, face: int) -> bool:
    """Chance from outside: the chip face down on small factory f shall be this one. It changes
    places with a chip that nobody has seen; False, and nothing is changed, if there is none."""
    if s.chip_state[f] != DOWN:
        return False
    wanted = SMALL_FACTORIES * (s.round_no - 1) + f
    for k in range(CHIP_COUNT):
        if s.chip_order[k] == face and not chip_is_known(s, k):
            s.chip_order[k] = s.chip_order[wanted]
            s.chip_order[wanted] = face
            return True
    return False


@kernel
def give_stack_plate(s: State, depth: int, plate: int) -> bool:
    """Chance from outside: the plate at this depth of the stack (0 is the top) shall be this one.
    It changes places with one that no observer can tell from it; False if that cannot be."""
    wanted = s.drawn + depth
    if wanted >= s.pile_size:
        return False
    for place in range(s.drawn, s.pile_size):
        if s.pile[place] != plate:
            continue
        for observer in range(OBSERVERS):
            fits = (np.int64(s.could_be[observer, wanted]) >> plate) & 1
            if fits == 0 or (np.int64(s.could_be[observer, place]) >> np.int64(s.pile[wanted])) & 1 == 0:
                return False
        s.pile[place] = s.pile[wanted]
        s.pile[wanted] = plate
        return True
    return False
