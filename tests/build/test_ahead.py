"""The engine compiled ahead of time: as a library and as WebAssembly it does what it does compiled while running."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import pytest

import sintra
from sintra.build.building import LIBRARY_FILE, WASM_FILE, build
from sintra.rules.library import BINDINGS, MANIFEST

TESTS: Final = Path(__file__).parent.parent
PATHS: Final = os.pathsep.join((str(Path(sintra.__file__).parent.parent), str(TESTS)))

pytestmark = [pytest.mark.long, pytest.mark.timeout(3600)]


def run(arguments: list[str], built: Path, **environment: str) -> str:
    """What a process prints that uses the library."""
    settings = {"PYTHONPATH": PATHS, "NUMBA_DISABLE_JIT": "0", "SINTRA_LIBRARY": str(built), **environment}
    done = subprocess.run(
        [sys.executable, *arguments], env=os.environ | settings, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stderr[-3000:]
    return done.stdout


@pytest.mark.parametrize("other", ["jit", "generic", "wasm"])
def test_every_call_has_the_same_result(built: Path, other: str) -> None:
    """1,000 games with views and samples, perft, 1,000 searches, 1,000 tilings, 200 endings, and every entry: all that
    they change and return is the same, byte for byte."""
    told = run([str(TESTS / "build" / "exercise.py"), other, "1000", "1000", "1000", "200"], built)
    assert told.endswith("entries are the same\n")


PLAY: Final = """
import sys
sys.modules["numba"] = sys.modules["llvmlite"] = None
from sintra import Game
from sintra.arena.selfplay import play_game
from sintra.players import player
from sintra.rules.compiled import RUNNING
game = Game.new(seed=3)
play_game(game, [player("search:sims=30,seed=1"), player("greedy")], 1)
print(RUNNING, game.position_key)
"""


def test_a_game_needs_no_compiler_and_writes_nothing(built: Path, tmp_path: Path) -> None:
    with_library = run(["-c", PLAY], built, HOME=str(tmp_path), XDG_CACHE_HOME=str(tmp_path), NUMBA_CACHE_DIR="")
    assert list(tmp_path.iterdir()) == []
    compiled = run(["-c", PLAY.replace('sys.modules["numba"]', "_")], built, SINTRA_LIBRARY="none")
    assert with_library.split()[:2] == ["compiled", "library"]
    assert compiled.split()[:3] == ["compiled", "while", "running"]
    assert with_library.split()[-1] == compiled.split()[-1]


def test_two_builds_are_equal_byte_for_byte(built: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PYTHONHASHSEED", "7")
    build(tmp_path)
    for name in (LIBRARY_FILE, WASM_FILE, BINDINGS, MANIFEST):
        assert (tmp_path / name).read_bytes() == (built / name).read_bytes(), name
