"""What a puzzle is: a position, a question with one answer, how hard it is, and what explains it; and its JSON."""

from __future__ import annotations

import json
from dataclasses import asdict, dataclass, field, replace
from functools import cached_property
from hashlib import blake2b
from typing import Any, Final, Literal, Self, get_args

from sintra.components import ROUNDS
from sintra.errors import SintraError
from sintra.game.game import View
from sintra.players.levels import LEVELS
from sintra.puzzles.positions import view_of

Kind = Literal["tiling", "win", "keep"]
"""Tile for the most points; find the one move that wins in round 5; find the one move that keeps the game."""
KINDS: Final[tuple[Kind, ...]] = get_args(Kind)
FORMAT: Final = "sintra-puzzle/1"


class PuzzleError(SintraError):
    """A puzzle that is damaged, or does not hold what it promises."""


@dataclass(frozen=True, slots=True)
class Grade:
    """How hard a puzzle is: a rating on the ladder of the levels, the lowest level that finds the answer reliably, as
    do all above it, and how often each level found it (no level is asked for tilings, which all of them solve)."""

    rating: int
    level: int
    found: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Explanation:
    """What an explanation can be made of, as data.

    `line` are the moves that follow the answer with best play on both sides, until chance is asked. `natural` is what a
    simple player would do, with its value, and `refutation` what best play answers to it. `sources` says where the
    points of a tiling come from, `natural_sources` those of the natural try. `shift` is how many points the other
    seat was given or taken, so that the game hangs on the move.
    """

    line: tuple[str, ...] = ()
    natural: tuple[str, ...] = ()
    natural_value: float | None = None
    refutation: tuple[str, ...] = ()
    sources: dict[str, int] = field(default_factory=dict)
    natural_sources: dict[str, int] = field(default_factory=dict)
    shift: int = 0


@dataclass(frozen=True)
class Puzzle:
    """A position of a seat, and a question with one answer.

    `answer` is a whole tiling, or the moves that are right, which differ in nothing but a stack's order or a plate's
    turns. `best` and `second` are the values of the answer and of the best other try: points that a tiling makes (in
    round 5 goals included), a sure final lead, or a chance to win. `choices` counts the tries that really differ,
    `others` names the best of them with their values. `origin` says which game it was found in: seed and number.
    """

    kind: Kind
    seat: int
    position: str
    answer: tuple[str, ...]
    best: float
    second: float
    choices: int
    others: tuple[tuple[str, float], ...]
    grade: Grade
    explanation: Explanation
    origin: tuple[int, int]

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
        """The same puzzle with a grade."""
        return replace(self, grade=grade)

    def to_dict(self) -> dict[str, Any]:
        """As JSON has it; what is empty is left out."""
        data = {"format": FORMAT, "id": self.id, **asdict(self)}
        data["best"], data["second"] = _number(self.best), _number(self.second)
        data["others"] = [[token, _number(value)] for token, value in self.others]
        explained = data["explanation"]
        if self.explanation.natural_value is not None:
            explained["natural_value"] = _number(self.explanation.natural_value)
        explained["shift"] = self.explanation.shift or None
        for part in ("grade", "explanation"):
            data[part] = {key: value for key, value in data[part].items() if value not in ((), {}, None)}
        return data

    def dumps(self) -> str:
        """One line of JSON."""
        return json.dumps(self.to_dict(), separators=(",", ":"))

    @classmethod
    def loads(cls, text: str) -> Self:
        """The puzzle that `dumps` wrote."""
        try:
            data = json.loads(text)
        except (ValueError, RecursionError) as error:
            raise PuzzleError(f"this is no JSON: {error}") from None
        return cls.from_dict(data)

    @classmethod
    def from_dict(cls, data: Any) -> Self:
        """The puzzle that `to_dict` wrote; its position is read when it is asked for."""
        if not isinstance(data, dict) or data.get("format") != FORMAT:
            raise PuzzleError(f"a puzzle is an object with the format {FORMAT!r}")
        if data.get("kind") not in KINDS:
            raise PuzzleError(f"the kind of a puzzle is one of {', '.join(KINDS)}, not {data.get('kind')!r}")
        try:
            made = cls(
                kind=data["kind"],
                seat=_whole(data["seat"], 0, 1),
                position=_text(data["position"]),
                answer=_tokens(data["answer"]),
                best=float(data["best"]),
                second=float(data["second"]),
                choices=_whole(data["choices"], 2, 1 << 20),
                others=tuple((_text(token), float(value)) for token, value in data["others"]),
                grade=_grade(data["grade"]),
                explanation=_explanation(data["explanation"]),
                origin=_pair(data["origin"]),
            )
        except (KeyError, TypeError, ValueError, AttributeError, OverflowError) as error:
            said = f"{error} is missing" if isinstance(error, KeyError) else str(error)
            raise PuzzleError(f"this is no puzzle: {said}") from None
        if not made.answer:
            raise PuzzleError("this is no puzzle: it has no answer")
        if data.get("id") != made.id:
            raise PuzzleError(f"the id {data.get('id')!r} is not that of its position, {made.id!r}")
        return made


def _number(value: float) -> float:
    """A value as it is written: points as whole numbers."""
    return int(value) if value == int(value) else round(value, 3)


def _whole(value: Any, least: int, most: int) -> int:
    if isinstance(value, bool) or not isinstance(value, int) or not least <= value <= most:
        raise ValueError(f"{value!r} should be a whole number from {least} to {most}")
    return value


def _text(value: Any) -> str:
    if not isinstance(value, str):
        raise ValueError(f"{value!r} should be text")
    return value


def _tokens(values: Any) -> tuple[str, ...]:
    if not isinstance(values, list):
        raise ValueError(f"{values!r} should be a list")
    return tuple(_text(value) for value in values)


def _counts(values: Any) -> dict[str, int]:
    return {_text(key): _whole(value, -1000, 1000) for key, value in values.items()}


def _grade(data: Any) -> Grade:
    found = tuple(_whole(value, 0, 1000) for value in data.get("found", ()))
    if len(found) not in (0, len(LEVELS)):
        raise ValueError(f"{len(found)} levels should be {len(LEVELS)}")
    return Grade(_whole(data["rating"], 0, 5000), _whole(data["level"], 1, len(LEVELS)), found)


def _explanation(data: Any) -> Explanation:
    value = data.get("natural_value")
    return Explanation(
        line=_tokens(data.get("line", [])),
        natural=_tokens(data.get("natural", [])),
        natural_value=None if value is None else float(value),
        refutation=_tokens(data.get("refutation", [])),
        sources=_counts(data.get("sources", {})),
        natural_sources=_counts(data.get("natural_sources", {})),
        shift=_whole(data.get("shift", 0), -100, 100),
    )


def _pair(values: Any) -> tuple[int, int]:
    first, second = values
    return _whole(first, 0, 1 << 63), _whole(second, 0, 1 << 63)
