"""What a seat remembers of plates that the other seat mixed more than once (R3.1, R8).

When a seat draws plates, keeps one and returns the others, the other seat sees which places went
in, and of each kind how many came out, but not which plate went where. The sets of `knowledge`
say all there is to know about one such *mix*. When plates of one mix are drawn into the next, a
seat must also remember by which ways a plate that it knows can have come to where it lies now.

A mix is numbered by the plate it ended with: a seat takes two in each of four rounds, so there
are eight. For each observing seat, and each kind of plate:

- `went_in[o, p]` is the mix of the other seat into which plate p went from a place where o knew it;
- `drawn_again[o, kind, i]` counts, for each later mix j, the plates of mix i that went on to j;
- `came_out[o, kind, i]` counts, for each later mix j, the plates that went into i before the eyes
  of o and that o saw coming out of j: laid, shown in the display, or drawn by o.

A pile can be if all these plates can have gone their ways: each along places that were drawn
again, and no two along the same. Plates that o never looked at fill the places left, so they need
no check. Who drew, how many, and the kinds are public, and the plates named here were looked at by
both seats: the one returned them and the other drew them. So both seats know all of this.
"""

from __future__ import annotations

from typing import Final

import numpy as np

from sintra.components import (
    MARKERS,
    NOTHING,
    PLATE_COUNT,
    PLATE_IS_SPECIAL,
    PLATES_OF_A_KIND,
    SPECIAL_PLATES,
)
from sintra.rules.compiled import kernel
from sintra.rules.state import COUNT_BITS, KINDS, MIXES, Array, State

MAX_OF_ONE: Final = (1 << COUNT_BITS) - 1
"""The largest number that a count can hold; none is larger than the plates of one kind."""
STOPS: Final = MIXES + 1
"""Where a plate can go: eight mixes, and at last the pile as it lies now."""
PILE: Final = MIXES
MAX_STEPS: Final = STOPS * PLATES_OF_A_KIND
"""No stop is reached by more plates than there are of a kind."""
MAX_TRIED: Final = 2_000
"""How many steps a search for ways tries. Mixes of a game, of which some dozen steps tell everything,
never come near; what is made up, in a position or in damaged bytes, must not take for ever."""


@kernel
def mix_now(s: State, seat: int) -> int:
    """R3.1: the number of a seat's mix under way: how many plates it has taken in the rounds."""
    return MARKERS * (np.int64(s.round_no) - 1) + MARKERS - np.int64(s.markers_left[seat])


@kernel
def mixes_over(s: State, seat: int) -> int:
    """How many mixes of a seat there can have been so far."""
    return min(mix_now(s, seat), MIXES)


@kernel
def mix_of(s: State, seat: int, place: int) -> int:
    """The mix of this seat that returned the plate at a place, NOTHING if it was not this seat."""
    mix = np.int64(s.returned_in[place]) - MIXES * seat
    return mix if 0 <= mix < MIXES else NOTHING


@kernel
def count_of(counts: Array, i: int, j: int) -> int:
    """How many plates a table of counts has from mix i to mix j."""
    return (np.int64(counts[i]) >> (COUNT_BITS * j)) & MAX_OF_ONE


@kernel
def count_one(counts: Array, i: int, j: int) -> None:
    """One more plate from mix i to mix j."""
    counts[i] = np.int64(counts[i]) + (1 << (COUNT_BITS * j))


@kernel
def come_out(s: State, observer: int, plate: int, mix: int) -> None:
    """The observer sees a plate that has come out of a mix of the other seat."""
    entry = np.int64(s.went_in[observer, plate])
    if entry == NOTHING:
        return
    s.went_in[observer, plate] = NOTHING
    if entry < mix:
        count_one(s.came_out[observer, 1 if PLATE_IS_SPECIAL[plate] else 0], entry, mix)


@kernel
def forget_mixes(s: State, observer: int) -> None:
    """When no plate of a kind is still in a mix, the ways of those that were matter no more."""
    inside = 0
    for plate in range(PLATE_COUNT):
        if s.went_in[observer, plate] != NOTHING:
            inside |= 2 if PLATE_IS_SPECIAL[plate] else 1
    for kind in range(KINDS):
        if (inside >> kind) & 1 == 0:
            for i in range(MIXES):
                s.drawn_again[observer, kind, i] = 0
                s.came_out[observer, kind, i] = 0


