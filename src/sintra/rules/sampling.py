"""Sampling (R8): a random complete state that fits a view, uniform over all that is hidden."""

from __future__ import annotations

from sintra.components import (
    CHIP_COPIES,
    CHIP_COUNT,
    CHIP_FACES,
    NOTHING,
    PILE_PLACES,
    PLATE_COUNT,
    SPECIAL_PLATES,
)
from sintra.rules.chance import below, seed_generator, shuffle
from sintra.rules.compiled import kernel, np
from sintra.rules.conclusions import count_bits
from sintra.rules.knowledge import WILD_PLATES, understood
from sintra.rules.state import Array, State

MAX_TRIES = 20_000
"""How often sampling starts again before it gives up."""
CAREFUL_TRIES = 2_000
"""After so many tries sampling takes any fitting pile, though some are then likelier than others. Views of games need
a hundred or so; one that is made up must not take long."""


@kernel
def sample_view(v: State, observer: int, seed: int, s: State) -> bool:
    """Makes `s`, a copy of the view, a complete state: all that is hidden is drawn uniformly from
    what the observer thinks possible. False if the view contradicts itself."""
    seed_generator(s, seed)
    s.deals_itself = 1
    if not sample_pile(v.could_be[observer], s):
        return False
    for other in range(2):
        if other != observer:
            looked_at = 0
            for place in range(s.pile_size):
                for k in range(s.pile_size):
                    if (np.int64(v.could_be[other, place]) >> k) & 1:
                        looked_at |= 1 << np.int64(s.pile[k])
            s.looked_at[other] = looked_at
            for place in range(PILE_PLACES):
                s.could_be[other, place] = understood(v, s, other, place) if place < s.pile_size else 0
    return sample_chips(s)


@kernel
def sample_chips(s: State) -> bool:
    """Gives the chips nobody has seen to the places nobody has seen, at random. False if a chip has
    been seen more often than there are such chips."""
    left = np.full(CHIP_FACES, CHIP_COPIES, np.int8)
    for k in range(CHIP_COUNT):
        if s.chip_order[k] != NOTHING:
            left[s.chip_order[k]] -= 1
    unseen = np.empty(CHIP_COUNT, np.int8)
    n = 0
    for face in range(CHIP_FACES):
        if left[face] < 0:
            return False
        for _ in range(left[face]):
            unseen[n] = face
            n += 1
    shuffle(s, unseen, n)
    for k in range(CHIP_COUNT):
        if s.chip_order[k] == NOTHING:
            n -= 1
            s.chip_order[k] = unseen[n]
    return True


@kernel
def sample_pile(masks: Array, s: State) -> bool:
    """Draws a pile uniformly from those that fit an observer's sets. False if there is none."""
    n = np.int64(s.pile_size)
    unseen = 0
    sure_specials = 0
    open_kind = 0
    for place in range(n):
        mask = np.int64(masks[place])
        unseen |= mask
        if mask & WILD_PLATES == 0:
            sure_specials += 1
        elif mask & SPECIAL_PLATES:
            open_kind += 1
    special_places = count_bits(unseen & SPECIAL_PLATES) - sure_specials
    is_special = np.zeros(PILE_PLACES, np.bool_)
    for tries in range(MAX_TRIES):
        wanted = special_places
        still_open = open_kind
        for place in range(n):
            mask = np.int64(masks[place])
            if mask & WILD_PLATES == 0:
                is_special[place] = True
            elif mask & SPECIAL_PLATES == 0:
                is_special[place] = False
            else:
                is_special[place] = below(s, still_open) < wanted
                wanted -= 1 if is_special[place] else 0
                still_open -= 1
        careless = tries >= CAREFUL_TRIES
        specials = fill_kind(masks, s, is_special, True, unseen & SPECIAL_PLATES, careless)
        if specials and fill_kind(masks, s, is_special, False, unseen & WILD_PLATES, careless):
            return True
    return False


@kernel
def fill_kind(masks: Array, s: State, is_special: Array, kind: bool, plates: int, careless: bool) -> bool:
    """Lays the unseen plates of one kind on the places of that kind. Plates that can go to the
    same places are dealt together; a deal that later classes had fewer ways to follow is thrown
    away more often, which makes all fitting deals equally likely."""
    n = np.int64(s.pile_size)
    free = 0
    for place in range(n):
        if is_special[place] == kind:
            free |= 1 << place
    everywhere = free
    allowed = np.zeros(PLATE_COUNT, np.int64)
    for plate in range(PLATE_COUNT):
        if (plates >> plate) & 1:
            for place in range(n):
                if (everywhere >> place) & 1 and (np.int64(masks[place]) >> plate) & 1:
                    allowed[plate] |= 1 << place
    while plates:
        klass = narrowest(allowed, plates)
        ways_at_most = count_bits(klass)
        ways = count_bits(klass & free)
        last_class = same_class(allowed, plates, klass) == plates
        for plate in range(PLATE_COUNT):
            if (plates >> plate) & 1 == 0 or allowed[plate] != klass:
                continue
            if ways == 0:
                return False
            if not last_class and not careless and below(s, ways_at_most) >= ways:
                return False
            place = nth_bit(klass & free, below(s, ways))
            s.pile[place] = plate
            free &= ~(1 << place)
            ways -= 1
            ways_at_most -= 1
            plates &= ~(1 << plate)
    return free == 0


@kernel
def narrowest(allowed: Array, plates: int) -> int:
    """Of the sets of places, the smallest one that a plate is bound to."""
    best = 0
    size = PILE_PLACES + 1
    for plate in range(PLATE_COUNT):
        if (plates >> plate) & 1 and count_bits(allowed[plate]) < size:
            best = allowed[plate]
            size = count_bits(best)
    return best


@kernel
def same_class(allowed: Array, plates: int, klass: int) -> int:
    """The plates that are bound to exactly this set of places."""
    members = 0
    for plate in range(PLATE_COUNT):
        if (plates >> plate) & 1 and allowed[plate] == klass:
            members |= 1 << plate
    return members


@kernel
def nth_bit(mask: int, n: int) -> int:
    """The n-th member of a set, counted from 0."""
    place = 0
    while True:
        if (mask >> place) & 1:
            if n == 0:
                return place
            n -= 1
        place += 1
