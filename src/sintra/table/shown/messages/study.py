"""Studies: a line of moves from any start, advice for its end, and the count of a round."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sintra.table.base.opponents import USUAL
from sintra.table.games.acts import Seat, Token
from sintra.table.shown.messages.advice import AdviceShown
from sintra.table.shown.messages.base import Asked, Mode, Name, OpponentName, Shown
from sintra.table.shown.messages.game import ClockAsked, GameShown
from sintra.table.shown.messages.story import Telling


class AskStudy(Asked, frozen=True, gc=False):
    """A line of moves from a start: a position, a record, or a new game with a seed."""

    position: Annotated[str, Meta(max_length=16_000)] = ""
    """A position as text, in which stack and chips may be unknown."""
    record: Annotated[str, Meta(max_length=100_000)] = ""
    """The record of a game, as JSON text."""
    ply: Annotated[int, Meta(ge=0, le=10_000)] = 0
    """After how many moves of the record the line begins."""
    seed: Annotated[int, Meta(ge=0, le=2**53 - 1)] | None = None
    """The seed of a new game."""
    moves: Annotated[list[Token], Meta(max_length=600)] = []
    """The moves of the line."""
    log: bool = False
    """Whether the answer lists all events."""
    plain: bool = False
    """Whether to leave out forecasts, which would tell the solver of a puzzle too much."""


class StudyShown(Shown, frozen=True, gc=False):
    """The end of a line."""

    game: GameShown
    """The game as the seat to move sees it; its `ply` counts the moves of a record too."""
    text: str
    """The position as text. What the seat to move does not know is filled in with something possible."""


class AskAdvice(AskStudy, frozen=True, gc=False):
    """Asks for the best moves at the end of a line."""

    sims: Literal[500, 2000, 8000, 32000] = 500
    """The number of simulations."""


class LineMove(Struct, frozen=True, gc=False):
    """A move that is expected to follow."""

    seat: int
    token: str
    telling: Telling


class StudyMove(Struct, frozen=True, gc=False):
    """One of the best moves of a position."""

    advice: AdviceShown
    """The move, with the chance to win and the expected lead of the seat to move."""
    line: list[LineMove]
    """The moves that are expected to follow."""


class StudyAdvice(Shown, frozen=True, gc=False):
    """The best moves of a position."""

    sims: int
    """The number of simulations."""
    exact: bool
    """Whether the chances were calculated to the end of the game."""
    moves: list[StudyMove]
    """The moves, the very best first."""


class PlayOn(AskStudy, frozen=True, gc=False, kw_only=True):
    """A new game that begins at the end of a line; the asker is its seat 0."""

    mode: Mode = "computer"
    """Who plays: the asker against a computer or a friend, or two people at one screen."""
    names: Annotated[list[Name], Meta(min_length=1, max_length=2)]
    """The name of the asker, and at one screen also that of the other player."""
    opponent: OpponentName = USUAL
    """The computer to play against."""
    seat: Seat | None = None
    """The seat of the line that the asker takes; by default the one to move."""
    clock: ClockAsked | None = None
    """The time control, if the time is to be limited."""


class CountedMove(Struct, frozen=True, gc=False):
    """A move of a tiling, and the points that it books."""

    token: str
    """The move."""
    telling: Telling
    """The move in words."""
    line: int
    """The line; 0 for the end of the tiling."""
    placement: int
    """The points of the tile (R5)."""
    specials: int
    """The points of a special tile (R4.5)."""
    broken: int
    """The penalty for broken tiles (R4.6), at the end."""
    start_tile: int
    """The penalty for the start tile (R4.6), at the end."""
    is_made: bool
    """Whether the move was made already."""


class CountedSeat(Struct, frozen=True, gc=False):
    """A player's tiling of a round: the moves that were made, and then the best ones."""

    moves: list[CountedMove]
    """The moves."""
    points: int
    """Their points in all."""
    goals: int
    """The points of the goals, in round 5."""
    score: int
    """The score in the end."""


class RoundCount(Shown, frozen=True, gc=False):
    """The count of a round, for both players."""

    round: int
    seats: list[CountedSeat]
