"""Links one WebAssembly object to a dynamic library: what `wasm-ld -shared` would do for it.

An object of LLVM is a module that imports its memory and its stack pointer, with two more kinds of sections: `linking`
names what is in it, `reloc.CODE` says where places of data and numbers of functions have to be written. The library
takes memory, stack and `malloc` from whoever loads it: Emscripten's `dlopen` (so Python in a browser loads it as any
library), or a page that hands them over. (The formats: Linking.md and DynamicLinking.md of WebAssembly's tool
conventions.)
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final, NamedTuple

FROM_OUTSIDE: Final = frozenset({"malloc"})
"""The functions that a library takes from whoever loads it."""
MEMORY_BASE: Final = "__memory_base"
"""The global variable that says where the data of a library begins."""
STACK_POINTER: Final = "__stack_pointer"
ADDRESSES_IN_DATA: Final = "__wasm_apply_data_relocs"
"""The function of a library that writes addresses into its data; it is called once, before all others."""

_CUSTOM, _TYPES, _IMPORTS, _FUNCTIONS, _EXPORTS = 0, 1, 2, 3, 7
_ELEMENTS, _CODE, _DATA = 9, 10, 11
"""The numbers of sections."""
_FUNCTION_INDEX, _ADDRESS_WORD, _GLOBAL_INDEX, _ADDRESS_IN_LIBRARY = 0, 5, 7, 11
"""The kinds of relocations that occur: R_WASM_FUNCTION_INDEX_LEB, R_WASM_MEMORY_ADDR_I32 (in data),
R_WASM_GLOBAL_INDEX_LEB and R_WASM_MEMORY_ADDR_REL_SLEB."""
_SEGMENT_INFO, _SYMBOL_TABLE = 5, 8
_SYMBOL_FUNCTION, _SYMBOL_DATA, _SYMBOL_SECTION = 0, 1, 3
_OF_FUNCTION, _OF_MEMORY, _OF_GLOBAL = 0, 2, 3
"""The kinds of imports."""
_UNDEFINED, _EXPLICIT_NAME = 0x10, 0x40
_LINKING_VERSION: Final = 2
_MEMORY_NEEDED: Final = 1
_INT32: Final = 0x7F
_FUNCTION_TYPE: Final = 0x60
_END, _GET_GLOBAL, _STORE_INT32, _CONST_INT32, _ADD_INT32 = 0x0B, 0x23, 0x36, 0x41, 0x6A
"""Instructions."""
_PADDED: Final = 5
"""Bytes of a number that is written over another."""


class WasmLinkError(Exception):
    """An object that cannot be linked alone."""


class _Symbol(NamedTuple):
    kind: int
    name: str
    number: int
    """The number of the function or global variable, or of the segment of data."""
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


class _Counted:
    """A section that is a count and as many items, to which more are appended."""

    def __init__(self, section: bytearray) -> None:
        reader = _Reader(section)
        self.count = reader.number()
        self._items = bytes(section[reader.at :])

    def append(self, item: bytes) -> None:
        self.count += 1
        self._items += item

    @property
    def whole(self) -> bytes:
        return _leb(self.count) + self._items


def _rounded_up(value: int, step: int) -> int:
    return -(-value // step) * step


def link(data: bytes, exports: Sequence[str]) -> bytes:
    """The object as a dynamic library that exports these functions."""
    sections, custom = _sections(data)
    imports, imported, memory_base = _imports(sections[_IMPORTS])
    symbols, alignments = _linking(custom["linking"])
    segments, size = _placed(sections[_DATA], alignments)
    addresses = {
        number: segments[symbol.number].address + symbol.offset
        for number, symbol in enumerate(symbols)
        if symbol.kind == _SYMBOL_DATA
    }
    _relocate(sections[_CODE], custom["reloc.CODE"], symbols, addresses)
    functions = {symbol.name: symbol.number for symbol in symbols if symbol.kind == _SYMBOL_FUNCTION}
    exported = [_text(name) + b"\0" + _leb(functions[name]) for name in exports]
    types, of_functions, code = (_Counted(sections[one]) for one in (_TYPES, _FUNCTIONS, _CODE))
    if "reloc.DATA" in custom:
        moved = _moved_addresses(custom["reloc.DATA"], segments, addresses)
        exported.append(_text(ADDRESSES_IN_DATA) + b"\0" + _leb(imported + of_functions.count))
        of_functions.append(_leb(types.count))
        types.append(bytes([_FUNCTION_TYPE, 0, 0]))
        code.append(_code_for_addresses(moved, memory_base))
    content = bytearray(size)
    for one in segments:
        content[one.address : one.address + one.size] = sections[_DATA][one.content_at : one.content_at + one.size]
    filled = bytes(content).rstrip(b"\0")
    begins = bytes([_GET_GLOBAL]) + _leb(memory_base) + bytes([_END])
    alignment = max(alignments, default=1).bit_length() - 1
    needs = b"".join(map(_leb, (size, alignment, 0, 0)))
    return b"".join(
        (
            data[:8],
            _section(_CUSTOM, _text("dylink.0") + bytes([_MEMORY_NEEDED]) + _leb(len(needs)) + needs),
            _section(_TYPES, types.whole),
            _section(_IMPORTS, imports),
            _section(_FUNCTIONS, of_functions.whole),
            _section(_EXPORTS, _vector(exported)),
            _section(_CODE, code.whole),
            _section(_DATA, _vector([b"\0" + begins + _leb(len(filled)) + filled])),
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


def _imports(data: bytearray) -> tuple[bytes, int, int]:
    """What is imported, with the memory's name as dynamic libraries call it; how many functions that are, and the
    number of the global variable that says where the library's data lies."""
    reader = _Reader(data)
    globals_seen: list[str] = []
    kept = []
    functions = 0
    for _ in range(reader.number()):
        begin = reader.at
        place, name, kind = reader.name(), reader.name(), reader.byte()
        if kind == _OF_GLOBAL:
            globals_seen.append(name)
            reader.take(2)
        elif kind == _OF_MEMORY:
            if reader.byte() & 1:
                reader.number()
            reader.number()
        else:
            functions += 1
            reader.number()
        known = {_OF_FUNCTION: FROM_OUTSIDE, _OF_GLOBAL: (STACK_POINTER, MEMORY_BASE), _OF_MEMORY: ("__linear_memory",)}
        if name not in known.get(kind, ()):
            raise WasmLinkError(f"{name} (import of kind {kind}) is not defined")
        if kind == _OF_MEMORY:
            kept.append(_text(place) + _text("memory") + bytes([_OF_MEMORY, 0]) + _leb(0))
        else:
            kept.append(bytes(data[begin : reader.at]))
    if MEMORY_BASE not in globals_seen:
        kept.append(_text("env") + _text(MEMORY_BASE) + bytes([_OF_GLOBAL, _INT32, 0]))
        globals_seen.append(MEMORY_BASE)
    return _vector(kept), functions, globals_seen.index(MEMORY_BASE)


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
        raise WasmLinkError(f"{name} is not defined")
    if kind == _SYMBOL_SECTION:
        return _Symbol(kind, "", reader.number())
    index = reader.number()
    return _Symbol(kind, reader.name() if not is_undefined or flags & _EXPLICIT_NAME else "", index)


