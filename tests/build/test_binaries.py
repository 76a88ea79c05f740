"""How libraries of all systems are read before they are released."""

from __future__ import annotations

import struct
from pathlib import Path

import pytest

from binaries import Binary, BinaryError, check_library, read_binary
from build.toy import toy_object
from sintra.build.native_linker import library_file, link
from sintra.build.targets import RELEASES, target_of
from sintra.rules.library import machine


def mach_o(cpu: int, oldest: tuple[int, int], needs: bytes) -> bytes:
    """The head of a library of macOS."""
    name = needs + b"\0" * (8 - len(needs) % 8)
    commands = struct.pack("<IIIIII", 0x32, 24, 1, oldest[0] << 16 | oldest[1] << 8, 0, 0)
    commands += struct.pack("<IIIIII", 0xC, 24 + len(name), 24, 0, 0, 0) + name
    return struct.pack("<IIIIIIII", 0xFEEDFACF, cpu, 0, 6, 2, len(commands), 0, 0) + commands


def pe(cpu: int, needs: bytes) -> bytes:
    """A library of Windows with nothing but a table of what it needs."""
    start, optional, raw, virtual = 64, 240, 512, 0x1000
    head = b"MZ" + bytes(0x3A) + struct.pack("<I", start)
    head += b"PE\0\0" + struct.pack("<HHIIIHH", cpu, 1, 0, 0, 0, optional, 0)
    head += bytes(120) + struct.pack("<II", virtual, 40) + bytes(optional - 128)
    head += b".idata\0\0" + struct.pack("<IIII", 512, virtual, 512, raw) + bytes(16)
    table = struct.pack("<IIIII", 0, 0, 0, virtual + 40, 0) + bytes(20) + needs + b"\0"
    return head.ljust(raw, b"\0") + table.ljust(512, b"\0")


MACHINES = {"darwin-x86_64": 0x01000007, "darwin-aarch64": 0x0100000C}


def test_a_library_of_this_machine_needs_no_c_library(tmp_path: Path) -> None:
    file = tmp_path / library_file(machine())
    file.write_bytes(link([toy_object(target_of(machine()))], machine()))
    assert read_binary(file.read_bytes()).machine == machine()
    assert check_library(file, machine())


@pytest.mark.parametrize("name", MACHINES)
def test_a_library_of_macos_says_which_it_needs(tmp_path: Path, name: str) -> None:
    file = tmp_path / library_file(name)
    file.write_bytes(mach_o(MACHINES[name], (11, 0), b"/usr/lib/libSystem.B.dylib"))
    assert read_binary(file.read_bytes()) == Binary(name, ("/usr/lib/libSystem.B.dylib",), (11, 0))
    assert check_library(file, name) == "macOS 11.0, /usr/lib/libSystem.B.dylib"
    file.write_bytes(mach_o(MACHINES[name], (13, 2), b""))
    with pytest.raises(BinaryError, match=r"needs macOS 13\.2: its wheel says otherwise"):
        check_library(file, name)


def test_a_library_of_windows_says_what_it_needs(tmp_path: Path) -> None:
    file = tmp_path / library_file("win32-x86_64")
    file.write_bytes(pe(0x8664, b"KERNEL32.dll"))
    assert check_library(file, "win32-x86_64") == "needs KERNEL32.dll"


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"no library", "no library of a known system"),
        (b"\x7fELF", "damaged"),
        (mach_o(7, (11, 0), b"x"), "damaged"),
        (pe(0x8664, b"x")[:300], "damaged"),
    ],
)
def test_other_files_are_refused(data: bytes, reason: str) -> None:
    with pytest.raises(BinaryError, match=reason):
        read_binary(data)


def test_a_library_for_another_machine_is_refused(tmp_path: Path) -> None:
    file = tmp_path / "engine.dll"
    file.write_bytes(pe(0x8664, b"KERNEL32.dll"))
    with pytest.raises(BinaryError, match="is for win32-x86_64, not for darwin-x86_64"):
        check_library(file, "darwin-x86_64")


@pytest.mark.parametrize(
    ("name", "magic"),
    [
        ("linux-x86_64", b"\x7fELF\x02\x01\x01"),
        ("linux-aarch64", b"\x7fELF\x02\x01\x01"),
        ("darwin-x86_64", b"\xcf\xfa\xed\xfe\x07\0\0\1"),
        ("darwin-aarch64", b"\xcf\xfa\xed\xfe\x0c\0\0\1"),
        ("win32-x86_64", b"\x64\x86"),
    ],
)
def test_objects_for_all_releases_have_the_format_of_their_system(name: str, magic: bytes) -> None:
    assert toy_object(target_of(name)).startswith(magic)


def test_every_release_has_a_case_above() -> None:
    assert set(RELEASES) == {"linux-x86_64", "linux-aarch64", *MACHINES, "win32-x86_64"}
