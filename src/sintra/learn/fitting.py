"""Fits the value of boards to games: `python -m sintra.learn.fitting --help`.

Games are played by the quick policy (very many) or by the search (better ones); at the end of
each round both boards are noted, and at the end of the game what they still gained. A ridge
regression for each round gives the weights, a logistic fit the scales.
"""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Callable, Sequence
from concurrent.futures import as_completed
from typing import Final

import numpy as np

from sintra.components import ROUNDS, SEATS
from sintra.features.board import FEATURES
from sintra.game.game import Game
from sintra.game.seeds import derive
from sintra.players.base import PlayerError
from sintra.players.search import SearchPlayer
from sintra.players.thinking.evaluator import Evaluator, load_evaluator, look_at_boards, standard_evaluator
from sintra.players.thinking.leaf import finish_draft
from sintra.players.thinking.network import THOUGHT
from sintra.players.thinking.tiler import Tiler, best_tiling, new_work, next_tiling_move
from sintra.processes.worker import WorkerPool
from sintra.rules import engine
from sintra.rules.choices import MAX_CHOICES
from sintra.rules.compiled import at, entry, keep
from sintra.rules.engine import play_path
from sintra.rules.state import OVER, Array, Stage, States, empty_states

SAMPLE: Final = np.dtype(
    [("features", np.float32, (ROUNDS, 2, FEATURES)), ("score", np.int16, (ROUNDS, 2)), ("final", np.int16, 2)]
)
"""One game: the boards and scores after each round's tiling, and the final scores."""
STRAYING: Final = 0.03
"""How often a game of the search takes any move instead, so that games differ."""
RIDGE: Final = 30.0
"""How strongly weights are held down."""
LAST_SCALE: Final = 4.0
"""The scale of round 5, which is not fitted: by then the winner is known."""
SCALES: Final = np.geomspace(1.0, 40.0, 80)
"""The scales that are tried."""
TINY: Final = 1e-9
"""Keeps the logarithm of a chance, and a mean over no decisions, finite."""


@entry
def play_by_opinion(states: States, i: int, parameters: Array, work: Array, out: Array) -> None:
    """Both seats draft by opinion and tile exactly; notes the boards for fitting."""
    s = at(states, i)
    legal = np.empty(MAX_CHOICES, np.int16)
    values = np.empty(MAX_CHOICES, np.float64)
    room = np.empty(1, THOUGHT)
    thought = at(room, 0)
    w = at(work, 0)
    evaluator = at(parameters, 0)
    noted = at(out, 0)
    while s.stage != OVER:
        look_at_boards(thought, s)
        finish_draft(evaluator, thought, s, s, legal, values)
        round_no = s.round_no
        for seat in range(2):
            best_tiling(s, seat, evaluator, w)
            for k in range(FEATURES):
                noted.features[round_no - 1, seat, k] = w.best_features[k]
            noted.score[round_no - 1, seat] = w.best_score
        while s.round_no == round_no and s.stage != OVER:
            play_path(s, next_tiling_move(s, evaluator, w))
    for seat in range(2):
        noted.final[seat] = s.score[seat]
    keep(room)


def games_by_opinion(games: int, seed: int, evaluator: Evaluator) -> np.ndarray:
    """Notes of many quick games."""
    notes = np.zeros(games, SAMPLE)
    states = empty_states()
    states["deals_itself"] = 1
    work = new_work()
    for g in range(games):
        engine.new(states, 0, derive(seed, g), 3 + g % 2)
        play_by_opinion(states, 0, evaluator.parameters, work, notes[g : g + 1])
    return notes


def note_boards(notes: np.ndarray, game: Game, tiler: Tiler) -> None:
    """Notes both boards of a game as they will be tiled in this round."""
    for seat in range(SEATS):
        tiler.value(game.state, seat)
        notes["features"][0, game.round - 1, seat] = tiler.work["best_features"][0]
        notes["score"][0, game.round - 1, seat] = tiler.work["best_score"][0]


