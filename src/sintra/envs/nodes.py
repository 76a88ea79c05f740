"""A game as a tree: who acts at a node, and chance that fills one factory after the other (R2.3, R2.4, R7.3).

A state that does not deal itself stops at every deal. From there each factory is a step of its own: what it may get is
a handful of tiles, and `HANDFULS` numbers them. The odds are exact. They count in that an empty bag is filled from the
tower in the middle of a handful, and that the large factory is filled again until it shows two colours.
"""

from __future__ import annotations

from itertools import combinations_with_replacement
from typing import Final

import numpy as np

from sintra.components import COLORS, LARGE, LARGE_FILL, NOTHING, SMALL_FILL, TILES
from sintra.rules.array_types import Floats
from sintra.rules.choices import MAX_CHOICES
from sintra.rules.compiled import at, entry, kernel, rare_entry
from sintra.rules.dealing import count, factory_to_fill, fill, finish_deal, has, one_color
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.state import DEALING, OVER, Array, State, States

CHANCE: Final = -1
TERMINAL: Final = -4
REFUSED: Final = -9
"""What was chosen is not possible, and nothing has changed."""


def _handfuls() -> Array:
    found = np.zeros((LARGE_FILL + 1, MAX_HANDFULS, COLORS), np.int64)
    for size in range(LARGE_FILL + 1):
        for k, colors in enumerate(combinations_with_replacement(range(COLORS), size)):
            for color in colors:
                found[size, k, color] += 1
    return found


MAX_HANDFULS: Final = len(list(combinations_with_replacement(range(COLORS), LARGE_FILL)))
HANDFULS: Final = _handfuls()
"""How many, number, colour: how many of that colour are in that handful of so many tiles."""
HANDFULS_OF: Final = np.array(
    [len(list(combinations_with_replacement(range(COLORS), size))) for size in range(LARGE_FILL + 1)]
)
"""How many handfuls of so many tiles there are."""


def _ways() -> Array:
    found = np.zeros((TILES + 1, LARGE_FILL + 1))
    found[:, 0] = 1
    for n in range(1, TILES + 1):
        found[n, 1:] = found[n - 1, 1:] + found[n - 1, :-1]
    return found


WAYS: Final = _ways()
"""In how many ways so many things (second) are chosen from so many (first)."""


@kernel
def who_acts(s: State) -> int:
    """A seat, CHANCE, or TERMINAL at the end."""
    if s.stage == OVER:
        return TERMINAL
    return CHANCE if s.stage == DEALING else int(s.turn)


@kernel
def go_to_play(s: State) -> int:
    """Ends a deal that has nothing more to fill, and says who acts."""
    if s.stage == DEALING and factory_to_fill(s) == NOTHING:
        finish_deal(s)
    return who_acts(s)


@entry
def choose(states: States, choice: int) -> int:
    """Makes a choice of the seat to move in a single game and says who acts then."""
    s = at(states, 0)
    legal = np.empty(MAX_CHOICES, np.int16)
    for k in range(legal_of(s, legal)):
        if legal[k] == choice:
            apply_to(s, choice)
            return go_to_play(s)
    return REFUSED


@kernel
def odds_in(bag: Array, tiles: Array) -> float:
    """How likely it is to draw just these tiles from a bag."""
    ways = 1.0
    for color in range(COLORS):
        ways *= WAYS[bag[color], tiles[color]]
    return float(ways / WAYS[count(bag), count(tiles)])


@kernel
def first_odds(bag: Array, tower: Array, tiles: Array) -> float:
    """R7.3: the same where the bag may run out and is filled from the tower."""
    if count(bag) >= count(tiles):
        return odds_in(bag, tiles)
    if not has(tiles, bag):
        return 0.0
    return odds_in(tower, tiles - bag)


@kernel
def size_of_handful(s: State, f: int) -> int:
    """How many tiles a factory gets."""
    return min(LARGE_FILL if f == LARGE else SMALL_FILL, count(s.bag) + count(s.tower))


@rare_entry
def odds_of_handfuls(states: States, out: Floats) -> int:
    """Writes how likely each handful is for the factory that is filled next (float64, MAX_HANDFULS long) and returns
    that factory."""
    s = at(states, 0)
    f = factory_to_fill(s)
    size = size_of_handful(s, f)
    bag = s.bag.astype(np.int64)
    tower = s.tower.astype(np.int64)
    for k in range(HANDFULS_OF[size]):
        out[k] = first_odds(bag, tower, HANDFULS[size, k])
    if f == LARGE:
        draw_again(bag, tower, size, out)
    return f


@kernel
def draw_again(bag: Array, tower: Array, size: int, out: Array) -> None:
    """R2.4: what shows one colour goes back, and all is drawn anew, from a bag that the tower may have been poured
    into, until there are two colours."""
    if count(bag) < size:
        bag += tower
    if one_color(bag):
        return
    redrawn = 0.0
    left = 1.0
    for k in range(HANDFULS_OF[size]):
        if one_color(HANDFULS[size, k]):
            redrawn += out[k]
            left -= odds_in(bag, HANDFULS[size, k])
            out[k] = 0.0
    for k in range(HANDFULS_OF[size]):
        if redrawn > 0.0 and not one_color(HANDFULS[size, k]):
            out[k] += redrawn * odds_in(bag, HANDFULS[size, k]) / left


@rare_entry
def fill_next(states: States, handful: int) -> int:
    """Fills the next factory with a handful, which must be possible, and says who acts then."""
    s = at(states, 0)
    f = factory_to_fill(s)
    fill(s, f, HANDFULS[size_of_handful(s, f), handful])
    return go_to_play(s)
