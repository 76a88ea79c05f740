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
import numpy as np

from sintra import Draw, Game, Move
from sintra.components import SEATS
from sintra.game.seeds import derive
from sintra.players import player
from sintra.rules.compiled import COMPILED, RareEntryCompiler, at
from sintra.rules.knowledge import write_view
from sintra.rules.recall import can_be, is_tangled
from sintra.rules.sampling import sample_view
from sintra.rules.state import KINDS, MIXES, STATE, States

NOTHING_MIXED: Final = 0
NOTHING_RULED_OUT: Final = 1
PILES: Final = 2
CANDIDATES: Final = 3


def ruled_out(states: States, observer: int, samples: int, seed: int) -> int:
    """What the memory of a seat rules out in a state, from NOTHING_MIXED to CANDIDATES."""
    s = at(states, 0)
    tangled = False
    for kind in range(KINDS):
        tangled = tangled or is_tangled(s, observer, kind)
    if not tangled:
        return NOTHING_MIXED
    slates = np.zeros(4, STATE)
    write_view(s, observer, at(slates, 0))
    slates[1] = states[0]
    for kind in range(KINDS):
        for mix in range(MIXES):
            at(slates, 1).drawn_again[observer, kind, mix] = 0
    write_view(at(slates, 1), observer, at(slates, 2))
    plain = at(slates, 2)
    for place in range(s.pile_size):
        if at(slates, 0).could_be[observer, place] != plain.could_be[observer, place]:
            return CANDIDATES
    for k in range(samples):
        slates[3] = slates[2]
        pile = at(slates, 3)
        sample_view(plain, observer, seed + k, pile)
        for kind in range(KINDS):
            for mix in range(MIXES):
                pile.drawn_again[observer, kind, mix] = s.drawn_again[observer, kind, mix]
        if not can_be(pile, observer):
            return PILES
    return NOTHING_RULED_OUT


if COMPILED:
    ruled_out = numba.njit(error_model="numpy", pipeline_class=RareEntryCompiler)(ruled_out)


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
