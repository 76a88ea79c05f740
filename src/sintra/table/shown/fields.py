"""A view as plain numbers, lists and letters."""

from __future__ import annotations

from struct import Struct
from typing import Any, Final

from sintra.game.game import View
from sintra.rules.memory import LETTERS, layout_of
from sintra.rules.state import STATE, States

_LAYOUT: Final = {
    name: (
        slice(1 + one.offset, 1 + one.offset + one.size),
        Struct(f"{(one.shape or (1,))[-1]}{LETTERS[one.kind]}"),
        one.shape,
    )
    for name, one in layout_of(STATE).fields.items()
}
"""Where each field is in the bytes of a view, how a row of it is read, and its shape."""


class Fields(dict[str, Any]):
    """The fields of a view as plain numbers and tuples. A field is read when it is first asked for, from the view's
    bytes."""

    __slots__ = ("_data", "_view")

    def __init__(self, view: View) -> None:
        self._view = view
        self._data = view.to_bytes()

    @property
    def states(self) -> States:
        """A copy of the view, for the engine."""
        return self._view.states

    def __missing__(self, name: str) -> Any:
        where, row, shape = _LAYOUT[name]
        value: Any = tuple(row.iter_unpack(self._data[where]))
        if len(shape) < 2:
            value = value[0] if shape else value[0][0]
        elif len(shape) == 3:
            value = tuple(value[k : k + shape[1]] for k in range(0, len(value), shape[1]))
        self[name] = value
        return value

    def row(self, name: str, k: int) -> bytes:
        """A row of a field as it lies in the view."""
        where, row, _ = _LAYOUT[name]
        return self._data[where][k * row.size : (k + 1) * row.size]

    def letters(self, name: str, alphabet: bytes) -> str:
        """A whole field of small numbers as text: each number is the place of its letter in the alphabet."""
        return self._data[_LAYOUT[name][0]].translate(alphabet).decode()


def alphabet_of(letters: str) -> bytes:
    """The letters of numbers from 0 on; the last is that of NOTHING, -1."""
    return letters[:-1].encode().ljust(255, b"?") + letters[-1].encode()
