"""Views as text: a position that says whose view it is.

seat: 0
stack: ?W ?? ?? 04            what is not known is `??`, or `?W` and `?*` where its kind is
chips: B- ?? ...
0 knows: 03|10 ...            the plates that could lie at each place, where that is less
1 thinks: W @2 @2|@3 ...      what the other seat thinks of each place, without naming plates
"""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Final

from sintra.components import (
    ALL_PLATES,
    CHIP_COUNT,
    NOTHING,
    PILE_PLACES,
    PLATE_COUNT,
    PLATES,
    SEATS,
    SPECIAL_PLATES,
    SPECTATOR,
    chip_index,
    plate_index,
)
from sintra.position.plates_known import (
    HIDDEN,
    HIDDEN_PLATES,
    OBSERVER_NAMES,
    members,
    read_returned,
    read_sets,
    returned_rows,
    sets_text,
)
from sintra.position.reading import Reader
from sintra.position.writing import joined_rows, table_rows
from sintra.rules import engine
from sintra.rules.knowledge import NEVER_SEEN_SPECIAL, NEVER_SEEN_WILD
from sintra.rules.state import States, blank_states, held

_NEVER_SEEN: Final = {"*": NEVER_SEEN_SPECIAL, "W": NEVER_SEEN_WILD}
"""The bits for plates of a kind that a seat has never looked at, by the letter of the kind."""


def write_view_text(states: States, observer: int) -> str:
    """A view as text: all that its observer may know, and nothing else."""
    get = held(states).get
    size = get("pile_size")
    sets = {o: get("could_be")[o][:size] for o in range(len(OBSERVER_NAMES))}
    plates = get("pile")[:size]
    rows = [("seat", OBSERVER_NAMES[observer]), *table_rows(states, observer), *returned_rows(states)]
    if sets[observer] != _sets_of_words(plates, sets[observer]):
        rows.append((f"{OBSERVER_NAMES[observer]} knows", sets_text(sets[observer])))
    if sets[SPECTATOR] != sets[observer]:
        rows.append(("spectator knows", sets_text(sets[SPECTATOR])))
    for seat in range(SEATS):
        if seat == observer:
            looked_at = get("looked_at")[seat]
            if looked_at != _known(plates):
                rows.append((f"{seat} looked", " ".join(members(looked_at)) or "-"))
        elif sets[seat] != [_never_seen(mask) for mask in sets[SPECTATOR]]:
            rows.append((f"{seat} thinks", " ".join(map(_thought_text, sets[seat]))))
    return joined_rows(rows)


def _known(plates: Iterable[int]) -> int:
    """The set of the plates that are known among those at some places."""
    return sum(1 << plate for plate in plates if plate != NOTHING)


def _sets_of_words(plates: list[int], sets: list[int]) -> list[int]:
    """The sets that follow from what is written for hand and stack alone."""
    unknown = 0
    for mask in sets:
        unknown |= mask
    unknown &= ~_known(plates)
    found = []
    for plate, mask in zip(plates, sets, strict=True):
        kinds = [kind for kind in (SPECIAL_PLATES, ALL_PLATES & ~SPECIAL_PLATES) if mask & kind]
        found.append(1 << plate if plate != NOTHING else unknown & sum(kinds))
    return found


def _never_seen(mask: int) -> int:
    """The set of a seat that has looked at none of these plates."""
    special = NEVER_SEEN_SPECIAL if mask & SPECIAL_PLATES else 0
    return special | (NEVER_SEEN_WILD if mask & ~SPECIAL_PLATES else 0)


def _thought_text(told: int) -> str:
    """The word for what another seat thinks of a place: plates that it has looked at, by their places, and kinds."""
    words = [f"@{k + 1}" for k in range(PILE_PLACES) if told >> k & 1]
    return "|".join([*words, *(letter for letter, bit in _NEVER_SEEN.items() if told & bit)]) or "-"


