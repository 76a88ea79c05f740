"""The events of a game that an observer was sent, as JSON text."""

from __future__ import annotations

from typing import Any, Final, TypeVar

import msgspec

from sintra.table.shown.messages import Event

Part = TypeVar("Part")
_encode: Final = msgspec.json.Encoder().encode
raw: Final[Any] = msgspec.Raw
"""JSON text within a message, in place of what it says."""


def written(part: Part) -> Part:
    """A part of a message as JSON that is written once and copied into several messages."""
    text: Part = raw(_encode(part))
    return text


class Told:
    """The events of a log as JSON. A log only grows, so each event is written once and copied into every answer."""

    __slots__ = ("_ends", "_text")

    def __init__(self) -> None:
        self._text = bytearray()
        self._ends: list[int] = []

    def __len__(self) -> int:
        """The number of events."""
        return len(self._ends)

    def add(self, event: Event) -> None:
        """Adds the next event."""
        self._text += b"," if self._ends else b"["
        self._text += _encode(event)
        self._ends.append(len(self._text))

    def event(self, seq: int) -> Event:
        """An event as JSON, for use within a message."""
        start = 1 + (self._ends[seq - 1] if seq else 0)
        event: Event = raw(self._text[start : self._ends[seq]])
        return event

    def within(self, before: bytes, seq: int, after: bytes) -> bytes:
        """The log up to an event as a JSON list, between a prefix and a suffix; everything is copied once."""
        with memoryview(self._text) as text, text[: self._ends[seq]] as log:
            return b"".join((before, log, b"]", after))
