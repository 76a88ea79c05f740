"""NumPy's arrays from `.npz` files that anybody may have written."""

from __future__ import annotations

import math
from collections.abc import Iterable
from typing import Any, BinaryIO, Final
from zipfile import ZipFile, ZipInfo

import numpy as np
from numpy.lib import format as npy

from sintra.players.thinking.arrays import CHUNK, read_members

_HEADERS: Final = {(1, 0): npy.read_array_header_1_0, (2, 0): npy.read_array_header_2_0}


def read_arrays(file: BinaryIO, *names: str, optional: Iterable[str] = ()) -> dict[str, np.ndarray[Any, Any]]:
    """The arrays of these names, and those of the optional names that are there; a `ValueError` says what is wrong with
    a file. No array is made before it is certain that the file can hold it."""
    return read_members(file, _read, names, optional)


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
            data = channel.read(min(CHUNK, room.size - done))
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