@kernel
def recall_seen(s: State, place: int) -> None:
    """The plate at this place of the pile comes to light from where it lies (R7.2)."""
    if s.pile[place] == NOTHING:
        return
    for observer in range(2):
        mix = mix_of(s, 1 - observer, place)
        if mix != NOTHING:
            come_out(s, observer, s.pile[place], mix)
            forget_mixes(s, observer)


@kernel
def recall_drawn(s: State, seat: int) -> None:
    """R3.1: the seat looks at the drawn plates, and so at those that the other seat had mixed."""
    for place in range(s.drawn):
        mix = mix_of(s, 1 - seat, place)
        if mix != NOTHING and s.pile[place] != NOTHING:
            come_out(s, seat, s.pile[place], mix)
    forget_mixes(s, seat)


@kernel
def recall_mix(s: State, seat: int, kept: int) -> None:
    """R3.1: the seat lays one of the drawn plates: before the other seat's eyes, all the drawn
    plates have gone into a mix, and this one has come out."""
    observer = 1 - seat
    mix = mix_now(s, seat)
    for place in range(s.drawn):
        before = mix_of(s, seat, place)
        plate = np.int64(s.pile[place])
        known = 1 << plate if plate != NOTHING else 0
        if before != NOTHING:
            kind = 1 if np.int64(s.could_be[observer, place]) & SPECIAL_PLATES else 0
            count_one(s.drawn_again[observer, kind], before, mix)
        elif known and np.int64(s.looked_at[observer]) & known and np.int64(s.could_be[observer, place]) == known:
            s.went_in[observer, plate] = mix
        s.returned_in[place] = MIXES * seat + mix
    come_out(s, observer, kept, mix)
    forget_mixes(s, observer)


@kernel
def is_tangled(s: State, observer: int, kind: int) -> bool:
    """Whether plates of a kind that this seat knows may have gone through several mixes."""
    for i in range(MIXES):
        if s.drawn_again[observer, kind, i]:
            return True
    return False


@kernel
def lay_ways(s: State, observer: int, kind: int, wanting: Array, room: Array) -> None:
    """Writes the ways between the stops, and the plates that are known to have gone them."""
    for i in range(STOPS):
        for j in range(STOPS):
            ahead = i < j and j < PILE
            wanting[i, j] = count_of(s.came_out[observer, kind], i, j) if ahead else 0
            room[i, j] = count_of(s.drawn_again[observer, kind], i, j) if ahead else 0