class _ViewReader(Reader):
    """Reads the text of a view; that it is one is checked with what it hides filled in."""

    def read_view(self) -> tuple[States, int]:
        """Reads the view, and whose it is."""
        names = {name: observer for observer, name in enumerate(OBSERVER_NAMES)}
        if "seat" not in self.values:
            raise self.fault("seat", f"a view says whose it is: {', '.join(names)}")
        observer = names[self.one_of("seat", self.get("seat"), names)]
        self.read_table()
        read_returned(self, self.s)
        self.read_sets_of(observer)
        for seat in range(SEATS):
            if seat == observer:
                self.read_looked(seat)
            else:
                self.read_thoughts(seat)
        return self.concluded(observer), observer

    def read_plates(self) -> None:
        """Reads hand and stack, which name each place as far as it is known."""
        display = self.plates("display")
        places = [*self.words("hand"), *self.words("stack")]
        if "stack" not in self.values or len(places) > PILE_PLACES:
            raise self.fault("stack", f"a view names each place, with {HIDDEN} for what it does not know (at most 15)")
        try:
            pile = [NOTHING if word in HIDDEN_PLATES else plate_index(word) for word in places]
        except ValueError as error:
            raise self.fault("stack", f"{error}, and {', '.join(HIDDEN_PLATES)} for one that is hidden") from None
        laid = [plate for plate in self.s["slot_plate"].flattened() if plate != NOTHING]
        named = [*display, *laid, *(plate for plate in pile if plate != NOTHING)]
        if twice := [plate for plate in named if named.count(plate) > 1]:
            raise self.fault("stack", f"plate {PLATES[twice[0]]} is in two places (R1.4)")
        there = len(display) + len(laid) + len(pile)
        if there != PLATE_COUNT:
            raise self.fault("stack", f"there are {there} plates with those of display and boards, not 18 (R1.4)")
        self.lay_out(display, pile, len(self.words("hand")))

    def read_chips(self) -> None:
        """Reads the chips, as far as they are known."""
        words = self.words("chips")
        if len(words) != CHIP_COUNT:
            raise self.fault("chips", f"a view names all 20, with {HIDDEN} for what it does not know (R1.5)")
        try:
            self.s["chip_order"] = [NOTHING if word == HIDDEN else chip_index(word) for word in words]
        except ValueError as error:
            raise self.fault("chips", str(error)) from None

    def read_sets_of(self, observer: int) -> None:
        """Reads what could lie where, for the observer and for everybody."""
        s = self.s
        plates = s["pile"][: s["pile_size"]].tolist()
        words = [*self.words("hand"), *self.words("stack")]
        open_to_all = [*s["display"].tolist(), *s["slot_plate"].flattened()]
        unseen = ALL_PLATES & ~_known(open_to_all)
        unknown = unseen & ~_known(plates)
        sets = [HIDDEN_PLATES[word] & unknown if word in HIDDEN_PLATES else 1 << plate_index(word) for word in words]
        for place, mask in enumerate(self.named_sets(OBSERVER_NAMES[observer])):
            sets[place] &= mask
        s["could_be"][observer, : len(sets)] = sets
        if observer != SPECTATOR:
            s["could_be"][SPECTATOR, : len(sets)] = self.named_sets(OBSERVER_NAMES[SPECTATOR]) or sets

    def named_sets(self, name: str) -> list[int]:
        """The sets that the text gives for an observer, if any."""
        key = f"{name} knows"
        return [mask for _, mask in read_sets(self, key, int(self.s["pile_size"]))] if key in self.values else []

    def read_looked(self, seat: int) -> None:
        """Reads the plates of hand and stack that the seat has looked at: usually those that it knows."""
        s, key = self.s, f"{seat} looked"
        known = _known(s["pile"][: s["pile_size"]].tolist())
        s["looked_at"][seat] = _known(self.plates(key)) if key in self.values else known

    def read_thoughts(self, seat: int) -> None:
        """Reads what another seat thinks of each place."""
        s, key = self.s, f"{seat} thinks"
        size = int(s["pile_size"])
        if key not in self.values:
            s["could_be"][seat, :size] = [_never_seen(mask) for mask in s["could_be"][SPECTATOR, :size].tolist()]
            return
        words = self.get(key).split()
        if len(words) != size:
            raise self.fault(key, f"names {size} places of hand and stack, not {len(words)}")
        for place, word in enumerate(words):
            for part in word.split("|") if word != "-" else ():
                match = re.fullmatch(r"@([0-9]{1,2})", part)
                if not (part in _NEVER_SEEN or (match and 1 <= int(match[1]) <= size)):
                    raise self.fault(key, f"{part!r} should be a place like @2, or W or * for a plate never looked at")
                bit = 1 << int(match[1]) - 1 if match else _NEVER_SEEN[part]
                s["could_be"][seat, place] |= bit

    def concluded(self, observer: int) -> States:
        """The view with all conclusions drawn. What it hides is filled in, and looked at again."""
        filled = blank_states(2)
        if not engine.sample(self.states, 0, observer, 0, filled, 0):
            raise self.fault("stack", "no order of plates and chips fits what is said here (R8)")
        if found := engine.fault(filled, 0):
            raise self.unsound(found)
        engine.view(filled, 0, observer, filled, 1)
        seen = filled[1:]
        if seen.get("chip_order") != self.s["chip_order"].tolist():
            raise self.fault("chips", "it names one that lies face down, or hides one that does not (R8)")
        for seat in range(SEATS):
            if seat != observer:
                seen["could_be"][0, seat] = self.s["could_be"][seat]
        return seen.copy()


def read_view_text(text: str) -> tuple[States, int]:
    """The view that a text describes, and whose it is; whether that observer could know all of it is not checked."""
    return _ViewReader(text).read_view()
