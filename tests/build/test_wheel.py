"""Wheels: what is in them, for whom they are, and what it takes to build them."""

from __future__ import annotations

import os
import subprocess
import sys
import zipfile
from pathlib import Path
from typing import Final

import build_backend
import pytest

import sintra
from build.toy import write_toy
from sintra.build import native_linker
from sintra.build.building import ANY, LIBRARY_FILE, WASM_FILE, is_built
from sintra.rules.library import BINDINGS, MANIFEST, machine

ROOT: Final = Path(__file__).parent.parent.parent
NO_NUMBA: Final = "import sys; sys.modules['numba'] = sys.modules['llvmlite'] = None\n"
COMMAND: Final = "from sintra.cli import main; sys.exit(main(sys.argv[1:]))"


@pytest.fixture(autouse=True)
def at_the_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)
    monkeypatch.delenv("SINTRA_BUILD", raising=False)


def build_wheel(engine: Path, folder: Path) -> Path:
    """The wheel with an engine that is there."""
    command = [sys.executable, "-m", "hatchling", "build", "--target", "wheel", "--directory", str(folder)]
    subprocess.run(command, check=True, capture_output=True, env=os.environ | {"SINTRA_BUILD": str(engine)})
    (wheel,) = folder.glob("*.whl")
    return wheel


def run_installed(wheel: Path, folder: Path, *arguments: str) -> str:
    """What the command line says that lies in a wheel, where there is no compiler."""
    with zipfile.ZipFile(wheel) as archive:
        archive.extractall(folder)
    settings = {"PYTHONPATH": str(folder), "NUMBA_DISABLE_JIT": "0", "SINTRA_LIBRARY": ""}
    command = [sys.executable, "-P", "-c", NO_NUMBA + COMMAND, *arguments]
    done = subprocess.run(command, env=os.environ | settings, cwd=folder, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stderr
    return done.stdout


def test_a_wheel_with_a_library_is_for_its_platform(tmp_path: Path) -> None:
    write_toy(tmp_path / "engine")
    wheel = build_wheel(tmp_path / "engine", tmp_path / "dist")
    assert wheel.name == f"sintra-{sintra.__version__}-py3-none-{native_linker.platforms_of(machine())}.whl"
    with zipfile.ZipFile(wheel) as archive:
        names = {name.rpartition("/")[2] for name in archive.namelist() if "/native/" in name}
        (metadata,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/METADATA"))
        (about,) = (archive.read(name).decode() for name in archive.namelist() if name.endswith("/WHEEL"))
    assert names == {LIBRARY_FILE, BINDINGS, MANIFEST}
    assert "Root-Is-Purelib: false" in about
    needed = [line for line in metadata.splitlines() if line.startswith("Requires-Dist:") and "extra ==" not in line]
    assert any("msgspec" in line for line in needed)
    assert not any("numba" in line for line in needed)
    assert run_installed(wheel, tmp_path / "there", "--version") == f"sintra {sintra.__version__} (compiled library)\n"


def test_a_wheel_without_a_library_is_for_all_platforms(tmp_path: Path) -> None:
    write_toy(tmp_path / "engine", library=None)
    wheel = build_wheel(tmp_path / "engine", tmp_path / "dist")
    assert wheel.name == f"sintra-{sintra.__version__}-py3-none-{ANY}.whl"
    said = run_installed(wheel, tmp_path / "there", "--version")
    assert said == f"sintra {sintra.__version__} (no compiled engine)\n"


def test_what_is_built_needs_a_compiler_only_where_something_is_compiled(monkeypatch: pytest.MonkeyPatch) -> None:
    def compiles(needed: list[str]) -> bool:
        return any(one.startswith("numba") for one in needed)

    assert compiles(build_backend.get_requires_for_build_wheel())
    assert not compiles(build_backend.get_requires_for_build_editable())
    assert not compiles(build_backend.get_requires_for_build_sdist())
    monkeypatch.setattr("shutil.which", lambda name: None)
    assert "ziglang" in build_backend.get_requires_for_build_wheel()
    monkeypatch.setenv("SINTRA_BUILD", "wasm")
    assert compiles(build_backend.get_requires_for_build_wheel())
    assert "ziglang" not in build_backend.get_requires_for_build_wheel()
    monkeypatch.setenv("SINTRA_BUILD", "somewhere")
    assert not compiles(build_backend.get_requires_for_build_wheel())


@pytest.mark.long
@pytest.mark.timeout(3600)
def test_what_is_installed_plays_without_a_compiler(built: Path, tmp_path: Path) -> None:
    assert is_built(built)
    wheel = build_wheel(built, tmp_path / "dist")
    with zipfile.ZipFile(wheel) as archive:
        assert f"sintra/native/{WASM_FILE}" in archive.namelist()
    there = tmp_path / "there"
    assert "compiled library" in run_installed(wheel, there, "--version")
    records = there / "games.jsonl"
    run_installed(wheel, there, "selfplay", "--players", "level:n=5", "greedy", "--games", "2", "--out", str(records))
    assert "2" in run_installed(wheel, there, "check", str(records))
