"""All that follows from sets of plates (R8): which plate can lie where, if each has one place."""

from __future__ import annotations

from sintra.components import NOTHING, PILE_PLACES
from sintra.rules.compiled import kernel, np
from sintra.rules.state import Array

SET = 0
"""The row of `conclude`'s table with the set of plates of each class of places."""
GIVEN = 1
"""The row with the plates given to each class."""
NEEDS = 2
"""The row with the number of plates that each class needs."""
REACHED = 3
"""The row with the classes whose plates each class can come by."""


@kernel
def count_bits(mask: int) -> int:
    """The size of a set (of at most 32 members): bits are summed in pairs, then in fours and eights."""
    mask -= (mask >> 1) & 0x55555555
    mask = (mask & 0x33333333) + ((mask >> 2) & 0x33333333)
    mask = (mask + (mask >> 4)) & 0x0F0F0F0F
    return ((mask * 0x01010101) >> 24) & 0xFF


@kernel
def only_bit(mask: int) -> int:
    """The one member of a set of one, otherwise NOTHING."""
    if mask == 0 or mask & (mask - 1):
        return NOTHING
    member = 0
    while mask > 1:
        mask >>= 1
        member += 1
    return member


@kernel
def conclude(masks: Array, n: int) -> bool:
    """Leaves in each set exactly the plates that lie at the place in some way to give every unseen
    plate one place whose set contains it. False, and nothing is changed, if there is no way.

    Places with the same set form a class. One way is found for the classes; then a class can have
    a plate of another one if that one can get a plate in return, directly or in a ring. (A set that
    becomes smaller is never taken for a later class: these are no smaller than it was.)
    """
    if n == 0:
        return True
    work = np.empty((4, PILE_PLACES), np.int64)
    classes = list_classes(masks, n, work)
    unseen = 0
    for k in range(classes):
        unseen |= work[SET, k]
    if count_bits(unseen) != n:
        return False
    if classes == 1:
        return True
    if not give_plates(work, classes):
        return False
    for k in range(classes):
        reached = 0
        for j in range(classes):
            reached |= (1 << j) if work[SET, k] & work[GIVEN, j] else 0
        work[REACHED, k] = reached
    for over in range(classes):
        for k in range(classes):
            work[REACHED, k] |= work[REACHED, over] if (work[REACHED, k] >> over) & 1 else 0
    for k in range(classes):
        possible = work[GIVEN, k]
        for j in range(classes):
            possible |= work[GIVEN, j] if (work[REACHED, j] >> k) & 1 else 0
        if work[SET, k] & ~possible:
            for place in range(n):
                if np.int64(masks[place]) == work[SET, k]:
                    masks[place] = work[SET, k] & possible
    return True


@kernel
def list_classes(masks: Array, n: int, work: Array) -> int:
    """The different sets of the places, small ones first, and how many plates each needs."""
    classes = 0
    for place in range(n):
        own = np.int64(masks[place])
        k = 0
        while k < classes and work[SET, k] != own:
            k += 1
        if k < classes:
            work[NEEDS, k] += 1
            continue
        size = count_bits(own)
        while k > 0 and count_bits(work[SET, k - 1]) > size:
            work[SET, k] = work[SET, k - 1]
            work[NEEDS, k] = work[NEEDS, k - 1]
            k -= 1
        work[SET, k] = own
        work[NEEDS, k] = 1
        classes += 1
    return classes


@kernel
def give_plates(work: Array, classes: int) -> bool:
    """Gives each class of places as many plates of its set as it has places, no plate twice.
    False if that cannot be."""
    used = 0
    for k in range(classes):
        work[GIVEN, k] = 0
        for _ in range(work[NEEDS, k]):
            free = work[SET, k] & ~used
            if free == 0:
                free = hand_on(work, k, used)
                for j in range(k):
                    used |= work[GIVEN, j]
            if free == 0:
                return False
            plate = free & -free
            used |= plate
            work[GIVEN, k] |= plate
    return True


@kernel
def hand_on(work: Array, wanting: int, used: int) -> int:
    """Frees a plate for a class all of whose plates are given away: an earlier class hands one on
    and takes another instead, perhaps from a third. Returns the plate as a set, 0 if none can."""
    asked_by = np.full(PILE_PLACES, NOTHING, np.int64)
    ahead = np.empty(PILE_PLACES, np.int64)
    ahead[0] = wanting
    length = 1
    at = 0
    while at < length:
        k = ahead[at]
        at += 1
        for j in range(wanting):
            if asked_by[j] != NOTHING or work[SET, k] & work[GIVEN, j] == 0:
                continue
            asked_by[j] = k
            ahead[length] = j
            length += 1
            free = work[SET, j] & ~used
            if free == 0:
                continue
            plate = free & -free
            giver = j
            while giver != wanting:
                taker = asked_by[giver]
                moved = work[SET, taker] & work[GIVEN, giver]
                moved &= -moved
                work[GIVEN, giver] = (work[GIVEN, giver] | plate) & ~moved
                plate = moved
                giver = taker
            return plate
    return 0
