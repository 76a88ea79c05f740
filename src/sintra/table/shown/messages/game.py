"""A game as one observer may see it."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sintra.table.shown.messages.base import Chosen, Mode, Shown
from sintra.table.shown.messages.options import Options
from sintra.table.shown.messages.position import PositionShown
from sintra.table.shown.messages.story import Event


class Breakdown(Struct, frozen=True, gc=False):
    """A final score by source."""

    start: int
    """The points at the start."""
    placement: int
    """The points for tiles placed (R5)."""
    specials: int
    """The points for special tiles (R4.5)."""
    broken: int
    """The penalty for broken tiles (R4.6)."""
    start_tile: int
    """The penalty for the start tile (R4.6)."""
    draws: int
    """The price of the plates that were drawn (R3.1)."""
    goals: list[int]
    """The points of each goal, in the order of the rules."""
    goals_booked: int
    """The points of goals in the total: none in a game that ended early."""
    total: int
    """The final score."""


class OpponentShown(Struct, frozen=True, gc=False):
    """A computer that can be played against."""

    player: str
    """The player, as `opponent` of a new game names it."""
    name: str
    """Its name in English; empty if the catalogues of texts have one."""
    about: str
    """What to expect of it, in English; empty if the catalogues of texts say it."""
    elo: int | None
    """Its strength (Elo; the greedy player has 1000), if it was measured."""


class ResultShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """The end of a game."""

    reason: Literal["points", "resigned", "left", "timeout"]
    """Why it ended. `left`: the loser was away when they had to decide, and the winner claimed the game. `timeout`: the
    loser's time had run out."""
    winner: int
    """The seat that won."""
    scores: list[int]
    """The scores of both seats."""
    breakdown: list[Breakdown]
    """The scores by source."""
    tie_break: Literal["", "start_tile", "starter"]
    """What decided equal points (R6.3): holding the start tile or, if nobody took it, having started round 5."""
    next_opponent: OpponentShown | None = None
    """After a game against a computer: the next stronger one after a win, the next gentler one after a loss."""


class PlayerShown(Struct, frozen=True, gc=False):
    """The player of a seat."""

    name: str
    """The name."""
    kind: Literal["human", "computer"]
    """Whether a computer plays."""
    opponent: str
    """The player that the computer is; empty for people."""
    joined: bool
    """Whether the seat is taken."""
    present: bool
    """Whether a browser of theirs listens now."""


class RulesShown(Struct, frozen=True, gc=False):
    """The goals and options in play."""

    goals: list[str]
    rule_options: Chosen


class BeginningShown(Struct, frozen=True, gc=False):
    """Where a game began that was played on from somewhere."""

    moves: int
    """After how many moves of a record it began."""
    has_record: bool
    """Whether there is such a record. A game that began with a position alone has no record of its own."""


class ClockAsked(Struct, frozen=True, gc=False, forbid_unknown_fields=True):
    """The time control of a game."""

    seconds: Annotated[int, Meta(ge=1, le=14_400)]
    """The seconds of each seat for the game."""
    increment: Annotated[int, Meta(ge=0, le=600)] = 0
    """The seconds that are added with each turn."""


class ClockShown(Struct, frozen=True, gc=False):
    """The clock of a game."""

    seconds: int
    """The seconds of each seat for the game."""
    increment: int
    """The seconds that are added with each turn."""
    left: list[int]
    """The milliseconds that each seat has left."""
    running: int | None
    """The seat whose time runs, if any."""


class GameShown(Shown, frozen=True, gc=False):
    """A game as one observer may see it."""

    game: str
    """The id of the game."""
    seq: int
    """The number of the latest event."""
    ply: int
    """The number of moves made."""
    status: Literal["waiting", "cancelled", "playing", "over"]
    """`waiting`: an invited friend has not joined yet."""
    mode: Mode
    """Who plays: somebody against a computer, two friends, or two people at one screen."""
    you: list[int]
    """The seats that the reader plays: none for a spectator, both at a shared screen."""
    players: list[PlayerShown]
    """The players by seat."""
    rules: RulesShown
    """The rules of the game."""
    deal_known: bool
    """Whether somebody may know what is hidden, since the game goes on from a deal that is known."""
    position: PositionShown
    """Everything on the table."""
    options: Options | None = None
    """What the reader may decide now, if it is their turn."""
    event: Event | None = None
    """The latest event."""
    log: list[Event] | None = None
    """All events so far, if asked for."""
    thinking: bool = False
    """Whether a computer is thinking."""
    curtain: bool = False
    """Whether the player to move has private plates, which a shared screen shows on request only."""
    may_undo: bool = False
    """Whether the reader may undo their last move."""
    may_take_back: bool = False
    """Whether the reader may ask the other player to take a move back."""
    may_redo: bool = False
    """Whether the reader may make the moves again that were taken back."""
    take_back_asked_by: int | None = None
    """The seat that asks to take a move back, until it is answered."""
    taken_back: bool = False
    """Whether moves were taken back in this game."""
    result: ResultShown | None = None
    """The result, if the game is over."""
    rematch: str = ""
    """The id of the next game, if there is one."""
    clock: ClockShown | None = None
    """The clock, if the time is limited."""
    began: BeginningShown | None = None
    """Where the game began, if it was played on from somewhere."""
    text: str = ""
    """The position as text, as the seat to move knows it: only in the replay of a finished game without a record."""


class Presence(Shown, frozen=True, gc=False):
    """Who is at the table now; sent between events when it changes."""

    present: list[bool]
    """Whether each seat is there."""
    spectators: int
    """The number of spectators."""
    gone: list[int] = []
    """Seats that have been away for so long that the other may claim the game on their turn if no clock runs."""
    clock: ClockShown | None = None
    """The clock, if the time is limited."""


class Accepted(Shown, frozen=True, gc=False):
    """The number of the event that an act has become."""

    seq: int
