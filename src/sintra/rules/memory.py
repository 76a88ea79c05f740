"""Memory that Python shares with compiled code: arrays of numbers and of records, without NumPy.

`zeros` makes them. They are read and written as NumPy's arrays are, as far as that is needed: `states["sun"][0]`,
`out[:n].tolist()`. Compiled code gets them by their address (`rules.library`), or as the NumPy array of the same bytes
(`array`). A `RecordLayout` describes a record once; NumPy's dtype follows from it.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from ctypes import addressof, c_char
from functools import cache, cached_property
from mmap import mmap
from struct import Struct, pack
from typing import Any, Final, NamedTuple, TypeAlias

LETTERS: Final[dict[str, Any]] = {
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u4": "I",
    "f4": "f",
    "f8": "d",
    "b1": "?",
}
"""The kinds of numbers, by NumPy's names for them, and the letters that `struct` and `memoryview` have."""
LAZY_BYTES: Final = 1 << 16
"""Memory of this size and more is taken from the system, which gives it page by page when it is first used."""

Shape: TypeAlias = tuple[int, ...]


class Field(NamedTuple):
    """A field of a record."""

    kind: str
    shape: Shape
    offset: int
    size: int


class RecordLayout:
    """What a record is made of: the name, the kind and the shape of each field, in their order. Fields lie as C lays
    them out: at multiples of the size of their numbers, as does the whole record."""

    def __init__(self, fields: Sequence[tuple[Any, ...]]) -> None:
        self._described = [(name, kind, *shape) for name, kind, *shape in fields]
        self.fields: dict[str, Field] = {}
        end = widest = 0
        for name, kind, *shapes in fields:
            shape = _shape_of(shapes[0]) if shapes else ()
            width = int(kind[1])
            widest = max(widest, width)
            offset = -(-end // width) * width
            size = width * math.prod(shape)
            self.fields[name] = Field(kind, shape, offset, size)
            end = offset + size
        self.itemsize = -(-end // widest) * widest
        self.names = tuple(self.fields)
        self.code = f"V{self.itemsize}.1"
        self.numbers = {
            name: (Struct(LETTERS[one.kind]), one.offset) for name, one in self.fields.items() if not one.shape
        }
        """How each field that is one number is read and written, and where."""
        self._unpack: Any = None

    @cached_property
    def dtype(self) -> Any:
        """NumPy's description of it; NumPy takes the layout in its place."""
        dtype = _numpy().dtype(self._described, align=True)
        assert dtype.itemsize == self.itemsize
        _BY_DTYPE[id(dtype)] = self
        return dtype

    def __getitem__(self, name: str) -> Any:
        """NumPy's description of a field."""
        return self.dtype[name]

    def lists_of(self, data: Any) -> dict[str, Any]:
        """All fields of a record, from its bytes, as numbers and lists of them by name."""
        if self._unpack is None:
            self._unpack = self._unpacker()
        found: dict[str, Any] = self._unpack(data)
        return found

    def _unpacker(self) -> Any:
        """A function that takes a record apart, made from the layout: the bytes become one tuple of numbers, of which
        each field is a part."""
        form, parts, end, place = "=", [], 0, 0
        for name, one in self.fields.items():
            count = math.prod(one.shape)
            form += f"{one.offset - end}x{count}{LETTERS[one.kind]}"
            parts.append(f"{name!r}: {_parts_text(one.shape, place)}")
            end, place = one.offset + one.size, place + count
        text = f"lambda data: (lambda n: {{{', '.join(parts)}}})(unpack(data))"
        return eval(text, {"unpack": Struct(f"{form}{self.itemsize - end}x").unpack})


def _parts_text(shape: Shape, place: int) -> str:
    """The expression for a field among the numbers `n` of a record."""
    if not shape:
        return f"n[{place}]"
    if len(shape) == 1:
        return f"[*n[{place}:{place + shape[0]}]]"
    step = math.prod(shape[1:])
    return f"[{', '.join(_parts_text(shape[1:], place + k * step) for k in range(shape[0]))}]"


_BY_DTYPE: Final[dict[int, RecordLayout]] = {}
"""The layouts by the identity of the dtypes made from them."""

Kind: TypeAlias = Any
"""What an array holds: the name of a kind of number, a layout, or the dtype made from one."""


def layout_of(kind: Kind) -> RecordLayout:
    """The layout that describes a kind of record."""
    return kind if isinstance(kind, RecordLayout) else _BY_DTYPE[id(kind)]


def _shape_of(shape: int | Sequence[int]) -> Shape:
    return (shape,) if isinstance(shape, int) else tuple(shape)


def refusal(given: str, code: str) -> str:
    """Says that an array is not what a function wants."""
    kind, axes = code.split(".")
    return f"a writable C array of {kind} with {axes} axes is wanted, not {given}"


_TWO_WORDS: Final = Struct("qq")


def words(address: int, *shape: int) -> bytes:
    """An address and the length of each axis, as words of eight bytes."""
    return _TWO_WORDS.pack(address, *shape) if len(shape) == 1 else pack(f"{1 + len(shape)}q", address, *shape)


def address_of(data: Any) -> int:
    """Where a writable buffer begins; 0 for an empty one."""
    return addressof(c_char.from_buffer(data)) if len(data) else 0


@cache
def _numpy() -> Any:
    """NumPy, for those who have it."""
    import numpy as np

    return np


class SharedArray:
    """An array in memory."""

    __slots__ = ("array", "code", "data", "kind", "shape", "words")
    array: Any
    """The NumPy array of the same bytes, which is made when it is first asked for."""
    words: bytes
    """What a function of a library is given: the address, then the length of each axis; once it is `described`."""

    def __init__(self, data: Any, kind: Any, shape: Shape) -> None:
        """An array on `data`, a writable buffer of as many bytes; `kind` is the name of a number, or a layout."""
        self.data = data
        self.kind = kind
        self.shape = shape
        self.code = ""

    def described(self) -> str:
        """What the array holds, in the words of a library: a kind of number, or `V` with the size of a record, and
        the number of axes. From then on it has `code` and `words`."""
        self.words = words(address_of(self.data), *self.shape)
        self.code = self.kind.code if type(self.kind) is RecordLayout else f"{self.kind}.{len(self.shape)}"
        return self.code

    def __getattr__(self, name: str) -> Any:
        """Makes `array`; whoever asks again, for each call of compiled code, finds it without a call of Python."""
        if name != "array":
            raise AttributeError(f"memory has no {name!r}")
        kind = self.kind if type(self.kind) is str else self.kind.dtype
        self.array = _numpy().ndarray(self.shape, kind, self.data)
        return self.array

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        """What NumPy makes of it where it expects an array."""
        return self.array if dtype is None else self.array.astype(dtype)

    def __len__(self) -> int:
        return self.shape[0]

    def tobytes(self) -> bytes:
        """All of its bytes."""
        return bytes(self.data)

    def clear(self) -> None:
        """Makes all of it zero."""
        view = memoryview(self.data)
        for start in range(0, len(view), len(_ZEROS)):
            end = min(start + len(_ZEROS), len(view))
            view[start:end] = _ZEROS[: end - start]


_ZEROS: Final = bytes(1 << 16)


class Numbers(SharedArray):
    """An array of numbers of one kind, with one axis or several."""

    __slots__ = ("cells",)

    def __init__(self, data: Any, kind: str, shape: Shape) -> None:
        super().__init__(data, kind, shape)
        self.cells = _cells(data, kind, shape)

    def _part(self, where: tuple[int, ...], rows: slice = slice(None)) -> Numbers:
        """The part at these places of the first axes; of the next axis these rows."""
        place = 0
        for k, size in zip(where, self.shape, strict=False):
            if not -size <= k < size:
                raise IndexError(f"{k} is not within an axis of {size}")
            place = place * size + int(k) % size
        rest = self.shape[len(where) :]
        row = int(self.kind[1]) * math.prod(rest[1:])
        first, end, step = rows.indices(rest[0])
        assert step == 1, "parts of arrays are without gaps"
        start = place * rest[0]
        data = memoryview(self.data)[(start + first) * row : (start + max(first, end)) * row]
        return Numbers(data, self.kind, (max(0, end - first), *rest[1:]))

    def __getitem__(self, where: Any) -> Any:
        if not isinstance(where, tuple):
            if isinstance(where, slice):
                return self._part((), where)
            return self.cells[where] if len(self.shape) == 1 else self._part((where,))
        if isinstance(where[-1], slice):
            return self._part(where[:-1], where[-1])
        return self.cells[where] if len(where) == len(self.shape) else self._part(where)

    def __setitem__(self, where: Any, value: Any) -> None:
        path = where if isinstance(where, tuple) else (where,)
        if len(path) < len(self.shape) or isinstance(path[-1], slice):
            self[path].fill(value)
        elif len(path) == 1:
            self.cells[where if where is not path else where[0]] = value
        else:
            self.cells[path] = value

    def fill(self, value: Any) -> None:
        """Writes a number everywhere, or numbers of the same shape."""
        if not hasattr(value, "__len__"):
            memoryview(self.data)[:] = Struct(LETTERS[self.kind]).pack(value) * math.prod(self.shape)
            return
        if len(value) != len(self):
            raise ValueError(f"{len(value)} values do not fill an axis of {len(self)}")
        for place, one in enumerate(value):
            self[place] = one

    def tolist(self) -> list[Any]:
        """The numbers as lists within lists."""
        return self.cells.tolist()

    def first(self, how_many: int) -> list[Any]:
        """So many of its first elements: `array[:how_many].tolist()`, quicker."""
        found: list[Any] = self.cells[:how_many].tolist()
        return found

    def flattened(self) -> list[Any]:
        """All numbers in one list."""
        return _cells(self.data, self.kind, (math.prod(self.shape),)).tolist()

    def copy(self) -> Numbers:
        """An array with the same numbers."""
        return Numbers(bytearray(self.data), self.kind, self.shape)

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cells) if len(self.shape) == 1 else map(self.__getitem__, range(len(self)))

    def __eq__(self, other: object) -> bool:
        if not isinstance(other, Numbers):
            return NotImplemented
        return self.tolist() == other.tolist()

    __hash__ = None

    def __repr__(self) -> str:
        return f"<{self.kind} of {self.shape}: {self.tolist()}>"


def _cells(data: Any, kind: str, shape: Shape) -> Any:
    """A view of memory by numbers of a kind and by axes."""
    view = memoryview(data).cast("B")
    if len(shape) == 1 or 0 in shape:
        return view.cast(LETTERS[kind])
    return view.cast(LETTERS[kind], shape)


class StoredRecords(SharedArray):
    """An array of records of one layout."""

    __slots__ = ()

    def get(self, name: str, i: int = 0) -> Any:
        """A field of a record: a number, or lists of numbers."""
        layout: RecordLayout = self.kind
        before = i * layout.itemsize
        if found := layout.numbers.get(name):
            return found[0].unpack_from(self.data, found[1] + before)[0]
        kind, shape, offset, size = layout.fields[name]
        start = before + offset
        return memoryview(self.data)[start : start + size].cast(LETTERS[kind], shape).tolist()

    def row(self, name: str, k: int, i: int = 0) -> list[int]:
        """Row k of a field with two axes: `get(name, i)[k]`, quicker."""
        layout: RecordLayout = self.kind
        kind, shape, offset, size = layout.fields[name]
        width = size // shape[0]
        start = offset + i * layout.itemsize + k * width
        return memoryview(self.data)[start : start + width].cast(LETTERS[kind]).tolist()

    def part(self, name: str, i: int = 0) -> Numbers:
        """A field with several numbers, which changes with the record."""
        layout: RecordLayout = self.kind
        one = layout.fields[name]
        start = one.offset + i * layout.itemsize
        return Numbers(memoryview(self.data)[start : start + one.size], one.kind, one.shape)

    def put(self, name: str, value: Any, i: int = 0) -> None:
        """Writes a field of a record: a number, also to each place of several, or as many numbers as it has."""
        layout: RecordLayout = self.kind
        if found := layout.numbers.get(name):
            found[0].pack_into(self.data, found[1] + i * layout.itemsize, value)
        else:
            self.part(name, i).fill(value)

    def lists(self, i: int = 0) -> dict[str, Any]:
        """All fields of a record as numbers and lists of them."""
        layout: RecordLayout = self.kind
        return layout.lists_of(memoryview(self.data)[i * layout.itemsize : (i + 1) * layout.itemsize])

    def tolist(self) -> list[tuple[Any, ...]]:
        """The records as tuples of their fields."""
        return [tuple(self.lists(i).values()) for i in range(len(self))]

    def __getitem__(self, where: Any) -> Any:
        if isinstance(where, str):
            return Column(self, where)
        if isinstance(where, slice):
            first, end, step = where.indices(len(self))
            assert step == 1, "parts of arrays are without gaps"
            size = self.kind.itemsize
            return StoredRecords(memoryview(self.data)[first * size : end * size], self.kind, (max(0, end - first),))
        if not -len(self) <= where < len(self):
            raise IndexError(f"{where} is not among {len(self)} records")
        return StoredRecord(self, int(where) % len(self))

    def __setitem__(self, where: Any, value: Any) -> None:
        if isinstance(where, str):
            for i in range(len(self)):
                self.put(where, value[i] if isinstance(value, Column) else value, i)
        elif isinstance(where, slice):
            self[where].data[:] = value.data
        else:
            size = self.kind.itemsize
            memoryview(self.data)[where * size : (where + 1) * size] = value.tobytes()

    def copy(self) -> StoredRecords:
        """An array with the same records."""
        return StoredRecords(bytearray(self.data), self.kind, self.shape)

    def __iter__(self) -> Iterator[StoredRecord]:
        return map(self.__getitem__, range(len(self)))

    def __repr__(self) -> str:
        return f"<{len(self)} records: {[self.lists(i) for i in range(len(self))]}>"


class Column:
    """One field of all records of an array."""

    __slots__ = ("_name", "_records")

    def __init__(self, records: StoredRecords, name: str) -> None:
        if name not in records.kind.fields:
            raise KeyError(f"there is no field {name!r}")
        self._records = records
        self._name = name

    def __getitem__(self, where: Any) -> Any:
        first, *rest = where if isinstance(where, tuple) else (where,)
        found = self._records[first][self._name]
        return found[tuple(rest)] if rest else found

    def __setitem__(self, where: Any, value: Any) -> None:
        first, *rest = where if isinstance(where, tuple) else (where,)
        for i in range(*first.indices(len(self))) if isinstance(first, slice) else (first,):
            if rest:
                self._records[i][self._name][tuple(rest)] = value
            else:
                self._records.put(self._name, value, i)

    def __len__(self) -> int:
        return len(self._records)

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def tolist(self) -> list[Any]:
        """The field of each record, as numbers or lists."""
        return [self._records.get(self._name, i) for i in range(len(self))]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Any:
        found = self._records.array[self._name]
        return found if dtype is None else found.astype(dtype)


class StoredRecord:
    """One record of an array."""

    __slots__ = ("_i", "_records")

    def __init__(self, records: StoredRecords, i: int) -> None:
        self._records = records
        self._i = i

    def __getitem__(self, name: str) -> Any:
        layout: RecordLayout = self._records.kind
        if found := layout.numbers.get(name):
            return found[0].unpack_from(self._records.data, found[1] + self._i * layout.itemsize)[0]
        return self._records.part(name, self._i)

    def __setitem__(self, name: str, value: Any) -> None:
        self._records.put(name, value, self._i)

    def tobytes(self) -> bytes:
        """The bytes of the record."""
        size = self._records.kind.itemsize
        return bytes(memoryview(self._records.data)[self._i * size : (self._i + 1) * size])

    def lists(self) -> dict[str, Any]:
        """All its fields as numbers and lists of them."""
        return self._records.lists(self._i)


def zeros(shape: int | Sequence[int], kind: Kind) -> Any:
    """An array of this shape, all zero: `Numbers` of a kind, or `StoredRecords` with one axis."""
    full = _shape_of(shape)
    if isinstance(kind, str):
        return Numbers(_blank(math.prod(full) * int(kind[1])), kind, full)
    layout = layout_of(kind)
    return StoredRecords(_blank(math.prod(full) * layout.itemsize), layout, full)


def numbers(values: Sequence[Any], kind: str) -> Numbers:
    """An array of these numbers, given as lists within lists."""
    shape = []
    inner: Any = values
    while hasattr(inner, "__len__"):
        shape.append(len(inner))
        inner = inner[0] if len(inner) else 0
    found: Numbers = zeros(shape, kind)
    found.fill(values)
    return found


def _blank(size: int) -> Any:
    return mmap(-1, size) if size >= LAZY_BYTES else bytearray(size)
