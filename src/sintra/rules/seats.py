"""Exchanges the seats of a table: whoever sat at seat 0 sits at seat 1."""

from __future__ import annotations

from typing import Final

from sintra.components import NOTHING, SEATS
from sintra.rules.state import ON_FACTORY, PLATE_TURNS, States, copied

_BY_SEAT: Final = (
    "looked_at",
    "score",
    "tally",
    "markers_left",
    "chips_left",
    "store",
    "spent",
    "line_color",
    "line_size",
    "line_placed",
    "broken",
    "slot_plate",
    "slot_turns",
    "space",
    "dome",
)
"""Fields that begin with an entry for each seat."""


def with_seats_exchanged(states: States) -> States:
    """A copy of an array of one state, with the seats exchanged; the rules treat both alike."""
    other = copied(states)
    s = other[0]
    for name in _BY_SEAT:
        s[name] = states[0][name].tolist()[::-1]
    s["could_be"][:SEATS] = states[0]["could_be"][:SEATS].tolist()[::-1]
    s["turn"], s["first"] = 1 - s["turn"], 1 - s["first"]
    if s["start_tile"] != ON_FACTORY:
        s["start_tile"] = 1 - s["start_tile"]
    s["returned_in"] = [
        NOTHING if turn == NOTHING else (turn + PLATE_TURNS) % (SEATS * PLATE_TURNS)
        for turn in states[0]["returned_in"].tolist()
    ]
    return other
