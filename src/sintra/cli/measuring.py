"""How fast the engine is on this machine, on one core: a table, and the same figures as JSON."""

from __future__ import annotations

import json
import platform
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Sequence
from dataclasses import asdict, dataclass
from os import environ
from pathlib import Path
from random import Random
from statistics import median

from rich.console import Console
from rich.table import Table as Grid

from sintra.cli.progress import tracked
from sintra.components import ROUNDS
from sintra.game.game import Game, View
from sintra.players.greedy import choose_greedily
from sintra.players.search import NODES_PER_SIMULATION, SIMULATIONS, Searcher
from sintra.players.thinking import tiler
from sintra.players.thinking.endgame import EndgameSolver, is_within_reach
from sintra.players.thinking.evaluator import hand_made_evaluator, standard_evaluator
from sintra.processes.worker import start_with_sigint_blocked
from sintra.rules import engine
from sintra.rules.array_types import Int64s
from sintra.rules.choices import MAX_CHOICES
from sintra.rules.compiled import IS_JIT, RUNNING, at, entry, np
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.knowledge import write_view
from sintra.rules.memory import zeros
from sintra.rules.sampling import sample_view
from sintra.rules.state import OVER, STATE, TILING, TURN, Array, States, blank_states

POOL = 512
WARM_UP = 20
"""Tilings that are solved before the clock counts."""
MAX_CALL_S = 0.1
"""Seconds after which compiled code that is measured is called anew, so that Ctrl-C is heard."""


@dataclass(frozen=True, slots=True)
class Figure:
    """One measured number, with what is aimed at."""

    name: str
    value: float
    unit: str
    aim: str = ""
    reached: bool | None = None


@entry
def time_copies(states: States, target: States, times: int) -> None:
    """Copies every state of the pool so many times."""
    for _ in range(times):
        for i in range(len(states)):
            target[i] = states[i]


@entry
def time_legal(states: States, times: int) -> int:
    """Lists the legal choices of every state."""
    out = np.empty(MAX_CHOICES, np.int16)
    total = 0
    for _ in range(times):
        for i in range(len(states)):
            total += legal_of(at(states, i), out)
    return total


@entry
def time_apply(states: States, target: States, chosen: Int64s, times: int) -> None:
    """Copies every state and makes one choice in the copy."""
    for _ in range(times):
        for i in range(len(states)):
            target[i] = states[i]
            apply_to(at(target, i), chosen[i])


@entry
def time_views(states: States, target: States, times: int) -> None:
    """Writes the mover's view of every state."""
    for _ in range(times):
        for i in range(len(states)):
            write_view(at(states, i), at(states, i).turn, at(target, i))


@entry
def time_samples(views: States, target: States, times: int) -> None:
    """Draws a complete state from every view."""
    for k in range(times):
        for i in range(len(views)):
            target[i] = views[i]
            sample_view(at(views, i), at(views, i).turn, k, at(target, i))


def pool_of_states() -> tuple[States, Array]:
    """States from all over random games, and a legal choice for each."""
    pool = blank_states(POOL)
    chosen, counts, legal = zeros(POOL, "i8"), zeros(1, "i8"), zeros(MAX_CHOICES, "i2")
    rng = Random(1)
    state = blank_states()
    filled = 0
    while filled < POOL:
        state["deals_itself"] = 1
        engine.new(state, 0, rng.randrange(1 << 60), 3)
        engine.play_random(state, 0, rng.randrange(200), counts)
        n = engine.legal(state, 0, legal)
        if n:
            pool[filled] = state[0]
            chosen[filled] = legal[rng.randrange(n)]
            filled += 1
    return pool, chosen


def per_call(work: Callable[[int], object], seconds: float) -> float:
    """Nanoseconds for one state, the best of several runs: other work on the machine only adds."""
    work(1)
    times, spent = 1, 0.0
    best = float("inf")
    while spent < seconds:
        began = time.perf_counter()
        work(times)
        took = time.perf_counter() - began
        spent += took
        best = min(best, took / (times * POOL))
        if took < min(seconds / 8, MAX_CALL_S):
            times *= 2
    return best * 1e9


def random_games(seconds: float) -> list[Figure]:
    """Complete games of uniformly random choices."""
    state = blank_states()
    state["deals_itself"] = 1
    counts = zeros(1, "i8")
    best = (0.0, 0.0, 0.0)
    for run in range(4):
        games = made = 0
        counts[0] = 0
        began = time.perf_counter()
        while time.perf_counter() - began < seconds / 2:
            for _ in range(200):
                engine.new(state, 0, 1000 * run + games, 3)
                made += engine.play_random(state, 0, 100_000, counts)
                games += 1
        took = time.perf_counter() - began
        if games / took > best[0]:
            best = (games / took, made / took, counts[0] / took)
    return [
        Figure("random games", best[0], "games/s", "≥ 6,000", best[0] >= 6000),
        Figure("random choices", best[1], "choices/s"),
        Figure("random moves of the notation", best[2], "moves/s"),
    ]


