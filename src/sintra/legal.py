"""The legal moves of a position, as a sequence that is listed when it is first looked into."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import overload

import numpy as np

from sintra.board import Table
from sintra.errors import NotationError
from sintra.law import why_illegal
from sintra.moves import Move, MoveKind, move_of, path_of
from sintra.rules import engine
from sintra.rules.choices import MOST_MOVES
from sintra.rules.state import States


class LegalMoves(Sequence[Move]):
    """All legal moves, in a fixed order. `in` takes a move or its notation."""

    __slots__ = ("_paths", "_states")

    def __init__(self, states: States) -> None:
        self._states = states
        self._paths: list[int] | None = None

    @property
    def paths(self) -> list[int]:
        """The moves as packed paths of choices."""
        if self._paths is None:
            out = np.empty(MOST_MOVES, np.int64)
            self._paths = out[: engine.list_moves(self._states, 0, out)].tolist()
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
        try:
            parsed = Move.parse(move) if isinstance(move, str) else move
        except NotationError:
            return False
        return isinstance(parsed, Move) and self._path(parsed) is not None

    def _path(self, move: Move) -> int | None:
        """The path of a legal move, otherwise None."""
        if move.kind is MoveKind.RETURN_PLATE and move.plate is None:
            return None
        path = path_of(move, self._states, 0)
        if path not in self.paths or move_of(path, self._states, 0) != move:
            return None
        return path

    def require(self, move: Move | str) -> Move:
        """The move, if it is legal; otherwise an error that names the rule."""
        parsed = Move.parse(move) if isinstance(move, str) else move
        if self._path(parsed) is None:
            raise why_illegal(Table(self._states), parsed)
        return parsed

    def __repr__(self) -> str:
        shown = ", ".join(map(str, self[:8]))
        return f"<{len(self)} legal moves: {shown}{', …' if len(self) > 8 else ''}>"
