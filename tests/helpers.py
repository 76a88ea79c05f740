"""Games of random play with different tastes, and the counts that must come out of every state."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping
from itertools import combinations, product
from pathlib import Path
from random import Random
from typing import Final

import numpy as np

from sintra import Game, Goal, Move, MoveKind, Rules
from sintra.components import CHIP_FACES, COLORS, NOTHING, PLATE_COUNT
from sintra.rules import engine
from sintra.rules.choices import MOST_CHOICES, MOST_MOVES
from sintra.rules.state import ChipState, States

VECTORS: Final = Path(__file__).parent / "vectors"

Taste = Callable[[Game, Random], Move]
"""A way to choose a move."""

GOAL_SETS: Final = tuple(
    goals
    for how_many in (3, 4)
    for tiles in combinations(range(4), how_many)
    for goals in product(*[(Goal(2 * tile), Goal(2 * tile + 1)) for tile in tiles])
)
"""Every choice of three or four goal tiles and their sides (R2.1)."""

ALL_RULES: Final = tuple(
    Rules(goals, "free" if free else "forced", special_is_color)
    for goals in GOAL_SETS
    for free in (False, True)
    for special_is_color in (True, False)
)
"""Every set of goals under every rule option."""


def any_move(game: Game, dice: Random) -> Move:
    """Any legal move, all equally likely."""
    return dice.choice(game.legal_moves)


def fond_of_drawing(game: Game, dice: Random) -> Move:
    """Draws plates whenever that is possible, often several of them."""
    moves = game.legal_moves
    draw = Move(MoveKind.DRAW)
    if draw in moves and dice.random() < 0.75:
        return draw
    return dice.choice(moves)


def fond_of_chips(game: Game, dice: Random) -> Move:
    """Takes chips and spends them whenever that is possible."""
    moves = game.legal_moves
    liked = [move for move in moves if move.kind in (MoveKind.CHIP, MoveKind.PAY)]
    return dice.choice(liked or moves)


TASTES: Final[Mapping[str, Taste]] = {"uniform": any_move, "drawing": fond_of_drawing, "chips": fond_of_chips}


def play_on(game: Game, taste: str, dice: Random, most: int = 10_000) -> Iterator[Game]:
    """Plays moves of a taste; yields the same game before each of them and at the end."""
    yield game
    for _ in range(most):
        if not len(game.legal_moves):
            return
        game.push(TASTES[taste](game, dice))
        yield game


def played(seed: int, taste: str = "uniform", rules: Rules | None = None, most: int = 10_000) -> Game:
    """A game of random play, to its end or for `most` moves."""
    game = Game.new(seed=seed, rules=rules)
    for _ in play_on(game, taste, Random(seed), most):
        pass
    return game


def legal_choices(states: States) -> list[int]:
    """The engine's list of legal choices of state 0."""
    out = np.empty(MOST_CHOICES, np.int16)
    return out[: engine.legal(states, 0, out)].tolist()


def legal_paths(states: States) -> list[int]:
    """The engine's list of legal moves of state 0, as packed paths."""
    out = np.empty(MOST_MOVES, np.int64)
    return out[: engine.list_moves(states, 0, out)].tolist()


def tile_counts(states: States) -> list[int]:
    """How many tiles of each colour there are, wherever they lie (R1.1)."""
    s = states[0]
    counts = s["sun"].sum(0) + s["moon"] + s["bag"] + s["tower"] + s["broken"].sum(0)
    for color in range(COLORS):
        counts[color] += (s["stack"] == color).sum() + (s["dome"] == color).sum()
        counts[color] += s["line_size"][s["line_color"] == color].sum()
    return [int(count) for count in counts]


def plate_list(states: States) -> list[int]:
    """All plates, wherever they lie, in the order of their numbers (R1.4)."""
    s = states[0]
    lying = [*s["display"].tolist(), *s["pile"][: s["pile_size"]].tolist(), *s["slot_plate"].ravel().tolist()]
    return sorted(plate for plate in lying if plate != NOTHING)


def chip_list(states: States) -> list[int]:
    """All chips, in the stores, spent, on factories or still to come, in the order of faces (R1.5).

    A chip that nobody took by a round's end lies in no store; there is none, since phase 1 goes
    on until all chips are taken (R3.10).
    """
    s = states[0]
    begun = 4 * (int(s["round_no"]) - 1)
    faces = [face for seat in range(2) for face in range(CHIP_FACES) for _ in range(s["store"][seat, face])]
    faces += [face for seat in range(2) for face in range(CHIP_FACES) for _ in range(s["spent"][seat, face])]
    on_factories = [begun + f for f in range(4) if s["chip_state"][f] != ChipState.GONE]
    faces += s["chip_order"][[*on_factories, *range(begun + 4, 20)]].tolist()
    return sorted(faces)


ALL_PLATE_LIST: Final = list(range(PLATE_COUNT))
ALL_CHIP_LIST: Final = [face for face in range(CHIP_FACES) for _ in range(2)]