def game_by_search(seed: int, simulations: int, evaluator: Evaluator) -> np.ndarray:
    """Notes of one game of the search against itself; openings vary a little."""
    notes = np.zeros(1, SAMPLE)
    rng = np.random.default_rng(seed)
    game = Game.new(seed=seed, goals=3 + seed % 2)
    player = SearchPlayer(sims=simulations, seed=seed, evaluator=evaluator)
    tiler = Tiler(evaluator)
    noted = 0
    while not game.is_over:
        if game.stage is Stage.TILING and noted < game.round:
            note_boards(notes, game, tiler)
            noted = game.round
        if game.stage in (Stage.OPENING, Stage.TURN) and rng.random() < STRAYING:
            moves = game.legal_moves
            game.push(moves[int(rng.integers(len(moves)))])
        else:
            game.push(player.choose(game.view(game.turn)))
    notes["final"][0] = game.scores
    return notes


def games_by_search(games: int, seed: int, simulations: int, evaluator: Evaluator, jobs: int) -> np.ndarray:
    """Notes of games of the search against itself, on several cores."""
    from rich.progress import track

    with WorkerPool(jobs) as pool:
        ahead = [pool.submit(game_by_search, derive(seed, g), simulations, evaluator) for g in range(games)]
        return np.concatenate([game.result() for game in track(as_completed(ahead), total=games)])


def fit(notes: np.ndarray, ridge: float = RIDGE, tell: Callable[[str], None] = print) -> Evaluator:
    """The weights that predict best what each board still gained, and the scales of certainty."""
    weights = np.zeros((ROUNDS, FEATURES))
    scales = np.full(ROUNDS, LAST_SCALE)
    for r in range(ROUNDS - 1):
        x = notes["features"][:, r].reshape(-1, FEATURES).astype(np.float64)
        y = (notes["final"] - notes["score"][:, r]).reshape(-1).astype(np.float64)
        weights[r] = np.linalg.solve(x.T @ x + ridge * np.eye(FEATURES), x.T @ y)
        expected = notes["score"][:, r] + notes["features"][:, r] @ weights[r]
        scales[r] = _scale(expected[:, 0] - expected[:, 1], notes["final"][:, 0] > notes["final"][:, 1])
        error = y - x @ weights[r]
        spread = f"sd {y.std():.1f} → {error.std():.1f}, scale {scales[r]:.1f}"
        tell(f"round {r + 1}: {len(y)} boards, mean {y.mean():.1f}, {spread}")
    return Evaluator(weights, scales)


def _scale(lead: np.ndarray, won: np.ndarray) -> float:
    """The scale of the logistic curve that fits best."""
    chance = 1 / (1 + np.exp(-lead[:, None] / SCALES))
    loss = -np.where(won[:, None], np.log(chance + TINY), np.log(1 - chance + TINY)).mean(0)
    return float(SCALES[np.argmin(loss)])


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays, fits, and writes the weights; stopped with Ctrl-C it writes nothing."""
    try:
        return _learn(arguments)
    except KeyboardInterrupt:
        print("stopped", file=sys.stderr)
        return 130


def _learn(arguments: Sequence[str] | None) -> int:
    parser = argparse.ArgumentParser(prog="python -m sintra.learn.fitting", description=__doc__)
    parser.add_argument("--quick", type=int, default=0, metavar="N", help="games of the quick policy")
    parser.add_argument("--search", type=int, default=0, metavar="N", help="games of the search against itself")
    parser.add_argument("--sims", type=int, default=200, help="the search's budget")
    parser.add_argument("--jobs", type=int, default=os.cpu_count() or 1)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--start", metavar="FILE", help="weights to play with (default: those of the package)")
    parser.add_argument("--blank", action="store_true", help="play with no weights at all")
    parser.add_argument("--notes", metavar="FILE.npy", help="keep the notes of the games here")
    parser.add_argument("--out", required=True, metavar="FILE", help="where the new weights go")
    options = parser.parse_args(arguments)
    if options.quick <= 0 and options.search <= 0:
        parser.error("without games there is nothing to learn from: give --quick N or --search N")
    evaluator = Evaluator.blank() if options.blank else standard_evaluator()
    if options.start:
        try:
            evaluator = load_evaluator(options.start)
        except PlayerError as error:
            parser.error(str(error))
    parts = []
    if options.quick > 0:
        parts.append(games_by_opinion(options.quick, options.seed, evaluator))
    if options.search > 0:
        parts.append(games_by_search(options.search, options.seed, options.sims, evaluator, options.jobs))
    notes = np.concatenate(parts)
    print(f"{len(notes)} games, mean score {notes['final'].mean():.1f}")
    if options.notes:
        np.save(options.notes, notes)
    fit(notes).save(options.out)
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
