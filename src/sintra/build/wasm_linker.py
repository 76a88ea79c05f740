"""Links one WebAssembly object that needs nothing from outside: what `wasm-ld` would do for it.

An object of LLVM is a module that imports its memory and its stack pointer, with two more kinds of sections: `linking`
names what is in it, `reloc.CODE` and `reloc.DATA` say where addresses have to be written. (The format: Linking.md of
WebAssembly's tool conventions.) The linked module has the stack first, then the data, then the heap.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

PAGE: Final = 65536
STACK: Final = 1 << 18
"""Bytes of the stack, which grows down from there: one that overflows traps."""
HEAP_BASE: Final = "__heap_base"

_CUSTOM, _TYPES, _IMPORTS, _FUNCTIONS, _MEMORY, _GLOBALS, _EXPORTS = 0, 1, 2, 3, 5, 6, 7
_ELEMENTS, _CODE, _DATA = 9, 10, 11
"""The numbers of sections."""
_FUNCTION_INDEX, _ADDRESS, _ADDRESS_SIGNED, _ADDRESS_WORD, _GLOBAL_INDEX = 0, 3, 4, 5, 7
"""The kinds of relocations that occur: R_WASM_FUNCTION_INDEX_LEB, R_WASM_MEMORY_ADDR_LEB, _SLEB and _I32, and
R_WASM_GLOBAL_INDEX_LEB."""
_SEGMENT_INFO, _SYMBOL_TABLE = 5, 8
_SYMBOL_FUNCTION, _SYMBOL_DATA, _SYMBOL_SECTION = 0, 1, 3
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_LINKING_VERSION: Final = 2
_INT32: Final = 0x7F
_CONST_INT32, _END = 0x41, 0x0B
_PADDED: Final = 5
"""Bytes of a number that is written over another."""


class WasmLinkError(Exception):
    """An object that cannot be linked alone."""


class _Symbol(NamedTuple):
    kind: int
    name: str
    number: int
    """The number of the function, or of the segment of data; -1 if it is not defined here."""
    offset: int = 0
    """The place of data in its segment."""


class _Segment(NamedTuple):
    address: int
    content_at: int
    """Where its content begins in the section."""
    size: int


class _Reader:
    """Reads numbers and names, one after the other."""

    def __init__(self, data: bytes | bytearray, at: int = 0) -> None:
        self.data = data
        self.at = at

    @property
    def is_done(self) -> bool:
        return self.at >= len(self.data)

    def byte(self) -> int:
        self.at += 1
        return self.data[self.at - 1]

    def take(self, n: int) -> bytes:
        self.at += n
        return bytes(self.data[self.at - n : self.at])

    def number(self, *, signed: bool = False) -> int:
        """A number in LEB128."""
        value = shift = 0
        while True:
            byte = self.byte()
            value |= (byte & 0x7F) << shift
            shift += 7
            if byte < 0x80:
                return value - (1 << shift) if signed and byte & 0x40 else value

    def name(self) -> str:
        return self.take(self.number()).decode()


def _leb(value: int, *, signed: bool = False, width: int = 0) -> bytes:
    """A number in LEB128, in at least so many bytes."""
    out = bytearray()
    while True:
        byte, value = value & 0x7F, value >> 7
        is_last = value == (-1 if byte & 0x40 else 0) if signed else value == 0
        if is_last and len(out) + 1 >= width:
            return bytes(out) + bytes([byte])
        out.append(byte | 0x80)


def _section(kind: int, payload: bytes) -> bytes:
    return bytes([kind]) + _leb(len(payload)) + payload


def _vector(items: Sequence[bytes]) -> bytes:
    return _leb(len(items)) + b"".join(items)


def _text(name: str) -> bytes:
    return _leb(len(name.encode())) + name.encode()


def _rounded_up(value: int, step: int) -> int:
    return -(-value // step) * step


def link(data: bytes, exports: Sequence[str]) -> bytes:
    """The object as a module that exports its memory and these functions."""
    sections, custom = _sections(data)
    _check_imports(sections)
    symbols, alignments = _linking(custom["linking"])
    segments, heap = _placed(sections[_DATA], alignments)
    addresses = {
        number: heap if symbol.number < 0 else segments[symbol.number].address + symbol.offset
        for number, symbol in enumerate(symbols)
        if symbol.kind == _SYMBOL_DATA
    }
    for name, kind in (("reloc.CODE", _CODE), ("reloc.DATA", _DATA)):
        if name in custom:
            _relocate(sections[kind], custom[name], symbols, addresses)
    functions = {symbol.name: symbol.number for symbol in symbols if symbol.kind == _SYMBOL_FUNCTION}
    exported = [_text("memory") + b"\2\0", *(_text(name) + b"\0" + _leb(functions[name]) for name in exports)]
    contents = [(one.address, bytes(sections[_DATA][one.content_at : one.content_at + one.size])) for one in segments]
    filled = [
        b"\0" + bytes([_CONST_INT32]) + _leb(address, signed=True) + bytes([_END]) + _leb(len(content)) + content
        for address, content in contents
        if content.strip(b"\0")
    ]
    stack_pointer = bytes([_INT32, 1, _CONST_INT32]) + _leb(STACK, signed=True) + bytes([_END])
    return b"".join(
        (
            data[:8],
            _section(_TYPES, bytes(sections[_TYPES])),
            _section(_FUNCTIONS, bytes(sections[_FUNCTIONS])),
            _section(_MEMORY, _vector([b"\0" + _leb(_rounded_up(heap, PAGE) // PAGE)])),
            _section(_GLOBALS, _vector([stack_pointer])),
            _section(_EXPORTS, _vector(exported)),
            _section(_CODE, bytes(sections[_CODE])),
            _section(_DATA, _vector(filled)),
        )
    )


def _sections(data: bytes) -> tuple[dict[int, bytearray], dict[str, bytes]]:
    """The sections of a module by their numbers, and the custom ones by their names."""
    reader = _Reader(data, 8)
    sections: dict[int, bytearray] = {}
    custom: dict[str, bytes] = {}
    while not reader.is_done:
        kind, size = reader.byte(), reader.number()
        end = reader.at + size
        if kind == _CUSTOM:
            name = reader.name()
            custom[name] = reader.take(end - reader.at)
        else:
            sections[kind] = bytearray(reader.take(size))
    if _ELEMENTS in sections:
        raise WasmLinkError("a table of functions is not expected")
    return sections, custom


def _check_imports(sections: dict[int, bytearray]) -> None:
    """Makes sure that nothing is imported but the memory and the stack pointer."""
    reader = _Reader(sections[_IMPORTS])
    for _ in range(reader.number()):
        _, name, kind = reader.name(), reader.name(), reader.byte()
        if name == "__linear_memory":
            reader.byte()
            reader.number()
        elif name == "__stack_pointer":
            reader.take(2)
        else:
            raise WasmLinkError(f"{name} (import of kind {kind}) is not defined")


def _linking(data: bytes) -> tuple[list[_Symbol], list[int]]:
    """The symbols of an object, and the alignments of its segments."""
    reader = _Reader(data)
    if reader.number() != _LINKING_VERSION:
        raise WasmLinkError("the object has another version of linking information")
    symbols: list[_Symbol] = []
    alignments: list[int] = []
    while not reader.is_done:
        kind, size = reader.byte(), reader.number()
        end = reader.at + size
        if kind == _SYMBOL_TABLE:
            symbols = [_symbol(reader) for _ in range(reader.number())]
        elif kind == _SEGMENT_INFO:
            for _ in range(reader.number()):
                reader.name()
                alignments.append(1 << reader.number())
                reader.number()
        reader.at = end
    return symbols, alignments


def _symbol(reader: _Reader) -> _Symbol:
    kind, flags = reader.byte(), reader.number()
    is_undefined = bool(flags & _UNDEFINED)
    if kind == _SYMBOL_DATA:
        name = reader.name()
        if not is_undefined:
            index, offset, _ = reader.number(), reader.number(), reader.number()
            return _Symbol(kind, name, index, offset)
        if name != HEAP_BASE:
            raise WasmLinkError(f"{name} is not defined")
        return _Symbol(kind, name, -1)
    if kind == _SYMBOL_SECTION:
        return _Symbol(kind, "", reader.number())
    index = reader.number()
    return _Symbol(kind, reader.name() if not is_undefined or flags & _EXPLICIT_NAME else "", index)


def _placed(data: bytearray, alignments: Sequence[int]) -> tuple[list[_Segment], int]:
    """The segments of data with their addresses behind the stack, and where the heap begins."""
    reader = _Reader(data)
    segments = []
    address = STACK
    for number in range(reader.number()):
        if (reader.byte(), reader.byte()) != (0, _CONST_INT32):
            raise WasmLinkError("a segment without a constant address is not expected")
        reader.number(signed=True)
        reader.byte()
        size = reader.number()
        address = _rounded_up(address, alignments[number])
        segments.append(_Segment(address, reader.at, size))
        reader.take(size)
        address += size
    return segments, _rounded_up(address, 16)


def _relocate(section: bytearray, relocations: bytes, symbols: Sequence[_Symbol], addresses: dict[int, int]) -> None:
    """Writes addresses and numbers where a section needs them."""
    reader = _Reader(relocations)
    reader.number()
    for _ in range(reader.number()):
        kind, offset, symbol = reader.byte(), reader.number(), reader.number()
        if kind in (_ADDRESS, _ADDRESS_SIGNED, _ADDRESS_WORD):
            address = addresses[symbol] + reader.number(signed=True)
            if kind == _ADDRESS_WORD:
                written = address.to_bytes(4, "little")
            else:
                written = _leb(address, signed=kind == _ADDRESS_SIGNED, width=_PADDED)
        elif kind == _FUNCTION_INDEX:
            written = _leb(symbols[symbol].number, width=_PADDED)
        elif kind == _GLOBAL_INDEX:
            written = _leb(0, width=_PADDED)
        else:
            raise WasmLinkError(f"relocations of kind {kind} are not expected")
        section[offset : offset + len(written)] = written
