"""What all moves have in common, and how the notation finds the kind of a token."""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import total_ordering
from typing import Any, ClassVar, Final, NoReturn, Self, TypeVar

from sintra.components import UnknownPieceError
from sintra.errors import Fault, NotationError


@total_ordering
class Move:
    """One decision of a game; each kind of move is a type of its own, like `SunTake`.

    A move is a value that can be written: whatever could not is refused when it is made. `str(move)` is
    the notation, by which moves are sorted. Lines, columns and plates have the numbers that players
    use, factories and slots their names.
    """

    __slots__ = ()
    letter: ClassVar[str]
    """What tokens of this kind begin with."""

    def __init__(self, *_: Any, **__: Any) -> None:
        raise NotationError("a move is made as one of its kinds, like Draw(), or read with Move.parse")

    @classmethod
    def parse(cls, token: str) -> Self:
        """Reads a token of the notation; `SunTake.parse` reads those of its kind only."""
        if not isinstance(token, str):
            raise NotationError(f"a move is written as text, not as {type(token).__name__}")
        for pattern, kind in _forms.get(token[:1], ()):
            if match := pattern.fullmatch(token):
                try:
                    move = kind._read(match)
                except UnknownPieceError as error:
                    _refuse(token, Fault(f"no_{error.piece}", found=error.found, said=error))
                except NotationError as error:
                    _refuse(token, error)
                if not isinstance(move, cls):
                    _refuse(token, f"it is a {kind.__name__}, not a {cls.__name__}")
                return move
        like = _examples.get(token[:1])
        if not like:
            _refuse(token, Fault("begins", choices=" ".join(_forms)))
        _refuse(token, Fault("move_like", said=like, like=like.split()[0]))

    @classmethod
    def _read(cls, match: re.Match[str]) -> Self:
        """The move that a fitting token writes."""
        return cls()

    def __str__(self) -> str:
        return self.letter

    def __repr__(self) -> str:
        return f"Move.parse({str(self)!r})"

    def __lt__(self, other: object) -> bool:
        return str(self) < str(other) if isinstance(other, Move) else NotImplemented

    def seen_by(self, observer: int, mover: int) -> Move:
        """R8: the move as an observer may know it when this seat makes it."""
        return self


_forms: Final[dict[str, list[tuple[re.Pattern[str], type[Move]]]]] = {}
"""By the first letter of a token, the patterns that it can fit and their kinds of moves."""
_examples: Final[dict[str, str]] = {}
"""By the first letter of a token, an example in words."""
_Kind = TypeVar("_Kind", bound=type[Move])


def notation(pattern: str, like: str = "") -> Callable[[_Kind], _Kind]:
    """Says how moves of a kind are written: a pattern that begins with the kind's letter, and an example."""

    def add(kind: _Kind) -> _Kind:
        kind.letter = pattern[0]
        _forms.setdefault(kind.letter, []).append((re.compile(pattern), kind))
        if like:
            _examples[kind.letter] = like
        return kind

    return add


def kinds() -> tuple[type[Move], ...]:
    """All kinds of moves."""
    return tuple(kind for forms in _forms.values() for _, kind in forms)


def is_number(value: object, most: int) -> bool:
    """Whether a value is a number from 1 to `most`, as lines and columns have it."""
    return type(value) is int and 1 <= value <= most


def _refuse(token: str, reason: str | Fault | NotationError) -> NoReturn:
    raise NotationError(Fault("at_token.unread", move=token), reason) from None
