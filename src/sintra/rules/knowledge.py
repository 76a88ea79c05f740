"""Who knows what (R8): each observer's idea of the pile, and the view of a seat.

`could_be[o, j]` is the set of plates (a bit mask) that observer o thinks could lie at place j of
the pile; the pile's first `drawn` places are in the mover's hand. Visible plates are in no set. A
set of one means that the observer knows the plate. What an observer thinks possible is any way to
give each unseen plate one place whose set contains it.

The sets never exclude what is possible. Of plates that the other seat drew, returned, and drew
again together with others they may include more: that of two plates only one can lie at certain
places is nothing that sets can say.
"""

from __future__ import annotations

from sintra.components import (
    ALL_PLATES,
    CHIP_COUNT,
    MARKERS,
    NOTHING,
    OBSERVERS,
    PILE_PLACES,
    PLATE_COUNT,
    SMALL_FACTORIES,
    SPECIAL_PLATES,
    SPECTATOR,
)
from sintra.rules.compiled import kernel, np
from sintra.rules.conclusions import conclude, only_bit
from sintra.rules.piece_tables import PLATE_IS_SPECIAL
from sintra.rules.state import GONE, KEEPING, PLATE_TURNS, TURNING, UP, Array, State

WILD_PLATES = ALL_PLATES & ~SPECIAL_PLATES
"""The set of all wild plates."""
NEVER_SEEN_SPECIAL = 1 << 16
"""In a view, a bit of another seat's set: any special plate that the seat has never looked at (see `write_view`)."""
NEVER_SEEN_WILD = 1 << 17
"""In a view, a bit of another seat's set: any wild plate that the seat has never looked at."""


@kernel
def kind_mask(plate: int) -> int:
    """The set of all plates whose back looks like this one's."""
    return SPECIAL_PLATES if PLATE_IS_SPECIAL[plate] else WILD_PLATES


@kernel
def show_top(s: State) -> None:
    """R3.1: the kind of the stack's top plate is public."""
    top = s.drawn
    if top < s.pile_size and s.pile[top] != NOTHING:
        mask = kind_mask(s.pile[top])
        for observer in range(OBSERVERS):
            s.could_be[observer, top] &= mask


@kernel
def come_to_light(s: State, plate: int) -> None:
    """A plate that everybody sees now lies at no place of the pile."""
    if plate == NOTHING:
        return
    mask = ALL_PLATES & ~(1 << np.int64(plate))
    for observer in range(OBSERVERS):
        for place in range(s.pile_size):
            s.could_be[observer, place] &= mask
    for seat in range(2):
        s.looked_at[seat] &= mask


@kernel
def remove_place(s: State, place: int) -> None:
    """Takes a place out of the pile; those behind it move up."""
    last = s.pile_size - 1
    for j in range(place, last):
        s.pile[j] = s.pile[j + 1]
        s.returned_in[j] = s.returned_in[j + 1]
        for observer in range(OBSERVERS):
            s.could_be[observer, j] = s.could_be[observer, j + 1]
    s.pile[last] = NOTHING
    s.returned_in[last] = NOTHING
    for observer in range(OBSERVERS):
        s.could_be[observer, last] = 0
    s.pile_size = last


@kernel
def know_drawn(s: State, observer: int) -> None:
    """The observer looks at the drawn plates."""
    seen = 0
    for place in range(s.drawn):
        if s.pile[place] == NOTHING:
            return
        seen |= 1 << np.int64(s.pile[place])
    s.looked_at[observer] |= seen
    for place in range(s.pile_size):
        if place < s.drawn:
            s.could_be[observer, place] = 1 << np.int64(s.pile[place])
        else:
            s.could_be[observer, place] &= ALL_PLATES & ~seen


@kernel
def plates_taken(s: State, seat: int) -> int:
    """R3.1: how many plates a seat has taken in the rounds so far."""
    return MARKERS * np.int64(s.round_no) - np.int64(s.markers_left[seat])


@kernel
def reveal_kept(s: State, seat: int, place: int) -> None:
    """R3.1, R8: the drawn plate at this place is laid. To the others, the plates still in hand
    are now a set for each kind: they do not know from which of the drawn places each came."""
    plate = np.int64(s.pile[place])
    returned_in = PLATE_TURNS * seat + plates_taken(s, seat)
    for j in range(s.drawn):
        s.returned_in[j] = returned_in
    for observer in range(OBSERVERS):
        if observer == seat:
            continue
        possible_places = 0
        came_from = NOTHING
        for j in range(s.drawn):
            if (np.int64(s.could_be[observer, j]) >> plate) & 1:
                possible_places += 1
                came_from = j
        specials = 0
        wilds = 0
        for j in range(s.drawn):
            if possible_places == 1 and j == came_from:
                continue
            specials |= np.int64(s.could_be[observer, j]) & SPECIAL_PLATES
            wilds |= np.int64(s.could_be[observer, j]) & WILD_PLATES
        for j in range(s.drawn):
            s.could_be[observer, j] = specials if PLATE_IS_SPECIAL[s.pile[j]] else wilds
    remove_place(s, place)
    s.drawn -= 1
    come_to_light(s, plate)
    sort_hand(s)


