"""Leaves in batches: a caller, with a network for example, gives priors and values for many at once.

`gather` walks down the tree many times and leaves the states to be valued in `Leaves`; the caller
writes `priors` and `values` there, and `absorb` takes them into the tree.
"""

from __future__ import annotations

from typing import Final, NamedTuple

from sintra.players.thinking.leaf import is_drafted, value_of_drafted
from sintra.players.thinking.tree import (
    MAX_DEPTH,
    NEW,
    NO_HOOK,
    Tree,
    back_up,
    child_at,
    descend,
    hang,
    has_room,
    new_node,
    sample_for,
    start_tree,
)
from sintra.rules.array_types import Floats, Floats2D, Int8s2D, Int64s, Int64s2D
from sintra.rules.choices import CHOICES, MAX_CHOICES
from sintra.rules.compiled import at, entry, np
from sintra.rules.engine import legal_of
from sintra.rules.state import STATE, States

TINY: Final = 1e-6
"""What every prior of a caller keeps, so that none is 0."""


class Leaves(NamedTuple):
    """A batch of leaves: their states, the ways down to them, and what the caller thinks of them: a
    prior for each choice (those of illegal ones are not read) and seat 0's chance to win."""

    states: States
    paths: Int64s2D
    seats: Int8s2D
    depths: Int64s
    hooks: Int64s
    priors: Floats2D
    values: Floats

    @classmethod
    def with_room(cls, batch: int) -> Leaves:
        """Room for so many leaves, as arrays of NumPy: callers compute with whole batches."""
        import numpy as np

        return cls(
            states=np.zeros(batch, STATE),
            paths=np.zeros((batch, MAX_DEPTH), np.int64),
            seats=np.zeros((batch, MAX_DEPTH), np.int8),
            depths=np.zeros(batch, np.int64),
            hooks=np.zeros(batch, np.int64),
            priors=np.zeros((batch, CHOICES), np.float64),
            values=np.zeros(batch, np.float64),
        )


@entry
def gather(t: Tree, leaves: Leaves, view: States, observer: int, seed: int) -> int:
    """Walks down once for each place of `leaves` and leaves there the states to be valued. Passed
    edges count a visit and a loss meanwhile, so that the walks spread. Returns how many there are."""
    head = at(t.head, 0)
    if head.nodes == 0:
        legal = np.empty(MAX_CHOICES, np.int16)
        values = np.empty(MAX_CHOICES, np.float64)
        leaves.states[0] = view[0]
        start_tree(t, at(leaves.states, 0), legal, values)
    for k in range(len(leaves.states)):
        leaves.states[k] = view[0]
        s = at(leaves.states, k)
        if not sample_for(view, observer, seed, head.simulations + k, s):
            leaves.depths[k:] = 0
            leaves.hooks[k:] = NO_HOOK
            return k
        depth, _, hook = descend(t, s, leaves.paths[k], leaves.seats[k])
        leaves.depths[k] = depth
        leaves.hooks[k] = hook
        for d in range(depth):
            t.edge_visits[leaves.paths[k, d]] += 1
    return len(leaves.states)


@entry
def absorb(t: Tree, leaves: Leaves) -> None:
    """Takes the caller's priors and values of gathered leaves. A leaf at the end of its draft is valued
    by exact tiling instead."""
    head = at(t.head, 0)
    legal = np.empty(MAX_CHOICES, np.int16)
    weighed = np.empty(MAX_CHOICES, np.float64)
    for k in range(len(leaves.states)):
        s = at(leaves.states, k)
        value = leaves.values[k]
        hook = leaves.hooks[k]
        n = legal_of(s, legal)
        if is_drafted(s):
            value = value_of_drafted(at(t.parameters, 0), t.tilings, s, at(t.work, 0))
        elif hook != NO_HOOK and child_at(t, hook) == NEW and has_room(t, n):
            for j in range(n):
                weighed[j] = leaves.priors[k, legal[j]] + TINY
            hang(t, hook, new_node(t, s, legal, weighed, n))
        for d in range(leaves.depths[k]):
            t.edge_visits[leaves.paths[k, d]] -= 1
        back_up(t, leaves.paths[k], leaves.seats[k], leaves.depths[k], value)
        head.simulations += 1
