"""Where neither NumPy nor the compiler is, the compiled library plays as it does elsewhere."""

from __future__ import annotations

import json
import os
import re
import signal
import subprocess
import sys
from collections.abc import Mapping
from pathlib import Path
from typing import Final
from urllib.request import urlopen

import pytest

import sintra
from sintra.rules.library import FOLDER

HERE: Final = Path(__file__).parent
PATHS: Final = (str(Path(sintra.__file__).parent.parent), str(HERE.parent))
MISSING: Final = "import sys\nsys.modules.update(dict.fromkeys(('numpy', 'numba', 'llvmlite')))\n"
"""A `sitecustomize` with which every process, also those that it starts, has neither."""
TIMEOUT_S: Final = 500

pytestmark = pytest.mark.long


@pytest.fixture(scope="module")
def without(built: Path, tmp_path_factory: pytest.TempPathFactory) -> Mapping[str, str]:
    """The environment of processes that have the library and no NumPy."""
    folder = tmp_path_factory.mktemp("without")
    (folder / "sitecustomize.py").write_text(MISSING, "utf-8")
    paths = os.pathsep.join((str(folder), *PATHS))
    return os.environ | {FOLDER: str(built), "PYTHONPATH": paths, "PYTHONUTF8": "1"}


def ran(environment: Mapping[str, str], *command: str, given: str | None = None, code: int = 0) -> str:
    """What a Python process prints, which ends with this code and without a traceback."""
    done = subprocess.run(
        [sys.executable, *command],
        env=environment,
        input=given,
        capture_output=True,
        encoding="utf-8",
        check=False,
        timeout=TIMEOUT_S,
    )
    assert done.returncode == code, done.stderr
    assert "Traceback" not in done.stderr
    return done.stdout + done.stderr


def test_games_searches_reviews_and_messages_are_the_same(built: Path, without: Mapping[str, str]) -> None:
    usual = os.environ | {FOLDER: str(built), "PYTHONPATH": os.pathsep.join(PATHS), "PYTHONUTF8": "1"}
    script = str(HERE / "without_numpy.py")
    here, there = ran(usual, script), ran(without, script)
    assert here == there
    assert len(here.splitlines()) > 100


def test_commands_work(without: Mapping[str, str], tmp_path: Path) -> None:
    games, told = str(tmp_path / "games.jsonl"), str(tmp_path / "bench.json")

    def sintra(*arguments: str, given: str | None = None, code: int = 0) -> str:
        return ran(without, "-m", "sintra", *arguments, given=given, code=code)

    assert "compiled library" in sintra("--version")
    sintra("selfplay", "--players", "greedy", "simple", "--games", "2", "--jobs", "2", "--out", games)
    assert sintra("selfplay", "--players", "greedy", "simple", "--games", "2") == Path(games).read_text("utf-8")
    assert "2 games" in sintra("check", games)
    assert "round 1" in sintra("show", games, "--ply", "20").lower()
    sintra("show", games, "--svg", str(tmp_path / "game.svg"))
    sintra("show", games, "--plot", str(tmp_path / "plot.svg"))
    assert sintra("legal", games, "--ply", "40")
    assert int(sintra("perft", games, "--ply", "40", "--depth", "1").split()[-1]) > 0
    assert "luck" in sintra("review", games, "--sims", "20").lower()
    arena = sintra("arena", "greedy", "simple", "random", "--games", "4", "--plot", str(tmp_path / "ladder.svg"))
    assert "Elo" in arena
    assert "bestmove" in sintra("engine", "search:sims=30", given=asked())
    assert "search" in sintra("players")
    sintra("puzzles", "show", "packaged", "0")
    sintra("bench", "--quick", "--seconds", "0.02", "--out", told)
    assert json.loads(Path(told).read_text("utf-8"))["engine"] == "compiled library"
    assert "needs NumPy: pip install 'sintra[data]'" in sintra("selfplay", "--format", "npz", "--out", told, code=2)
    assert "needs NumPy: pip install 'sintra[learn]'" in sintra("learn", str(tmp_path / "run"), code=2)


def asked() -> str:
    """What a program is asked for a move at the beginning of a vector game."""
    game = sintra.Game.new(seed=3)
    view = "; ".join(game.view(game.turn).position.splitlines())
    moves = " ".join(map(str, game.legal_moves))
    return f"sintra 1\nisready\nnewgame seed 1\nposition {view}\nlegal {moves}\ngo\nquit\n"


def test_the_table_is_served(without: Mapping[str, str], tmp_path: Path) -> None:
    command = [
        sys.executable,
        "-m",
        "sintra",
        "serve",
        "--port",
        "0",
        "--no-browser",
        "--database",
        str(tmp_path / "t"),
    ]
    with subprocess.Popen(command, env=without, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True) as process:
        assert process.stdout is not None
        try:
            address = next(found[0] for line in process.stdout if (found := re.search(r"http://\S+:\d+", line)))
            with urlopen(f"{address}/api/health", timeout=60) as answer:
                assert answer.status == 200
        finally:
            process.send_signal(signal.SIGINT)
            rest = process.stdout.read()
        assert process.wait(60) in (0, 130)
    assert "Traceback" not in rest


def test_networks_are_read_in_the_same_way(without: Mapping[str, str], tmp_path: Path) -> None:
    code = f"""
from sintra import Game, player
from sintra.players.thinking.network import load_network
from pathlib import Path
view = Game.new(seed=5).view(Game.new(seed=5).turn)
packaged = Path({str(HERE.parent.parent / "src" / "sintra" / "players" / "thinking" / "network.npz")!r})
assert player(f"search:sims=50,policy={{packaged}}").choose(view) == player("search:sims=50").choose(view)
from sintra import SintraError
for harm in (b"", packaged.read_bytes()[:1000], packaged.read_bytes()[:-200]):
    Path({str(tmp_path / "x.npz")!r}).write_bytes(harm)
    try:
        load_network(Path({str(tmp_path / "x.npz")!r}))
    except SintraError as error:
        print(str(error)[:26])
"""
    assert ran(without, "-c", code) == 3 * "cannot read a network from\n"
