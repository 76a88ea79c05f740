"""The events that the log of a game is made of, and how they are written as JSON."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import msgspec
from msgspec import Struct, field

from sintra.tabletop.ruleset import OPTION_NAMES, RuleOptions


class LogEvent(Struct, frozen=True, tag_field="kind", omit_defaults=True, kw_only=True):
    """Something that happened in a game; the tag is its kind."""

    time_left: tuple[int, int] | None = None
    """The milliseconds that each seat had left after it, in a game with a clock."""


class TimeLimit(Struct, frozen=True):
    """The clock of a game."""

    seconds: int
    """Seconds that each seat has for the whole game."""
    increment: int
    """Seconds that a seat gets for every turn."""


class Start(Struct, frozen=True, omit_defaults=True):
    """Where a game begins that does not begin with a deal of its own: a position as text, with all that is hidden
    in it, and if it is known from its deal on, the record of the `moves` that led there. `dealt_anew`: nobody knows
    what is hidden in either."""

    position: str
    record: str = ""
    moves: int = 0
    dealt_anew: bool = False


class Created(LogEvent, frozen=True, tag="created", omit_defaults=True):
    """A game was made."""

    seed: int
    """What the deal follows from, or what chance brings after `start`."""
    computer_seed: int = field(name="mood")
    """What the computer's dice follow from; it tells nothing about the deal."""
    mode: str
    """Against the computer, with a friend by link, or on one screen."""
    names: list[str]
    """The names of both seats."""
    goals: list[str]
    """The goals that were named, if any were (R2.2)."""
    goal_count: int
    """How many goals are drawn if none were named."""
    options: RuleOptions
    """The rule options."""
    opponent: str = ""
    """The computer that plays, if one does."""
    previous: str = ""
    """The name of the game of which this is the rematch."""
    start: Start | None = None
    """The position from which the game was played on, if it did not begin with a deal."""
    clock: TimeLimit | None = None
    """The time limit, if there is one."""


class SeatEvent(LogEvent, frozen=True):
    """Something that a seat did, or that happened to it."""

    seat: int


class Joined(SeatEvent, frozen=True, tag="joined"):
    """The friend came to the table. If several come by an invitation, the last of these events names the one
    who sat down."""

    name: str


class Moved(SeatEvent, frozen=True, tag="move"):
    """A seat made a move."""

    token: str


class Undone(SeatEvent, frozen=True, tag="undo"):
    """A seat undid its latest move, within the law."""


class TakenBack(SeatEvent, frozen=True, tag="take_back"):
    """A seat went back to the position after `ply` moves, without having to ask."""

    ply: int
    marks: bool


class Redone(SeatEvent, frozen=True, tag="redo"):
    """A seat made the moves again that it had just taken back, with all that had followed them."""


class TakeBackAsked(SeatEvent, frozen=True, tag="take_back_asked"):
    """A seat asks the other to let it go back to the position after `ply` moves."""

    ply: int


class TakeBackAccepted(SeatEvent, frozen=True, tag="take_back_accepted"):
    """The other seat allowed the take-back."""

    ply: int


class TakeBackDeclined(SeatEvent, frozen=True, tag="take_back_declined"):
    """The other seat declined the take-back."""


class Resigned(SeatEvent, frozen=True, tag="resigned"):
    """A seat gave up."""


class Claimed(SeatEvent, frozen=True, tag="claimed"):
    """A seat claimed the game: the other had to decide, and had been away for long."""


class TimedOut(SeatEvent, frozen=True, tag="timeout"):
    """The time of a seat ran out; the service itself notices that."""


class Cancelled(SeatEvent, frozen=True, tag="cancelled"):
    """The maker gave up waiting for the friend."""


class Rematched(SeatEvent, frozen=True, tag="rematch"):
    """A seat asked for a rematch, which is the game of that name."""

    game: str


AnyEvent: TypeAlias = (
    Created
    | Joined
    | Moved
    | Undone
    | TakenBack
    | Redone
    | TakeBackAsked
    | TakeBackAccepted
    | TakeBackDeclined
    | Resigned
    | Claimed
    | TimedOut
    | Cancelled
    | Rematched
)

_decoder: Final[msgspec.json.Decoder[AnyEvent]] = msgspec.json.Decoder(AnyEvent)


def write_event(event: AnyEvent) -> str:
    """Writes an event as JSON text."""
    return msgspec.json.encode(event).decode()


def read_event(text: str) -> AnyEvent:
    """Reads an event that `write_event` wrote, also one of version 0.1.0."""
    try:
        return _decoder.decode(text)
    except msgspec.ValidationError:
        return _decoder.decode(_as_today(msgspec.json.decode(text)))


def _as_today(event: dict[str, Any]) -> bytes:
    """A game that 0.1.0 made: it wrote each option beside the goals, and computers were levels."""
    if event.get("kind") == "created" and "options" not in event:
        event["options"] = {name: event[name] for name in OPTION_NAMES if name in event}
        event["opponent"] = f"level:n={event['level']}" if "level" in event else ""
    return msgspec.json.encode(event)