def _placed(data: bytearray, alignments: Sequence[int]) -> tuple[list[_Segment], int]:
    """The segments of data with their places in the library's memory, and how much of it they take."""
    reader = _Reader(data)
    segments = []
    address = 0
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
    return segments, address


def _moved_addresses(
    relocations: bytes, segments: Sequence[_Segment], addresses: dict[int, int]
) -> list[tuple[int, int]]:
    """The places in the library's memory that hold an address, each with the place that it is the address of."""
    reader = _Reader(relocations)
    reader.number()
    found = []
    for _ in range(reader.number()):
        kind, offset, symbol = reader.byte(), reader.number(), reader.number()
        if kind != _ADDRESS_WORD:
            raise WasmLinkError(f"relocations of kind {kind} are not expected in data")
        segment = next(one for one in segments if one.content_at <= offset < one.content_at + one.size)
        place = segment.address + offset - segment.content_at
        found.append((place, addresses[symbol] + reader.number(signed=True)))
    return found


def _code_for_addresses(moved: Sequence[tuple[int, int]], memory_base: int) -> bytes:
    """A function that writes addresses into the data, which whoever loads the library calls first."""
    base = bytes([_GET_GLOBAL]) + _leb(memory_base)
    stores = [
        base
        + base
        + bytes([_CONST_INT32])
        + _leb(target, signed=True)
        + bytes([_ADD_INT32, _STORE_INT32, 2])
        + _leb(place)
        for place, target in moved
    ]
    body = b"\0" + b"".join(stores) + bytes([_END])
    return _leb(len(body)) + body


def _relocate(section: bytearray, relocations: bytes, symbols: Sequence[_Symbol], addresses: dict[int, int]) -> None:
    """Writes places of data and numbers where code needs them."""
    reader = _Reader(relocations)
    reader.number()
    for _ in range(reader.number()):
        kind, offset, symbol = reader.byte(), reader.number(), reader.number()
        if kind == _ADDRESS_IN_LIBRARY:
            written = _leb(addresses[symbol] + reader.number(signed=True), signed=True, width=_PADDED)
        elif kind in (_FUNCTION_INDEX, _GLOBAL_INDEX):
            written = _leb(symbols[symbol].number, width=_PADDED)
        else:
            raise WasmLinkError(f"relocations of kind {kind} are not expected")
        section[offset : offset + len(written)] = written
