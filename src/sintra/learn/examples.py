"""Decisions as a learner sees them: for each the inputs that are there, for each choice its rows, the hand-made opinion
and the share of the search's visits."""

from __future__ import annotations

from typing import NamedTuple

import numpy as np

from sintra.components import COLORS, GRID, LINES, SEATS
from sintra.features.inputs import INPUTS, MAX_INPUTS, write_inputs
from sintra.features.rows import MAX_ROWS, ROWS, write_rows
from sintra.features.spaces import write_spaces
from sintra.learn.notes import Notes
from sintra.players.thinking.policy import opinions
from sintra.rules.array_types import Floats, Int16s, Int16s2D, Int64s
from sintra.rules.compiled import at, rare_entry
from sintra.rules.state import Array, States


class Examples(NamedTuple):
    """Decisions to learn from. `inputs` and `rows` are padded with the number behind the last one."""

    inputs: Array
    """The features of each decision."""
    stages: Array
    """The stage of each decision."""
    first: Array
    """Where the choices of each decision begin and, last, where all end."""
    decision: Array
    """The decision to which each choice belongs."""
    rows: Array
    """The features of each choice."""
    opinions: Array
    """The hand-made opinion of each choice."""
    target: Array
    """How much the search preferred each choice."""
    weight: Array
    """How much each decision counts."""

    @classmethod
    def of(cls, notes: Notes) -> Examples:
        """The decisions of some notes. A deeply searched one has weight 1, a quickly searched one that of its visits,
        divided by those of the decision with most visits."""
        decisions, choices = len(notes.states), len(notes.choices)
        inputs = np.full((decisions, MAX_INPUTS), INPUTS, np.int16)
        rows = np.full((choices, MAX_ROWS), ROWS, np.int16)
        opinions = np.zeros(choices)
        states = notes.states.copy()
        widest, longest = write_examples(states, notes.first, notes.choices, inputs, rows, opinions)
        sizes = np.diff(notes.first)
        totals = np.add.reduceat(notes.visits, notes.first[:-1]) if decisions else np.zeros(0)
        return cls(
            inputs=np.ascontiguousarray(inputs[:, :widest]),
            stages=notes.states["stage"].astype(np.int64),
            first=notes.first,
            decision=np.repeat(np.arange(decisions), sizes),
            rows=np.ascontiguousarray(rows[:, :longest]),
            opinions=opinions.astype(np.float32),
            target=(notes.visits / np.repeat(totals, sizes)).astype(np.float32),
            weight=np.where(notes.is_deep, 1.0, totals / totals.max(initial=1)).astype(np.float32),
        )


@rare_entry
def write_examples(
    states: States, first: Int64s, choices: Int16s, inputs: Int16s2D, rows: Int16s2D, out: Floats
) -> tuple[int, int]:
    """Fills inputs, rows and opinions; returns the most inputs of a decision and the most rows of a choice."""
    widest = 0
    longest = 0
    spaces = np.empty((SEATS, LINES, COLORS))
    points = np.empty((GRID, GRID), np.int64)
    for i in range(len(states)):
        s = at(states, i)
        for seat in range(SEATS):
            write_spaces(s, seat, spaces)
        widest = max(widest, write_inputs(s, s.turn, spaces, inputs[i]))
        for k in range(first[i], first[i + 1]):
            longest = max(longest, write_rows(s, int(choices[k]), spaces, rows[k]))
        opinions(
            s,
            choices[first[i] : first[i + 1]],
            first[i + 1] - first[i],
            False,
            spaces,
            points,
            out[first[i] : first[i + 1]],
        )
    return widest, longest
