"""Fingerprints of positions: what makes two tables the same to whoever has to decide there."""

from __future__ import annotations

from collections.abc import Generator, Sequence
from hashlib import sha256
from typing import Final

from sintra.components import SMALL_FACTORIES
from sintra.errors import SintraError
from sintra.records.record import Record
from sintra.rules.state import States, held
from sintra.table.games.beginnings import start_of_game
from sintra.table.games.log import Created, read_event
from sintra.table.games.storage import Stored

_BOARD: Final = ("line_color", "line_size", "line_placed", "dome", "slot_plate", "slot_turns", "broken")
_UNREADABLE: Final = (SintraError, AssertionError, ValueError, IndexError, KeyError, TypeError, AttributeError)
_PLAYED_ON: Final = b"+"


def fingerprint(states: States) -> bytes:
    """A hash of what lies on the factories and on both boards, and what is asked for, whatever the order of the small
    factories and whoever sits where. Nothing that is hidden counts, nor what is easily changed without changing the
    decision much: scores, goals, the round, the display, chips that were taken."""
    s = held(states)
    heights = s.get("stack_height")
    sun, stack, chips = s.part("sun"), s.part("stack"), s.part("chip_state")
    small = [
        sun[f].tobytes() + chips[f : f + 1].tobytes() + stack[f, : heights[f]].tobytes() for f in range(SMALL_FACTORIES)
    ]
    large = sun[SMALL_FACTORIES:].tobytes() + s.part("moon").tobytes()
    boards = [b"".join(s.part(name)[seat].tobytes() for name in _BOARD) for seat in (0, 1)]
    asked = bytes([s.get("stage"), s.get("drawn")])
    return sha256(b"|".join((asked, large, *sorted(small), *sorted(boards)))).digest()[:16]


def fingerprints_of(record: Record) -> Generator[None, None, list[bytes]]:
    """The fingerprints of all positions of a record, in order."""
    found = []
    for game in record.positions():
        found.append(fingerprint(game.states))
        yield
    return found


def start_of(events: Sequence[Stored]) -> bytes | None:
    """The key under which a game is found by its start; None for a log that cannot be read."""
    try:
        made = read_event(events[0].text)
        if not isinstance(made, Created):
            return None
        start = fingerprint(start_of_game(made).states)
    except _UNREADABLE:
        return None
    return start if made.start is None else played_on_from(start)


def played_on_from(start: bytes) -> bytes:
    """The key of a start that is not a deal of its own: many games may have it."""
    return _PLAYED_ON + start
