"""What a leaf of the search is worth: the draft is played on by opinion, and both boards are tiled.

The playout is the hand-made way to value an unfinished draft. A learned value takes its place in
`value_of_leaf`; the end of a draft needs no guess and is always tiled exactly.
"""

from __future__ import annotations

from typing import Final

from sintra.players.thinking.evaluator import (
    Parameters,
    look_at_board,
    look_at_boards,
    quick_opinions_of,
    value_of_lead,
)
from sintra.players.thinking.keys import Tilings, board_key, place_of
from sintra.players.thinking.tiler import best_tiling
from sintra.rules.chance import fraction
from sintra.rules.compiled import at, kernel
from sintra.rules.engine import apply_to, legal_of
from sintra.rules.state import DEALING, OVER, PAYING, TILING, TURNING, Array, State, States

NOISE: Final = 1.0
"""How many points of opinion chance may add to a choice of a playout."""
TURNING_NOISE: Final = 0.2
"""How many points of opinion chance may add to a rotation of a plate, whose opinions are closer together."""


@kernel
def is_drafted(s: State) -> bool:
    """Whether the draft of the round has ended."""
    return bool(s.stage == TILING or s.stage == OVER or s.stage == DEALING)


@kernel
def finish_draft(evaluator: Parameters, thought: State, s: State, dice: State, legal: Array, values: Array) -> None:
    """Plays the draft of the round to its end, both seats by opinion with some noise; both boards are looked at
    already."""
    while s.stage != TILING and s.stage != OVER and s.stage != DEALING and s.stage != PAYING:
        n = legal_of(s, legal)
        pick = 0
        if n > 1:
            quick_opinions_of(evaluator, thought, s, legal, n, values)
            noise = TURNING_NOISE if s.stage == TURNING else NOISE
            most = -1e9
            for k in range(n):
                value = values[k] + noise * fraction(dice)
                if value > most:
                    most = value
                    pick = k
        seat = s.turn
        lays = s.stage == TURNING
        apply_to(s, legal[pick])
        if lays:
            look_at_board(thought, s, seat)


@kernel
def value_of_board(evaluator: Parameters, tilings: Tilings, s: State, seat: int, work: State) -> float:
    """A board tiled exactly and valued, or what is remembered of it."""
    key = board_key(s, seat)
    place = place_of(key, len(tilings.keys))
    if tilings.keys[place] != key:
        tilings.values[place] = best_tiling(s, seat, evaluator, work)
        tilings.keys[place] = key
    return tilings.values[place]


@kernel
def value_of_drafted(evaluator: Parameters, tilings: Tilings, s: State, work: State) -> float:
    """At the end of a draft: both boards tiled exactly and valued, as seat 0's chance to win."""
    mine = value_of_board(evaluator, tilings, s, 0, work)
    theirs = value_of_board(evaluator, tilings, s, 1, work)
    return value_of_lead(evaluator, s, mine, theirs)


@kernel
def value_of_leaf(
    evaluator: Parameters,
    thought: State,
    tilings: Tilings,
    scratch: States,
    legal: Array,
    values: Array,
    work: State,
) -> float:
    """In the middle of a draft: seat 0's chance to win from scratch[0], whose generator gives the dice and whose boards
    are looked at already; scratch[1] is written on."""
    value = 0.0
    for k in range(evaluator.playouts):
        if k > 0:
            look_at_boards(thought, at(scratch, 0))
        scratch[1] = scratch[0]
        finish_draft(evaluator, thought, at(scratch, 1), at(scratch, 0), legal, values)
        value += value_of_drafted(evaluator, tilings, at(scratch, 1), work) / evaluator.playouts
    return value