@kernel
def sort_hand(s: State) -> None:
    """Orders the plates in hand by kind and number, so that their places do not tell the others
    which one was laid."""
    for i in range(1, s.drawn):
        j = i
        while j > 0 and hand_key(s.pile[j]) < hand_key(s.pile[j - 1]):
            plate = s.pile[j]
            s.pile[j] = s.pile[j - 1]
            s.pile[j - 1] = plate
            for observer in range(OBSERVERS):
                mask = s.could_be[observer, j]
                s.could_be[observer, j] = s.could_be[observer, j - 1]
                s.could_be[observer, j - 1] = mask
            j -= 1


@kernel
def hand_key(plate: int) -> int:
    """Special plates first, then by number."""
    return np.int64(plate) + (0 if PLATE_IS_SPECIAL[plate] else PLATE_COUNT)


@kernel
def return_place(s: State, place: int) -> None:
    """R3.1: the plate in hand at this place goes under the stack."""
    plate = s.pile[place]
    returned_in = s.returned_in[place]
    own0 = s.could_be[0, place]
    own1 = s.could_be[1, place]
    public = s.could_be[2, place]
    remove_place(s, place)
    s.drawn -= 1
    last = s.pile_size
    s.pile[last] = plate
    s.returned_in[last] = returned_in
    s.could_be[0, last] = own0
    s.could_be[1, last] = own1
    s.could_be[2, last] = public
    s.pile_size = last + 1
    show_top(s)


@kernel
def chip_is_known(s: State, k: int) -> bool:
    """Whether the k-th chip has been turned up."""
    laid = SMALL_FACTORIES * (s.round_no - 1)
    if k < laid:
        return True
    if k >= laid + SMALL_FACTORIES:
        return False
    return s.chip_state[k - laid] == UP or s.chip_state[k - laid] == GONE


@kernel
def copy_vector(target: Array, source: Array) -> None:
    """Copies a field; three small functions compile much faster than forty slices."""
    for i in range(target.shape[0]):
        target[i] = source[i]


@kernel
def copy_matrix(target: Array, source: Array) -> None:
    """Copies a field of two dimensions; an index is cheaper than a slice of a row."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            target[i, j] = source[i, j]


@kernel
def copy_cube(target: Array, source: Array) -> None:
    """Copies a field of three dimensions."""
    for i in range(target.shape[0]):
        for j in range(target.shape[1]):
            for k in range(target.shape[2]):
                target[i, j, k] = source[i, j, k]


@kernel
def write_view(s: State, observer: int, v: State) -> None:
    """R8: writes what an observer may know as a state of its own, field by field.

    What is unknown is NOTHING; the generator is blank, and a round's tiles must come from
    outside. The observer's own sets stand in `could_be[observer]` and the public ones in
    `could_be[SPECTATOR]`. The other seat's sets are told without naming plates: bit k of
    `could_be[other, j]` says that the plate at place k, one that the other seat has looked at,
    could for that seat lie at place j, and the bits `NEVER_SEEN` that any plate of that kind
    which it has never looked at could.
    """
    view_table(s, v)
    view_pile(s, observer, v)


@kernel
def write_own_view(s: State, observer: int, v: State) -> None:
    """R8: writes a view without what the observer knows of others' knowledge; those sets are left as they are."""
    view_table(s, v)
    hide_choice(s, observer, v)
    copy_vector(v.could_be[observer], s.could_be[observer])
    conclude(v.could_be[observer], s.pile_size)
    view_own_pile(s, observer, v)


@kernel
def view_table(s: State, v: State) -> None:
    """Writes what lies open into a view."""
    copy_vector(v.score, s.score)
    copy_matrix(v.tally, s.tally)
    copy_vector(v.goals, s.goals)
    copy_vector(v.options, s.options)
    v.round_no = s.round_no
    v.stage = s.stage
    v.turn = s.turn
    v.first = s.first
    v.start_tile = s.start_tile
    copy_matrix(v.sun, s.sun)
    copy_matrix(v.stack, s.stack)
    copy_vector(v.stack_height, s.stack_height)
    copy_vector(v.moon, s.moon)
    v.large_is_single = s.large_is_single
    copy_vector(v.bag, s.bag)
    copy_vector(v.tower, s.tower)
    copy_vector(v.display, s.display)
    v.pile_size = s.pile_size
    copy_vector(v.returned_in, s.returned_in)
    v.drawn = s.drawn
    copy_vector(v.chip_state, s.chip_state)
    copy_vector(v.chips_left, s.chips_left)
    copy_vector(v.markers_left, s.markers_left)
    copy_matrix(v.store, s.store)
    copy_matrix(v.spent, s.spent)
    copy_matrix(v.line_color, s.line_color)
    copy_matrix(v.line_size, s.line_size)
    copy_matrix(v.line_placed, s.line_placed)
    copy_matrix(v.broken, s.broken)
    copy_matrix(v.slot_plate, s.slot_plate)
    copy_matrix(v.slot_turns, s.slot_turns)
    copy_cube(v.space, s.space)
    copy_cube(v.dome, s.dome)
    v.held_plate = s.held_plate
    v.held_slot = s.held_slot
    v.held_from = s.held_from
    v.stacking = s.stacking
    v.walk = s.walk
    v.pay_line = s.pay_line
    v.paid = s.paid
    v.pay_chips = s.pay_chips
    v.pay_showing = s.pay_showing
    v.pay_last = s.pay_last
    v.deals_itself = 0
    for k in range(4):
        v.rng[k] = 0
    for k in range(CHIP_COUNT):
        v.chip_order[k] = s.chip_order[k] if chip_is_known(s, k) else NOTHING


