"""How fast Sintra's environments are beside those of the projects they are made for, in one run on one core.

    make bench                       # or: python bench/environments.py [--seconds S] [--json FILE]

Every two that are compared take turns, several times, so that what else the machine does hits both; a figure is the
median of the turns. All play at random, by the mask, and count decisions.
"""

from __future__ import annotations

import argparse
import json
import os
import random
import statistics
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from functools import partial
from pathlib import Path
from typing import Any, Final

os.environ.update(OMP_NUM_THREADS="1", XLA_FLAGS="--xla_cpu_multi_thread_eigen=false intra_op_parallelism_threads=1")
if hasattr(os, "sched_setaffinity"):
    os.sched_setaffinity(0, {max(os.sched_getaffinity(0))})  # whatever starts threads all the same

import numpy as np
import pyspiel
from gymnasium.vector import AutoresetMode
from numba import njit
from rich.console import Console
from rich.table import Table

from sintra.envs.gymnasium import SintraVectorEnv
from sintra.envs.pettingzoo import raw_env

TURNS: Final = 5
GAMES_AT_ONCE: Final = 4096
PGX_STEPS: Final = 5
OPENSPIEL_GAMES: Final = (
    "python_sintra",
    "python_tic_tac_toe",
    "python_kuhn_poker",
    "python_liars_poker",
    "python_block_dominoes",
    "python_team_dominoes",
)

Steps = Iterator[int]
"""An endless generator: plays on, and yields from time to time how many decisions it has made since."""


@dataclass(frozen=True, slots=True)
class Measured:
    """How fast an environment is, in decisions or games a second."""

    name: str
    per_second: float


def agents(make: Callable[[], Any]) -> Steps:
    """A PettingZoo environment whose agents choose by the mask, as that project's own benchmark does."""
    env, dice, seed = make(), random.Random(1), 0
    while True:
        env.reset(seed=seed)
        for _ in env.agent_iter():
            shown, _, ended, truncated, info = env.last()
            if ended or truncated:
                break
            mask = shown["action_mask"] if isinstance(shown, dict) and "action_mask" in shown else info["action_mask"]
            env.step(dice.choice(np.flatnonzero(mask).tolist()))
            yield 1
        seed += 1


