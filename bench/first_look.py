"""How long a review's first turning points take: the first quick look at whole games, as a review page shows it.

    python bench/first_look.py                10 games of the levels 3 to 8

Processor time is what the look takes on a quiet machine; code that is loaded or compiled is not counted.
"""

from __future__ import annotations

import argparse
import time
from typing import Final

from sintra.game.game import Game
from sintra.players import player
from sintra.records.record import Record
from sintra.review.sketch import sketching

LEVELS: Final = ((3, 4), (5, 6), (7, 8))
"""Which levels play each other, in turns."""


def played(number: int) -> Record:
    """A game of two levels."""
    names = [f"level:n={level},seed={number}" for level in LEVELS[number % len(LEVELS)]]
    players = [player(name) for name in names]
    game = Game.new(seed=number)
    while not game.is_over:
        game.push(players[game.turn].choose(game.view(game.turn)))
    return Record.of(game, (names[0], names[1]))


def main() -> None:
    """Measures and reports."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=10, metavar="N", help="how many games (default 10)")
    options = parser.parse_args()
    next(sketching(played(0)))
    taken = []
    for number in range(1, options.games + 1):
        record = played(number)
        began, began_cpu = time.perf_counter(), time.process_time()
        *_, last = sketching(record)
        taken.append(time.process_time() - began_cpu)
        print(
            f"game {number}: {len(record.moves)} moves, {len(last.turning)} turning points, {taken[-1]:.2f} s of the "
            f"processor, {time.perf_counter() - began:.2f} s in all",
            flush=True,
        )
    taken.sort()
    print(
        f"{len(taken)} games: {taken[len(taken) // 2]:.2f} s of the processor in the middle, {taken[-1]:.2f} s at most"
    )


if __name__ == "__main__":
    main()
