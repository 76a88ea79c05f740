"""What a puzzle is: a position, a question with one answer, how hard it is, and what explains it; and its JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Annotated, Any, Final, Literal, Self, get_args

import msgspec
from msgspec import Meta

from sintra.components import ROUNDS
from sintra.errors import SintraError
from sintra.game.game import View
from sintra.players.levels import LEVELS
from sintra.puzzles.positions import view_of

Kind = Literal["tiling", "win", "keep"]
"""Tile for the most points; find the one move that wins in round 5; find the one move that keeps the game."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
Theme = Literal["column", "special", "break", "stack", "chips", "line", "needs", "last"]
"""A column of the dome is completed or nearly so; a special plate is filled or laid; tiles are broken on purpose; the
order of a stack on the moon side decides; chips are taken or spent; a take fills a line; it takes a colour for which a
line of the opponent waits; the opponent is left with tiles that break."""
THEMES: Final[tuple[Theme, ...]] = get_args(Theme)
FORMAT: Final = "sintra-puzzle/1"
"""What the JSON of a puzzle says of itself."""
Points = Annotated[int, Meta(ge=-1000, le=1000)]
"""Points, as an explanation counts them."""


class PuzzleError(SintraError):
    """A puzzle that is damaged, or does not hold what it promises."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How hard a puzzle is."""

    rating: Annotated[int, Meta(ge=0, le=5000)]
    """The rating on the ladder of the levels."""
    level: Annotated[int, Meta(ge=1, le=len(LEVELS))]
    """The lowest level that finds the answer reliably, as do all above it."""
    found: tuple[Annotated[int, Meta(ge=0, le=1000)], ...] = ()
    """How often each level found the answer; empty for tilings, which all of them solve."""

    def __post_init__(self) -> None:
        if len(self.found) not in (0, len(LEVELS)):
            raise ValueError(f"{len(self.found)} levels should be {len(LEVELS)}")


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an explanation can be made of, as data."""

    line: tuple[str, ...] = ()
    """The moves that follow the answer with best play on both sides, until chance is asked."""
    natural: tuple[str, ...] = ()
    """What a simple player would do."""
    natural_value: float | None = None
    """The value of that, in the puzzle's unit."""
    refutation: tuple[str, ...] = ()
    """What best play answers to it."""
    sources: dict[str, Points] = field(default_factory=dict)
    """Where the points of a tiling come from."""
    natural_sources: dict[str, Points] = field(default_factory=dict)
    """Where the points of the natural try come from."""
    shift: Annotated[int, Meta(ge=-100, le=100)] = 0
    """How many points the other seat was given or taken, so that the game hangs on the move."""


@dataclass(frozen=True)
class Puzzle:
    """A position of a seat, and a question with one answer."""

    kind: Kind
    """What is asked for."""
    seat: Annotated[int, Meta(ge=0, le=1)]
    """The seat that the solver plays."""
    position: str
    """What that seat sees, as a position text."""
    answer: Annotated[tuple[str, ...], Meta(min_length=1)]
    """A whole tiling, or the moves that are right, which differ in a stack's order or a plate's turns only."""
    best: float
    """The value of the answer: points that a tiling makes (in round 5 goals included), a sure final lead, or a chance
    to win."""
    second: float
    """The value of the best other try."""
    choices: Annotated[int, Meta(ge=2, le=1 << 20)]
    """How many tries there are that really differ."""
    others: tuple[tuple[str, float], ...]
    """The best other tries, with their values."""
    grade: Grade
    """How hard it is."""
    explanation: Explanation
    """What explains the answer."""
    origin: tuple[Annotated[int, Meta(ge=0)], Annotated[int, Meta(ge=0)]]
    """The game in which it was found: seed and number."""
    themes: tuple[Theme, ...] = ()
    """What it is about, by the moves that solve it (`themes.themes_of`)."""

    @cached_property
    def id(self) -> str:
        """A name that follows from the question."""
        text = "\0".join((self.kind, str(self.seat), self.position))
        return blake2b(text.encode(), digest_size=6).hexdigest()

    @cached_property
    def view(self) -> View:
        """What the solver sees."""
        return view_of(self.position, self.seat)

    @property
    def counts_goals(self) -> bool:
        """Whether the points asked for include those of the goals: in round 5 they do."""
        return self.kind == "tiling" and self.view.round == ROUNDS

    def graded(self, grade: Grade) -> Self:
        """Returns this puzzle with a grade."""
        return replace(self, grade=grade)

    def to_dict(self) -> dict[str, Any]:
        """Returns the puzzle as a JSON object; what is empty is left out."""
        data = {"format": FORMAT, "id": self.id, **asdict(self)}
        data["best"], data["second"] = _number(self.best), _number(self.second)
        data["others"] = [[token, _number(value)] for token, value in self.others]
        explained = data["explanation"]
        if self.explanation.natural_value is not None:
            explained["natural_value"] = _number(self.explanation.natural_value)
        explained["shift"] = self.explanation.shift or None
        if not self.themes:
            del data["themes"]
        for part in ("grade", "explanation"):
            data[part] = {key: value for key, value in data[part].items() if value not in ((), {}, None)}
        return data

    def dumps(self) -> str:
        """Returns the puzzle as one line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    @classmethod
    def loads(cls, text: str) -> Self:
        """Reads the puzzle that `dumps` wrote."""
        try:
            data = msgspec.json.decode(text)
        except (msgspec.DecodeError, ValueError, RecursionError) as error:
            raise PuzzleError(f"this is no JSON: {error}") from None
        return cls.from_dict(data)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """Reads the puzzle that `to_dict` wrote; its position is read when it is asked for."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise PuzzleError(f"a puzzle is an object with the format {FORMAT!r}")
        try:
            made = msgspec.convert(data, cls)
        except msgspec.ValidationError as error:
            raise PuzzleError(f"this is no puzzle: {error}") from None
        if data.get("id") != made.id:
            raise PuzzleError(f"the id {data.get('id')!r} is not that of its position, {made.id!r}")
        return made


def _number(value: float) -> float:
    """A value as it is written: points as whole numbers."""
    return int(value) if value == int(value) else round(value, 3)
