"""Messages about a view as whoever gets them reads them: compiled code writes them as JSON."""

from __future__ import annotations

from typing import TypeVar

import msgspec

from sintra.game.game import View
from sintra.table.shown import options, position
from sintra.table.shown.messages import Options, PositionShown

Message = TypeVar("Message")


def read(message: Message, kind: type[Message]) -> Message:
    """A message as it is read back."""
    return msgspec.json.decode(msgspec.json.encode(message), type=kind)


def position_of(view: View) -> PositionShown:
    """The table as the view's observer reads it."""
    return read(position.position_of(view), PositionShown)


def options_of(view: View) -> Options:
    """What the view's observer may decide, as they read it."""
    return read(options.options_of(view), Options)
