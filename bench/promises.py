"""How much of what the value of boards gives for special plates and goals really comes as points of theirs, measured on
games of the search against itself: the shares of `PROMISE_SHARES` in `players/thinking/prospects.py`.

    python bench/promises.py 200                  plays 200 games and prints the table

The value is fitted to final scores, so what it gives for a special plate is all that such boards gain, also by runs and
goals. Here it is held against the points that special tiles and goals themselves brought afterwards.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from typing import NamedTuple

from sintra.components import ROUNDS, SEATS, Goal
from sintra.game.game import Game
from sintra.players.search import SearchPlayer
from sintra.players.thinking.evaluator import standard_evaluator
from sintra.players.thinking.prospects import LATER, LATER_BLOCKS, Promise
from sintra.players.thinking.tiler import Tiler
from sintra.rules.state import Source, Stage


class Noted(NamedTuple):
    """A board at the end of a round."""

    round: int
    part: int
    promised: float
    """What the weights give for a part of it."""
    came: float
    """The points that came from it afterwards."""


def promised(features: Sequence[float], round_no: int, part: int) -> float:
    """What the weights of a round give for a part of a board."""
    weights = standard_evaluator().weights[round_no - 1]
    return float(
        sum(weights[k] * features[k] for k in range(LATER_BLOCKS[part - LATER], LATER_BLOCKS[part - LATER + 1]))
    )


def noted(seed: int, sims: int) -> Iterator[Noted]:
    """Plays a game and notes its boards."""
    game, players, tiler = Game.new(seed, goals=3 + seed % 2), [], Tiler(standard_evaluator())
    for _ in range(SEATS):
        players.append(SearchPlayer(sims))
        players[-1].new_game(seed)
    boards: list[tuple[int, int, list[float]]] = []
    specials: dict[int, list[int]] = {}
    while not game.is_over:
        if game.stage is Stage.TILING and game.round < ROUNDS and game.round not in specials:
            for seat in range(SEATS):
                tiler.value(game.state, seat)
                boards.append((game.round, seat, tiler.work["best_features"][0].tolist()))
        round_no = game.round
        if game.stage is Stage.TILING:
            specials.setdefault(round_no, [])
        game.push(players[game.turn].choose(game.view(game.turn)))
        if game.round != round_no:
            specials[round_no] = [points[Source.SPECIALS] for points in game.points_by_source]
    for round_no, seat, features in boards:
        came = game.points_by_source[seat][Source.SPECIALS] - specials[round_no][seat]
        yield Noted(round_no, Promise.SPECIALS, promised(features, round_no, Promise.SPECIALS), came)
        for k, goal in enumerate(game.goals):
            part = Promise.GOALS + goal
            yield Noted(round_no, part, promised(features, round_no, part), game.goal_points[seat][k])


def share(found: Sequence[Noted]) -> float:
    """By how much the points that came grow with what was promised: the slope of a line through both, 0 to 1."""
    x, y = [one.promised for one in found], [one.came for one in found]
    mean_x, mean_y = sum(x) / len(x), sum(y) / len(y)
    spread = sum((one - mean_x) ** 2 for one in x)
    both = sum((a - mean_x) * (b - mean_y) for a, b in zip(x, y, strict=True))
    return min(1.0, max(0.0, both / spread)) if spread else 0.0


def main() -> None:
    """Prints the shares, part by part and round by round."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("games", type=int)
    parser.add_argument("--sims", type=int, default=120)
    parser.add_argument("--seed", type=int, default=5000)
    options = parser.parse_args()
    found = [one for k in range(options.games) for one in noted(options.seed + k, options.sims)]
    names = {Promise.SPECIALS: "specials", **{Promise.GOALS + goal: f"goal {goal}" for goal in Goal}}
    for part, name in names.items():
        rows = [[one for one in found if (one.part, one.round) == (part, k)] for k in range(1, ROUNDS)]
        means = [
            (sum(one.promised for one in row) / len(row), sum(one.came for one in row) / len(row))
            for row in rows
            if row
        ]
        told = "  ".join(f"{a:5.1f} > {b:5.1f}" for a, b in means)
        print(f"{name:16} {', '.join(f'{share(row):.2f}' for row in rows if row):24} promised > came: {told}")


if __name__ == "__main__":
    main()