@kernel
def hide_choice(s: State, observer: int, v: State) -> None:
    """Hides from others which of the drawn plates is being turned."""
    if s.stage == TURNING and s.held_from == KEEPING and observer != s.turn:
        v.stage = KEEPING
        v.held_plate = NOTHING
        v.held_slot = NOTHING
        v.held_from = NOTHING


@kernel
def view_own_pile(s: State, observer: int, v: State) -> None:
    """Writes what follows from an observer's sets: the plates they know, and those they looked at."""
    for place in range(PILE_PLACES):
        v.pile[place] = only_bit(np.int64(v.could_be[observer, place])) if place < s.pile_size else NOTHING
    for seat in range(2):
        v.looked_at[seat] = s.looked_at[seat] if seat == observer else 0


@kernel
def view_pile(s: State, observer: int, v: State) -> None:
    """Writes what an observer may know of the pile into a view."""
    n = s.pile_size
    hide_choice(s, observer, v)
    knows_more = False
    for place in range(PILE_PLACES):
        v.could_be[SPECTATOR, place] = s.could_be[SPECTATOR, place]
        knows_more |= s.could_be[observer, place] != s.could_be[SPECTATOR, place]
    conclude(v.could_be[SPECTATOR], n)
    if knows_more:
        copy_vector(v.could_be[observer], s.could_be[observer])
        conclude(v.could_be[observer], n)
    elif observer != SPECTATOR:
        copy_vector(v.could_be[observer], v.could_be[SPECTATOR])
    view_own_pile(s, observer, v)
    for seat in range(2):
        if seat != observer:
            for place in range(PILE_PLACES):
                told = 0
                if place < n:
                    told = told_to_all(v, seat, place) if observer == SPECTATOR else retold(s, seat, place)
                v.could_be[seat, place] = told


@kernel
def retold(s: State, other: int, place: int) -> int:
    """What another seat thinks of a place, told to a seat without naming plates (see `write_view`).

    Which places hold plates that the other seat has looked at, the observer knows: the plates were
    returned before its eyes, or it has itself looked at them and returned them.
    """
    mask = np.int64(s.could_be[other, place])
    seen = np.int64(s.looked_at[other])
    told = never_seen(mask & ~seen)
    if mask & seen:
        for k in range(s.pile_size):
            if mask & seen & (1 << np.int64(s.pile[k])):
                told |= 1 << k
    return told


@kernel
def never_seen(mask: int) -> int:
    """The kinds of a set of plates, as the bits `NEVER_SEEN`."""
    told = NEVER_SEEN_SPECIAL if mask & SPECIAL_PLATES else 0
    return told | (NEVER_SEEN_WILD if mask & WILD_PLATES else 0)


@kernel
def told_to_all(v: State, seat: int, place: int) -> int:
    """What a seat thinks of a place, as far as a spectator can know: it knows the plates that it is
    looking at, and those that it returned last. What else it knows, say of plates that the other
    seat drew again, depends on plates that a spectator has not seen."""
    returned_in = np.int64(v.returned_in[place])
    returned = returned_in != NOTHING and returned_in // PLATE_TURNS == seat
    if returned or (v.stage == KEEPING and v.turn == seat and place < v.drawn):
        return 1 << place
    return never_seen(np.int64(v.could_be[SPECTATOR, place]))


@kernel
def understood(v: State, s: State, other: int, place: int) -> int:
    """The other seat's set for a place in a sampled state: `retold` the other way round. What lies
    there is in it, even where a made-up position says that the seat thinks otherwise."""
    told = np.int64(v.could_be[other, place])
    plates = 1 << np.int64(s.pile[place])
    for k in range(s.pile_size):
        bit = 1 << np.int64(s.pile[k])
        if (np.int64(s.looked_at[other]) & bit) == 0:
            kind = NEVER_SEEN_SPECIAL if PLATE_IS_SPECIAL[s.pile[k]] else NEVER_SEEN_WILD
            plates |= bit if told & kind else 0
        elif (told >> k) & 1:
            plates |= bit
    return plates
