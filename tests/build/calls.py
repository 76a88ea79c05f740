"""Calls of the compiled library as a stream of bytes, which others make again: Numba's code, and WebAssembly in Node.

A call is a line of JSON, followed by the contents of the arrays that have changed since the last call:

    {"symbol": "rules_engine_legal", "given": [{"slot": 0, "bytes": 644, "size": 1, "sent": true}, …], "after": "…"}

Whoever makes the call again has a memory for each slot, sends nothing back, and compares the digest of all its arrays
and of what was returned.
"""

from __future__ import annotations

import ctypes
import hashlib
import json
import os
import struct
from collections.abc import Callable
from math import prod
from pathlib import Path
from typing import Any, BinaryIO, NamedTuple

from sintra.rules.library import FOLDER, MANIFEST


def manifest() -> dict[str, Any]:
    """The manifest of the library that is used."""
    found: dict[str, Any] = json.loads((Path(os.environ[FOLDER]) / MANIFEST).read_text("utf-8"))
    return found


def packed(result: Any) -> bytes:
    """What was returned, for a digest."""
    return struct.pack("<d", result) if isinstance(result, float) else struct.pack("<q", int(result or 0))


def digest(contents: list[bytes], result: Any) -> str:
    """What a call has left behind: all its arrays, one after the other, and what it returned."""
    found = hashlib.sha1(usedforsecurity=False)
    for content in contents:
        found.update(content)
    found.update(packed(result))
    return found.hexdigest()


class _Memory(NamedTuple):
    address: int
    place: dict[str, Any]


def _number(kind: str, word: int) -> Any:
    """A number among the arguments, for the line, from its word."""
    if kind == "int":
        return str(word)
    return bool(word) if kind == "bool" else struct.unpack("d", struct.pack("q", word))[0]


class Recorder:
    """Writes all calls of the library to a stream while they are made."""

    def __init__(self, out: BinaryIO) -> None:
        self._out = out
        self._known: dict[int, bytes] = {}
        self._slots: dict[tuple[str, int, int], int] = {}
        self.calls: dict[str, int] = {}

    def install(self) -> None:
        """Puts itself between the bindings and the library."""
        from sintra.rules.compiled import _LIBRARY

        assert _LIBRARY is not None, "there is no library"
        for name, told in manifest()["entries"].items():
            bindings = _LIBRARY._entries[name].__globals__
            symbol = f"_{told['symbol']}"
            self.calls[name] = 0
            bindings[symbol] = self._recording(name, told, bindings[symbol])

    def _recording(self, name: str, told: dict[str, Any], function: Callable[..., Any]) -> Callable[..., Any]:
        def called(block: bytes) -> Any:
            self.calls[name] += 1
            arrays, line = self._given(told, block)
            sent = []
            for array in arrays:
                content = ctypes.string_at(array.address, array.place["bytes"])
                array.place["sent"] = self._known.get(array.place["slot"]) != content
                if array.place["sent"]:
                    sent.append(content)
            result = function(block)
            contents = []
            for array in arrays:
                contents.append(ctypes.string_at(array.address, array.place["bytes"]))
                self._known[array.place["slot"]] = contents[-1]
            text = json.dumps({"symbol": told["symbol"], "given": line, "after": digest(contents, result)})
            self._out.write(text.encode() + b"\n" + b"".join(sent))
            return result

        return called

    def _given(self, told: dict[str, Any], block: bytes) -> tuple[list[_Memory], list[Any]]:
        """The memory of the arrays among the arguments, and all arguments for the line; an array that is given twice
        is one slot."""
        arrays: dict[int, _Memory] = {}
        line: list[Any] = []
        left = iter(struct.unpack(f"{len(block) // 8}q", block))
        for number, leaf in enumerate(told["arguments"]):
            value = next(left)
            if leaf["kind"] != "array":
                line.append(_number(leaf["kind"], value))
                continue
            shape = [next(left) for _ in range(leaf["ndim"])]
            size = prod(shape) * leaf["size"]
            same = arrays.get(value) if size else None
            place = {"slot": self._slot(told, number, size), "bytes": size, "shape": shape, "sent": False}
            if same is not None:
                place["slot"] = same.place["slot"]
            else:
                arrays[value if size else -number] = _Memory(value, place)
            line.append(place)
        if told["returns"].startswith("ints:"):
            size = 8 * int(told["returns"].removeprefix("ints:"))
            place = {"slot": self._slot(told, len(told["arguments"]), size), "bytes": size, "shape": [], "sent": False}
            line.append(place)
            out = next(left)
            arrays[out] = _Memory(out, place)
        return list(arrays.values()), line

    def _slot(self, told: dict[str, Any], number: int, size: int) -> int:
        """The slot of an argument: one for each of its sizes."""
        return self._slots.setdefault((told["symbol"], number, size), len(self._slots))
