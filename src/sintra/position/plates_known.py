"""What observers know of hand and stack (R8), as position text."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any, Final

from sintra.components import (
    ALL_PLATES,
    IS_SPECIAL,
    MARKERS,
    NOTHING,
    OBSERVERS,
    SEATS,
    SPECIAL_PLATES,
    UnknownPieceError,
    plate_index,
    plates_in,
)
from sintra.errors import Fault
from sintra.position.text import Text
from sintra.rules.state import PLATE_TURNS, Stage, States, copied, held

OBSERVER_NAMES: Final = ("0", "1", "spectator")
"""The observers as they are written."""
HIDDEN: Final = "??"
"""Stands for a plate or a chip that the observer of a view does not know."""
_UNKNOWN: Final = {"?": ALL_PLATES, "*": SPECIAL_PLATES, "W": ALL_PLATES & ~SPECIAL_PLATES}
"""The sets that have a word of their own: all plates, and those of a kind."""
HIDDEN_PLATES: Final = {f"?{letter}": mask for letter, mask in _UNKNOWN.items()}
"""The plates that can lie at a place of which a view knows the kind alone, or nothing, by the word for it."""


def hidden_word(mask: int) -> str:
    """The word for a plate of which only the set is known that it belongs to."""
    return next(word for word in ("?*", "?W", HIDDEN) if mask & ~HIDDEN_PLATES[word] == 0)


def knowledge_rows(states: States) -> list[tuple[str, str]]:
    """The keys and values for what observers know of the pile, where that is more than the least they can know."""
    plain = held(copied(states))
    forget(plain)
    get, plain_get = held(states).get, plain.get
    size = get("pile_size")
    rows = returned_rows(states)
    for observer, name in enumerate(OBSERVER_NAMES):
        masks = get("could_be")[observer][:size]
        if masks != plain_get("could_be")[observer][:size]:
            rows.append((f"{name} knows", sets_text(masks)))
    for seat in range(2):
        if get("looked_at")[seat] != plain_get("looked_at")[seat]:
            rows.append((f"{seat} looked", " ".join(members(get("looked_at")[seat]))))
    return rows


def returned_rows(states: States) -> list[tuple[str, str]]:
    """The key and value for who returned which plates, if anybody did."""
    get = held(states).get
    returned_in = get("returned_in")[: get("pile_size")]
    return [("returned", " ".join(map(_turn_text, returned_in)))] if set(returned_in) - {NOTHING} else []


def sets_text(masks: Iterable[int]) -> str:
    """Sets of plates, one for each place, as text."""
    return " ".join("|".join(members(mask)) for mask in masks)


def _turn_text(returned_in: int) -> str:
    """The word for who returned a plate and in which of its eight plate turns, counted from 1."""
    return "-" if returned_in == NOTHING else f"{returned_in // PLATE_TURNS}.{returned_in % PLATE_TURNS + 1}"


def members(mask: int) -> list[str]:
    """The names of the plates in a set."""
    return [plate.name for plate in plates_in(mask)]


def forget(states: States) -> None:
    """Gives every observer the least it can know: what lies open, the kinds of the top and of plates
    that were returned, its own hand, and the plates that it returned itself."""
    s = states[0]
    pile = s["pile"][: s["pile_size"]].tolist()
    unseen = sum(1 << plate for plate in pile)
    s["could_be"] = 0
    s["looked_at"] = 0
    looking = s["stage"] in (Stage.KEEPING, Stage.RETURNING)
    for observer in range(OBSERVERS):
        own = [
            (looking and observer == s["turn"] and place < s["drawn"])
            or (s["returned_in"][place] != NOTHING and s["returned_in"][place] // PLATE_TURNS == observer)
            for place in range(len(pile))
        ]
        seen = sum(1 << plate for plate, is_own in zip(pile, own, strict=True) if is_own)
        if observer < SEATS:
            s["looked_at"][observer] = seen
        for place, plate in enumerate(pile):
            mask = 1 << plate if own[place] else unseen & ~seen
            if place <= s["drawn"] or s["returned_in"][place] != NOTHING:
                mask &= SPECIAL_PLATES if IS_SPECIAL[plate] else ALL_PLATES & ~SPECIAL_PLATES
            s["could_be"][observer, place] = mask


def read_knowledge(text: Text, states: States) -> None:
    """Gives every observer of a complete state what the text says, and otherwise the least it can know."""
    read_returned(text, states[0])
    forget(states)
    _read_candidates(text, states[0])


def read_returned(text: Text, s: Any) -> None:
    """Reads who returned which of the plates in hand and stack."""
    size = int(s["pile_size"])
    words = text.get("returned", " ".join("-" * size)).split()
    if len(words) != size:
        raise text.fault("returned", Fault("count.places", wanted=size, count=len(words)))
    for place, word in enumerate(words):
        if word == "-":
            continue
        match = re.fullmatch(r"([01])\.([1-8])", word)
        if not match:
            raise text.fault("returned", Fault("like.returned", found=word, like="0.3"))
        seat, turn = int(match[1]), int(match[2])
        taken = MARKERS * int(s["round_no"]) - int(s["markers_left"][seat])
        if turn > taken:
            raise text.fault("returned", Fault("plate_turn", found=match[2], seat=seat, count=taken))
        s["returned_in"][place] = PLATE_TURNS * seat + turn - 1


def read_sets(text: Text, key: str, size: int) -> list[tuple[str, int]]:
    """The set of plates that a value names for each place of hand and stack, as a word and as a mask."""
    words = text.words(key)
    if len(words) != size:
        raise text.fault(key, Fault("count.places", wanted=size, count=len(words)))
    try:
        return [
            (word, _UNKNOWN.get(word) or sum({1 << plate_index(name) for name in word.split("|")})) for word in words
        ]
    except UnknownPieceError as error:
        raise text.unknown(key, error) from None


def _read_candidates(text: Text, s: Any) -> None:
    """Reads what each observer thinks could lie where, and the plates that a seat has looked at."""
    size = int(s["pile_size"])
    for observer, name in enumerate(OBSERVER_NAMES):
        key = f"{name} knows"
        if key not in text.values:
            continue
        for place, (word, mask) in enumerate(read_sets(text, key, size)):
            if not mask >> int(s["pile"][place]) & 1:
                raise text.fault(key, Fault("leaves_out", found=word, place=place + 1))
            s["could_be"][observer, place] &= mask
    for seat in range(2):
        if f"{seat} looked" in text.values:
            plates = text.plates(f"{seat} looked")
            if not set(plates) <= set(s["pile"][:size].tolist()):
                raise text.fault(f"{seat} looked", Fault("only_pile"))
            s["looked_at"][seat] = sum(1 << plate for plate in plates)
