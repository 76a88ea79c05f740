"""JSON as compiled code writes it: a text that grows at its end.

What is put into a list or an object ends with a comma; the last of these becomes the bracket when it is closed.
"""

from __future__ import annotations

import threading
from collections.abc import Iterable
from typing import Annotated, Any, Final, TypeAlias

import msgspec

from sintra.rules.array_types import Elements
from sintra.rules.compiled import constants, kernel, layout
from sintra.rules.memory import zeros
from sintra.rules.state import Array, State

MAX_TEXT: Final = 1 << 16
"""Bytes of the longest text: the longest that games have led to is a third of it. What does not fit is left out, and
`Texts.written` says so."""
TEXT: Final = layout([("length", "i8"), ("letters", "u1", MAX_TEXT)])
TextArray: TypeAlias = Annotated[Any, Elements(TEXT)]
"""An array with such a text."""
COMMA, MINUS, ZERO, QUOTE = b',-0"'


def piece(text: str) -> Array:
    """A text as an array, for compiled code."""
    return constants(list(text.encode()), "u1")


def table(texts: Iterable[str]) -> Array:
    """Several texts as one array, for compiled code: each at its number, after its length."""
    rows = [bytes([len(text)]) + text.encode() for text in texts]
    width = max(map(len, rows))
    return constants([list(row.ljust(width, b"\0")) for row in rows], "u1")


def key_of(name: str) -> Array:
    """The name of a field as JSON, with the colon."""
    return piece(f'"{name}":')


def keys_of(message: type[msgspec.Struct]) -> tuple[Array, ...]:
    """The names of a message's fields as JSON, each with the colon, in their order."""
    return tuple(map(key_of, message.__struct_encode_fields__))


ITEM, OBJECT, OBJECT_END, LIST, LIST_END = map(piece, ("", "{", "},", "[", "],"))
"""`ITEM` is the key of what has none, in a list."""
NULL, TRUE, FALSE = map(piece, ("null,", "true,", "false,"))


class Texts(threading.local):
    """The buffer of each thread, which is reused: memory of a new one would not be in the caches."""

    def __init__(self) -> None:
        self.text = zeros(1, TEXT)
        """What compiled code writes to, after `begin`."""
        self._letters = memoryview(self.text.data)[TEXT.itemsize - MAX_TEXT :]

    def written(self, length: int) -> bytes:
        """The text as bytes."""
        assert length <= MAX_TEXT, "a message has room in a text"
        return bytes(self._letters[:length])


texts: Final = Texts()


@kernel
def begin(w: State) -> None:
    """Begins a new text."""
    w.length = 0


@kernel
def put_letter(w: State, letter: int) -> None:
    """Puts one letter."""
    if w.length < MAX_TEXT:
        w.letters[w.length] = letter
    w.length += 1


@kernel
def put(w: State, text: Array) -> None:
    """Puts a piece of text, as it is."""
    start = w.length
    w.length = start + len(text)
    if w.length <= MAX_TEXT:
        for k in range(len(text)):
            w.letters[start + k] = text[k]


@kernel
def put_row(w: State, rows: Array, row: int) -> None:
    """Puts a text of a table, as it is."""
    start, length = w.length, int(rows[row, 0])
    w.length = start + length
    if w.length <= MAX_TEXT:
        for k in range(length):
            w.letters[start + k] = rows[row, 1 + k]


@kernel
def put_null(w: State, key: Array) -> None:
    """Puts a null."""
    put(w, key)
    put(w, NULL)


@kernel
def put_flag(w: State, key: Array, flag: bool) -> None:
    """Puts true or false."""
    put(w, key)
    put(w, TRUE if flag else FALSE)


@kernel
def put_number(w: State, key: Array, number: int) -> None:
    """Puts a number."""
    put(w, key)
    if number < 0:
        put_letter(w, MINUS)
        number = -number
    tens = 1
    while tens * 10 <= number:
        tens *= 10
    while tens:
        put_letter(w, ZERO + number // tens % 10)
        tens //= 10
    put_letter(w, COMMA)


@kernel
def put_name(w: State, key: Array, rows: Array, row: int) -> None:
    """Puts a text of a table as a string."""
    open_string(w, key)
    put_row(w, rows, row)
    close_string(w)


@kernel
def open_string(w: State, key: Array) -> None:
    """Begins a string."""
    put(w, key)
    put_letter(w, QUOTE)


@kernel
def close_string(w: State) -> None:
    """Ends a string."""
    put_letter(w, QUOTE)
    put_letter(w, COMMA)


@kernel
def open_list(w: State, key: Array) -> None:
    """Begins a list."""
    put(w, key)
    put(w, LIST)


@kernel
def close_list(w: State) -> None:
    """Ends a list."""
    drop_comma(w)
    put(w, LIST_END)


@kernel
def open_object(w: State, key: Array) -> None:
    """Begins an object."""
    put(w, key)
    put(w, OBJECT)


@kernel
def close_object(w: State) -> None:
    """Ends an object."""
    drop_comma(w)
    put(w, OBJECT_END)


@kernel
def drop_comma(w: State) -> None:
    """Removes the comma after the last item, if there is one."""
    if w.length <= MAX_TEXT and w.letters[w.length - 1] == COMMA:
        w.length -= 1
