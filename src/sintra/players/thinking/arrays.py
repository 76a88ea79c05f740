"""Arrays from `.npz` files that anybody may have written: damaged ones, and ones made to do harm, are refused."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, BinaryIO, Final
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

MAX_SMALL_BYTES: Final = 1 << 26
MAX_RATIO: Final = 200
"""A file unpacks to 64 MiB, or to so many times its length, at most; files of ours stay below a tenth of that."""
MAX_REASON_LETTERS: Final = 300
_HEADERS: Final = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}
_CHUNK: Final = 1 << 20


def read_arrays(file: BinaryIO, *names: str, optional: Iterable[str] = ()) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of these names, and those of the optional names that are there; a `ValueError` says what is wrong with
    a file. No array is made before it is certain that the file can hold it."""
    try:
        with ZipFile(file) as archive:
            there = set(archive.namelist())
            wanted = [*names, *(name for name in optional if f"{name}.npy" in there)]
            members = {name: _member(archive, name) for name in wanted}
            file.seek(0, 2)
            if sum(one.file_size for one in members.values()) > max(MAX_SMALL_BYTES, MAX_RATIO * file.tell()):
                raise ValueError("it would unpack to too much")
            return {name: _read(archive, one) for name, one in members.items()}
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


def _read(archive: ZipFile, member: ZipInfo) -> np.ndarray[Any, Any]:
    """One array. Its header must say as many bytes as there are."""
    with archive.open(member) as channel:
        version = npy.read_magic(channel)
        if version not in _HEADERS:
            raise ValueError(f"{member.filename} has version {version} of NumPy's format")
        shape, is_fortran, kind = _HEADERS[version](channel)
        if kind.hasobject or kind.itemsize == 0 or any(size < 0 for size in shape):
            raise ValueError(f"{member.filename} does not hold plain numbers")
        size = math.prod(shape)
        if size * kind.itemsize != member.file_size - channel.tell():
            raise ValueError(f"{member.filename} is not as long as it says")
        found: np.ndarray[Any, Any] = np.empty(size, kind)
        room = found.view(np.uint8)
        done = 0
        while done < room.size:
            data = channel.read(min(_CHUNK, room.size - done))
            if not data:
                raise ValueError(f"{member.filename} is cut off")
            room[done : done + len(data)] = np.frombuffer(data, np.uint8)
            done += len(data)
        return found.reshape(shape, order="F" if is_fortran else "C")


def require_column(name: str, found: np.ndarray[Any, Any], kind: Any, *shape: int) -> None:
    """Refuses an array of another type or shape with a `ValueError`."""
    if found.dtype != np.dtype(kind) or found.shape != shape:
        raise ValueError(f"{name} is {found.dtype} of shape {found.shape}, not {np.dtype(kind)} of shape {shape}")


def require_starts(name: str, first: np.ndarray[Any, Any], rows: int, end: int) -> None:
    """Refuses numbers that do not say where each of so many lists begins and, last, where all end."""
    require_column(name, first, np.int64, rows + 1)
    if first[0] != 0 or first[-1] != end or (np.diff(first) < 0).any():
        raise ValueError(f"{name} does not say where the lists begin")
