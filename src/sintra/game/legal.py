"""The legal moves of a position, as a sequence that is listed when it is first looked into."""

from __future__ import annotations

import threading
from collections.abc import Iterator, Sequence
from typing import Any, Final, overload

from sintra.errors import Fault, NotationError, SintraError
from sintra.game.illegal import refused, why_illegal
from sintra.rules import engine
from sintra.rules.choices import MAX_MOVES
from sintra.rules.memory import zeros
from sintra.rules.state import States
from sintra.tabletop.moves import Move, move_of, path_of
from sintra.tabletop.tabletop import Tabletop


class _Room(threading.local):
    """Room for the moves of a position, in each thread."""

    def __init__(self) -> None:
        self.paths = zeros(MAX_MOVES, "i8")


_room: Final = _Room()


class LegalMoves(Sequence[Move]):
    """All legal moves, in a fixed order. `in` takes a move or its notation."""

    __slots__ = ("_paths", "_refusal", "_states")

    def __init__(self, states: States, refusal: tuple[str | Fault, str] | None = None) -> None:
        """All of a state; or none, for a reason by a rule."""
        self._states = states
        self._refusal = refusal
        self._paths: list[int] | None = [] if refusal else None

    @property
    def paths(self) -> list[int]:
        """The moves as packed paths of choices."""
        if self._paths is None:
            out = _room.paths
            self._paths = out.first(engine.list_moves(self._states, 0, out))
        return self._paths

    def __len__(self) -> int:
        return len(self.paths)

    @overload
    def __getitem__(self, index: int) -> Move: ...
    @overload
    def __getitem__(self, index: slice) -> list[Move]: ...
    def __getitem__(self, index: int | slice) -> Move | list[Move]:
        if isinstance(index, slice):
            return [move_of(path, self._states, 0) for path in self.paths[index]]
        return move_of(self.paths[index], self._states, 0)

    def __iter__(self) -> Iterator[Move]:
        for path in self.paths:
            yield move_of(path, self._states, 0)

    def __contains__(self, move: object) -> bool:
        return self._place(move) is not None

    def index(self, move: Any, start: int = 0, stop: int | None = None) -> int:
        """The place of a move, given as a value or in the notation."""
        place = self._place(move)
        if place is None or place not in range(len(self))[start:stop]:
            raise SintraError(f"{move} is not among these legal moves")
        return place

    def count(self, move: Any) -> int:
        """1 for a legal move, 0 for others."""
        return int(move in self)

    def _place(self, move: object) -> int | None:
        try:
            parsed = Move.parse(move) if isinstance(move, str) else move
        except NotationError:
            return None
        path = self._path(parsed) if isinstance(parsed, Move) else None
        return None if path is None else self.paths.index(path)

    def _path(self, move: Move) -> int | None:
        """The path of a legal move, otherwise None."""
        path = path_of(move, self._states, 0)
        return path if path in self.paths else None

    def require(self, move: Move | str) -> Move:
        """The move, if it is legal; otherwise an error that names the rule."""
        parsed = move if isinstance(move, Move) else Move.parse(move)
        if self._refusal:
            raise refused(parsed, *self._refusal)
        if self._path(parsed) is None:
            raise why_illegal(Tabletop(self._states), parsed)
        return parsed

    def __repr__(self) -> str:
        if not self:
            return "<no legal moves>"
        shown = ", ".join(map(str, self[:8]))
        return f"<{len(self)} legal moves: {shown}{', …' if len(self) > 8 else ''}>"
