"""Reads shared libraries of all systems: which machine one is for, and what it needs to be loaded."""

from __future__ import annotations

import struct
from pathlib import Path
from typing import Final, NamedTuple

from sintra.build.targets import RELEASES

_ELF_MACHINES: Final = {62: "linux-x86_64", 183: "linux-aarch64"}
_MACH_O_MACHINES: Final = {0x01000007: "darwin-x86_64", 0x0100000C: "darwin-aarch64"}
_PE_MACHINES: Final = {0x8664: "win32-x86_64"}
_DYNAMIC, _NEEDED, _STRING_TABLE, _VERSIONS_NEEDED = 6, 1, 5, 0x6FFFFFFE
"""Of ELF: the type of the section with what the loader reads, and the tags of its entries."""
_LOAD_DYLIB, _VERSION_MIN, _BUILD_VERSION = 0xC, 0x24, 0x32
"""Load commands of Mach-O."""


class BinaryError(Exception):
    """A library that is not what it should be."""


class Binary(NamedTuple):
    """What a library says of itself."""

    machine: str
    """The machine, as manifests name it."""
    needs: tuple[str, ...]
    """The libraries that it asks for, and the versions of symbols."""
    system: tuple[int, int] | None = None
    """The oldest macOS that it says it runs on."""


def read_binary(data: bytes) -> Binary:
    """Reads an ELF, Mach-O or PE library of 64 bits."""
    try:
        if data[:4] == b"\x7fELF":
            return _read_elf(data)
        if data[:4] == b"\xcf\xfa\xed\xfe":
            return _read_mach_o(data)
        if data[:2] == b"MZ":
            return _read_pe(data)
    except (struct.error, KeyError, IndexError) as error:
        raise BinaryError(f"the library is damaged: {error!r}") from None
    raise BinaryError("the file is no library of a known system")


def check_library(file: Path, name: str) -> str:
    """Makes sure that a library is for a machine and needs no more than its wheel promises; says what it needs."""
    found = read_binary(file.read_bytes())
    if found.machine != name:
        raise BinaryError(f"{file} is for {found.machine}, not for {name}")
    system = name.partition("-")[0]
    if system == "linux" and found.needs:
        raise BinaryError(f"{file} should run with every C library, but needs {', '.join(found.needs)}")
    if system == "darwin":
        assert found.system is not None
        platform = f"macosx_{found.system[0]}_{found.system[1]}_"
        if not RELEASES[name].platforms.startswith(platform):
            raise BinaryError(f"{file} needs macOS {found.system[0]}.{found.system[1]}: its wheel says otherwise")
        return f"macOS {found.system[0]}.{found.system[1]}, {', '.join(found.needs) or 'no library'}"
    return f"needs {', '.join(found.needs)}" if found.needs else "needs no library, and no version of a C library"


def _text_at(data: bytes, at: int) -> str:
    return data[at : data.index(b"\0", at)].decode("ascii")


def _read_elf(data: bytes) -> Binary:
    (machine,) = struct.unpack_from("<H", data, 18)
    (sections,) = struct.unpack_from("<Q", data, 40)
    size, count = struct.unpack_from("<HH", data, 58)
    headers = [struct.unpack_from("<IIQQQQIIQQ", data, sections + i * size) for i in range(count)]
    needs: list[str] = []
    for header in headers:
        if header[1] != _DYNAMIC:
            continue
        texts = headers[header[6]][4]
        for at in range(header[4], header[4] + header[5], 16):
            tag, value = struct.unpack_from("<QQ", data, at)
            if tag == _NEEDED:
                needs.append(_text_at(data, texts + value))
            elif tag == _VERSIONS_NEEDED:
                needs.append("versions of symbols")
    return Binary(_ELF_MACHINES[machine], tuple(needs))


def _read_mach_o(data: bytes) -> Binary:
    machine, _, _, commands = struct.unpack_from("<IIII", data, 4)
    needs: list[str] = []
    system = None
    at = 32
    for _ in range(commands):
        command, size = struct.unpack_from("<II", data, at)
        if command == _LOAD_DYLIB:
            needs.append(_text_at(data, at + struct.unpack_from("<I", data, at + 8)[0]))
        elif command in (_VERSION_MIN, _BUILD_VERSION):
            (version,) = struct.unpack_from("<I", data, at + (8 if command == _VERSION_MIN else 12))
            system = (version >> 16, version >> 8 & 0xFF)
        at += size
    return Binary(_MACH_O_MACHINES[machine], tuple(needs), system)


def _read_pe(data: bytes) -> Binary:
    (start,) = struct.unpack_from("<I", data, 0x3C)
    machine, sections, optional = struct.unpack_from("<2xHH12xH", data, start + 2)
    header = start + 24
    (imports,) = struct.unpack_from("<I", data, header + 112 + 8)
    tables = [struct.unpack_from("<8xIIII", data, header + optional + 40 * i) for i in range(sections)]

    def place(address: int) -> int:
        for size, virtual, _, raw in tables:
            if virtual <= address < virtual + size:
                return int(address - virtual + raw)
        raise BinaryError("the library is damaged: an address is in no section")

    needs: list[str] = []
    at = place(imports) if imports else None
    while at is not None and (name := struct.unpack_from("<I", data, at + 12)[0]):
        needs.append(_text_at(data, place(name)))
        at += 20
    return Binary(_PE_MACHINES[machine], tuple(needs))