def pushes(seconds: float) -> list[Figure]:
    """`Game.push`, `Game.view` and the listing of legal moves, from Python."""
    push = view = legal = 0.0
    made = 0
    rng = Random(2)
    warm = Game.new(seed=1)
    warm.push(warm.legal_moves[0])
    warm.view(0)
    began = time.perf_counter()
    while time.perf_counter() - began < seconds * 2:
        game = Game.new(seed=rng.randrange(1 << 60))
        while not game.is_over:
            start = time.perf_counter()
            moves = game.legal_moves
            n = len(moves)
            listed = time.perf_counter()
            move = moves[rng.randrange(n)]
            ready = time.perf_counter()
            game.push(move)
            pushed = time.perf_counter()
            game.view(game.turn)
            seen = time.perf_counter()
            legal += listed - start
            push += pushed - ready
            view += seen - pushed
            made += 1
    return [
        Figure("game.push from Python", push / made * 1e6, "µs", "≤ 20", push / made * 1e6 <= 20),
        Figure("game.legal_moves from Python", legal / made * 1e6, "µs"),
        Figure("game.view from Python", view / made * 1e6, "µs"),
    ]


_READY = "import sintra; g = sintra.Game.new(seed=1); g.push(g.legal_moves[0])"


def _run_apart(command: Sequence[str], folder: str) -> None:
    """Runs a process to its end, with compiled code in a folder; it goes when we go."""
    process = start_with_sigint_blocked(command, env={**environ, "NUMBA_CACHE_DIR": folder})
    try:
        if code := process.wait():
            raise subprocess.CalledProcessError(code, command)
    finally:
        process.kill()
        process.wait()


def start_up() -> list[Figure]:
    """From starting Python to a game with a move made: with an empty cache, then with a full one; a library needs
    none."""
    figures = []
    starts = (("first move made, cold compile", 30.0, 1), ("first move made, cached", 1.5, 3))
    if not IS_JIT:
        starts = (("first move made, first start", 1.5, 1), ("first move made", 1.5, 3))
    with tempfile.TemporaryDirectory() as folder:
        for name, aim, runs in starts:
            best = float("inf")
            for _ in range(runs):
                began = time.perf_counter()
                _run_apart([sys.executable, "-c", _READY], folder)
                best = min(best, time.perf_counter() - began)
            figures.append(Figure(name, best, "s", f"≤ {aim:g}", best <= aim))
    return figures


def players(seconds: float) -> list[Figure]:
    """Tilings, simulations and nodes of round 5, over positions from greedy games."""
    tilings, turns, endings = positions_of_greedy(max(100, int(10_000 * min(1.0, seconds))))
    work = tiler.new_work()
    parameters = standard_evaluator().parameters
    took = []
    for states in [*tilings[:WARM_UP], *tilings]:
        began = time.perf_counter()
        tiler.solve(states, 0, states.get("turn"), parameters, work)
        took.append(time.perf_counter() - began)
    middle = median(took[WARM_UP:]) * 1e6
    figures = [
        Figure("exact tiling, median", middle, "µs", "≤ 20", middle <= 20),
        Figure("exact tilings", len(tilings) / sum(took[WARM_UP:]), "tilings/s"),
    ]
    learned = Searcher(SIMULATIONS, 1)
    learned.run(turns[0], 1)
    searcher = Searcher(SIMULATIONS, 1, hand_made_evaluator())
    searcher.run(turns[0], 1)
    moves, simulations, nodes = [], 0, 0
    began = time.perf_counter()
    for view in turns:
        start = time.perf_counter()
        searcher.run(view, 1)
        moves.append(time.perf_counter() - start)
        simulations += SIMULATIONS
        nodes += searcher.trees[0].head.get("visited")
        if time.perf_counter() - began > 4 * seconds:
            break
    spent = sum(moves)
    began = time.perf_counter()
    for view in turns[: len(moves)]:
        learned.run(view, 1)
    with_network = len(moves) * SIMULATIONS / (time.perf_counter() - began)
    figures += [
        Figure("search with its network, simulations", with_network, "simulations/s"),
        Figure("search, simulations", simulations / spent, "simulations/s"),
        Figure("search, tree nodes passed", nodes / spent, "nodes/s"),
        Figure(
            f"search, {SIMULATIONS} simulations: mean",
            1000 * spent / len(moves),
            "ms",
            "≤ 100",
            spent / len(moves) <= 0.1,
        ),
        Figure(f"search, {SIMULATIONS} simulations: longest", 1000 * max(moves), "ms", "≤ 100", max(moves) <= 0.1),
    ]
    solver = EndgameSolver(NODES_PER_SIMULATION * SIMULATIONS)
    solver.solve(endings[0].states)
    found = []
    began = time.perf_counter()
    for view in endings:
        found.append(solver.solve(view.states))
        if time.perf_counter() - began > 4 * seconds:
            break
    spent = time.perf_counter() - began
    solved = [ending for ending in found if ending is not None]
    return [
        *figures,
        Figure("round 5, nodes", sum(ending.nodes for ending in solved) / spent, "nodes/s"),
        Figure("round 5, solved to the end", 100 * sum(ending.exact for ending in solved) / len(found), "%"),
    ]