@njit(nogil=True)  # type: ignore[untyped-decorator]
def choose_by_masks(masks: Any, dice: Any, chosen: Any) -> None:
    """One legal choice in every game; eight places of a mask are looked at together, to take little time itself."""
    places = masks.reshape(-1)
    eights = places.view(np.uint64)
    width = masks.shape[1]
    for i in range(len(masks)):
        first, end = width * i, width * (i + 1)
        head, tail = -(-first // 8), end // 8
        legal = 0
        for k in range(first, 8 * head):
            legal += places[k]
        for k in range(head, tail):
            legal += (eights[k] * np.uint64(0x0101010101010101)) >> np.uint64(56)
        for k in range(8 * tail, end):
            legal += places[k]
        left = 1 + int(dice[i] * legal)
        k = first
        while left > 0:
            if k % 8 == 0 and k < 8 * tail:
                there = int((eights[k // 8] * np.uint64(0x0101010101010101)) >> np.uint64(56))
                if there < left:
                    left -= there
                    k += 8
                    continue
            left -= places[k]
            k += 1
        chosen[i] = k - 1 - first


def vector(*, features: bool) -> Steps:
    """Sintra's vector environment on one thread, which decides for both seats, at random."""
    envs = SintraVectorEnv(
        GAMES_AT_ONCE, opponent=None, features=features, threads=1, autoreset_mode=AutoresetMode.SAME_STEP
    )
    shown, _ = envs.reset(seed=1)
    dice, chosen = np.random.default_rng(1), np.zeros(GAMES_AT_ONCE, np.int64)
    while True:
        choose_by_masks(shown["action_mask"], dice.random(GAMES_AT_ONCE), chosen)
        shown, *_ = envs.step(chosen)
        yield GAMES_AT_ONCE


def pgx_backgammon() -> Steps:
    """pgx's backgammon, compiled as one loop, with games that begin anew, at random."""
    import jax
    import jax.numpy as jnp
    import pgx
    from pgx.experimental import auto_reset

    env = pgx.make("backgammon")
    step = jax.vmap(auto_reset(env.step, env.init))

    def one(_: Any, loop: Any) -> Any:
        state, key = loop
        key, choosing, rolling = jax.random.split(key, 3)
        odds = jnp.where(state.legal_action_mask, 0.0, -jnp.inf)
        chosen = jax.random.categorical(choosing, odds, axis=1)
        return step(state, chosen, jax.random.split(rolling, GAMES_AT_ONCE)), key

    many = jax.jit(lambda loop: jax.lax.fori_loop(0, PGX_STEPS, one, loop))
    key = jax.random.PRNGKey(1)
    loop = jax.jit(jax.vmap(env.init))(jax.random.split(key, GAMES_AT_ONCE)), key
    while True:
        loop = jax.block_until_ready(many(loop))
        yield GAMES_AT_ONCE * PGX_STEPS


def tree(name: str) -> Steps:
    """A game of OpenSpiel; steps of chance take their time and do not count."""
    game, dice = pyspiel.load_game(name), random.Random(1)
    while True:
        state = game.new_initial_state()
        while not state.is_terminal():
            if state.is_chance_node():
                outcomes, odds = zip(*state.chance_outcomes(), strict=True)
                state.apply_action(dice.choices(outcomes, odds)[0])
            else:
                state.apply_action(dice.choice(state.legal_actions()))
                yield 1


def measure(groups: dict[str, list[tuple[str, Callable[[], Steps]]]], seconds: float) -> dict[str, list[Measured]]:
    """Measures each group of environments; the first of a group is ours."""
    found = {}
    for group, members in groups.items():
        running = [(name, make()) for name, make in members]
        for _, steps in running:
            next(steps)
        rates: dict[str, list[float]] = {name: [] for name, _ in members}
        for _ in range(TURNS):
            for name, steps in running:
                made, began = 0, time.perf_counter()
                while (took := time.perf_counter() - began) < seconds:
                    made += next(steps)
                rates[name].append(made / took)
        found[group] = [Measured(name, statistics.median(of)) for name, of in rates.items()]
    return found


def all_groups() -> dict[str, list[tuple[str, Callable[[], Steps]]]]:
    """The groups of environments that are compared."""
    import open_spiel.python.games  # noqa: F401  (registers them)
    from pettingzoo.classic import connect_four_v3, hanabi_v5

    import sintra.envs.openspiel  # noqa: F401

    return {
        "PettingZoo, raw_env, decisions/s": [
            ("sintra_v0", lambda: agents(raw_env)),
            ("connect_four_v3", lambda: agents(connect_four_v3.raw_env)),
            ("hanabi_v5", lambda: agents(hanabi_v5.raw_env)),
        ],
        "vectors of 4096 games on one core, choices/s": [
            ("SintraVectorEnv", lambda: vector(features=True)),
            ("SintraVectorEnv without features", lambda: vector(features=False)),
            ("pgx backgammon", pgx_backgammon),
        ],
        "OpenSpiel, games in Python, decisions/s": [(name, partial(tree, name)) for name in OPENSPIEL_GAMES],
    }


def main() -> int:
    """Measures and prints."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n\n")[0])
    parser.add_argument("--seconds", type=float, default=1.0, help="for each turn (default 1)")
    parser.add_argument("--json", type=Path, metavar="FILE", help="write the figures there, too")
    options = parser.parse_args()
    try:
        groups = all_groups()
    except ImportError as error:
        print(f"{error.name} is missing: pip install 'sintra[bench]', or make bench", file=sys.stderr)
        return 2
    found = measure(groups, options.seconds)
    for group, figures in found.items():
        table = Table("", "per second", f"{figures[0].name} is so many times as fast", title=group)
        for one in figures:
            table.add_row(one.name, f"{one.per_second:,.0f}", f"{figures[0].per_second / one.per_second:.2f}")
        Console().print(table)
    if options.json:
        options.json.write_text(
            json.dumps({group: [asdict(one) for one in of] for group, of in found.items()}, indent=1)
        )
    return 0


if __name__ == "__main__":
    sys.exit(main())
