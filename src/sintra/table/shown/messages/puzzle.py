"""Puzzles, the tries of a solver, and what is said of them."""

from __future__ import annotations

from typing import Annotated, Literal

from msgspec import Meta, Struct

from sintra.table.games.acts import Token
from sintra.table.shown.messages.advice import SentenceShown
from sintra.table.shown.messages.base import Asked, Shown
from sintra.table.shown.messages.story import Telling
from sintra.table.shown.messages.study import LineMove

PuzzleKind = Literal["tiling", "win", "keep"]
PuzzleTheme = Literal["column", "special", "break", "stack", "chips", "line", "needs", "last"]


class PuzzleBrief(Struct, frozen=True, gc=False):
    """A puzzle of the list."""

    id: str
    """The id of the puzzle."""
    kind: PuzzleKind
    """What is asked: the best tiling, a win, or the only move that keeps the game."""
    rating: int
    """Its difficulty, on the scale of the levels (Elo)."""
    themes: list[PuzzleTheme]
    """What it is about: something of the answer, for whoever looks for puzzles of a theme."""


class PuzzleList(Shown, frozen=True, gc=False):
    """The list of puzzles."""

    day: str
    """The day that was asked for (`YYYY-MM-DD`)."""
    of_the_day: str
    """The id of the puzzle of that day."""
    puzzles: list[PuzzleBrief]
    """All puzzles."""


class PuzzleShown(Shown, frozen=True, gc=False):
    """A puzzle."""

    id: str
    """The id of the puzzle."""
    kind: PuzzleKind
    """What is asked: the best tiling, a win, or the only move that keeps the game."""
    rating: int
    """Its difficulty, on the scale of the levels (Elo)."""
    seat: int
    """The seat of the solver."""
    round: int
    """The round."""
    position: str
    """The position as text, as the solver sees it, to begin a study with."""
    counts_goals: bool = False
    """Whether the points of the goals count too: in a tiling of the last round."""


class AskTry(Asked, frozen=True, gc=False):
    """A solver's try."""

    moves: Annotated[list[Token], Meta(max_length=60)] = []
    """The moves so far: all of a tiling, or one move."""
    help: Literal["", "piece", "move", "solution"] = ""
    """The help that is asked for: what the next move is about, the next move, or the whole solution."""


class PuzzleHint(Struct, frozen=True, gc=False, omit_defaults=True):
    """A hint at the next move."""

    telling: Telling
    """The hint in words."""
    places: list[str]
    """The places that it concerns."""
    token: str = ""
    """The move itself, if that was asked for."""


class Explained(Struct, frozen=True, gc=False, omit_defaults=True):
    """The solution of a puzzle. Values are the points of a tiling, a final lead, or a chance to win."""

    answer: list[LineMove]
    """The moves that are right; one stands for those that differ only in a stack's order or a plate's turns."""
    best: float
    """The value of the solution."""
    line: list[LineMove] = []
    """The moves that follow it."""
    sources: dict[str, int] = {}
    """The points of a tiling by source."""
    natural: list[LineMove] = []
    """The natural try that fails."""
    natural_value: float | None = None
    """The value of that try."""
    natural_sources: dict[str, int] = {}
    """Its points by source."""
    refutation: list[LineMove] = []
    """The moves that refute it."""
    why: list[SentenceShown] = []
    """Why the solution is better, in sentences."""


class TryShown(Shown, frozen=True, gc=False):
    """The outcome of a try."""

    outcome: Literal["right", "wrong", "unfinished"]
    """A tiling is `wrong` as soon as the most points can no longer be reached."""
    value: float | None = None
    """The points of a tiling so far; elsewhere the lead or the chance to win after the move."""
    reachable: float | None = None
    """The points that the tiling can still make; those made, once it has ended."""
    best: float | None = None
    """The value of the solution, once the try is decided."""
    at_most: bool = False
    """Whether `value` is an upper bound."""
    nearly: bool = False
    """Whether only the order of the stack or the turns of the plate are wrong."""
    tried: PuzzleHint | None = None
    """The move that was tried, in words."""
    line: list[LineMove] = []
    """The moves that follow a wrong one."""
    hint: PuzzleHint | None = None
    """The hint that was asked for."""
    explained: Explained | None = None
    """The solution, once it may be shown."""
