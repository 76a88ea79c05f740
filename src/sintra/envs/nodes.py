"""A game as a tree: who acts at a node, and chance that fills one factory after the other (R2.3, R2.4, R7.3).

A state that does not deal itself stops at every deal. From there each factory is a step of its own: chance draws its
tiles, and `TILE_DRAWS` numbers the possible draws. The odds are exact: they include that an empty bag is filled from
the tower in the middle of a draw, and that the large factory is filled again until it shows two colours.
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
"""OpenSpiel's number for chance as the one who acts."""
TERMINAL: Final = -4
"""OpenSpiel's number for the end of a game."""
REFUSED: Final = -9
"""Returned for a choice that is not legal; nothing has changed then."""


def _tile_draws() -> Array:
    found = np.zeros((LARGE_FILL + 1, MAX_TILE_DRAWS, COLORS), np.int64)
    for size in range(LARGE_FILL + 1):
        for k, colors in enumerate(combinations_with_replacement(range(COLORS), size)):
            for color in colors:
                found[size, k, color] += 1
    return found


MAX_TILE_DRAWS: Final = len(list(combinations_with_replacement(range(COLORS), LARGE_FILL)))
TILE_DRAWS: Final = _tile_draws()
"""The possible draws, by their size and number: how many tiles of each colour are in the draw."""
DRAW_COUNTS: Final = np.array(
    [len(list(combinations_with_replacement(range(COLORS), size))) for size in range(LARGE_FILL + 1)]
)
"""The number of possible draws, by their size."""


def _ways() -> Array:
    found = np.zeros((TILES + 1, LARGE_FILL + 1))
    found[:, 0] = 1
    for n in range(1, TILES + 1):
        found[n, 1:] = found[n - 1, 1:] + found[n - 1, :-1]
    return found


WAYS: Final = _ways()
"""Binomial coefficients: in how many ways the second number of things can be chosen from the first."""


@kernel
def actor_of(s: State) -> int:
    """Who acts: a seat, CHANCE, or TERMINAL at the end."""
    if s.stage == OVER:
        return TERMINAL
    return CHANCE if s.stage == DEALING else int(s.turn)


@kernel
def finish_filled_deal(s: State) -> int:
    """Finishes the deal if all factories are filled. Returns who acts."""
    if s.stage == DEALING and factory_to_fill(s) == NOTHING:
        finish_deal(s)
    return actor_of(s)


@entry
def choose(states: States, choice: int) -> int:
    """Makes a choice of the seat to move in a single game. Returns who acts then, or REFUSED."""
    s = at(states, 0)
    legal = np.empty(MAX_CHOICES, np.int16)
    for k in range(legal_of(s, legal)):
        if legal[k] == choice:
            apply_to(s, choice)
            return finish_filled_deal(s)
    return REFUSED


@kernel
def odds_in(bag: Array, tiles: Array) -> float:
    """The odds of drawing just these tiles from a bag."""
    ways = 1.0
    for color in range(COLORS):
        ways *= WAYS[bag[color], tiles[color]]
    return float(ways / WAYS[count(bag), count(tiles)])


@kernel
def odds_with_tower(bag: Array, tower: Array, tiles: Array) -> float:
    """R7.3: the odds of drawing just these tiles when a bag that runs out is filled from the tower."""
    if count(bag) >= count(tiles):
        return odds_in(bag, tiles)
    if not has(tiles, bag):
        return 0.0
    return odds_in(tower, tiles - bag)


@kernel
def draw_size(s: State, f: int) -> int:
    """How many tiles a factory gets."""
    return min(LARGE_FILL if f == LARGE else SMALL_FILL, count(s.bag) + count(s.tower))


@rare_entry
def odds_of_draws(states: States, out: Floats) -> int:
    """Writes the odds of each draw for the factory that is filled next (float64, MAX_TILE_DRAWS long). Returns that
    factory."""
    s = at(states, 0)
    f = factory_to_fill(s)
    size = draw_size(s, f)
    bag = s.bag.astype(np.int64)
    tower = s.tower.astype(np.int64)
    for k in range(DRAW_COUNTS[size]):
        out[k] = odds_with_tower(bag, tower, TILE_DRAWS[size, k])
    if f == LARGE:
        redraw(bag, tower, size, out)
    return f


@kernel
def redraw(bag: Array, tower: Array, size: int, out: Array) -> None:
    """R2.4: corrects the odds for the large factory, where a draw of one colour goes back and is drawn anew, from a
    bag that the tower may have been poured into, until there are two colours."""
    if count(bag) < size:
        bag += tower
    if one_color(bag):
        return
    redrawn = 0.0
    left = 1.0
    for k in range(DRAW_COUNTS[size]):
        if one_color(TILE_DRAWS[size, k]):
            redrawn += out[k]
            left -= odds_in(bag, TILE_DRAWS[size, k])
            out[k] = 0.0
    for k in range(DRAW_COUNTS[size]):
        if redrawn > 0.0 and not one_color(TILE_DRAWS[size, k]):
            out[k] += redrawn * odds_in(bag, TILE_DRAWS[size, k]) / left


@rare_entry
def fill_next(states: States, draw: int) -> int:
    """Fills the next factory with a draw, which must be possible. Returns who acts then."""
    s = at(states, 0)
    f = factory_to_fill(s)
    fill(s, f, TILE_DRAWS[draw_size(s, f), draw])
    return finish_filled_deal(s)