def positions_of_greedy(how_many: int) -> tuple[list[States], list[View], list[View]]:
    """From games of the yardstick: so many starts of tilings, turns of rounds 1 to 4, and turns of
    round 5 with few enough tiles left to be searched to the end."""
    tilings: list[States] = []
    turns: list[View] = []
    endings: list[View] = []
    rng = Random(3)
    while len(tilings) < how_many:
        state = blank_states()
        state["deals_itself"] = 1
        engine.new(state, 0, rng.randrange(1 << 60), 3)
        while state.get("stage") != OVER:
            stage, at_start = state.get("stage"), state.get("walk") == 0 and state.get("pay_line") < 0
            if stage == TILING and at_start:
                tilings.append(state.copy())
            elif stage == TURN and len(tilings) < 100:
                view = View.of_state(state, 0, state.get("turn"))
                if view.round < ROUNDS and rng.random() < 0.1:
                    turns.append(view)
                elif is_within_reach(state) and len(view.legal_moves) > 1:
                    endings.append(view)
            engine.play(state, 0, choose_greedily(state, 0, rng.randrange(1 << 60)))
    return tilings, turns, endings


def measure(seconds: float, with_start_up: bool) -> list[Figure]:
    """All figures."""
    pool, chosen = pool_of_states()
    target, views = blank_states(POOL), blank_states(POOL)
    time_views(pool, views, 1)
    parts: list[Callable[[], list[Figure]]] = [
        lambda: random_games(seconds),
        lambda: kernels(pool, target, views, chosen, seconds),
        lambda: pushes(seconds),
        lambda: players(seconds),
    ]
    if with_start_up:
        parts.append(start_up)
    figures = [Figure("state size", STATE.itemsize, "bytes")]
    for part in tracked(parts, len(parts), "measuring"):
        figures += part()
    return figures


def kernels(pool: States, target: States, views: States, chosen: Array, seconds: float) -> list[Figure]:
    """Nanoseconds for the engine's inner functions, over states from all over random games."""
    copy = per_call(lambda times: time_copies(pool, target, times), seconds)
    both = per_call(lambda times: time_apply(pool, target, chosen, times), seconds)
    return [
        Figure("copy", copy, "ns", "≤ 100", copy <= 100),
        Figure("legal", per_call(lambda times: time_legal(pool, times), seconds), "ns"),
        Figure("apply", both - copy, "ns"),
        Figure("view", per_call(lambda times: time_views(pool, target, times), seconds), "ns"),
        Figure("sample", per_call(lambda times: time_samples(views, target, times), seconds), "ns"),
    ]


def print_figures(seconds: float, *, start_up: bool, out: str | None) -> None:
    """Measures, prints the table, and writes the JSON file if asked for."""
    figures = measure(seconds, start_up)
    grid = Grid(title=f"Sintra on {platform.machine()}, Python {platform.python_version()}, {RUNNING}, one core")
    grid.add_column("what")
    grid.add_column("figure", justify="right")
    grid.add_column("unit")
    grid.add_column("aim")
    for figure in figures:
        shown = f"{figure.value:,.0f}" if figure.value >= 1000 else f"{figure.value:.3g}"
        mark = "" if figure.reached is None else (" ✓" if figure.reached else " ✗")
        grid.add_row(figure.name, shown, figure.unit, figure.aim + mark)
    Console().print(grid)
    if out:
        Path(out).parent.mkdir(parents=True, exist_ok=True)
        data = {"machine": platform.machine(), "python": platform.python_version(), "engine": RUNNING}
        Path(out).write_text(json.dumps(data | {"figures": [asdict(figure) for figure in figures]}, indent=1) + "\n")
