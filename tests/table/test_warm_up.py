"""Warming: whatever a table calls during games is compiled before the first of them, or the table says what failed."""

from __future__ import annotations

import gc
import os
import subprocess
import sys
import threading
import time
from fcntl import LOCK_EX, flock
from pathlib import Path
from random import Random

import pytest
from numba.core.dispatcher import Dispatcher

from helpers import TASTES
from sintra.records.steps import run_to_completion
from sintra.table.shown.game import hinting
from sintra.table.workers import warm_up
from sintra.table.workers.warm_up import warm_engine, warm_forecasts, warm_hints
from table.local_table import LocalTable


def loaded() -> set[str]:
    """The entries of the engine that this process has compiled or loaded."""
    entries = (one for one in gc.get_objects() if isinstance(one, Dispatcher) and one.targetoptions.get("nogil"))
    return {one.py_func.__qualname__ for one in entries if one.signatures}


def play_games() -> None:
    """Whole games at the table, with everything that a page asks for."""
    with LocalTable() as local:
        ann = local.person()
        for taste in ("uniform", "drawing"):
            game, dice = ann.create("screen")["game"], Random(7)
            while (room := local.room(game)).now.status == "playing":
                ann.get(f"/games/{game}")
                ann.act(game, "moves", token=str(TASTES[taste](room.game, dice)))
                if room.now.ply == 20:
                    ann.get(f"/games/{game}/record")
                    advice = [(str(room.game.legal_moves[0]), 0.5, 0.0, ())]
                    run_to_completion(hinting(room.now.view(room.now.turn), room.seq, False, advice, 0, ()))
            ann.get(f"/games/{game}/record")
            ann.get(f"/games/{game}/replay/20")


def main() -> None:
    """Warms, plays, and says what was not warm; in a process that has done nothing else."""
    warm_engine()
    warm_forecasts()
    warm_hints()
    warm = loaded()
    play_games()
    print(*sorted(loaded() - warm))


def test_nothing_is_compiled_during_games() -> None:
    code = "from table.test_warm_up import main; main()"
    paths = os.pathsep.join(filter(None, sys.path))
    environment = os.environ | {"PYTHONPATH": paths, "NUMBA_DISABLE_JIT": "0"}
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=environment, check=True)
    assert done.stdout.split() == []


def test_a_warm_up_that_fails_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail() -> None:
        raise OSError("the engine is damaged")

    for name, result in (("is_compiled", lambda: True), ("has_forecasts", lambda: True), ("warm_engine", fail)):
        monkeypatch.setattr(f"sintra.table.service.preparation.{name}", result)
    with LocalTable() as local:
        local.runner.get_loop().call_soon(local.table.preparation.start)
        ann = local.person()
        while (answer := ann.ask("GET", "/api/health")).json()["status"] == "preparing":
            pass
        assert (answer.status_code, answer.json()["status"]) == (503, "failed")
        reasons = [line["why"] for line in local.lines if line.get("what") == "warm-up"]
        assert reasons == ["OSError: the engine is damaged"]


def is_waiting_for_a_lock() -> bool:
    """Whether this process waits for a lock of a file that another holder has."""
    locks = Path("/proc/locks").read_text().splitlines()
    return any("->" in line and f" {os.getpid()} " in line for line in locks)


def test_players_that_another_process_compiles_are_waited_for(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    happened: list[str] = []
    monkeypatch.setattr(warm_up, "IS_JIT", True)
    monkeypatch.setattr(warm_up, "_PLAYERS_STAMP", tmp_path / "players")
    monkeypatch.setattr(warm_up, "_load_players", lambda: happened.append("loaded"))
    with (tmp_path / "players.lock").open("w") as other:
        flock(other, LOCK_EX)
        second = threading.Thread(target=warm_up.warm_players)
        second.start()
        while not is_waiting_for_a_lock():
            time.sleep(0.01)
        happened.append("compiled")
    second.join()
    assert happened == ["compiled", "loaded"]
    assert (tmp_path / "players").exists()


@pytest.mark.long
def test_players_are_compiled_while_the_page_is_built(tmp_path: Path) -> None:
    """As `make play` begins; the players' process ends by itself, and what it leaves is only loaded."""
    environment = os.environ | {"NUMBA_CACHE_DIR": str(tmp_path), "NUMBA_DISABLE_JIT": "0"}
    begin = "from sintra.table.workers.warm_up import compile_beginning; compile_beginning()"
    subprocess.run([sys.executable, "-c", begin], env=environment, check=True)
    load = """
from io import BytesIO
from sintra.rules.jit import counting_functions
from sintra.table.workers.warm_up import has_beginning, share_compiled, warm_players
compiled = BytesIO()
with counting_functions(compiled):
    warm_players()
print(has_beginning(), share_compiled() > 0, len(compiled.getvalue()))
"""
    done = subprocess.run([sys.executable, "-c", load], env=environment, check=True, capture_output=True, text=True)
    assert done.stdout.split() == ["True", "True", "0"]
    (stamp,) = tmp_path.rglob("players")
    assert stamp.is_file()
