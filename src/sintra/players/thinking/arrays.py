"""Arrays from `.npz` files that anybody may have written: damaged ones, and ones made to do harm, are refused."""

from __future__ import annotations

import ast
import math
import re
from collections.abc import Callable, Iterable
from struct import unpack
from typing import BinaryIO, Final, NamedTuple, TypeVar
from zipfile import ZipFile, ZipInfo

T = TypeVar("T")

MAX_SMALL_BYTES: Final = 1 << 26
MAX_RATIO: Final = 200
"""A file unpacks to 64 MiB, or to so many times its length, at most; files of ours stay below a tenth of that."""
MAX_REASON_LETTERS: Final = 300
MAX_HEADER_BYTES: Final = 10_000
CHUNK: Final = 1 << 20
_MAGIC: Final = b"\x93NUMPY"
_LENGTHS: Final = {(1, 0): "<H", (2, 0): "<I"}
"""How the length of a header is written, by the version of the format."""
_KIND: Final = re.compile(r"[<>=|]?([biuf][1248]|U[0-9]{1,6})")
_LETTERS: Final = {
    "b1": "?",
    "i1": "b",
    "i2": "h",
    "i4": "i",
    "i8": "q",
    "u1": "B",
    "u2": "H",
    "u4": "I",
    "u8": "Q",
    "f2": "e",
    "f4": "f",
    "f8": "d",
}
_LETTER_BYTES: Final = 4


class StoredArray(NamedTuple):
    """An array as a file has it."""

    order: str
    """The order of the bytes of a number, as `struct` writes it."""
    kind: str
    """The kind of its numbers, like `f4`; `U` and a number for texts of so many letters."""
    shape: tuple[int, ...]
    data: bytes

    def numbers(self) -> list[float]:
        """All its numbers, in the order of the file."""
        letter = _LETTERS[self.kind]
        return list(unpack(f"{self.order}{len(self.data) // int(self.kind[1])}{letter}", self.data))

    def text(self) -> str:
        """The text, if it is one."""
        if self.kind[0] != "U" or self.shape:
            raise ValueError("a text is missing")
        return self.data.decode("utf-32-be" if self.order == ">" else "utf-32-le").rstrip("\0")


def read_arrays(file: BinaryIO, *names: str, optional: Iterable[str] = ()) -> dict[str, StoredArray]:
    """The arrays of these names, and those of the optional names that are there; a `ValueError` says what is wrong with
    a file."""
    return read_members(file, _read, names, optional)


def read_members(
    file: BinaryIO, read: Callable[[ZipFile, ZipInfo], T], names: Iterable[str], optional: Iterable[str]
) -> dict[str, T]:
    """What `read` makes of the arrays of these names, and of those of the optional names that are there."""
    try:
        with ZipFile(file) as archive:
            there = set(archive.namelist())
            wanted = [*names, *(name for name in optional if f"{name}.npy" in there)]
            members = {name: _member(archive, name) for name in wanted}
            file.seek(0, 2)
            if sum(one.file_size for one in members.values()) > max(MAX_SMALL_BYTES, MAX_RATIO * file.tell()):
                raise ValueError("it would unpack to too much")
            return {name: read(archive, one) for name, one in members.items()}
    except OSError:
        raise
    except Exception as error:  # zipfile, zlib and NumPy raise whatever they run into
        raise ValueError(reason_of(error)) from None


def reason_of(error: Exception) -> str:
    """What an error says, not too long: some repeat the bytes that they do not understand."""
    text = str(error) or type(error).__name__
    return text if len(text) <= MAX_REASON_LETTERS else text[: MAX_REASON_LETTERS - 1] + "…"


def _member(archive: ZipFile, name: str) -> ZipInfo:
    try:
        return archive.getinfo(f"{name}.npy")
    except KeyError:
        raise ValueError(f"it has no array {name!r}") from None


def _read(archive: ZipFile, member: ZipInfo) -> StoredArray:
    """One array. Its header must say as many bytes as there are."""
    with archive.open(member) as channel:
        magic = channel.read(len(_MAGIC) + 2)
        if len(magic) != len(_MAGIC) + 2 or not magic.startswith(_MAGIC):
            raise ValueError(f"{member.filename} is no array")
        version = magic[-2], magic[-1]
        if version not in _LENGTHS:
            raise ValueError(f"{member.filename} has version {version} of NumPy's format")
        form = _LENGTHS[version]
        (length,) = unpack(form, channel.read(2 if form == "<H" else 4))
        if length > MAX_HEADER_BYTES:
            raise ValueError(f"{member.filename} has a header of {length} bytes")
        order, kind, shape = _described(ast.literal_eval(channel.read(length).decode("latin-1").strip()))
        size = math.prod(shape) * (_LETTER_BYTES if kind[0] == "U" else 1) * int(kind[1:])
        if size != member.file_size - channel.tell():
            raise ValueError(f"{member.filename} is not as long as it says")
        parts: list[bytes] = []
        left = size
        while left:
            parts.append(channel.read(min(CHUNK, left)))
            if not parts[-1]:
                raise ValueError(f"{member.filename} is cut off")
            left -= len(parts[-1])
        return StoredArray(order, kind, shape, b"".join(parts))


def _described(header: object) -> tuple[str, str, tuple[int, ...]]:
    """The order of bytes, the kind and the shape of an array, from its header."""
    if not isinstance(header, dict) or set(header) != {"descr", "fortran_order", "shape"}:
        raise ValueError("an array has a wrong header")
    kind, shape = header["descr"], header["shape"]
    match = _KIND.fullmatch(kind) if isinstance(kind, str) else None
    if not match or (match[1] not in _LETTERS and (match[1][0] != "U" or not int(match[1][1:]))):
        raise ValueError("an array does not hold plain numbers")
    if not isinstance(shape, tuple) or not all(type(size) is int and size >= 0 for size in shape):
        raise ValueError("an array has a wrong shape")
    if header["fortran_order"] and len(shape) > 1:
        raise ValueError("an array is stored by columns")
    return ">" if kind[0] == ">" else "<", match[1], shape
