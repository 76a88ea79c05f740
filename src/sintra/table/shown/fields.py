"""A view as plain numbers, lists and letters."""

from __future__ import annotations

from collections.abc import Callable
from struct import Struct
from typing import Any, Final

from sintra.game.game import View
from sintra.rules.memory import LETTERS, Field, layout_of
from sintra.rules.state import STATE, States


def _reader(field: Field) -> Callable[[bytearray], Any]:
    """What reads a field from the bytes of a view."""
    *outer, width = field.shape or (1,)
    row, start = Struct(f"{width}{LETTERS[field.kind]}"), field.offset
    where = slice(start, start + field.size)
    match outer:
        case [] if not field.shape:
            return lambda data: row.unpack_from(data, start)[0]
        case []:
            return lambda data: row.unpack_from(data, start)
        case [_]:
            return lambda data: tuple(row.iter_unpack(data[where]))
    return lambda data: tuple(zip(*[row.iter_unpack(data[where])] * outer[-1], strict=True))


_FIELDS: Final = layout_of(STATE).fields
_READERS: Final = {name: _reader(field) for name, field in _FIELDS.items()}


class Fields(dict[str, Any]):
    """The fields of a view as plain numbers and tuples. A field is read when it is first asked for, from the view's
    bytes."""

    __slots__ = ("_data", "states")

    def __init__(self, view: View) -> None:
        self.states: States = view._states
        """The view, for what only reads it: it must not change."""
        self._data: bytearray = self.states.data

    def __missing__(self, name: str) -> Any:
        value = self[name] = _READERS[name](self._data)
        return value

    def letters(self, name: str, alphabet: bytes) -> str:
        """A whole field of small numbers as text: each number is the place of its letter in the alphabet."""
        start = _FIELDS[name].offset
        return self._data[start : start + _FIELDS[name].size].translate(alphabet).decode()


def alphabet_of(letters: str) -> bytes:
    """The letters of numbers from 0 on; the last is that of NOTHING, -1."""
    return letters[:-1].encode().ljust(255, b"?") + letters[-1].encode()
