"""Making, joining and leaving games: links, invitations, rematches, and the list of games."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import UNSET, Meta, Struct, UnsetType

from sintra.table.base.opponents import USUAL
from sintra.table.games.acts import PostId, Seat, Seq
from sintra.table.shown.messages.base import Asked, Chosen, GoalName, Mode, Name, OpponentName, Shown
from sintra.table.shown.messages.game import ClockAsked, PlayerShown, RulesShown

Secret = Annotated[str, Meta(min_length=16, max_length=64, pattern="^[A-Za-z0-9_-]+$")]


class NewGame(Asked, frozen=True, gc=False):
    """A new game; the asker has seat 0."""

    mode: Mode
    """Who plays: the asker against a computer or a friend, or two people at one screen."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    """The name of the asker, and at one screen also that of the other player."""
    opponent: OpponentName = USUAL
    """The computer to play against."""
    first: Literal["me", "other", "draw"] = "draw"
    """Who starts; `draw` draws lots."""
    goals: Annotated[list[GoalName], Meta(max_length=4)] = []
    """The goals; if empty, `goal_count` of them are drawn."""
    goal_count: Literal[3, 4] = 3
    """How many goals are drawn."""
    rule_options: Chosen = {}
    """The rule options that differ from the usual ones."""
    clock: ClockAsked | None = None
    """The time control, if the time is to be limited."""


class Links(Shown, frozen=True, gc=False):
    """The secrets of a game that the reader may pass on, for links of the form `/game/ID#SECRET`."""

    own: str | UnsetType = UNSET
    """The reader's own seat, to play on in another browser."""
    friend: str | UnsetType = UNSET
    """The other seat, for the friend who is invited."""
    watch: str | UnsetType = UNSET
    """For spectators."""


class GameMade(Shown, frozen=True, gc=False):
    """A new game: its id, and links to it."""

    game: str
    links: Links


class AskRematch(Asked, frozen=True, gc=False):
    """Asks for another game against the same player."""

    id: PostId
    """An id that the sender chooses: a repeated request has no further effect."""
    seq: Seq
    """The number of the event that the sender saw last."""
    seat: Seat | None = None
    """The seat that asks, at a shared screen."""
    opponent: OpponentName | None = None
    """The computer to play against, if it is to be another one."""


class InvitationShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """An invitation, before it is accepted."""

    name: str
    """The name of the player who invites."""
    first: int
    """The seat that starts; seat 0 is the player who invites."""
    rules: RulesShown
    """The rules of the game."""
    deal_known: bool
    """Whether the player who invites may know what is hidden."""
    clock: ClockAsked | None = None
    """The time control, if the time is limited."""


class Enter(Asked, frozen=True, gc=False):
    """Exchanges the secret of a link for a cookie."""

    secret: Secret
    """The secret."""
    name: Name | None = None
    """The name of an invited friend."""


class Entered(Shown, frozen=True, gc=False):
    """What a secret has opened: a seat, both seats, or a place among the spectators."""

    game: str
    """The id of the game."""
    you: list[int]
    """The seats that the reader plays from now on."""
    secret: str = ""
    """The secret that opens it from now on: an invited friend gets one of their own."""
    needs_name: bool = False
    """Whether the reader has to send a name to take the seat."""
    invitation: InvitationShown | None = None
    """What an invited player sees before joining."""


class AskLinks(Asked, frozen=True, gc=False):
    """Asks for new links to one's own seat and for spectators; earlier ones cannot be shown again."""


class Leave(Asked, frozen=True, gc=False):
    """Gives up this browser's access to a game."""


class Left(Shown, frozen=True, gc=False):
    """The game at which this browser has no seat any more."""

    game: str


class GameBrief(Shown, frozen=True, gc=False):
    """An entry of the list of games."""

    game: str
    """The id of the game."""
    seq: int
    """The number of the latest event."""
    mode: Mode
    """Who plays: somebody against a computer, two friends, or two people at one screen."""
    status: Literal["waiting", "cancelled", "playing", "over"]
    """`waiting`: an invited friend has not joined yet."""
    players: list[PlayerShown]
    """The players by seat."""
    you: list[int]
    """The seats that the reader plays."""
    round: int
    """The round."""
    seat: int
    """The seat to move."""
    scores: list[int]
    """The scores of both seats."""
    at: str
    """The time of the latest event, in UTC."""
