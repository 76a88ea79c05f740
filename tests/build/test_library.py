"""The library that the package uses: how it is called, and when it is left aside."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import numpy as np
import pytest

import sintra
from build.toy import SOURCES as TOY_SOURCES
from build.toy import write_toy
from sintra.build.building import LIBRARY_FILE
from sintra.rules.library import BINDINGS, FOLDER, MANIFEST, NO_LIBRARY, LibraryError, digest_of, machine, open_library

SOURCES: Final = str(Path(sintra.__file__).parent.parent)


@pytest.fixture
def toy(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "native"
    write_toy(folder)
    monkeypatch.setenv(FOLDER, str(folder))
    return folder


def declared(name: str) -> Any:
    """A function of the toy, in place of an entry that was declared."""

    def entry() -> None:
        """What the entry does."""

    return open_library().entry(name, entry)


class TestCalls:
    def test_numbers_and_arrays_are_handed_over(self, toy: Path) -> None:
        add = declared("toy.add")
        assert [add(np.array([5, -7], np.int16), i) for i in range(2)] == [7, -5]
        assert add(np.array([5, -7], np.int16), np.int64(1)) == -5
        assert add.__doc__ == "What the entry does."

    def test_any_writable_buffer_will_do(self, toy: Path) -> None:
        add = declared("toy.add")
        assert add(bytearray(b"\5\0\7\0"), 1) == 9
        assert add(memoryview(bytearray(b"\5\0\7\0")), 0) == 7

    def test_what_is_returned_has_its_type(self, toy: Path) -> None:
        assert declared("toy.is_first")(0) is True
        assert declared("toy.is_first")(1) is False
        assert declared("toy.split")(47) == (4, 7)

    @pytest.mark.parametrize(
        "wrong",
        [
            np.zeros(2, np.int32),
            np.zeros(2, np.uint16),
            np.zeros((2, 2), np.int16),
            np.zeros(4, np.int16)[::2],
            np.frombuffer(b"\0\0", np.int16),
            bytearray(3),
            b"\0\0",
            [1, 2],
        ],
    )
    def test_other_arrays_are_refused(self, toy: Path, wrong: Any) -> None:
        with pytest.raises(TypeError):
            declared("toy.add")(wrong, 0)

    @pytest.mark.parametrize("wrong", [0.5, "0", None])
    def test_other_numbers_are_refused(self, toy: Path, wrong: Any) -> None:
        with pytest.raises(struct.error):
            declared("toy.is_first")(wrong)

    def test_an_entry_that_the_library_lacks_says_so_when_it_is_called(self, toy: Path) -> None:
        with pytest.raises(LibraryError, match=r"no toy\.subtract: set SINTRA_LIBRARY=none"):
            declared("toy.subtract")()


class TestVersions:
    """A library says itself which version of its functions this processor runs."""

    @pytest.mark.parametrize(("says", "total", "running"), [(0, 7, "library"), (1, 25, "library for x86-64-v3")])
    def test_the_library_says_which_is_run(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, says: int, total: int, running: str
    ) -> None:
        write_toy(tmp_path, v3=says)
        monkeypatch.setenv(FOLDER, str(tmp_path))
        assert declared("toy.add")(np.array([5], np.int16), 0) == total
        assert open_library().is_v3 is bool(says)
        done = started(f"import sys\n{COMMAND}", "--version", SINTRA_LIBRARY=str(tmp_path))
        assert done.stdout == f"sintra {sintra.__version__} (compiled {running})\n"

    def test_a_library_that_does_not_say_has_one_version(self, toy: Path) -> None:
        assert not open_library().is_v3

    def test_a_version_that_lacks_functions_is_left_aside(
        self, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
    ) -> None:
        write_toy(tmp_path, v3=1)
        monkeypatch.setenv(FOLDER, str(tmp_path))
        monkeypatch.setattr("sintra.rules.library.V3", "_v4")
        with pytest.raises(LibraryError, match=r"cannot be loaded: .*toy_add_v4"):
            open_library()


def put_in_place(file: Path, content: bytes) -> None:
    """Replaces a file: writing into a library that is loaded would end its process."""
    file.unlink()
    file.write_bytes(content)


def cut(folder: Path) -> None:
    put_in_place(folder / LIBRARY_FILE, (folder / LIBRARY_FILE).read_bytes()[:-100])


def edited_bindings(folder: Path) -> None:
    with (folder / BINDINGS).open("a") as file:
        file.write("\nENTRIES = {}\n")


def taken_for_the_library(folder: Path, content: bytes) -> None:
    """A file that the manifest takes for the library."""
    put_in_place(folder / LIBRARY_FILE, content)
    told = json.loads((folder / MANIFEST).read_text("utf-8"))
    told["library"]["digest"] = digest_of(content)
    (folder / MANIFEST).write_text(json.dumps(told), "utf-8")


def for_another_processor(folder: Path) -> None:
    """A library that a manifest for this machine is beside, and that says it is for a SPARC."""
    library = bytearray((folder / LIBRARY_FILE).read_bytes())
    struct.pack_into("<H", library, 18, 2)
    taken_for_the_library(folder, bytes(library))


def told(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], None]:
    """A change of the manifest."""

    def changed(folder: Path) -> None:
        manifest = json.loads((folder / MANIFEST).read_text("utf-8"))
        change(manifest)
        (folder / MANIFEST).write_text(json.dumps(manifest), "utf-8")

    return changed


DAMAGES: Final[dict[str, tuple[Callable[[Path], object], str]]] = {
    "nothing there": (lambda folder: (folder / MANIFEST).unlink(), "there is none in"),
    "no JSON": (lambda folder: (folder / MANIFEST).write_text("{"), "cannot be read"),
    "an incomplete manifest": (told(lambda one: one.pop("stamp")), "is damaged"),
    "no object": (lambda folder: (folder / MANIFEST).write_text("[]"), "is damaged"),
    "another format": (told(lambda one: one.update(format=0)), "another version of Sintra"),
    "another machine": (
        told(lambda one: one["library"].update(machine="vax-vms")),
        f"for vax-vms, this is {machine()}",
    ),
    "wasm alone": (told(lambda one: one.update(library=None)), "none for any machine"),
    "other sources": (told(lambda one: one.update(stamp="0")), "made from other sources"),
    "missing sources": (told(lambda one: one.update(sources=["gone.py"])), "cannot be read"),
    "a cut library": (cut, "is damaged"),
    "no library file": (lambda folder: (folder / LIBRARY_FILE).unlink(), "cannot be read"),
    "edited bindings": (edited_bindings, "is damaged"),
    "garbage": (lambda folder: taken_for_the_library(folder, b"no library"), "cannot be loaded"),
    "another processor": (for_another_processor, "cannot be loaded"),
}


@pytest.mark.parametrize("damage", DAMAGES)
def test_a_library_that_cannot_be_used_is_left_aside(toy: Path, damage: str) -> None:
    harm, reason = DAMAGES[damage]
    harm(toy)
    with pytest.raises(LibraryError, match=reason):
        open_library()


@pytest.mark.parametrize(
    ("platform", "name"), [("win-amd64", "win32-x86_64"), ("win-arm64", "win32-aarch64"), ("win32", "win32-win32")]
)
def test_on_windows_the_machine_is_that_of_python(monkeypatch: pytest.MonkeyPatch, platform: str, name: str) -> None:
    """The computer may have another processor, and run Python for x86-64 on it."""
    monkeypatch.setattr("sintra.rules.library.sys.platform", "win32")
    monkeypatch.setattr("sysconfig.get_platform", lambda: platform)
    monkeypatch.setattr("platform.machine", lambda: "ARM64")
    assert machine() == name


def test_the_library_can_be_left_aside_on_purpose(toy: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(FOLDER, NO_LIBRARY)
    with pytest.raises(LibraryError, match="SINTRA_LIBRARY is none"):
        open_library()


def started(code: str, *arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    """A new Python process."""
    settings = {"PYTHONPATH": SOURCES, "NUMBA_DISABLE_JIT": "0", **environment}
    return subprocess.run(
        [sys.executable, "-c", code, *arguments], env=os.environ | settings, capture_output=True, text=True, check=False
    )


NO_NUMBA: Final = "import sys; sys.modules['numba'] = None\n"
COMMAND: Final = "from sintra.cli import main; sys.exit(main(sys.argv[1:]))"
RUNNING: Final = "from sintra.rules.compiled import RUNNING, WHY_NO_LIBRARY; print(RUNNING, WHY_NO_LIBRARY, sep=': ')"
WHAT_TO_DO: Final = (
    "Sintra has no compiled engine for this machine ({}, and numba is not installed): install a wheel that was made for"
    " it, or add the compiler with pip install 'sintra[compile]'"
)


@pytest.mark.parametrize("command", ["", "players", "selfplay --games 1"])
def test_without_library_and_compiler_one_line_says_what_to_do(tmp_path: Path, command: str) -> None:
    done = started(NO_NUMBA + COMMAND, *command.split(), SINTRA_LIBRARY=str(tmp_path))
    assert (done.returncode, done.stdout) == (2, "")
    name = " ".join(["sintra", *command.split()[:1]])
    assert done.stderr == f"{name}: {WHAT_TO_DO.format(f'there is none in {tmp_path}')}\n"


def test_without_library_and_compiler_the_version_is_told(tmp_path: Path) -> None:
    done = started(NO_NUMBA + COMMAND, "--version", SINTRA_LIBRARY=str(tmp_path))
    assert done.stdout == f"sintra {sintra.__version__} (no compiled engine)\n"


def test_without_library_and_compiler_the_package_can_be_imported(tmp_path: Path) -> None:
    """Whoever asks for a game is told the same."""
    done = started(NO_NUMBA + "import sintra; sintra.Game.new()", SINTRA_LIBRARY=str(tmp_path))
    told = WHAT_TO_DO.format(f"there is none in {tmp_path}")
    assert done.stderr.splitlines()[-1] == f"sintra.rules.library.NoEngineError: {told}"


def test_a_compiler_that_does_not_fit_is_one_line(tmp_path: Path) -> None:
    """Another version of Numba, say, beside a library that cannot be used."""
    (tmp_path / "numba").mkdir()
    (tmp_path / "numba" / "__init__.py").write_text("raise ImportError('this Numba needs another Python')")
    paths = os.pathsep.join((str(tmp_path), SOURCES))
    done = started(f"import sys\n{COMMAND}", "players", SINTRA_LIBRARY=NO_LIBRARY, PYTHONPATH=paths)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert "(SINTRA_LIBRARY is none, and numba cannot be used: this Numba needs another Python)" in done.stderr


def test_the_builder_without_a_compiler_is_one_line() -> None:
    code = "import runpy; sys.argv = ['sintra.build']; runpy.run_module('sintra.build', run_name='__main__')"
    done = started(NO_NUMBA + code)
    assert done.returncode == 1
    assert len(done.stderr.splitlines()) == 1
    assert done.stderr.endswith("pip install 'sintra[compile]' brings it\n")


@pytest.mark.parametrize(
    "damage", ["another machine", "another processor", "other sources", "a cut library", "garbage"]
)
def test_a_library_that_cannot_be_used_is_one_line_without_a_compiler(toy: Path, damage: str) -> None:
    harm, reason = DAMAGES[damage]
    harm(toy)
    done = started(NO_NUMBA + COMMAND, "players", SINTRA_LIBRARY=str(toy))
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1
    assert reason in done.stderr
    assert "pip install 'sintra[compile]'" in done.stderr


def test_a_damaged_library_is_compiled_while_running_instead(toy: Path) -> None:
    cut(toy)
    done = started(RUNNING, SINTRA_LIBRARY=str(toy))
    assert done.stdout == f"compiled while running: the library in {toy} is damaged\n"
    assert done.stderr == ""


SWITCHES: Final = [("NUMBA_DISABLE_JIT", "uncompiled"), ("NUMBA_BOUNDSCHECK", "compiled while running")]


@pytest.mark.parametrize(("switch", "running"), SWITCHES)
def test_switches_of_the_compiler_leave_the_library_aside(toy: Path, switch: str, running: str) -> None:
    done = started(RUNNING, SINTRA_LIBRARY=str(toy), **{switch: "1"})
    assert done.stdout == f"{running}: {switch} is set\n"


def test_without_compiler_and_uncompiled_games_can_be_played(toy: Path) -> None:
    code = f"{NO_NUMBA}{RUNNING}\nimport sintra\nprint(len(sintra.Game.new(seed=7, goals='first-game').legal_moves))"
    done = started(code, SINTRA_LIBRARY=str(toy), NUMBA_DISABLE_JIT="1")
    assert done.stdout == "uncompiled: NUMBA_DISABLE_JIT is set\n108\n", done.stderr


@pytest.mark.parametrize(("switch", "missing"), [("NUMBA_DISABLE_JIT", "numpy"), ("NUMBA_BOUNDSCHECK", "numba")])
def test_switches_need_their_packages(toy: Path, switch: str, missing: str) -> None:
    """Nothing else is run instead: who sets a switch wants what it stands for."""
    hidden = "import importlib.util, sys; found = importlib.util.find_spec\nimportlib.util.find_spec = "
    hidden += f"lambda name, *more: None if name == '{missing}' else found(name, *more)\n"
    done = started(hidden + COMMAND, "players", SINTRA_LIBRARY=str(toy), **{switch: "1"})
    assert done.returncode == 2
    assert done.stderr.startswith("sintra players: Sintra has no compiled engine for this machine")
    assert f"({switch} is set, and {missing} is not installed)" in done.stderr


READ_ONLY: Final = """
import os, sys
def refuse(event, arguments):
    writes = event == "open" and arguments[2] & (os.O_WRONLY | os.O_RDWR | os.O_CREAT) and arguments[0] != os.devnull
    if writes or event in ("os.mkdir", "os.rename", "os.remove", "os.chmod", "os.utime"):
        raise OSError(30, f"read-only: {event} {arguments}")