@kernel
def ways_exist(wanting: Array, room: Array) -> bool:
    """Whether `wanting[i, j]` plates can go from each stop i to each j, when `room[i, j]` can go
    straight from i to j. The tables are used up.

    A search with an explicit stack, in the order of the stops. Plates at the same stop with the
    same goal are alike, so each goes on no earlier than the one before it. What is not decided
    after `MAX_TRIED` steps is taken to be possible.
    """
    taken = np.empty((MAX_STEPS, 2), np.int64)
    depth = 0
    tried = 0
    at = 0
    onward = 0
    while True:
        while at < STOPS * STOPS and wanting[at // STOPS, at % STOPS] == 0:
            at += 1
            onward = 0
        tried += 1
        if at == STOPS * STOPS or depth == MAX_STEPS or tried > MAX_TRIED:
            return True
        here = at // STOPS
        goal = at % STOPS
        onward = max(onward, here + 1)
        while onward <= goal and room[here, onward] == 0:
            onward += 1
        if onward <= goal:
            taken[depth, 0] = at
            taken[depth, 1] = onward
            depth += 1
            room[here, onward] -= 1
            wanting[here, goal] -= 1
            if onward < goal:
                wanting[onward, goal] += 1
        else:
            if depth == 0:
                return False
            depth -= 1
            at = taken[depth, 0]
            onward = taken[depth, 1]
            here = at // STOPS
            goal = at % STOPS
            room[here, onward] += 1
            wanting[here, goal] += 1
            if onward < goal:
                wanting[onward, goal] -= 1
            onward += 1


@kernel
def can_be(s: State, observer: int) -> bool:
    """R8: whether the pile of a complete state is one that this seat thinks possible."""
    for kind in range(KINDS):
        if is_tangled(s, observer, kind) and not kind_can_be(s, observer, kind):
            return False
    return True


@kernel
def kind_can_be(s: State, observer: int, kind: int) -> bool:
    """`can_be` for the plates of one kind."""
    wanting = np.empty((STOPS, STOPS), np.int64)
    room = np.empty((STOPS, STOPS), np.int64)
    lay_ways(s, observer, kind, wanting, room)
    for place in range(s.pile_size):
        plate = np.int64(s.pile[place])
        entry = np.int64(s.went_in[observer, plate])
        if entry == NOTHING or PLATE_IS_SPECIAL[plate] != (kind == 1):
            continue
        mix = mix_of(s, 1 - observer, place)
        if mix < entry:
            return False
        if entry < mix:
            wanting[entry, mix] += 1
    return ways_exist(wanting, room)


@kernel
def is_sound(s: State, observer: int) -> bool:
    """Whether what a seat remembers can be true of a complete state: its counts can be, and all
    that went into mixes can have gone their ways."""
    if not counts_fit(s, observer):
        return False
    for kind in range(KINDS):
        if not kind_can_be(s, observer, kind):
            return False
    return True


@kernel
def counts_fit(s: State, observer: int) -> bool:
    """Whether the ways that a seat remembers lead from mixes to later ones that are over, and no
    mix drew more plates than there are of a kind."""
    over = mixes_over(s, 1 - observer)
    for kind in range(KINDS):
        for j in range(MIXES):
            drawn = 0
            for i in range(MIXES):
                again = count_of(s.drawn_again[observer, kind], i, j)
                if (again or count_of(s.came_out[observer, kind], i, j)) and (i >= j or j >= over):
                    return False
                drawn += again
            if drawn > PLATES_OF_A_KIND:
                return False
    return True


@kernel
def narrow(s: State, observer: int) -> bool:
    """Takes out of a seat's sets the plates that cannot have come to a place; True if there were
    any."""
    changed = False
    for kind in range(KINDS):
        if is_tangled(s, observer, kind):
            changed |= narrow_kind(s, observer, kind)
    return changed


@kernel
def narrow_kind(s: State, observer: int, kind: int) -> bool:
    """`narrow` for the plates of one kind."""
    inside = 0
    ways_wanting = np.empty((STOPS, STOPS), np.int64)
    ways_room = np.empty((STOPS, STOPS), np.int64)
    lay_ways(s, observer, kind, ways_wanting, ways_room)
    for plate in range(PLATE_COUNT):
        if s.went_in[observer, plate] != NOTHING and PLATE_IS_SPECIAL[plate] == (kind == 1):
            inside |= 1 << plate
            ways_wanting[s.went_in[observer, plate], PILE] += 1
    for place in range(s.pile_size):
        mix = open_mix(s, observer, kind, place, inside)
        if mix != NOTHING:
            ways_room[mix, PILE] += 1
    changed = False
    for mix in range(MIXES):
        if ways_room[mix, PILE] == 0:
            continue
        ruled_out = 0
        ways_room[mix, PILE] -= 1
        if not ways_exist(ways_wanting.copy(), ways_room.copy()):
            ruled_out = ~inside
        for plate in range(PLATE_COUNT):
            if (inside >> plate) & 1:
                entry = np.int64(s.went_in[observer, plate])
                ways_wanting[entry, PILE] -= 1
                ways_wanting[entry, mix] += 1 if entry < mix else 0
                if entry > mix or not ways_exist(ways_wanting.copy(), ways_room.copy()):
                    ruled_out |= 1 << plate
                ways_wanting[entry, mix] -= 1 if entry < mix else 0
                ways_wanting[entry, PILE] += 1
        ways_room[mix, PILE] += 1
        for place in range(s.pile_size):
            if open_mix(s, observer, kind, place, inside) == mix:
                mask = np.int64(s.could_be[observer, place])
                changed |= (mask & ruled_out) != 0
                s.could_be[observer, place] = mask & ~ruled_out
    return changed


@kernel
def open_mix(s: State, observer: int, kind: int, place: int, inside: int) -> int:
    """The mix of the other seat that returned a place of this kind, or NOTHING; places that are
    known to hold a plate from outside the mixes do not count."""
    mask = np.int64(s.could_be[observer, place])
    is_special = (mask & SPECIAL_PLATES) != 0
    if is_special != (kind == 1) or (mask & inside) == 0:
        return NOTHING
    return mix_of(s, 1 - observer, place)
