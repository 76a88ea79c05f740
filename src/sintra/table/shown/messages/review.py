"""Reviews of games that are over."""

from __future__ import annotations

from typing import Annotated, Final, Literal

from msgspec import Meta, Struct

from sintra.table.games.acts import Token
from sintra.table.shown.messages.advice import ReasonShown, SentenceShown
from sintra.table.shown.messages.base import Asked, Shown
from sintra.table.shown.messages.story import Telling

MAX_RECORD_LENGTH: Final = 48 * 1024
"""Letters of a game record that is to be reviewed."""


class AskReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game that is over."""


class AskRecordReview(Asked, frozen=True, gc=False):
    """Asks for the review of a game by its record (`sintra/1`), as text."""

    record: Annotated[str, Meta(min_length=2, max_length=MAX_RECORD_LENGTH)]


class ReviewAsked(Shown, frozen=True, gc=False):
    """The id of a review that was asked for; its page is `/review/ID`."""

    review: str


class AskReviewTry(Asked, frozen=True, gc=False):
    """Asks what another move would have cost, at a turn of a reviewed game."""

    ply: Annotated[int, Meta(ge=0, le=10_000)]
    token: Token


class ReviewTry(Shown, frozen=True, gc=False):
    """Another move for a turn of a reviewed game."""

    telling: Telling
    """The move in words."""
    places: list[str]
    """The places that it concerns."""
    cost: float
    """The share of a win that it would have given away."""
    right: bool
    """Whether that is next to nothing."""


class ReviewedMove(Struct, frozen=True, gc=False, omit_defaults=True):
    """A move that was made, or could have been."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    places: list[str]
    """The places that it concerns."""
    chance: float
    """The mover's chance to win after it."""
    lead: float | None = None
    """The points by which the mover was then expected to be ahead in the end."""


class ReviewedTurn(Struct, frozen=True, gc=False, omit_defaults=True):
    """A decision of a reviewed game."""

    ply: int
    """The number of moves before it."""
    round: int
    """The round."""
    seat: int
    """The seat that decided."""
    kind: Literal["tiles", "plates", "chips", "placing"]
    """What the move was about."""
    played: ReviewedMove
    """The move that was made."""
    best: list[ReviewedMove]
    """The best moves, the very best first."""
    chance: float
    """Seat 0's chance to win before the move."""
    lead: float
    """The points by which seat 0 was expected to be ahead in the end."""
    cost: float
    """The share of a win that the decision gave away."""
    skill: float
    """The effect of the decision on seat 0's chance."""
    luck: dict[str, float]
    """The effect of chance on it, by what came to light."""
    noise: float
    """The rest of the change: the evaluator changed its mind."""
    mark: Literal["", "inaccuracy", "mistake", "blunder"] = ""
    """The name of a costly decision."""
    reasons: list[ReasonShown] = []
    """Why the best move is better, in points."""
    why: list[SentenceShown] = []
    """Why the best move is better, in sentences; a move with a mark has at least one."""


class StrengthShown(Struct, frozen=True, gc=False):
    """An estimate of a player's strength (Elo)."""

    elo: int
    """The estimate."""
    low: int
    """The lower end of its 95 % interval."""
    high: int
    """The upper end of its 95 % interval."""


class ReviewFound(Struct, frozen=True, gc=False):
    """What a game was made of: `start` plus `skill`, `luck`, `noise` and `ending` is `result`."""

    start: float
    """Seat 0's chance to win before the first move."""
    skill: list[float]
    """The effect of each seat's decisions on that chance."""
    luck: dict[str, float]
    """The effect of chance on it, by what came to light."""
    noise: float
    """The effect of the evaluator's changes of mind on it."""
    ending: float
    """The effect of an early end on it."""
    result: float
    """1 if seat 0 won, else 0."""
    error_rate: list[float]
    """The share of a win that each seat gave away with a decision, on average."""
    strength: list[StrengthShown]
    """The strength that such error rates speak for."""
    turns: list[ReviewedTurn]
    """All decisions, in the order of the game."""
    lost: list[dict[str, float]] = []
    """The points that better moves would have brought each seat, by source."""
    accuracy: list[float] = []
    """How close each seat's decisions came to the best ones, from 0 to 100."""


class ReviewShown(Shown, frozen=True, gc=False):
    """A review."""

    review: str
    """The id of the review."""
    state: Literal["waiting", "working", "done"]
    """Whether it is made yet."""
    players: list[str]
    """The names of the players, by seat."""
    scores: list[int]
    """The final scores."""
    winner: int
    """The seat that won."""
    reason: Literal["points", "resigned", "timeout"]
    """Why the game ended."""
    plies: int
    """The number of moves of the game."""
    share: float = 0.0
    """The share of the review that is made, from 0 to 1."""
    ahead: int = 0
    """The number of reviews that are made before this one."""
    seconds_left: int | None = None
    """About how many seconds it will still take, once that can be said."""
    course: list[float] = []
    """Seat 0's chance to win, ply by ply, by a first quick look; as far as that has come."""
    turning: list[int] = []
    """The plies of the moves that seem to have turned the game, by that look; the one that turned it most first."""
    opponents: list[str] = []
    """The texts that computers among the players are made from, by seat; empty for people."""
    found: ReviewFound | None = None
    """The review itself, once it is done."""