sys.addaudithook(refuse)
"""
"""Makes every try to write an error, like a file system that is read-only."""


def test_nothing_is_written_where_the_package_lies(toy: Path) -> None:
    """A read-only installation is as good as another."""
    done = started(READ_ONLY + RUNNING + "; import sintra.cli", SINTRA_LIBRARY=str(toy))
    assert (done.stdout, done.stderr) == ("compiled library: \n", "")


def test_where_nothing_can_be_written_code_is_compiled_and_not_kept() -> None:
    code = (
        READ_ONLY
        + RUNNING
        + "; import sintra.rules.engine; print(type(sintra.rules.engine.legal.__wrapped__).__name__)"
    )
    done = started(code, SINTRA_LIBRARY=NO_LIBRARY, NUMBA_CACHE_DIR="", PYTHONDONTWRITEBYTECODE="1")
    assert done.stdout == "compiled while running: SINTRA_LIBRARY is none\nCPUDispatcher\n", done.stderr[-2000:]


def test_two_versions_side_by_side_take_each_its_own_library(tmp_path: Path) -> None:
    """Neither takes that of the other, wherever it was told to look."""
    found = {}
    for version in ("1", "2"):
        package = tmp_path / version / "sintra"
        left_out = shutil.ignore_patterns("__pycache__", "page", "native")
        shutil.copytree(Path(SOURCES) / "sintra", package, ignore=left_out)
        with (package / "components.py").open("a") as file:
            file.write(f"VERSION = {version}\n")
        stamp = subprocess.run(
            [sys.executable, "-c", f"from sintra.rules.sources import stamp_of; print(stamp_of({TOY_SOURCES!r}))"],
            env=os.environ | {"PYTHONPATH": str(package.parent), FOLDER: NO_LIBRARY},
            capture_output=True,
            text=True,
            check=True,
        ).stdout.strip()
        write_toy(package / "native", stamp=stamp)
        found[version] = package
    settings = {"SINTRA_LIBRARY": ""}
    for version, package in found.items():
        done = started(RUNNING, PYTHONPATH=str(package.parent), **settings)
        assert done.stdout == "compiled library: \n", done.stderr
        other = found["2" if version == "1" else "1"] / "native"
        done = started(RUNNING, PYTHONPATH=str(package.parent), SINTRA_LIBRARY=str(other))
        assert done.stdout == f"compiled while running: the library in {other} was made from other sources\n"


def test_with_the_library_no_compiler_is_imported(toy: Path) -> None:
    """Nor is it where the table and its workers are imported."""
    code = """
import sys
import sintra.cli, sintra.table.workers.warm_up, sintra.cli.measuring
from sintra.rules.compiled import RUNNING
print(RUNNING, [name for name in ("numba", "llvmlite") if name in sys.modules])
"""
    assert started(code, SINTRA_LIBRARY=str(toy)).stdout == "compiled library []\n"
