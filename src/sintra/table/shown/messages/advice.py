"""The computer's advice in a game."""

from __future__ import annotations

from msgspec import Struct

from sintra.table.games.acts import Seq, Token
from sintra.table.shown.messages.base import Asked, Shown
from sintra.table.shown.messages.story import Telling


class AskHint(Asked, frozen=True, gc=False):
    """Asks for advice in the position after event `seq`."""

    seq: Seq


class AskTutor(Asked, frozen=True, gc=False):
    """Asks whether a move in the position after event `seq` would cost a lot."""

    seq: Seq
    token: Token


class SentenceShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A reason for or against a move, in words."""

    form: str
    """The form of the sentence: the name of a text that begins with `because.`."""
    args: dict[str, str | int] = {}
    """The words that fill it in, as in a `Telling`."""
    places: list[str] = []
    """The places of the table that it speaks of."""


class AdviceShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A move that the computer advises."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    win: float
    """The chance to win after it, from 0 to 1."""
    lead: float
    """The points by which the player is expected to be ahead in the end."""
    places: list[str]
    """The places that it concerns."""
    why: list[SentenceShown] = []
    """What speaks for it, or against it: one or two sentences in a hint, the strongest first."""


class ReasonShown(Struct, frozen=True, gc=False, omit_defaults=True):
    """A reason why one move is better than another."""

    kind: str
    """What the points come from."""
    points: float
    """The points that the better move brings more, or less if below 0."""
    goal: str = ""
    """The goal that it is about."""
    line: int = 0
    """The line that it is about."""
    color: str = ""
    """The colour of that line."""


class Hint(Shown, frozen=True, gc=False):
    """The computer's advice."""

    seq: int
    """The event after which it was asked for."""
    exact: bool
    """Whether the chances were calculated to the end of the game."""
    advice: list[AdviceShown]
    """The best moves, the very best first."""
    reasons: list[ReasonShown]
    """Why the first is better than the second, in points."""
    about_equal: int
    """How many leading moves are about equal; 0 if the first is better than the second."""


class TutorShown(Shown, frozen=True, gc=False):
    """What the tutor says of a move before it is made. It names no better one."""

    seq: int
    """The event after which it was asked for."""
    token: str
    """The move."""
    warns: bool
    """Whether the move costs so much that its player is asked to look again."""
    share: float
    """The share of the chance to win that it gives away; 0 where it is not warned of."""
