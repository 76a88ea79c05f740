"""Compiles what most tests need before the first of them starts, in two processes at once (`make test` does).

Nothing depends on it: a process of the tests that finds no compiled code makes it. But several of them would make
the same at the same time.
"""

from __future__ import annotations

import fcntl
import os
import subprocess
import sys
from pathlib import Path
from typing import Final

import numpy as np

from sintra import Game
from sintra.cli.measuring import measure, positions_of_greedy
from sintra.envs.gymnasium import SintraVectorEnv
from sintra.envs.pettingzoo import raw_env
from sintra.envs.stepping import step_one
from sintra.features.observation import observe_batch
from sintra.features.spaces import REMEMBERED
from sintra.players.thinking.batches import Leaves, absorb, gather
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.tiler import Tiler
from sintra.players.thinking.tree import Tree
from sintra.processes.worker import WorkerPool
from sintra.rules import engine
from sintra.rules.choices import CHOICES
from sintra.rules.sources import cache_folder
from sintra.table.workers.warm_up import (
    warm_choices,
    warm_engine,
    warm_forecasts,
    warm_moves,
    warm_players,
    warm_reasons,
    warm_views,
)

TESTS: Final = Path(__file__).parent
_ENGINE: Final = cache_folder("sintra.rules.engine")

CHECKED: Final = {
    "NUMBA_DISABLE_JIT": "0",
    "NUMBA_BOUNDSCHECK": "1",
    "NUMBA_OPT": "1",
    "NUMBA_CACHE_DIR": str(_ENGINE.with_name(f"{_ENGINE.name}-checked")),
}
"""An environment in which every index is checked: everything is compiled once more, with little optimization
because that takes less time, and kept beside the other compiled code."""


def compile_checked() -> None:
    """Compiles all that a damaged view can reach, with every index checked; a process that asks for it at the same
    time waits."""
    command = [sys.executable, str(TESTS / "damage.py"), "0", "1", "150", "random", "greedy"]
    environment = os.environ | CHECKED | {"PYTHONPATH": os.pathsep.join(filter(None, sys.path))}
    _ENGINE.parent.mkdir(parents=True, exist_ok=True)
    with _ENGINE.with_name(f"{_ENGINE.name}-checked.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        subprocess.run(command, env=environment, check=True, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)


def leaves() -> None:
    """A search whose leaves are valued by the caller."""
    game = Game.new(seed=1)
    view = game.view(game.turn)
    tree, asked = Tree.with_room(1), Leaves.with_room(1)
    gather(tree, asked, view.state, view.seat, 1)
    absorb(tree, asked)


def tiling() -> None:
    """The functions of the tiler besides the next move."""
    tiler, begun = Tiler(standard_evaluator()), positions_of_greedy(1)[0][0]
    tiler.next_move(begun)
    tiler.value_when_done(begun, 0)


def many() -> None:
    """Batches of games, and perft."""
    game = Game.new(seed=1)
    game.reseed(2)
    game.perft(1)
    masks = np.ones((1, CHOICES), np.bool_)
    engine.legal_batch(game.state, masks)
    engine.apply_batch(game.state, masks.argmax(1))


def environments() -> None:
    """Environments, whose games are stepped choice by choice."""
    raw_env().reset(seed=1)
    envs = SintraVectorEnv(1, autoreset_mode="SameStep")
    shown, _ = envs.reset(seed=1)
    envs.step(shown["action_mask"].argmax(1))
    states, mask, observation = envs.states, shown["action_mask"][0], shown["observation"][0]
    step_one(states, int(mask.argmax()), mask, np.zeros(1, REMEMBERED), observation)
    observe_batch(states, np.zeros(1, np.int64), observation[None])


def bench() -> None:
    """What `sintra bench` measures."""
    measure(0.001, with_start_up=False)


TASKS: Final = (
    warm_choices,
    warm_moves,
    warm_players,
    leaves,
    environments,
    tiling,
    bench,
    warm_forecasts,
    warm_reasons,
    many,
    warm_views,
)
"""In an order in which no two processes compile the same, and both have work to the end."""


def main() -> None:
    """Runs all tasks; then marks the engine as compiled."""
    with WorkerPool(2) as pool:
        for done in [pool.submit(task) for task in TASKS]:
            done.result()
    warm_engine()


if __name__ == "__main__":
    main()
