"""How often a seat's memory of plates mixed more than once rules something out (`rules/recall.py`):

    python bench/recall.py --games 2000 --draws 0.75              random play that is fond of drawing
    python bench/recall.py --games 200 --player search:sims=100   a player against itself

Before every move, the views of both seats are made with that memory and without it. It rules out
candidates where the sets of the two views differ, and piles where one that fits the sets cannot be.
Piles are sampled, so that their count is a lower bound; the candidates are exact.
"""

from __future__ import annotations

import argparse
from collections import Counter
from collections.abc import Sequence
from random import Random
from typing import Final

import numba

from sintra import Draw, Game, Move
from sintra.components import SEATS
from sintra.game.seeds import derive
from sintra.players import player
from sintra.rules import engine
from sintra.rules.compiled import COMPILED, RareEntryCompiler, at
from sintra.rules.recall import can_be
from sintra.rules.state import STATE, States, empty_states

NOTHING_MIXED: Final = 0
NOTHING_RULED_OUT: Final = 1
PILES: Final = 2
CANDIDATES: Final = 3


def ruled_out(states: States, observer: int, samples: int, seed: int) -> int:
    """What the memory of a seat rules out in a state, from NOTHING_MIXED to CANDIDATES."""
    memory = states["drawn_again"][0, observer]
    if not memory.any():
        return NOTHING_MIXED
    forgetful, full, plain, pile = states.copy(), empty_states(), empty_states(), empty_states()
    forgetful["drawn_again"][0, observer] = 0
    engine.view(states, 0, observer, full, 0)
    engine.view(forgetful, 0, observer, plain, 0)
    places = slice(int(states["pile_size"][0]))
    if (full["could_be"][0, observer, places] != plain["could_be"][0, observer, places]).any():
        return CANDIDATES
    for k in range(samples):
        engine.sample(plain, 0, observer, seed + k, pile, 0)
        pile["drawn_again"][0, observer] = memory
        if not pile_can_be(pile, observer):
            return PILES
    return NOTHING_RULED_OUT


def pile_can_be(states: States, observer: int) -> bool:
    """Whether the pile of a complete state is one that a seat thinks possible."""
    return can_be(at(states, 0), observer)


if COMPILED:
    pile_can_be = numba.njit(error_model="numpy", pipeline_class=RareEntryCompiler)(pile_can_be)


def fond_of_drawing(game: Game, draws: float, dice: Random) -> Move:
    """Any move, but in such a share of the cases where a plate may be drawn it is drawn."""
    draw = Draw()
    if draw in game.legal_moves and dice.random() < draws:
        return draw
    return dice.choice(game.legal_moves)


def count_game(seed: int, name: str | None, draws: float, samples: int) -> Counter[int]:
    """Plays a game and counts the views of both seats by what is ruled out in them."""
    found: Counter[int] = Counter()
    game, dice = Game.new(seed=seed), Random(seed)
    seats = [player(name), player(name)] if name else []
    for seat, one in enumerate(seats):
        one.new_game(derive(seed, "player", seat))
    while not game.is_over:
        for observer in range(SEATS):
            found[int(ruled_out(game.state, observer, samples, 1000 * game.ply))] += 1
        game.push(seats[game.turn].choose(game.view(game.turn)) if seats else fond_of_drawing(game, draws, dice))
    return found


def main(arguments: Sequence[str] | None = None) -> int:
    """Plays the games and prints the shares."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=0)
    parser.add_argument("--player", metavar="PLAYER", help="plays both seats (default: random, fond of drawing)")
    parser.add_argument("--draws", type=float, default=0.75, help="how often random play draws (default 0.75)")
    parser.add_argument("--samples", type=int, default=300, help="piles tried in a view (default 300)")
    options = parser.parse_args(arguments)
    games = [
        count_game(derive(options.seed, k), options.player, options.draws, options.samples)
        for k in range(options.games)
    ]
    views = sum(games, Counter[int]())
    print(f"{len(games)} games, {views.total()} views of the two seats")
    for least, words in (
        (NOTHING_RULED_OUT, "plates mixed more than once"),
        (PILES, "a pile is ruled out"),
        (CANDIDATES, "a candidate for a place is ruled out"),
    ):
        seen = sum(n for kind, n in views.items() if kind >= least)
        told = sum(any(kind >= least for kind in game) for game in games)
        print(f"{words}: {100 * told / len(games):.1f} % of games, {100 * seen / views.total():.3f} % of views")
    memory = sum(STATE[name].itemsize for name in ("returned_in", "went_in", "drawn_again", "came_out"))
    print(f"the memory takes {memory} of a state's {STATE.itemsize} bytes")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
